/**
 * Checks that the rooms of the house keep their doors (ARCHITECTURE.md, "Which way dependencies point"):
 *
 * 1. a package imports only packages of lower floors: core, drive ← demos, wasm, webgpu ← gltf, report, soft, three, babylon ←
 *    cluster, studio ← cli, site;
 * 2. core imports nothing but itself, and nobody reaches into another package's files;
 * 3. every package that is imported is declared in the importer's package.json;
 * 4. what a browser loads imports no Node built-in: all of core, drive, demos, soft, report, three and babylon, and everything that
 *    the entry `.` of gltf can reach (what opens files is behind `./node`).
 *
 * node scripts/check-dependencies.mjs [root of the repository]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const FLOORS = [
  ['core', 'drive'],
  ['demos', 'wasm', 'webgpu'],
  ['gltf', 'report', 'soft', 'three', 'babylon'],
  ['cluster', 'studio'],
  ['cli', 'site'],
];
const BROWSER_ROOMS = new Set(['core', 'drive', 'demos', 'soft', 'report', 'three', 'babylon']);

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const faults = [];
const rooms = listRooms();
const roomOf = new Map(rooms.map((room) => [room.manifest.name, room]));

let fileCount = 0;
for (const room of rooms) {
  if (room.floor < 0) {
    faults.push(
      `${show(room.folder)}: "${room.name}" is on no floor: add it to FLOORS in scripts/check-dependencies.mjs`,
    );
    continue;
  }
  const reached = listBrowserFiles(room);
  for (const [file, imports] of room.files) {
    fileCount++;
    for (const specifier of imports) checkImport(room, file, specifier, reached.has(file));
  }
}

if (faults.length > 0) {
  console.error(faults.join('\n'));
  console.error(`Dependencies: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`);
  process.exit(1);
}
console.log(`Dependencies: ${fileCount} files in ${rooms.length} packages point the right way.`);

function listRooms() {
  return ['packages', 'apps'].flatMap((parent) => {
    if (!existsSync(join(root, parent))) return [];
    return readdirSync(join(root, parent))
      .filter((name) => existsSync(join(root, parent, name, 'package.json')))
      .map((name) => {
        const folder = join(root, parent, name);
        const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const files = new Map(listSources(join(folder, 'src')).map((file) => [file, listImports(file)]));
        return {
          name,
          folder,
          manifest,
          files,
          isApp: parent === 'apps',
          floor: FLOORS.findIndex((floor) => floor.includes(name)),
        };
      });
  });
}

function listSources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.(ts|tsx|mts|js|mjs)$/.test(name))
    .map((name) => join(folder, name));
}

/** What a file imports: static, re-exported, dynamic and type imports, each once. */
function listImports(file) {
  // A comment starts a line or follows a space, which keeps addresses in texts whole.
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const found = text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])([^'"\n]+)\1/g);
  return new Set([...found].map((match) => match[2]));
}

function checkImport(room, file, specifier, isForBrowser) {
  const fail = (reason) => faults.push(`${show(file)} imports "${specifier}": ${reason}`);
  if (specifier.startsWith('.')) {
    const target = resolve(dirname(file), specifier);
    if (relative(join(room.folder, 'src'), target).startsWith('..')) fail('a file outside its own src folder');
    return;
  }
  if (isBuiltin(specifier)) {
    if (isForBrowser) fail('a Node built-in, in a file that browsers load');
    return;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const { dependencies = {}, peerDependencies = {}, devDependencies = {} } = room.manifest;
  const bundled = room.isApp ? devDependencies : {}; // an app carries what it uses inside its bundle
  if (![dependencies, peerDependencies, bundled].some((list) => name in list))
    fail(`not declared in ${room.name}'s package.json`);
  const target = roomOf.get(name);
  if (target && target.floor >= room.floor) fail(`${room.name} must not depend on ${target.name}`);
  if (target && specifier !== name && !target.manifest.exports?.[`.${specifier.slice(name.length)}`]) {
    fail(`not an entry of ${target.name}`);
  }
  if (room.floor === 0) fail(`${room.name} depends on nothing`);
}

/** Files of a room that a browser can load. */
function listBrowserFiles(room) {
  if (BROWSER_ROOMS.has(room.name)) return new Set(room.files.keys());
  const { '.': whole, './node': node } = room.manifest.exports ?? {};
  const entry = whole?.browser ?? (node && whole?.default);
  const open = entry ? [join(room.folder, entry.replace('/dist/', '/src/').replace(/\.js$/, '.ts'))] : [];
  const reached = new Set();
  while (open.length > 0) {
    const file = open.pop();
    if (reached.has(file)) continue;
    reached.add(file);
    if (!room.files.has(file)) faults.push(`${show(file)}: the browser entry needs this file and it is not there`);
    for (const specifier of room.files.get(file) ?? []) {
      if (specifier.startsWith('.')) open.push(resolve(dirname(file), specifier).replace(/\.js$/, '.ts'));
    }
  }
  return reached;
}

function isBuiltin(specifier) {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

function show(path) {
  return relative(root, path);
}
