/**
 * Packs every package as it would be published and checks what a stranger gets: all its entries, a README and a licence, an address
 * to turn to, exports that Node and bundlers understand (publint), types that TypeScript finds (arethetypeswrong).
 *
 * All packages are ES modules only: Node 20.19, the oldest that is supported, takes them by `require()` as well, so a second
 * build would bring nothing but two copies of every class in one program. What only old CommonJS resolution complains of is left out.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { listPackages, ROOT } from './list-packages.mjs';

const FIELDS = ['description', 'license', 'homepage', 'bugs', 'engines', 'files'];
/** How TypeScript may look for types; `node10` knows no exports, `node16-cjs` no ES modules in `require`. */
const RESOLUTIONS = new Set(['node16-esm', 'bundler']);

const folder = mkdtempSync(join(tmpdir(), 'isoskin-pack-'));
const faults = [];
try {
  for (const entry of listPackages()) await check(entry);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

async function check({ folder: source, manifest }) {
  const fail = (words) => faults.push(`${manifest.name}: ${words}`);
  const options = { cwd: source, encoding: 'utf8', maxBuffer: 2 ** 28 };
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [pack] = JSON.parse(execFileSync('npm', args, options));
  const files = new Set(pack.files.map(({ path }) => path));
  console.log(`${pack.id}: ${files.size} files, ${Math.round(pack.size / 1024)} kB`);
  const pages = existsSync(join(source, 'index.html')) ? ['dist/index.html'] : [];
  for (const path of [...listPaths(manifest.exports), ...listPaths(manifest.bin), 'LICENSE', 'README.md', ...pages])
    if (!files.has(path.replace(/^\.\//, ''))) fail(`"${path}" would not be published`);
  checkFields(source, manifest, fail);

  const tarball = readFileSync(join(folder, pack.filename.replace(/^@/, '').replace('/', '-')));
  const buffer = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true });
  for (const message of messages) fail(`publint: ${formatMessage(message, manifest)}`);
  if (!manifest.exports?.['.']) return;
  const { problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(buffer)), {
    excludeEntrypoints: ['./package.json'],
  });
  for (const { kind, entrypoint, resolutionKind } of problems) {
    const isEsmOnly = kind === 'CJSResolvesToESM' || (resolutionKind && !RESOLUTIONS.has(resolutionKind));
    if (!isEsmOnly) fail(`arethetypeswrong: ${kind} ${entrypoint ?? ''} ${resolutionKind ?? ''}`);
  }
}

function checkFields(source, manifest, fail) {
  for (const field of FIELDS) if (!manifest[field]) fail(`package.json has no "${field}"`);
  if (!(manifest.keywords?.length >= 4)) fail('package.json has fewer than four "keywords"');
  if (manifest.repository?.directory !== relative(ROOT, source).replaceAll('\\', '/'))
    fail('"repository.directory" is not its folder');
  const { access, provenance } = manifest.publishConfig ?? {};
  if (access !== 'public' || provenance !== true) fail('"publishConfig" wants access "public" and provenance true');
}

/** All files named in an `exports` or `bin` field. */
function listPaths(field) {
  if (field === undefined) return [];
  return typeof field === 'string' ? [field] : Object.values(field).flatMap(listPaths);
}
