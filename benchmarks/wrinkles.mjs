/**
 * What wrinkles cost (H8, H9): the frame of a 5 700-vertex character without them, with four tools that fold on a mesh refined
 * two levels, and with the same tools stretched. Processor time of the best of many sweeps, the stacks
 * taking turns, so that other work on the machine hardly counts. Targets: 1.5 × folded, 1.05 × stretched. The packages must be
 * built.
 *
 * Then the forehead of the demo `head`, raising its brows, against skin and normals alone: the article's own scene, whose target is 30 frames per second.
 *
 * node benchmarks/wrinkles.mjs [rounds]
 */
import { createFrameSource, createPose, placeTools, planBody, presetStack, samplePose } from '@isoskin/core';
import { createDemo, createWrinkledStack } from '@isoskin/demos';

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

const head = createDemo('head');
const raise = head.clips.find(({ name }) => name === 'raise');
const brows = Array.from({ length: 24 }, (_, n) => {
  const pose = createPose(head);
  samplePose(pose, head, raise, raise.duration * (0.2 + (0.6 * n) / 24));
  return pose;
});
const own = createWrinkledStack('head', head);
const sources = {
  skin: createFrameSource(planBody(head), { skin: {} }),
  folded: createFrameSource(planBody(head), { skin: {}, wrinkles: own.wrinkles }),
  all: createFrameSource(planBody(head), own),
};
const best = { skin: Number.POSITIVE_INFINITY, folded: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY };
for (let round = 0; round < rounds; round++) {
  for (const [name, source] of Object.entries(sources)) best[name] = Math.min(best[name], time(source, brows));
}
console.log(
  `head: ${head.surface.vertexCount} vertices; skin and normals ${best.skin.toFixed(2)} ms, with the forehead folded ${best.folded.toFixed(2)} ms ` +
    `(${(best.folded / best.skin).toFixed(2)} ×), and volume ${best.all.toFixed(2)} ms: ${Math.round(1000 / best.all)} frames per second`,
);
