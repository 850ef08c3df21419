/**
 * What wrinkles cost (H8, H9): frames without them, with four tools that fold on a mesh refined two levels, and with the same tools stretched, in TypeScript and
 * on WASM kernels (cold, one thread). Processor time of the best of many sweeps, all sources taking turns, so that other work on the machine hardly
 * counts. Targets: 1.3 × folded (hand, WASM), 1.05 × stretched. The packages must be built.
 *
 * Then the forehead of the demo `head`, raising its brows, against skin and normals alone: the article's own scene, whose target is 30 frames per second.
 *
 * node benchmarks/wrinkles.mjs [rounds]
 */
import { createFrameSource, createPose, placeTools, planBody, presetStack, samplePose } from '@isoskin/core';
import { createDemo, createWrinkledStack } from '@isoskin/demos';
import { createWasmKernels } from '@isoskin/wasm';
import { openFolds } from '@isoskin/wasm/folds';

const rounds = Number(process.argv[2] ?? 60);
const kernels = await createWasmKernels({ threads: 1, folds: openFolds });
const plain = presetStack('organic');

/** Behind both knees two series that cross, fine enough to ask for two levels everywhere; a crease on the inside of every finger's middle joint. */
const CASES = [
  {
    name: 'hero',
    folded: 'squat',
    idle: 'twist',
    list: (character) =>
      [1, -1].flatMap((side) =>
        placeTools(character, [side * 0.126, 0.66, -0.09], [side * 0.131, 0.42, -0.09], 'knee-back', { points: 17 }),
      ),
  },
  {
    name: 'hand',
    folded: 'fist',
    list: (character) =>
      [
        [0.473, 1.375],
        [0.151, 1.49],
        [-0.184, 1.418],
        [-0.48, 1.2],
      ].flatMap(([x, y]) => placeTools(character, [x, y - 0.12, 0.2], [x, y + 0.12, 0.2], 'wrist-crease')),
  },
];

/** Processor time of one sweep, per frame, ms. */
function time(stack, list) {
  const start = process.cpuUsage();
  for (const [n, pose] of list.entries()) stack.evaluate(pose, n / 24, 1 / 24);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / list.length;
}

/** Best times of sources that take turns, by name. */
function timeAll(sources, list) {
  const best = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, source] of Object.entries(sources)) {
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, time(source, list));
    }
  }
  return best;
}

function samplePoses(character, name, from, length) {
  const clip = character.clips.find((one) => one.name === name);
  return Array.from({ length: 24 }, (_, n) => {
    const pose = createPose(character);
    samplePose(pose, character, clip, clip.duration * (from + (length * n) / 24));
    return pose;
  });
}

for (const { name, folded, idle, list } of CASES) {
  const character = createDemo(name);
  const tools = list(character);
  const body = planBody(character);
  const wrinkled = { ...plain, wrinkles: { tools, refine: 2 } };
  const sources = {
    typescript: createFrameSource(body, plain),
    'typescript folded': createFrameSource(body, wrinkled),
    wasm: createFrameSource(body, plain, { kernels }),
    'wasm folded': createFrameSource(body, wrinkled, { kernels }),
  };
  const poses = {
    folded: samplePoses(character, folded, 0.25, 0.5),
    ...(idle && { idle: samplePoses(character, idle, 0, 1) }),
  };
  const { refined } = sources['wasm folded'].evaluate(poses.folded[12]);
  console.log(
    `${name}: ${character.surface.vertexCount} vertices, ${character.surface.triangles.length / 3} triangles; ${tools.length} tools; ` +
      `folded ${refined.vertexCount} vertices, ${refined.triangleCount} triangles, finest level ${Math.max(...refined.levels)}`,
  );
  for (const [kind, some] of Object.entries(poses)) {
    const best = timeAll(sources, some);
    const folds = some.filter((pose) => sources.wasm.evaluate(pose) && sources['wasm folded'].evaluate(pose).refined);
    for (const set of ['typescript', 'wasm']) {
      const [without, all] = [best[set], best[`${set} folded`]];
      console.log(
        `  ${kind} (${folds.length} of 24 frames), ${set}: without ${without.toFixed(3)} ms, with ${all.toFixed(3)} ms, ${(all / without).toFixed(3)} ×`,
      );
    }
  }
}

const head = createDemo('head');
const brows = samplePoses(head, 'raise', 0.2, 0.6);
const own = createWrinkledStack('head', head);
const best = timeAll(
  {
    skin: createFrameSource(planBody(head), { skin: {} }),
    folded: createFrameSource(planBody(head), { skin: {}, wrinkles: own.wrinkles }),
    all: createFrameSource(planBody(head), own),
  },
  brows,
);
console.log(
  `head: ${head.surface.vertexCount} vertices; skin and normals ${best.skin.toFixed(2)} ms, with the forehead folded ${best.folded.toFixed(2)} ms ` +
    `(${(best.folded / best.skin).toFixed(2)} ×), and volume ${best.all.toFixed(2)} ms: ${Math.round(1000 / best.all)} frames per second`,
);
