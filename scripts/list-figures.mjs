/**
 * The figures of the pages (scripts/docs-figures.mjs): id → Markdown.
 *
 * A file of benchmarks/results/tables is a table as it is shown; its first lines, after `#`, name the command that measured it and where. The other files of
 * benchmarks/results are written by the benchmark that each names here, and formatted here.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureModels } from '../benchmarks/models.mjs';
import { ROOT } from './list-packages.mjs';

const RESULTS = join(ROOT, 'benchmarks/results');

/** Models that are measured again by --check: seconds each. */
const AGAIN = ['tube', 'finger', 'RiggedFigure', 'aframe_leftHand'];

/** Models of the README, and what they are called there. */
const README_MODELS = {
  hand: 'hand (demo)',
  hero: 'hero (demo)',
  CesiumMan: 'CesiumMan (Khronos sample)',
  Fox: 'Fox (Khronos sample, 290 vertices)',
  Ghost: 'Ghost (Polygonal Mind)',
  aframe_leftHand: 'left hand of A-Frame, 112 vertices',
};

export async function listFigures() {
  const models = readCsv('models.csv').map(toNumbers);
  const finger = models.find(({ model }) => model === 'finger');
  const frame = readCsv('cpu.csv').map(toNumbers);
  const wasm = frame.findLast(
    ({ kernels, threads, vertices }) => kernels === 'wasm' && threads === 1 && vertices === 5720,
  );
  const three = readSizes().get('@isoskin/three');
  return {
    ...Object.fromEntries(listTables()),
    'finger-total': `${percent(finger.skinned, 1)} → ${fixed(finger.corrected)}`,
    'finger-region': `${percent(finger.region_skinned, 1)} → ${fixed(finger.region_corrected)}`,
    'frame-ms': `${wasm.frame.toFixed(1)} ms`,
    'frame-three': `${(wasm.threeSkin / wasm.frame).toFixed(0)}`,
    'three-kb': `${Math.ceil(three.first)} kB`,
    'three-later': `${Math.ceil(three.later)} kB`,
    'readme-models': table(
      ['model', 'total', 'worst region', 'misplaced flesh'],
      Object.entries(README_MODELS).map(([name, title]) => {
        const row = models.find(({ model }) => model === name);
        const held = row.region_corrected > 1e-6 ? ', held back by the limit' : '';
        return [
          title,
          `${percent(row.skinned, 1)} → ${percent(row.corrected, 1)}`,
          `${percent(row.region_skinned, 0)} → ${percent(row.region_corrected, 0)}${held}`,
          `${percent(row.misplaced_skinned, 2)} → ${percent(row.misplaced_corrected, 2)}`,
        ];
      }),
    ),
    'models-exact': table(
      ['model', 'frames', 'worst region', 'regions exact', 'further off than skinned'],
      models.map((row) => [
        row.model,
        thousands(row.frames),
        `${percent(row.region_skinned, 1)} → ${percent(row.region_corrected, 1)}`,
        percent(row.exact, 0),
        percent(row.further, 2),
      ]),
    ),
    'bake-models': table(
      ['model', 'vertices', 'clips', 'worst, skinned', 'targets', 'size', 'growth'],
      models.map((row) => [
        row.model,
        thousands(row.vertices),
        row.clips,
        percent(row.skinned, 2),
        row.targets,
        `${Math.round(row.bytes_in / 1000)} → ${Math.round(row.bytes_out / 1000)} kB`,
        (row.bytes_out / row.bytes_in).toFixed(2),
      ]),
    ),
    'shapes-kept': table(
      ['model', 'vertices', 'regions', 'frames', 'total', 'worst region, no limit', 'held back', 'evaluations', 'pops'],
      readCsv('shapes.csv').map((row) => [
        row.model,
        thousands(row.vertices),
        row.regions,
        thousands(row.frames),
        small(Number(row.total)),
        small(Number(row.region_unlimited)),
        row.held_frames === '0' ? '0' : `${thousands(row.held_frames)} frames, ${row.worst_held.replace(/\.\d+/, '')}`,
        row.evaluations,
        row.pops,
      ]),
    ),
    forms: table(
      [
        'character',
        'vertices',
        'shapes',
        'morph',
        'sparse',
        'plain skin',
        'with morph targets',
        'with the sparse form',
      ],
      readCsv('forms.csv').map((row) => [
        `${row.model}, ${row.preset}`,
        thousands(row.vertices),
        row.shapes,
        `${row.morph_bytes} B`,
        `${Math.round(row.sparse_bytes)} B`,
        ...[row.off_ms, row.morph_ms, row.sparse_ms].map((time) => `${Number(time).toFixed(1)} ms`),
      ]),
    ),
    'contact-kept': table(
      ['model', 'clip', 'skin', 'linear', 'volume', 'with contact', 'stretch', 'displacement', 'temporal'],
      readCsv('contact.csv')
        .filter((row) => Number(row.linear) + Number(row.volume) > 0)
        .map((row) => [
          ...[row.model, row.clip.split('|').at(-1), row.skin, row.linear, row.volume, row.contact],
          ...[row.stretch, row.displacement, `${row.temporal_volume} → ${row.temporal}`],
        ]),
    ),
    'bake-again': table(
      ['model', 'clips', 'as it was', 'baked', 'baked twice', 'weights, then baked'],
      readCsv('bake-again.csv').map((row) => [
        row.model,
        row.clips,
        row.plain,
        row.baked,
        row.twice,
        row.after_weights,
      ]),
    ),
    'bake-time': table(
      ['model', 'clips', 'cpu', 'cpu before', 'memory', 'start', 'files', 'plan', 'frames', 'targets', 'judge'],
      readCsv('bake.csv').map((row) => [
        row.model,
        row.clips,
        ...[row.cpu, row.cpu_before].map((time) => `${Number(time).toFixed(1)} s`),
        `${row.mib_before} → ${row.mib} MiB`,
        ...[row.start, row.files, row.plan, row.frames, row.targets, row.judge].map((share) => `${share} %`),
      ]),
    ),
    'drive-left-out': table(
      [
        'model',
        'left out',
        'linear’s worst',
        'driven: worst',
        'median',
        'solver: worst',
        'median',
        'driver above solver',
      ],
      readCsv('drive.csv').map((row) => [
        row.model,
        row.left_out,
        row.linear_worst,
        row.worst_share,
        row.median_share,
        row.solver_worst_share,
        row.solver_median_share,
        row.above_share,
      ]),
    ),
    survive: tabulateSurvival(readCsv('survive.csv')),
    'gpu-frames': table(
      [
        'case',
        'evaluations',
        'in batches',
        'alone, GPU',
        'by the clock',
        'floor (bytes ÷ copy bandwidth)',
        'ratio in batches',
      ],
      readCsv('gpu-nvidia-h200.csv')
        .map(toNumbers)
        .map((row) => [
          `${row.instances > 1 ? `${thousands(row.instances)} × ` : ''}${thousands(row.vertices)} vertices, ${row.regions} regions, ${/cold/.test(row.case) ? 'cold' : 'warm'}${/clips/.test(row.case) ? ', poses from a clip' : ''}`,
          round(row.evaluations),
          `${round(row.batchMs)} ms`,
          `${round(row.gpuMs)} ms`,
          `${round(row.clockMs)} ms`,
          `${round(row.floorMs)} ms (${Math.round(row.bytes / 1e6)} MB at ${round(row.copyGBps / 1000)} TB/s)`,
          round(row.ratio),
        ]),
    ),
  };
}

