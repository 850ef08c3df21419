/**
 * Does a bake survive the tools that people run on a .glb? Demos and real models are baked, every tool rewrites the file, and an
 * independent player (scripts/survive) compares all clips with the bake. Every tool is run on the model without a bake as well: a loss
 * that this model has too is the tool's own, and the result says “as unbaked”.
 *
 * npm run survive -- [folder of models] [--only tube,Fox] [--tool gltfpack] [--csv benchmarks/results/survive.csv]
 *
 * Without a folder ../shared/models is used where it exists. Blender is run where it is installed. `--three 0.160.0,0.168.0` installs releases of
 * three.js into a temporary folder and asks whether they show the same frames; `none` leaves that out. Exit code 1: a bake was lost.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from './list-packages.mjs';
import { comparePlayers } from './survive/compare-players.mjs';
import { createIo, LOSSLESS_LIMIT, listTools } from './survive/list-tools.mjs';
import { planPlayer } from './survive/play-document.mjs';
import { installThree, planThreePlayer } from './survive/play-three.mjs';

export { listTools } from './survive/list-tools.mjs';
export { playHeights, REPRODUCTIONS } from './survive/make-reproductions.mjs';

const DEMOS = ['tube', 'finger', 'hand', 'hero'];
const THREE_VERSIONS = '0.160.0,0.168.0,0.187.0';
/** A tool may change the total volume by this share. */
const VOLUME_LIMIT = 0.005;
/** A tool that moves a model by itself moves the baked one a little otherwise. */
const OWN_SLACK = 1.05;

const openPlayer = async (bytes) => planPlayer(await (await createIo()).readBinary(bytes));

/** Returns one row per tool: what it does to the baked file and to the model without a bake. */
export async function judgeTools(tools, model, plain, baked) {
  const before = await openPlayer(baked);
  const plainBefore = await openPlayer(plain);
  const rows = [describe({ name: 'all targets dropped' }, model, comparePlayers(before, plainBefore))];
  for (const tool of tools) {
    try {
      const after = await runTool(tool, baked);
      const found = comparePlayers(before, after.player);
      const own = comparePlayers(plainBefore, (await runTool(tool, plain)).player);
      rows.push(describe(tool, model, found, own, after.bytes && after.bytes / baked.length));
    } catch (error) {
      rows.push({ tool: tool.name, version: tool.version, model, result: `fails: ${error.message.split('\n')[0]}` });
    }
  }
  return rows;
}

async function runTool(tool, bytes) {
  if (tool.open) return { player: await tool.open(bytes) };
  const out = await tool.run(bytes);
  return { player: await openPlayer(out), bytes: out.length };
}

function describe({ name, version = '', limit }, model, found, own, growth) {
  return {
    tool: name,
    version,
    model,
    limit: limit ?? '',
    distance: round(found.distance),
    own_distance: own ? round(own.distance) : '',
    volume: round(found.volume),
    own_volume: own ? round(own.volume) : '',
    growth: growth ? growth.toFixed(2) : '',
    result: own ? judge(found, own, limit) : '',
  };
}

/** A loss that the model without a bake has as well is the tool's own. */
function judge(found, own, limit) {
  const isWithin = (distance, volume) => found.distance <= distance + limit && found.volume <= volume + VOLUME_LIMIT;
  if (isWithin(0, 0)) return 'kept';
  if (isWithin(OWN_SLACK * own.distance, OWN_SLACK * own.volume)) return 'as unbaked';
  return `lost (${found.clip} at ${found.time.toFixed(2)} s)`;
}

const round = (share) => Number(share.toPrecision(2));

async function listThreeTools(versions, folder) {
  const tools = [];
  for (const version of versions) {
    const three = await installThree(version, folder);
    const open = (bytes) => planThreePlayer(bytes, three);
    tools.push({ name: `three.js ${version} plays`, version, limit: LOSSLESS_LIMIT, open });
  }
  return tools;
}

function runCommand(...args) {
  execFileSync(process.execPath, [join(ROOT, 'packages/cli/bin/isoskin.js'), ...args], { stdio: 'pipe' });
}

/** Bakes the models and yields their bytes, plain and baked. Models without a clip are left out. */
function* listModels(folder, isAsked, work) {
  const real = folder ? readdirSync(folder).filter((file) => file.endsWith('.glb')) : [];
  const paths = [...DEMOS.map((name) => join(work, `${name}.glb`)), ...real.map((file) => join(folder, file))];
  for (const path of paths) {
    const name = basename(path, '.glb');
    if (!isAsked(name)) continue;
    if (path.startsWith(work)) runCommand('demo', name, '-o', path);
    const plain = new Uint8Array(readFileSync(path));
    if (!hasClip(plain)) continue;
    const target = join(work, `${name}-baked.glb`);
    runCommand('bake', path, '-o', target, '--force', '--jobs', '1');
    yield { name, plain, baked: new Uint8Array(readFileSync(target)) };
  }
}

function hasClip(bytes) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return JSON.parse(view.toString('utf8', 20, 20 + view.readUInt32LE(12))).animations?.length > 0;
}

function formatRow(row) {
  const percent = (share) => (share === '' || share === undefined ? '' : `${(100 * share).toFixed(3)} %`);
  const cells = [row.model, row.tool, percent(row.distance), percent(row.own_distance), percent(row.volume)];
  const widths = [17, 40, 11, 11, 11, 11];
  const text = [...cells, percent(row.own_volume)].map((cell, n) =>
    n < 2 ? cell.padEnd(widths[n]) : cell.padStart(widths[n]),
  );
  return `${text.join('')}  ${row.result}`;
}

async function main() {
  const { values, positionals } = parseArgs({
    options: {
      only: { type: 'string' },
      tool: { type: 'string', default: '' },
      csv: { type: 'string' },
      three: { type: 'string', default: THREE_VERSIONS },
    },
    allowPositionals: true,
  });
  const shared = join(ROOT, '../shared/models');
  const folder = positionals[0] ?? (existsSync(shared) ? shared : undefined);
  const only = values.only?.split(',');
  const work = mkdtempSync(join(tmpdir(), 'isoskin-survive-'));
  const rows = [];
  const print = (line) => process.stdout.write(`${line}\n`);
  try {
    const versions = values.three === 'none' ? [] : values.three.split(',');
    const tools = [...listTools(), ...(await listThreeTools(versions, work))];
    if (!tools.some(({ name }) => name.startsWith('Blender'))) print('Blender is not installed: not run.');
    print(
      `${''.padEnd(57)}  distance  unbaked    volume    unbaked   (worst vertex as a share of the size, worst change of the volume)`,
    );
    const asked = tools.filter(({ name }) => name.includes(values.tool));
    for (const model of listModels(folder, (name) => !only || only.includes(name), work)) {
      for (const row of await judgeTools(asked, model.name, model.plain, model.baked)) {
        rows.push(row);
        print(formatRow(row));
      }
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  if (values.csv) writeCsv(values.csv, rows);
  process.exitCode = rows.every(({ result }) => ['', 'kept', 'as unbaked'].includes(result)) ? 0 : 1;
}

function writeCsv(path, rows) {
  const names = Object.keys(rows[0]);
  const quote = (cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = rows.map((row) => names.map((name) => quote(String(row[name] ?? ''))).join(','));
  writeFileSync(path, `# npm run survive -- <folder of models> --csv ${path}\n${[names, ...lines].join('\n')}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
