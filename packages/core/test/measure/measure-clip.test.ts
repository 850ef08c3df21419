/** The numbers behind `isoskin measure`. */
import {
  type Channel,
  type CharacterInput,
  type Clip,
  createCharacter,
  createFrameSource,
  planBody,
  planClipMeter,
  planVolumeMeter,
  presetStack,
} from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { boxShape, character, mergeShapes, part, tube } from '../meshes.js';

const half = Math.SQRT1_2;

function clip(channels: Partial<Channel>[], duration = 1): Clip {
  return {
    name: 'clip',
    duration,
    channels: channels.map((one) => ({
      target: 1,
      path: 'rotation' as const,
      interpolation: 'LINEAR' as const,
      times: Float32Array.of(0, duration),
      values: Float64Array.of(0, 0, 0, 1, 0, half, 0, half),
      width: 4,
      ...one,
    })),
  };
}

const measure = (input: CharacterInput, one: Clip, spec = presetStack('organic'), options = {}) =>
  planClipMeter(createFrameSource(planBody(createCharacter(input)), spec)).measure(one, options);

describe('measure', () => {
  it('gives the volume of every frame, i/fps and the end, before and after', () => {
    const byBone = { skin: {}, volume: { regions: { by: 'bone' } } } as const;
    const { frames, worst, regions, fps, duration, inexact } = measure(tube(), clip([{}]), byBone, { fps: 9 });
    expect([fps, duration]).toEqual([9, 1]);
    expect(frames.map(({ time }) => time)).toEqual([...Array.from({ length: 9 }, (_, i) => i / 9), 1]);
    expect(frames[0]!.skinned).toBeCloseTo(frames[0]!.target, 12);
    expect(100 * worst.skinned).toBeCloseTo(-10.966, 3); // the reference tube at 90°, lost: negative
    expect(Math.abs(worst.corrected!)).toBeLessThan(1e-9);
    expect(frames.at(-1)!.skinned / frames.at(-1)!.target - 1).toBe(worst.skinned);
    expect(regions.map(({ name }) => name)).toEqual(['bone 0', 'bone 1']);
    for (const region of regions) {
      expect(region.skinned.length).toBe(10);
      expect(region.worst.skinned).toBeCloseTo(-0.10966, 2);
      expect(Math.abs(region.worst.corrected!)).toBeLessThan(1e-6);
    }
    expect(inexact).toEqual([]);
  });

  it('keeps the sign: the change of largest size may be a gain', () => {
    // A joint that moves out without scaling stretches the skin between: more volume than was meant.
    const pull = clip([{ target: 1, path: 'translation', width: 3, values: Float64Array.of(3.3, 0, 0, 4, 0, 0) }]);
    const { worst, frames } = measure(tube(), pull, { skin: {} });
    expect(frames.at(-1)!.target).toBeCloseTo(frames[0]!.target, 9);
    expect(worst.skinned).toBeGreaterThan(0.05);
    expect(worst.corrected).toBeUndefined();
    expect(frames[0]!.corrected).toBeUndefined();
  });

  it('is relative to the target of the frame: a character that doubles keeps its volume', () => {
    const grow = clip([{ target: 0, path: 'scale', width: 3, values: Float64Array.of(1, 1, 1, 2, 2, 2) }]);
    const { worst, frames } = measure(tube(), grow);
    expect(frames.at(-1)!.target / frames[0]!.target).toBeCloseTo(8, 9);
    expect(Math.abs(worst.skinned)).toBeLessThan(1e-12);
    expect(Math.abs(worst.corrected!)).toBeLessThan(1e-12);
  });

  it('names the regions that are not exact, with what is left', () => {
    const spec = {
      skin: {},
      volume: { regions: { by: 'bone' }, map: { kind: 'uniform', paint: new Array<number>(258).fill(0) } },
    } as const;
    const { inexact, worst } = measure(tube(), clip([{}]), spec, { fps: 3 });
    expect(inexact.map(({ name }) => name)).toEqual(['bone 0', 'bone 1']);
    for (const { error } of inexact) expect(error).toBeCloseTo(0.11, 1);
    expect(worst.corrected).toBe(worst.skinned);
  });

  it('reports components, quality and progress when asked', () => {
    const seen: [number, number][] = [];
    const onFrame = (done: number, total: number) => void seen.push([done, total]);
    const options = { fps: 4, quality: true, intersections: true, onFrame };
    const { quality, components, frames } = measure(tube(), clip([{}]), presetStack('organic'), options);
    expect(seen).toEqual([1, 2, 3, 4, 5].map((n) => [n, 5]));
    expect(components.length).toBe(1);
    expect(components[0]!.worst.skinned).toBeCloseTo(-0.10966, 4);
    expect(frames[0]!.intersections).toEqual({ skinned: 0, corrected: 0 });
    expect(quality!.rms).toBeGreaterThan(1e-3);
    expect(quality!.roughness).toBeGreaterThan(0);
    expect(quality!.roughness).toBeLessThan(0.4);
    expect(quality!.intersections).toBeDefined();
    expect(measure(tube(), clip([{}])).quality).toBeUndefined();
  });

  it('starts every clip cold: the order of clips does not matter', () => {
    const stack = createFrameSource(planBody(createCharacter(tube())));
    const meter = planClipMeter(stack);
    const back = clip([{ values: Float64Array.of(0, half, 0, half, 0, 0, 0, 1) }]);
    const first = meter.measure(clip([{}]), { fps: 5 });
    meter.measure(back, { fps: 5 });
    expect(meter.measure(clip([{}]), { fps: 5 })).toEqual(first);
  });

  it('gives numbers, never NaN, for a character without volume', () => {
    const card = { positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], triangles: [0, 1, 2, 0, 2, 3] };
    const still = clip([{ target: 0 }]);
    const { worst, frames, components } = measure(character([part(card)]), still, presetStack('organic'), {
      fps: 2,
      quality: true,
    });
    expect(Number.isFinite(worst.skinned)).toBe(true);
    expect(Number.isFinite(worst.corrected)).toBe(true);
    for (const { skinned, corrected } of components) {
      expect([...skinned, ...corrected!].every(Number.isFinite)).toBe(true);
    }
    for (const { target, skinned } of frames) expect([target, skinned].every(Number.isFinite)).toBe(true);
  });
});

describe('volume meter', () => {
  it('knows the rest volumes of the whole, of components and of regions', () => {
    const shape = mergeShapes(boxShape(2, 2, 2), boxShape(1, 1, 1, 5, 0, 0));
    const meter = planVolumeMeter(createCharacter(character([part(shape)])), { by: 'component' });
    expect(meter.rest).toBeCloseTo(9, 12);
    expect([...meter.restComponents]).toEqual([8, 1].map((v) => expect.closeTo(v, 12)));
    expect([...meter.restRegions]).toEqual([8, 1].map((v) => expect.closeTo(v, 12)));
  });

  it('uses the regions and targets of a layer it is given', () => {
    const stack = createFrameSource(planBody(createCharacter(tube())), {
      volume: { regions: { by: 'component' }, target: { all: 1.5 } },
    });
    const layer = stack.volume!;
    const meter = planVolumeMeter(stack.character, layer);
    expect(meter.regions).toBe(layer.regions);
    const bones = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    expect(meter.measureTargets(bones, 0)).toBeCloseTo(1.5 * meter.rest, 9);
  });
});