/** One row per tool: the worst of the files that are kept, and the models that the tool changes by itself. */
function tabulateSurvival(rows) {
  const show = (share) => (Number(share) < 5e-6 ? '0' : `${Number((100 * share).toPrecision(2))} %`);
  const max = (list, name) => Math.max(...list.map((row) => Number(row[name])));
  const tools = [...new Set(rows.map(({ tool }) => tool))];
  return table(
    ['tool', 'version', 'worst vertex', 'worst volume', 'largest file', 'kept', 'as unbaked', 'lost'],
    tools.map((tool) => {
      const all = rows.filter((row) => row.tool === tool);
      const [kept, own] = ['kept', 'as unbaked'].map((kind) => all.filter(({ result }) => result === kind));
      const lost = all.filter(({ result }) => /^(lost|fails)/.test(result));
      const isReference = all[0].limit === '';
      const listLosses = (list) =>
        list.map((row) => {
          const isVertex = Number(row.distance) > Number(row.limit);
          return `${row.model} ${isVertex ? show(row.distance) : `(volume) ${show(row.volume)}`}`;
        });
      return [
        tool,
        all[0].version || '–',
        ...['distance', 'volume'].map((name) => show(max(isReference ? all : kept, name))),
        all[0].growth ? `× ${max(all, 'growth')}` : '–',
        isReference ? '–' : `${kept.length} of ${all.length}`,
        listLosses(own).join(', ') || '–',
        listLosses(lost).join(', ') || '–',
      ];
    }),
  );
}

