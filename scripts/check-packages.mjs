/** Packs every package without writing it (`npm pack --dry-run`) and checks that all its entries would be published. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
);
let faults = 0;
for (const folder of folders) {
  if (!existsSync(join(folder, 'package.json'))) continue;
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (manifest.private) continue;
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 };
  const [pack] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], options));
  const files = new Set(pack.files.map(({ path }) => path));
  console.log(`${pack.id}: ${files.size} files, ${Math.round(pack.size / 1024)} kB`);
  const pages = existsSync(join(folder, 'index.html')) ? ['dist/index.html'] : [];
  for (const path of [...listPaths(manifest.exports), ...listPaths(manifest.bin), 'LICENSE', ...pages]) {
    if (files.has(path.replace(/^\.\//, ''))) continue;
    console.error(`${manifest.name}: "${path}" would not be published`);
    faults++;
  }
}
if (faults > 0) process.exit(1);

/** All files named in an `exports` or `bin` field. */
function listPaths(field) {
  if (field === undefined) return [];
  return typeof field === 'string' ? [field] : Object.values(field).flatMap(listPaths);
}
