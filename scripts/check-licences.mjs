/**
 * The licences of everything that users install with our packages, from the lock file: a table in docs/licences.md, and a fault for any
 * licence that is not on the list of permissive ones.
 *
 * node scripts/check-licences.mjs [--write]     --write: write the table; else it must be the same
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listPackages, ROOT } from './list-packages.mjs';

const PERMISSIVE = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Zlib',
]);
const HEAD = `# Licences of what isoskin installs

isoskin is under the MIT licence. This is everything that its packages bring along, from the lock file; \`node scripts/check-licences.mjs\` checks that all
of it is permissive, and that this table is up to date. The studio's own list, with the texts, is \`third-party-licences.txt\` in its \`dist/\`.

| package | version | licence | comes with |
|---|---|---|---|
`;

/** `{ name, version, license, by }`, by name; `by`: those of our packages that bring it. */
export function listLicences(root = ROOT) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Map();
  for (const { manifest } of listPackages()) {
    const seen = new Set();
    const open = [...wanted(manifest)].map((name) => [name, '']);
    while (open.length > 0) {
      const [name, from] = open.pop();
      const path = find(packages, name, from);
      if (path === undefined || seen.has(path)) continue; // an optional one that is not installed here
      seen.add(path);
      const target = packages[path].link ? packages[path].resolved : path;
      const entry = packages[target];
      for (const next of wanted(entry)) open.push([next, target]);
      if (packages[path].link) continue;
      const row = found.get(path) ?? {
        name,
        version: entry.version,
        license: entry.license ?? 'unknown',
        by: new Set(),
      };
      row.by.add(manifest.name);
      found.set(path, row);
    }
  }
  return [...found.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1,
  );
}

function wanted({ dependencies = {}, optionalDependencies = {} }) {
  return new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]);
}

/** Where Node would find `name` from the package at `from`. */
function find(packages, name, from) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const path = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    if (packages[path]) return path;
    if (base === '') return undefined;
    if (!base.includes('/node_modules/') && packages[`node_modules/${name}`]) return `node_modules/${name}`;
    if (!base.includes('/node_modules/')) return undefined;
  }
}

/** “(MIT OR GPL-3.0)” leaves the choice to us; “A AND B” does not. */
export function isPermissive(license) {
  const words = license.replace(/[()]/g, '');
  if (words.includes(' AND ')) return words.split(' AND ').every(isPermissive);
  return words.split(' OR ').some((one) => PERMISSIVE.has(one.trim()));
}

export function writeTable(rows) {
  const lines = rows.map(({ name, version, license, by }) => {
    return `| ${name} | ${version} | ${license} | ${[...by].sort().join(', ')} |`;
  });
  return `${HEAD}${lines.join('\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = listLicences();
  const path = join(ROOT, 'docs/licences.md');
  const table = writeTable(rows);
  if (process.argv.includes('--write')) writeFileSync(path, table);
  const faults = rows.filter(({ license }) => !isPermissive(license));
  for (const { name, license, by } of faults)
    console.error(`${name} is under ${license}, which is not on our list, and comes with ${[...by].join(', ')}`);
  const isStale = readFileSync(path, 'utf8') !== table;
  if (isStale) console.error('docs/licences.md is not up to date: node scripts/check-licences.mjs --write');
  if (faults.length > 0 || isStale) process.exit(1);
  console.log(`Licences: ${rows.length} packages, all permissive.`);
}
