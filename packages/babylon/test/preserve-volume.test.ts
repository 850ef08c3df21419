/** What Babylon.js makes of morph targets and skin equals core's evaluation of the same file and pose. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { preserveVolume } from '@isoskin/babylon';
import {
  createFrameSource,
  createPose,
  type PresetName,
  planBody,
  planVolumeMeter,
  presetStack,
  samplePose,
} from '@isoskin/core';
import { readCharacterFromBytes } from '@isoskin/gltf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bundle,
  findBrowser,
  PAGE,
  ROOT,
  serve,
  type TestBrowser,
  type TestPage,
  WEBGL_FLAGS,
} from '../../three/test/browser.js';
import type { DrawnFrame, drawModel, followTargets } from './draw-page.js';

const MODELS = join(ROOT, '../shared/models');
const CASES = [
  { model: 'Fox.glb', clip: 2, times: [0.2, 0.22, 0.5], preset: undefined },
  { model: 'CesiumMan.glb', clip: 0, times: [0.5, 0.52, 1.2], preset: 'organic' },
  // With bends and twists.
  { model: 'CesiumMan.glb', clip: 0, times: [0.5, 0.52, 1.2], preset: 'anatomic' },
] as const;
const hasModels = existsSync(MODELS);
if (!hasModels) console.warn('The tests on real models are skipped: there is no ../shared/models.');

test('says what it wanted', () => {
  expect(() => preserveVolume(undefined)).toThrow(/Expected skinned meshes/);
  expect(() => preserveVolume([], { prest: 'toy' } as never)).toThrow(/did you mean “preset”/);
  expect(() => preserveVolume([], { preset: 'flesh' })).toThrow(/Only skin and volume/);
});

describe.skipIf(!hasModels)('Babylon.js', () => {
  let browser: TestBrowser | undefined;
  let page: TestPage;
  let close = async () => {};

  beforeAll(async () => {
    browser = await findBrowser(WEBGL_FLAGS);
    if (!browser) return;
    const source = join(ROOT, 'packages/babylon/test/draw-page.ts');
    const script = await bundle(`import * as page from ${JSON.stringify(source)}; Object.assign(window, page);`);
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

  for (const { model, clip, times, preset } of CASES) {
    test(`${model}, ${preset ?? 'the default'}`, { timeout: 180_000 }, async (context) => {
      if (!browser) return context.skip('no browser');
      const frames = await page.evaluate(
        ([url, ...rest]) => (window as unknown as { drawModel: typeof drawModel }).drawModel(url, ...rest),
        [`/${model}`, clip, times, preset] as const,
      );
      const { position, skinned, volume, change, plain } = await compare(model, clip, times, preset, frames);
      console.log(
        `${model} ${preset ?? 'default'}: positions ${position.toExponential(1)} of the size, off ${skinned.toExponential(1)}, volume ${volume.toExponential(1)}`,
      );
      // Creases and twists keep the directions that the clips use, which f32 clips of the page change by little.
      expect(position).toBeLessThan(preset === 'anatomic' ? 5e-5 : 1e-5);
      if (preset === 'anatomic') {
        expect((await compare(model, clip, times, 'organic', frames)).position).toBeGreaterThan(1e-4);
      }
      expect(skinned).toBeLessThan(1e-5);
      expect(volume).toBeLessThan(5e-5); // f32 and f64 end their searches apart where a limit holds a region back
      expect(change).toBeLessThan(0.5 * plain); // limits hold some of it back
      for (const { changed, again } of frames) {
        expect(changed).toBeGreaterThan(20);
        expect(again).toBe(0);
      }
      expect(page.errors).toEqual([]);
    });
  }

  test('targets that are keyed follow time', { timeout: 60_000 }, async (context) => {
    if (!browser) return context.skip('no browser');
    const { first, drawn, set } = await page.evaluate(() =>
      (window as unknown as { followTargets: typeof followTargets }).followTargets('/Fox.glb'),
    );
    expect(first).toBeGreaterThan(0);
    expect(drawn).toBeGreaterThan(1.04);
    expect(drawn).toBeLessThan(1.5);
    expect(set).toBeCloseTo(1.5, 6);
  });
});

async function compare(
  model: string,
  clip: number,
  times: readonly number[],
  preset: PresetName | undefined,
  frames: readonly DrawnFrame[],
) {
  const { character } = await readCharacterFromBytes(readFileSync(join(MODELS, model)));
  const stack = createFrameSource(planBody(character), presetStack(preset), { rehearse: true });
  const meter = planVolumeMeter(character, stack.volume!);
  const pose = createPose(character);
  const drawn = new Float64Array(3 * character.surface.vertexCount);
  const [worst, off] = [{ value: 0 }, { value: 0 }];
  let [volume, change, plain] = [0, 0, 0];
  times.forEach((time, f) => {
    samplePose(pose, character, character.clips[clip], time);
    const { positions, skinned, bones } = stack.evaluate(pose, time);
    const size = Math.max(...positions.map(Math.abs));
    character.parts.forEach(({ welded }, p) => {
      for (let i = 0; i < 3 * welded.length; i++) {
        const k = 3 * welded[Math.trunc(i / 3)]! + (i % 3);
        worst.value = Math.max(worst.value, Math.abs(frames[f]!.kept[p]![i]! - positions[k]!) / size);
        off.value = Math.max(off.value, Math.abs(frames[f]!.off[p]![i]! - skinned[k]!) / size);
        drawn[k] = frames[f]!.kept[p]![i]!;
      }
    });
    const target = meter.measureTargets(bones, time);
    const shown = meter.measure(drawn) / target;
    volume = Math.max(volume, Math.abs(shown - meter.measure(positions) / target));
    change = Math.max(change, Math.abs(shown - 1));
    plain = Math.max(plain, Math.abs(meter.measure(skinned) / target - 1));
  });
  return { position: worst.value, skinned: off.value, volume, change, plain };
}
