/**
 * Every entry that a package exports, and the TypeScript file behind it: `{ '@isoskin/core': '…/packages/core/src/index.ts', … }`. Tests,
 * test pages and the studio are made from the sources, so that nothing passes on a stale build.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url));

/** @returns {Record<string, string>} longer names first, as a bundler that looks at beginnings wants them */
export function listSources() {
  const found = readdirSync(PACKAGES)
    .filter((folder) => existsSync(join(PACKAGES, folder, 'package.json')))
    .flatMap((folder) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8'));
      return Object.entries(exports)
        .filter(([, entry]) => entry.default)
        .map(([path, entry]) => [
          `${name}${path.slice(1)}`,
          join(PACKAGES, folder, entry.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')),
        ]);
    });
  return Object.fromEntries(found.sort(([a], [b]) => b.length - a.length));
}
