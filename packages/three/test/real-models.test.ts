/** What the GPU draws equals core's evaluation of the same file, pose by pose, on both renderers and both kernels. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFrameSource, createPose, planBody, planVolumeMeter, presetStack, samplePose } from '@isoskin/core';
import { readCharacterFromBytes } from '@isoskin/gltf';
import type { Form } from '@isoskin/three';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, findBrowser, PAGE, ROOT, serve, type TestBrowser, type TestPage } from './browser.js';
import type { DrawnFrame, drawModel, PathName, RendererName } from './draw-model-page.js';
import { hasWebgpu } from './other-three.js';

const MODELS = join(ROOT, '../shared/models');
/** Three frames at 60 per second, then elsewhere in the clip. */
const steps = (from: number, to: number) => [from, from + 1 / 60, from + 2 / 60, to, to + 1 / 60];
/** Poses that core itself can make exact: elsewhere (Fox, Run, 0.72 s) the answer is not unique. */
const CASES = [
  { model: 'Fox.glb', clip: 2, times: steps(0.2, 0.5) },
  { model: 'CesiumMan.glb', clip: 0, times: steps(0.5, 1.2) },
  { model: 'Ghost.glb', clip: 0, times: steps(0.2, 1) },
  { model: 'RobotExpressive.glb', clip: 0, times: steps(0.3, 1) },
];
const PATHS: readonly (readonly [RendererName, PathName, Form])[] = [
  ['webgl', 'typescript', 'morph'],
  ['webgl', 'wasm', 'morph'],
  ['webgpu', 'wasm', 'morph'],
  ['webgl', 'wasm', 'sparse'],
  ['webgpu', 'wasm', 'sparse'],
];
/** What adding volume may cost on the GPU in the sparse form, per drawn vertex. */
const MOST_BYTES = 40;
/** Where layers share their shapes a vertex has more of them: Ghost, its sheet over its body. */
const LAYERED_BYTES = 56;

const hasModels = existsSync(MODELS);
if (!hasModels) console.warn('The tests on real models are skipped: there is no ../shared/models.');

describe.skipIf(!hasModels)('real models', () => {
  let browser: TestBrowser | undefined;
  let page: TestPage;
  let close = async () => {};

  beforeAll(async () => {
    browser = await findBrowser();
    if (!browser) return;
    const script = await bundle(
      `import { drawModel } from './draw-model-page.ts'; Object.assign(window, { drawModel });`,
    );
    const models = Object.fromEntries(CASES.map(({ model }) => [`/${model}`, readFileSync(join(MODELS, model))]));
    const server = await serve({ '/': PAGE, '/page.js': script, ...models });
    close = server.close;
    page = await browser.open(server.url);
    await page.waitForFunction('window.drawModel');
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await close();
  });

  for (const { model, clip, times } of CASES) {
    for (const [kind, path, form] of PATHS) {
      test(`${model}, ${kind}, ${path}, ${form}`, { timeout: 180_000 }, async (context) => {
        if (!browser) return context.skip('no browser');
        if (kind === 'webgpu' && !hasWebgpu) return context.skip('no three/webgpu');
        const frames = await page.evaluate(
          ([url, ...rest]) => (window as unknown as { drawModel: typeof drawModel }).drawModel(url, ...rest),
          [`/${model}`, kind, path, clip, times, form] as const,
        );
        const { position, read, volume, region } = await compare(model, clip, times, frames);
        const bytes = frames[0]!.meshes.map((mesh) => mesh.bytes);
        console.log(
          `${model} ${kind} ${path} ${form}, ${Math.max(...bytes).toFixed(0)} B per vertex: positions ${position.toExponential(1)} of the size (${read.toExponential(1)} on the CPU), volume ${volume.toExponential(1)}, regions ${region.toExponential(1)}`,
        );
        expect(frames[0]!.path).toBe(path);
        if (form === 'sparse')
          expect(Math.max(...bytes)).toBeLessThanOrEqual(model === 'Ghost.glb' ? LAYERED_BYTES : MOST_BYTES);
        expect(position).toBeLessThan(1e-5);
        expect(read).toBeLessThan(1e-5);
        expect(volume).toBeLessThan(5e-5); // f32 and f64 end their searches apart where a limit holds a region back
        expect(region).toBeLessThan(3e-4);
        expect(page.errors).toEqual([]);
      });
    }
  }
});

/** Largest distance to core's surface, relative to the box, and largest differences to its volumes. */
async function compare(model: string, clip: number, times: readonly number[], frames: readonly DrawnFrame[]) {
  const { character } = await readCharacterFromBytes(readFileSync(join(MODELS, model)));
  const stack = createFrameSource(planBody(character), presetStack('organic'), { rehearse: true });
  const meter = planVolumeMeter(character, stack.volume!);
  const pose = createPose(character);
  const drawn = new Float64Array(3 * character.surface.vertexCount);
  let position = 0;
  let read = 0;
  let volume = 0;
  let region = 0;
  times.forEach((time, f) => {
    samplePose(pose, character, character.clips[clip], time);
    const { positions, bones } = stack.evaluate(pose, time);
    const size = measureSize(positions);
    const { meshes } = frames[f]!;
    expect(meshes.map((mesh) => mesh.positions.length)).toEqual(character.parts.map((part) => 3 * part.vertexCount));
    character.parts.forEach(({ welded }, p) => {
      for (let i = 0; i < welded.length; i++) {
        for (let r = 0; r < 3; r++) {
          const value = meshes[p]!.positions[3 * i + r]!;
          const expected = positions[3 * welded[i]! + r]!;
          position = Math.max(position, Math.abs(value - expected) / size);
          read = Math.max(read, Math.abs(meshes[p]!.read[3 * i + r]! - expected) / size);
          drawn[3 * welded[i]! + r] = value;
        }
      }
    });
    const target = meter.measureTargets(bones, time);
    const own = meter.measure(positions);
    const regions = meter.regionVolumes.slice();
    volume = Math.max(volume, Math.abs(meter.measure(drawn) - own) / target);
    meter.regionVolumes.forEach((value, s) => {
      region = Math.max(region, Math.abs(value - regions[s]!) / Math.abs(meter.targets[s]!));
    });
  });
  return { position, read, volume, region };
}

function measureSize(positions: Float64Array): number {
  const sides = [0, 1, 2].map((r) => {
    let [low, high] = [Infinity, -Infinity];
    for (let i = r; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]!);
      high = Math.max(high, positions[i]!);
    }
    return high - low;
  });
  return Math.hypot(...sides);
}
