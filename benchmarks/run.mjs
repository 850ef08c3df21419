/**
 * One frame — skin, exact regions, normals — on every kernel set and size, warm (from the last frame's amounts) and cold, beside plain
 * skinning in the same set, three.js's CPU path and the memory floor, all in turns in one run. Build first (npm run build).
 *
 * npm run bench [-- --quick] [--json] [--details] [--sizes 5720,50000] [--csv]
 *
 * --quick     5 720 and 100 000 vertices only, under two minutes
 * --json      { machine, rows } on standard output and nothing else; times in ms, medians; peak memory in MB
 * --details   JSON rows also with the lower tenth of the times and the bytes of a character, and the C++ twin
 * --csv       the rows also go to benchmarks/results/cpu.csv, below those of all commits before: lower tenths, which a busy machine disturbs least
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { createShapeSolver, normalise, skinLinear, sumAreaVectors } from '@isoskin/core/kernels';
import { createWasmKernels } from '@isoskin/wasm';
import { timeNative } from './native/time-native.mjs';
import { planCase } from './plan-case.mjs';
import { median, timeTasks, undisturbed } from './time-tasks.mjs';
import { createThreeSkin } from './time-three.mjs';

const SIZES = [258, 1677, 5720, 8636, 31750, 50_000, 100_000, 1_000_000];
const QUICK_SIZES = [5720, 100_000];
const TIMES = ['skin', 'skinNormals', 'frame', 'cold'];
const FIELDS = [
  'kernels',
  'threads',
  'vertices',
  'regions',
  'skin',
  'skinNormals',
  'frame',
  'threeSkin',
  'floor',
  'cold',
];
const results = new URL('./results/cpu.csv', import.meta.url);

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    details: { type: 'boolean' },
    csv: { type: 'boolean' },
    sizes: { type: 'string' },
  },
});
const say = options.json ? () => {} : console.log;
const sizes = options.sizes ? options.sizes.split(',').map(Number) : options.quick ? QUICK_SIZES : SIZES;
const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  processors: availableParallelism(),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
};
const threadCounts = machine.processors > 1 ? [1, Math.min(8, machine.processors)] : [1];
const wasm = await Promise.all(threadCounts.map((threads) => createWasmKernels({ threads })));

say(`${machine.cpu}, ${machine.processors} processors, Node ${machine.node}; ms, median (lower tenth)\n`);
say(
  'kernels      threads  vertices regions          skin   skin+normals         frame          cold    three.js   floor  MB',
);
const rows = [];
const native = [];
for (const size of sizes) {
  const found = timeSize(size);
  rows.push(...found.rows);
  for (const row of found.rows) say(formatRow(row));
  if (found.native) {
    native.push(found.native);
    const { passes, ratio, ownRatio } = found.native;
    say(
      `  C++, one thread: passes ${passes.toFixed(3)}; WASM ${ratio.toFixed(2)}× of −O3, ${ownRatio.toFixed(2)}× with −march=native`,
    );
  }
}
const peakMemory = Math.round(process.resourceUsage().maxRSS / 1024);
say(`\nPeak memory of the process: ${peakMemory} MB`);
sayGoals();
if (options.csv) saveRows();
if (options.json) {
  const plain = rows.map((row) => Object.fromEntries(FIELDS.map((field) => [field, row[field]])));
  const found = options.details ? { rows, native } : { rows: plain };
  console.log(JSON.stringify({ machine: { ...machine, peakMemory }, ...found }, null, 1));
}
process.exit();

function timeSize(size) {
  const { plan, poses, report } = planCase(size);
  const poseOf = (round) => poses[round % poses.length];
  const runners = wasm.map((kernels) => kernels.createRunner(plan));
  const coldRunners = wasm.map((kernels) => kernels.createRunner(plan)); // their frames would not be the last ones of the warm
  const tasks = { ...timeTypescript(plan, poseOf, report), copy: createCopy(runners[0].frameBytes) };
  const threeSkin = createThreeSkin(plan);
  tasks.three = (round) => threeSkin(poseOf(round).bones);
  runners.forEach((runner, n) => {
    tasks[`skin ${n}`] = (round) => runner.runSkin(poseOf(round).bones, false);
    tasks[`skinNormals ${n}`] = (round) => runner.runSkin(poseOf(round).bones, true);
    tasks[`frame ${n}`] = (round) => runner.run(poseOf(round).bones, poseOf(round).targets, report, true);
    tasks[`cold ${n}`] = (round) => coldRunners[n].run(poseOf(round).bones, poseOf(round).targets, report);
  });
  const samples = timeTasks(tasks, { seconds: options.quick ? 15 : size > 500_000 ? 60 : 20 });
  const row = (kernels, threads, names, memory) => ({
    kernels,
    threads,
    vertices: plan.vertexCount,
    regions: plan.volumes.regionCount,
    ...Object.fromEntries(Object.entries(names).map(([field, name]) => [field, median(samples[name])])),
    undisturbed: Object.fromEntries(Object.entries(names).map(([field, name]) => [field, undisturbed(samples[name])])),
    memory,
  });
  const common = { threeSkin: 'three', floor: 'copy' };
  const rows = [row('typescript', 1, { ...Object.fromEntries(TIMES.map((name) => [name, name])), ...common }, null)];
  runners.forEach((runner, n) => {
    const names = { ...Object.fromEntries(TIMES.map((name) => [name, `${name} ${n}`])), ...common };
    rows.push(row('wasm', threadCounts[n], names, runner.byteLength));
  });
  const native = timeNative(plan, poseOf(1));
  for (const runner of [...runners, ...coldRunners]) runner.dispose();
  return { rows, native };
}

function timeTypescript(plan, poseOf, report) {
  const { vertexCount, volumes } = plan;
  const { triangles } = volumes.closed.surface;
  const normals = new Float64Array(3 * vertexCount);
  const createOutput = () => ({
    positions: new Float64Array(3 * (vertexCount + volumes.apexCount)),
    directions: new Float64Array(3 * vertexCount),
  });
  const out = createOutput();
  const skin = (round, to = out) => skinLinear(to, plan, poseOf(round).bones, 0, vertexCount);
  const [warm, cold] = [1, 2].map(() => ({
    solver: createShapeSolver(volumes, plan.shapes, plan.solver),
    out: createOutput(),
  }));
  const run = (one, round, isWarm) => {
    skin(round, one.out);
    one.solver.apply({ ...one.out, ...poseOf(round), report, warm: isWarm });
    normalise(normals, one.solver.areas, 0, vertexCount);
  };
  return {
    skin: (round) => skin(round),
    skinNormals(round) {
      skin(round);
      sumAreaVectors(normals, out.positions, triangles, triangles.length / 3, vertexCount);
      normalise(normals, normals, 0, vertexCount);
    },
    frame: (round) => run(warm, round, true),
    cold: (round) => run(cold, round, false),
  };
}

/** Moves as many bytes as the passes of a frame do, as a plain copy: half of them read, half written. */
function createCopy(bytes) {
  const from = new Uint8Array(bytes / 2).fill(1);
  const to = new Uint8Array(bytes / 2);
  return () => to.set(from);
}

