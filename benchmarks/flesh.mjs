/**
 * What the flesh layer adds to a frame of skin + volume while a character moves: as the preset has it, and with a spring of
 * its own for three regions. Processor time of the best of many rounds, the stacks taking turns, so that other work on the
 * machine hardly counts. Target: 20 %.
 *
 * “alone” is the layer itself (skin + flesh less skin); “frame” is the whole frame, in which the volume has more to restore, in TypeScript
 * and on WASM kernels, cold and warm. Target there: 15 %.
 *
 * Then the same with a swing that travels through the skin, the layer alone, in TypeScript and on WASM kernels. Target there: 0.3 ms for 5 700 vertices.
 *
 * node benchmarks/flesh.mjs [demo …]
 */
import { createFrameSource, createPose, planBody, presetStack, samplePose } from '@isoskin/core';
import { planClosedSurface, planRegions } from '@isoskin/core/mesh';
import { createDemo } from '@isoskin/demos';
import { createWasmKernels } from '@isoskin/wasm';

const ROUNDS = 30;
const FPS = 60;
const CLIPS = { elephant: 'trot', hero: 'punch', cat: 'walk' };
const { volume } = presetStack('organic');

const kernels = await createWasmKernels({ threads: 1 });

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(CLIPS)) measure(name);

function measure(name) {
  const character = createDemo(name);
  const clip = character.clips.find((one) => one.name === CLIPS[name]) ?? character.clips[0];
  const poses = Array.from({ length: Math.min(60, Math.floor(clip.duration * FPS)) }, (_, n) => {
    const pose = createPose(character);
    samplePose(pose, character, clip, n / FPS);
    return pose;
  });
  const own = planRegions(character, planClosedSurface(character.surface)).names.slice(0, 3);
  const { flesh } = presetStack('flesh');
  const regions = Object.fromEntries(own.map((region, n) => [region, { frequency: 1.5 + n }]));
  const stacks = {
    skin: createFrameSource(planBody(character), {}),
    swung: createFrameSource(planBody(character), { flesh }),
    'swung by region': createFrameSource(planBody(character), { flesh: { ...flesh, regions } }),
    travels: createFrameSource(planBody(character), { flesh: { ...flesh, travel: 1 } }),
    'swung in WASM': createFrameSource(planBody(character), { flesh }, { kernels }),
    'travels in WASM': createFrameSource(planBody(character), { flesh: { ...flesh, travel: 1 } }, { kernels }),
    volume: createFrameSource(planBody(character), { volume }),
    all: createFrameSource(planBody(character), { flesh, volume }),
    'volume in WASM': createFrameSource(planBody(character), { volume }, { kernels }),
    'all in WASM': createFrameSource(planBody(character), { flesh, volume }, { kernels }),
    'volume, warm': createFrameSource(planBody(character), { volume }, { kernels, warm: true }),
    'all, warm': createFrameSource(planBody(character), { flesh, volume }, { kernels, warm: true }),
  };
  const best = Object.fromEntries(Object.keys(stacks).map((key) => [key, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [key, stack] of Object.entries(stacks)) {
      const start = process.cpuUsage();
      for (const [n, pose] of poses.entries()) stack.evaluate(pose, n / FPS, n > 0 ? 1 / FPS : 0);
      const { user, system } = process.cpuUsage(start);
      best[key] = Math.min(best[key], (user + system) / 1000 / poses.length);
    }
  }
  const share = (more, base) => `${((100 * (more - base)) / best.volume).toFixed(1)} %`;
  console.log(
    [
      `${name} (${character.surface.vertexCount} vertices), ${clip.name}`.padEnd(36),
      `skin + volume ${best.volume.toFixed(2)} ms`,
      `flesh alone ${share(best.swung, best.skin)}, by region ${share(best['swung by region'], best.skin)}`,
      `frame ×${(best.all / best.volume).toFixed(2)}`,
      `in WASM ${best['volume in WASM'].toFixed(2)} ms ×${(best['all in WASM'] / best['volume in WASM']).toFixed(2)}`,
      `warm ${best['volume, warm'].toFixed(2)} ms ×${(best['all, warm'] / best['volume, warm']).toFixed(2)}`,
    ].join('   '),
  );
  const alone = (key) => `${(best[key] - best.skin).toFixed(3)} ms`;
  console.log(
    `  flesh alone: ${alone('swung')}, in WASM ${alone('swung in WASM')}; with travel ${alone('travels')}, in WASM ${alone('travels in WASM')} ` +
      `(×${((best['travels in WASM'] - best.skin) / (best.travels - best.skin)).toFixed(2)})`,
  );
}
