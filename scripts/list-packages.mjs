/** The packages of the workspace that are published, those that others need first: `{ folder, manifest }`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export function listPackages() {
  const found = ['packages', 'apps']
    .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => !manifest.private);
  const byName = new Map(found.map((entry) => [entry.manifest.name, entry]));
  const sorted = new Set();
  const add = (entry) => {
    for (const name of Object.keys(entry.manifest.dependencies ?? {})) if (byName.has(name)) add(byName.get(name));
    sorted.add(entry);
  };
  found.forEach(add);
  return [...sorted];
}
