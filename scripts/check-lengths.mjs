/**
 * Checks that no source file has more than 800 lines. A long file may tell one story; beyond this it tells several. Functions are held to
 * 100 lines by the linter (biome.json). Generated code does not count.
 *
 * node scripts/check-lengths.mjs
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAX_LINES = 800;

const root = fileURLToPath(new URL('..', import.meta.url));
const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', 'packages', 'apps'];
const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\/src\/.*\.(ts|tsx|css|mjs)$/.test(file) && !file.includes('/generated/'));
const faults = [];
for (const file of files) {
  let lines = 0;
  try {
    lines = readFileSync(`${root}/${file}`, 'utf8').split('\n').length - 1;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error; // deleted, not yet committed
  }
  if (lines > MAX_LINES) faults.push(`${file}: ${lines} lines, at most ${MAX_LINES}`);
}
if (faults.length > 0) {
  console.error(`${faults.join('\n')}\nLengths: give each story a file of its own.`);
  process.exit(1);
}
console.log(`Lengths: ${files.length} source files of at most ${MAX_LINES} lines.`);