function formatRow(row) {
  const { kernels, threads, vertices, regions, undisturbed: low, memory } = row;
  const cell = (name) => `${format(row[name])} (${format(low[name])})`.padStart(15);
  const cells = TIMES.map(cell).join('');
  const tail = `${format(row.threeSkin).padStart(11)} ${format(row.floor).padStart(8)}`;
  const ratio = `frame = ${(low.frame / low.skinNormals).toFixed(2)}× skin+normals (cold ${(low.cold / low.skinNormals).toFixed(2)}), three.js = ${(low.threeSkin / low.frame).toFixed(1)}× frame`;
  const size = memory ? String(Math.round(memory / 2 ** 20)).padStart(4) : '    ';
  return `${kernels.padEnd(12)} ${String(threads).padStart(6)} ${String(vertices).padStart(9)} ${String(regions).padStart(6)} ${cells}${tail}${size}  ${ratio}`;
}

function format(ms) {
  return ms < 10 ? ms.toFixed(3) : ms.toFixed(1);
}

/** What a frame may cost beside the goals, from lower tenths. */
function sayGoals() {
  const goals = { 5720: 1.9, 100000: 1.6, 1000000: 1.5 };
  for (const { threads, vertices, undisturbed: low } of rows.filter(({ kernels }) => kernels === 'wasm')) {
    const [size] = sizes.filter((one) => Math.abs(one - vertices) < 0.02 * one);
    if (threads === 1) {
      const cold = `cold ${(low.cold / low.skinNormals).toFixed(2)}`;
      if (goals[size])
        say(`${size}: ${(low.frame / low.skinNormals).toFixed(2)}× skin + normals (at most ${goals[size]}), ${cold}`);
      if (size === 5720)
        say(`${size}: three.js takes ${(low.threeSkin / low.frame).toFixed(1)}× the frame (at least 9)`);
    } else if (size >= 50_000) {
      const { frame } = rows.find(
        (row) => row.kernels === 'wasm' && row.threads === 1 && row.vertices === vertices,
      ).undisturbed;
      say(`${size}: ${threads} threads, ${(frame / low.frame).toFixed(2)}× as fast as one (at least 1.8)`);
    }
  }
  for (const { vertices, ratio, ownRatio } of native)
    say(`${vertices}: ${ratio.toFixed(2)}× C++ −O3 (at most 1.15), ${ownRatio.toFixed(2)}× with −march=native`);
}

/** Adds rows of this commit; what is there stays, so that the file is the history. */
function saveRows() {
  const { version } = JSON.parse(readFileSync(new URL('../packages/wasm/package.json', import.meta.url), 'utf8'));
  const commit = execFileSync('git', ['describe', '--always', '--dirty=+', '--exclude=*'], { encoding: 'utf8' }).trim();
  const lines = rows.map((row) => {
    const low = { ...row, ...row.undisturbed };
    const cells = FIELDS.map((field) =>
      typeof low[field] === 'number' && !Number.isInteger(low[field]) ? Number(low[field].toPrecision(4)) : low[field],
    );
    return [version, commit, machine.cpu.replaceAll(',', ''), machine.processors, machine.node, ...cells].join(',');
  });
  if (!existsSync(results)) writeFileSync(results, `version,commit,cpu,processors,node,${FIELDS.join(',')}\n`);
  appendFileSync(results, `${lines.join('\n')}\n`);
}
