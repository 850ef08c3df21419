/**
 * Checks that no source file has more than 300 lines: one that has does more than one job. Functions are held to 100 by the linter
 * (biome.json). Generated code does not count.
 *
 * node scripts/check-lengths.mjs
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MOST_LINES = 300;
/** Files that may be longer, at most five, each with its reason. */
const EXCEPTIONS = new Map([]);

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
  if (lines > MOST_LINES && !EXCEPTIONS.has(file)) faults.push(`${file}: ${lines} lines, at most ${MOST_LINES}`);
  if (lines <= MOST_LINES && EXCEPTIONS.has(file)) faults.push(`${file}: no exception is needed any more`);
}
if (EXCEPTIONS.size > 5) faults.push(`${EXCEPTIONS.size} exceptions: five at most`);
if (faults.length > 0) {
  console.error(
    `${faults.join('\n')}\nLengths: give each job a file of its own, or a reason in scripts/check-lengths.mjs.`,
  );
  process.exit(1);
}
console.log(`Lengths: ${files.length} source files of at most ${MOST_LINES} lines.`);
