/**
 * What the command says of every demo, and of every model of a folder: `isoskin inspect`, `measure --quality` and `bake`,
 * one row per model. The tables of README and docs/bake.md are made from it (npm run docs:figures).
 *
 * node benchmarks/models.mjs [folder of models] [--only tube,finger] [--csv benchmarks/results/models.csv]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const COMMAND = fileURLToPath(new URL('../packages/cli/bin/isoskin.js', import.meta.url));
export const DEMOS = ['tube', 'finger', 'hand', 'giraffe', 'elephant', 'cat', 'hero', 'toy'];

/** Rows of the demos and of the models that `only` names (all: undefined), in their order. */
export function measureModels({ folder, only, log = () => {} }) {
  const work = mkdtempSync(join(tmpdir(), 'isoskin-models-'));
  const models = folder ? readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.glb')) : [];
  const isAsked = (name) => !only || only.includes(name);
  const rows = [];
  try {
    for (const name of DEMOS.filter(isAsked)) {
      const path = join(work, `${name}.glb`);
      run('demo', name, '-o', path);
      rows.push(measureModel(name, path, work));
      log(rows.at(-1));
    }
    for (const file of models.filter((file) => isAsked(basename(file, '.glb')))) {
      const row = measureModel(basename(file, '.glb'), join(folder, file), work);
      if (row.clips > 0) rows.push(row);
      log(row);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return rows;
}

function measureModel(name, path, work) {
  const { vertices, clips: listed } = runJson('inspect', path);
  if (listed.length === 0) return { model: name, clips: 0 };
  const { clips } = runJson('measure', path, '--quality');
  const { sizes, targets } = runJson('bake', path, '-o', join(work, 'baked.glb'), '--force');
  const regions = clips.flatMap((clip) => clip.regions);
  const frames = clips.reduce((sum, clip) => sum + clip.frames.length, 0);
  const misplaced = (side) =>
    clips.reduce((sum, { quality, frames: { length } }) => sum + quality.misplaced.mean[side] * length, 0) / frames;
  return {
    model: name,
    vertices: vertices.welded,
    clips: clips.length,
    frames,
    skinned: worst(clips, 'skinned'),
    corrected: worst(clips, 'corrected'),
    region_skinned: worst(regions, 'skinned'),
    region_corrected: worst(regions, 'corrected'),
    ...measureRegions(regions),
    misplaced_skinned: misplaced('skinned'),
    misplaced_corrected: misplaced('corrected'),
    targets: targets.reduce((sum, { count }) => sum + count, 0),
    bytes_in: sizes.input,
    bytes_out: sizes.output,
  };
}

/** A region counts as exact in a frame in which its volume changes by less. */
const EXACT = 1e-5;

/** Share of the regions of all frames that are exact, and how much further one is from its volume than under plain skinning, at most. */
function measureRegions(regions) {
  let [exact, all, further] = [0, 0, 0];
  for (const { skinned, corrected } of regions) {
    for (const [n, change] of corrected.entries()) {
      all++;
      if (Math.abs(change) < EXACT) exact++;
      further = Math.max(further, Math.abs(change) - Math.abs(skinned[n]));
    }
  }
  return { exact: exact / all, further };
}

/** The change of largest size, without its sign. */
function worst(list, side) {
  return list.reduce((most, item) => Math.max(most, Math.abs(item.worst[side])), 0);
}

/** What a command prints. 3: it did what it was asked for, and says that some region got worse. */
function run(...words) {
  const { status, stdout } = spawnSync(process.execPath, [COMMAND, ...words], {
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (status !== 0 && status !== 3) throw new Error(`isoskin ${words.join(' ')} ended with ${status}`);
  return stdout;
}

function runJson(...words) {
  return JSON.parse(run(...words, '--json'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string' }, csv: { type: 'string' } },
    allowPositionals: true,
  });
  const rows = measureModels({
    folder: positionals[0],
    only: values.only?.split(','),
    log: (row) => console.log(JSON.stringify(row)),
  });
  const names = Object.keys(rows[0]);
  const cell = (value) => (typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(4) : value);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))].map((row) => row.join(','));
  if (values.csv) writeFileSync(values.csv, `${lines.join('\n')}\n`);
}
