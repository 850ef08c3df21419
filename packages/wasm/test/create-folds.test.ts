/** Folds in WASM against the TypeScript passes, on the same frames: all demos that have wrinkles, every clip, every way to combine. */
import { createFrameSource, createPose, type FrameSource, planBody, presetStack, samplePose } from '@isoskin/core';
import { COMBINATIONS, planWrinkles, type WrinklesOptions } from '@isoskin/core/wrinkles';
import { createDemo, createWrinkledStack, wrinkledNames } from '@isoskin/demos';
import { createWasmKernels } from '@isoskin/wasm';
import { openFolds } from '@isoskin/wasm/folds';
import { describe, expect, it } from 'vitest';
import { FRAME_TOLERANCES } from '../../core/test/kernels/frame-table.js';

const { positions: tolerance, normals: normalTolerance } = FRAME_TOLERANCES.wasm;
const kernels = await createWasmKernels({ threads: 1, folds: openFolds });

/** Folds the frames of all clips on both; returns how many frames fold. */
function compare(name: string, more: WrinklesOptions): number {
  const character = createDemo(name);
  const options = { ...createWrinkledStack(name, character).wrinkles, ...more };
  const source = createFrameSource(planBody(character), presetStack('organic'));
  const [slow, fast] = [planWrinkles(character, options), planWrinkles(character, options, kernels)];
  const size = Math.hypot(...[0, 1, 2].map((r) => measureExtent(character.surface.positions, r)));
  const pose = createPose(character);
  let folded = 0;
  for (const clip of character.clips) {
    for (let n = 0; n < 12; n++) {
      samplePose(pose, character, clip, (clip.duration * n) / 12);
      const frame = source.evaluate(pose);
      const [wanted, found] = [slow.apply(frame), fast.apply(frame)];
      expect(found?.triangleCount).toBe(wanted?.triangleCount);
      if (!wanted || !found) continue;
      folded++;
      let turned = 0;
      const off = new Float64Array(wanted.positions.length);
      for (let i = 0; i < wanted.positions.length; i++) {
        off[i] = Math.abs(found.positions[i]! - wanted.positions[i]!) / size;
        turned += Math.abs(found.normals[i]! - wanted.normals[i]!) / wanted.positions.length;
      }
      off.sort();
      // Half way between two rectangles of a curved tool, rounding says which one a vertex is under.
      expect(off.at(-1), `${clip.name}, frame ${n}`).toBeLessThan(1e-3);
      expect(off[Math.floor(0.999 * off.length)], `${clip.name}, frame ${n}`).toBeLessThan(tolerance);
      expect(turned, `${clip.name}, frame ${n}`).toBeLessThan(normalTolerance);
    }
  }
  return folded;
}

function measureExtent(positions: Float64Array, r: number): number {
  const values = positions.filter((_, i) => i % 3 === r);
  return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
}

describe('folds on WASM kernels', () => {
  for (const name of wrinkledNames) it(`${name}, all clips`, () => expect(compare(name, {})).toBeGreaterThan(5));
  for (const combine of COMBINATIONS.slice(1))
    it(combine, () => expect(compare('hero', { combine })).toBeGreaterThan(5));
  it('no volume kept, three levels', () =>
    expect(compare('hand', { keepVolume: false, refine: 3 })).toBeGreaterThan(5));
  it('folds the frames of a source', () => {
    const character = createDemo('cat');
    const spec = createWrinkledStack('cat', character);
    const source = createFrameSource(planBody(character), spec, { kernels }) as FrameSource;
    const clip = character.clips.find(({ name }) => name === 'hunch')!;
    const { refined, positions } = source.seek(clip, clip.duration / 2);
    expect(refined!.positions[0]).toBe(positions[0]);
    source.dispose();
  });
});
