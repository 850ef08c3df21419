/**
 * Warm WASM frames in which only some bones move, beside the same motion on a body that moves as a whole (all bone matrices change):
 * what is still is not made again. Both in turns in one run, one thread, lower tenths.
 *
 * node benchmarks/part-motion.mjs [aframe_leftHand.glb] [--csv]      (--csv: into benchmarks/results/tables/kernels-parts.csv)
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createPose, POSE_STRIDE, planBody, presetStack } from '@isoskin/core';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices, planVolume } from '@isoskin/core/kernels';
import { createDemo } from '@isoskin/demos';
import { readCharacter } from '@isoskin/gltf/node';
import { createWasmKernels } from '@isoskin/wasm';
import { timeTasks, undisturbed } from './time-tasks.mjs';

const FRAMES = 120;
const { values: options, positionals } = parseArgs({ options: { csv: { type: 'boolean' } }, allowPositionals: true });
const hero = createDemo('hero');
const hand = createDemo('hand');
const cases = [
  ['hero', hero, 'a hand', /^(arm\.L\.4|thumb\.L)/],
  ['hero', hero, 'an arm', /^(arm|thumb)\.L/],
  ['large hero', createDemo('hero', { vertices: 30_000 }), 'a hand', /^(arm\.L\.4|thumb\.L)/],
  ['hand', hand, 'a finger', /^index/],
  ['hand', hand, 'all fingers', /^(index|middle|ring|little|thumb)/],
];
for (const path of positionals) cases.push(['A-Frame hand', (await readCharacter(path)).character, 'a finger', /^F1/]);

const kernels = await createWasmKernels({ threads: 1 });
const lines = ['model,vertices,what moves,bones,µs a frame,when all bones move'];
for (const [name, character, what, bones] of cases) {
  const volume = planVolume(planBody(character), presetStack('organic').volume);
  const plan = volume.framePlan();
  const tasks = {};
  for (const shift of [0, 1e-4]) {
    const frames = Array.from({ length: FRAMES }, (_, n) => poseFrame(character, volume, bones, n, shift * n));
    const runner = kernels.createRunner({ ...plan }); // with an image of its own: clones share what is on its way
    const report = volume.createReport();
    tasks[shift] = (n) => {
      const { bones, targets } = frames[n % FRAMES];
      runner.run(bones, targets, report, true);
    };
  }
  const [some, all] = Object.values(timeTasks(tasks, { seconds: 2 })).map((times) => 1000 * undisturbed(times));
  const count = countMoving(character, volume, bones);
  lines.push(
    [name, plan.vertexCount, what, `${count} of ${plan.boneCount}`, some.toFixed(0), all.toFixed(0)].join(','),
  );
  console.log(lines.at(-1));
}
const note = '# node benchmarks/part-motion.mjs --csv; AMD EPYC, two processors, Node 20.20';
const table = new URL('./results/tables/kernels-parts.csv', import.meta.url);
if (options.csv) writeFileSync(table, `${[note, ...lines].join('\n')}\n`);
process.exit();

/** Frame n: the bones that match swing by ±17° once a second, the whole is `shift` to the side. */
function poseFrame({ skeleton, ...character }, volume, bones, n, shift) {
  const pose = createPose({ skeleton, ...character });
  skeleton.names.forEach((name, node) => {
    if (!bones.test(name)) return;
    const half = 0.15 * Math.sin((2 * Math.PI * n) / 60 + node);
    const rotation = pose.locals.subarray(POSE_STRIDE * node + 3, POSE_STRIDE * node + 7);
    const [x, y, z, w] = rotation;
    const [s, c] = [Math.sin(half), Math.cos(half)];
    rotation.set([x * c + w * s, y * c + z * s, z * c - y * s, w * c - x * s]);
  });
  const world = new Float64Array(16 * skeleton.nodeCount);
  const matrices = new Float64Array(BONE_STRIDE * skeleton.boneCount);
  const targets = new Float64Array(volume.framePlan().volumes.regionCount);
  measureWorldMatrices(world, skeleton, pose.locals);
  for (let node = 0; node < skeleton.nodeCount; node++) world[16 * node + 12] += shift;
  measureBoneMatrices(matrices, skeleton, world);
  volume.targets.measure(targets, matrices, n / 60);
  return { bones: matrices, targets };
}

function countMoving(character, volume, bones) {
  const [a, b] = [1, 8].map((n) => poseFrame(character, volume, bones, n, 0).bones);
  const moving = new Set();
  for (const [i, value] of a.entries()) if (value !== b[i]) moving.add(Math.floor(i / BONE_STRIDE));
  return moving.size;
}