/** Sentences about models whose figures are no longer those of benchmarks/results/models.csv. */
export function measureAgain(folder) {
  const known = readCsv('models.csv').map(toNumbers);
  const says = (row) =>
    [
      percent(row.skinned, 2),
      row.corrected < 1e-9,
      percent(row.region_skinned, 1),
      row.region_corrected < 1e-6 || percent(row.region_corrected, 0),
      percent(row.misplaced_corrected, 2),
      row.targets,
      (row.bytes_out / row.bytes_in).toFixed(2),
    ].join(' ');
  return measureModels({ folder, only: AGAIN })
    .map((row) => [row.model, says(row), says(known.find(({ model }) => model === row.model))])
    .filter(([, now, then]) => now !== then)
    .map(
      ([model, now, then]) =>
        `${model}: ${now} now, ${then} in models.csv; run: node benchmarks/models.mjs <models> --csv benchmarks/results/models.csv`,
    );
}

/** Files of benchmarks/results/tables by name, as they are shown. */
function listTables() {
  const files = readdirSync(join(RESULTS, 'tables')).filter((name) => name.endsWith('.csv'));
  return files.map((file) => {
    const [head, ...rows] = parseCsv(join('tables', file));
    return [file.slice(0, -4), table(head, rows)];
  });
}

/** `{ first, later }` in kB of every entry that scripts/measure-bundles.mjs weighs. */
function readSizes() {
  const text = execFileSync(process.execPath, [join(ROOT, 'scripts/measure-bundles.mjs')], { encoding: 'utf8' });
  const lines = [...text.matchAll(/^(.+?) +([\d.]+) kB .*?(?:later ([\d.]+) kB)?$/gm)];
  return new Map(lines.map(([, name, first, later]) => [name, { first: Number(first), later: Number(later ?? 0) }]));
}

function parseCsv(file) {
  const lines = readFileSync(join(RESULTS, file), 'utf8').trim().split('\n');
  return lines.filter((line) => !line.startsWith('#')).map(parseLine);
}

/** The cells of a line: plain, or in quotes with quotes doubled. */
function parseLine(line) {
  return [...`${line},`.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*)),/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

function readCsv(file) {
  const [names, ...rows] = parseCsv(file);
  return rows.map((row) => Object.fromEntries(row.map((cell, n) => [names[n], cell])));
}

function toNumbers(row) {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      cell !== '' && Number.isFinite(Number(cell)) ? Number(cell) : cell,
    ]),
  );
}

function table(head, rows) {
  const odd = rows.find((row) => row.length !== head.length);
  if (odd) throw new Error(`a row of ${odd.length} cells in a table of ${head.length}: ${odd.join(' | ')}`);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** 0.0858 → 8.6 %, 8e-12 → 8e−10 %. */
function percent(share, digits) {
  return Math.abs(share) < 1e-5 ? `${small(100 * share)} %` : `${(100 * share).toFixed(digits)} %`;
}

/** 8.9e-12 → 0.0000000009 %: for those who do not read exponents. */
function fixed(share) {
  return `${(100 * share).toFixed(Math.max(0, -Math.floor(Math.log10(100 * share))))} %`;
}

function small(value) {
  return value === 0 ? '0' : value.toExponential(0).replace('-', '−');
}

function round(value) {
  return Number(value) === 0 ? '0' : String(Number(Number(value).toPrecision(3)));
}

function thousands(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ' ');
}
