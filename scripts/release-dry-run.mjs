/**
 * A whole release on this machine: every package is published to a registry of our own, then a stranger with an empty folder and
 * nothing but Node installs them by name, each one alone, imports and requires them, runs the command, and follows the
 * guides as they are written; and the examples for bundlers are built.
 *
 * node scripts/release-dry-run.mjs [--quick | --bundlers]     --quick: without the guides and bundlers; --bundlers: nothing else
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listPackages, ROOT } from './list-packages.mjs';
import { publishPackages } from './publish-packages.mjs';
import { listJourneys, runPage } from './run-docs.mjs';
import { startRegistry } from './start-registry.mjs';

const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
const home = mkdtempSync(join(tmpdir(), 'isoskin-release-'));
const registry = await startRegistry(upstream);
const start = performance.now();
try {
  await step('publish', () => publishPackages([`--registry=${registry.url}`, '--provenance=false'], registry.env));
  const [isQuick, isBundlers] = ['--quick', '--bundlers'].map((option) => process.argv.includes(option));
  if (!isBundlers) {
    for (const entry of listPackages()) await step(`${entry.manifest.name} alone`, () => installAlone(entry));
    await step('npx isoskin', tryCommand);
  }
  if (!isQuick && !isBundlers)
    for (const page of listJourneys()) await step(page, () => runPage(page, { env: registry.env, install: true }));
  if (!isQuick) for (const name of listBundlers()) await step(`examples/bundlers/${name}`, () => buildBundler(name));
  console.log(`Released to ${registry.url} and used from there in ${seconds(start)}.`);
} finally {
  await registry.close();
  rmSync(home, { recursive: true, force: true });
}

async function step(name, work) {
  const from = performance.now();
  await work();
  console.log(`── ${name}: ${seconds(from)}`);
}

function seconds(from) {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}

/** One package by its name, with the peers that its README names, in an empty folder: every entry is imported and required. */
function installAlone({ manifest }) {
  const folder = emptyFolder(manifest.name);
  run('npm', ['install', '--ignore-scripts', manifest.name, ...Object.keys(manifest.peerDependencies ?? {})], folder);
  const entries = Object.keys(manifest.exports ?? {}).filter((entry) => entry !== './package.json');
  const names = entries.map((entry) => join(manifest.name, entry).replaceAll('\\', '/'));
  const code = `import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    for (const name of ${JSON.stringify(names)}) {
      const [imported, required] = [Object.keys(await import(name)), require(name)];
      if (imported.length === 0 || !imported.every((key) => key in required)) throw new Error(name);
    }`;
  writeFileSync(join(folder, 'try.mjs'), code);
  run(process.execPath, ['try.mjs'], folder);
}

function tryCommand() {
  const folder = emptyFolder('npx');
  run('npx', ['isoskin', 'demo', 'finger', '-o', 'finger.glb'], folder);
  const table = run('npx', ['isoskin', 'measure', 'finger.glb', '--preset', 'organic'], folder);
  if (!/corrected/.test(table)) throw new Error(`npx isoskin measure printed no table:\n${table}`);
}

function listBundlers() {
  const entries = readdirSync(join(ROOT, 'examples/bundlers'), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function buildBundler(name) {
  const folder = join(home, name);
  cpSync(join(ROOT, 'examples/bundlers', name), folder, { recursive: true });
  run('npm', ['install', '--ignore-scripts'], folder);
  run('npm', ['run', 'build'], folder);
}

function emptyFolder(name) {
  const folder = join(home, name.replace('/', '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return folder;
}

function run(command, args, cwd) {
  try {
    return execFileSync(command, args, { cwd, env: registry.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
  }
}
