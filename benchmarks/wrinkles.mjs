/**
 * What wrinkles cost (H8, H9): the frame of a 5 700-vertex character without them, with four tools that fold on a mesh refined
 * two levels, and with the same tools stretched. Processor time of the best of many sweeps, the stacks
 * taking turns, so that other work on the machine hardly counts. Targets: 1.5 × folded, 1.05 × stretched. The packages must be
 * built.
 *
 * node benchmarks/wrinkles.mjs [rounds]
 */
import { createFrameSource, createPose, placeTools, planBody, presetStack, samplePose } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';

const rounds = Number(process.argv[2] ?? 60);
const character = createDemo('hero');
const plain = presetStack('organic');

/** Behind both knees two series that cross: four tools, fine enough to ask for two levels everywhere. */
const tools = [1, -1].flatMap((side) =>
  placeTools(character, [side * 0.126, 0.66, -0.09], [side * 0.131, 0.42, -0.09], 'knee-back', { points: 17 }),
);
const stacks = {
  without: createFrameSource(planBody(character), plain),
  wrinkles: createFrameSource(planBody(character), { ...plain, wrinkles: { tools, refine: 2 } }),
};

const clip = character.clips.find(({ name }) => name === 'squat');
/** Poses with every tool folded, and with none (legs straight, the arms moving). */
const poses = { folded: [], idle: [] };
for (let n = 0; n < 24; n++) {
  const folded = createPose(character);
  samplePose(folded, character, clip, clip.duration * (0.25 + (0.5 * n) / 24));
  poses.folded.push(folded);
  const idle = createPose(character);
  const punch = character.clips.find(({ name }) => name === 'twist');
  samplePose(idle, character, punch, (punch.duration * n) / 24);
  poses.idle.push(idle);
}

/** Processor time of one sweep, per frame, ms. */
function time(stack, list) {
  const start = process.cpuUsage();
  for (const [n, pose] of list.entries()) stack.evaluate(pose, n / 24, 1 / 24);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / list.length;
}

const results = {};
for (const [kind, list] of Object.entries(poses)) {
  const best = { without: Number.POSITIVE_INFINITY, wrinkles: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    for (const [name, stack] of Object.entries(stacks)) best[name] = Math.min(best[name], time(stack, list));
  }
  const folds = list.filter((pose) => stacks.wrinkles.evaluate(pose).refined).length;
  results[kind] = { ...best, ratio: best.wrinkles / best.without, folds };
}
stacks.wrinkles.evaluate(poses.folded[12]);
const { refined } = stacks.wrinkles.frame;
console.log(
  `hero: ${character.surface.vertexCount} vertices, ${character.surface.triangles.length / 3} triangles; ${tools.length} tools; ` +
    `folded ${refined.vertexCount} vertices, ${refined.triangleCount} triangles, finest level ${Math.max(...refined.levels)}`,
);
for (const [kind, { without, wrinkles, ratio, folds }] of Object.entries(results)) {
  console.log(
    `${kind} (${folds} of 24 frames): without ${without.toFixed(2)} ms, with ${wrinkles.toFixed(2)} ms, ${ratio.toFixed(3)} ×`,
  );
}
