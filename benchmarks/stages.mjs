/**
 * What each pass of a WASM frame costs a vertex, from 10 000 to 4 000 000 vertices, on one thread: plain skinning and normals, and the three
 * passes of a warm frame; beside them a plain copy on one thread and on two, which says what memory allows. All in turns, lower tenths.
 *
 * node benchmarks/stages.mjs [--sizes 10000,1000000] [--csv]      (--csv: into benchmarks/results/frame-stages.csv, ns a vertex)
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { openPasses } from './open-passes.mjs';
import { planCase } from './plan-case.mjs';
import { timeTasks, undisturbed } from './time-tasks.mjs';

const { values: options } = parseArgs({ options: { sizes: { type: 'string' }, csv: { type: 'boolean' } } });
const sizes = options.sizes?.split(',').map(Number) ?? [10_000, 31_750, 100_000, 316_000, 1_000_000, 4_000_000];
/** Bytes that a copy moves for each vertex, half of them read: about what a frame does. */
const COPIED = 256;

const lines = ['vertices,plain skin,plain normals,skin,evaluate,displace,copy,copy on two threads'];
for (const size of sizes) {
  const { plan, poses } = planCase(size, { frames: 2 });
  const passes = openPasses(plan, poses[1]);
  const copies = await openCopies((COPIED / 2) * plan.vertexCount);
  const samples = timeTasks({ ...passes, ...copies.tasks }, { seconds: 12, fewest: 12 });
  copies.stop();
  const cells = Object.values(samples).map((times) => ((1e6 * undisturbed(times)) / plan.vertexCount).toFixed(2));
  lines.push([plan.vertexCount, ...cells].join(','));
  console.log(lines.at(-1));
}
const note = '# node benchmarks/stages.mjs --csv: ns a vertex; a copy moves 256 bytes a vertex';
if (options.csv)
  writeFileSync(new URL('./results/frame-stages.csv', import.meta.url), `${[note, ...lines].join('\n')}\n`);
process.exit();

/** Copies of `bytes` by this thread, and by this and a worker, half each. */
async function openCopies(bytes) {
  const half = Math.floor(bytes / 2);
  const [from, to] = [1, 2].map(() => new Uint8Array(new SharedArrayBuffer(2 * half)).fill(1));
  const control = new Int32Array(new SharedArrayBuffer(8)); // asked, done
  const program = `const { from, to, control } = require('node:worker_threads').workerData;
    for (let n = 0; ; n++) { while (Atomics.load(control, 0) === n) Atomics.wait(control, 0, n, 1); to.set(from); Atomics.add(control, 1, 1); }`;
  const workerData = { from: from.subarray(half), to: to.subarray(half), control };
  const worker = new Worker(program, { eval: true, workerData });
  await new Promise((resolve) => worker.on('online', resolve));
  let asked = 0;
  return {
    tasks: {
      copy: () => to.set(from),
      copies() {
        Atomics.store(control, 0, ++asked);
        Atomics.notify(control, 0);
        to.set(from.subarray(0, half));
        while (Atomics.load(control, 1) < asked);
      },
    },
    stop: () => worker.terminate(),
  };
}
