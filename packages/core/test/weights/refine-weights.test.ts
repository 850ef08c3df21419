import { type Character, createCharacter, createFrameSource, planBody, planClipMeter } from '@isoskin/core';
import { refineWeights } from '@isoskin/core/weights';
import { describe, expect, it } from 'vitest';
import { planLostFlesh } from '../../src/weights/plan-lost-flesh.js';
import { planWeightSlots } from '../../src/weights/plan-weight-slots.js';
import { tube } from '../meshes.js';

/** The reference tube, bent by 90° about y within a second. */
function bendingTube(): Character {
  const h = Math.SQRT1_2;
  const clip = {
    name: 'bend',
    duration: 1,
    channels: [
      {
        target: 1,
        path: 'rotation' as const,
        interpolation: 'LINEAR' as const,
        times: Float64Array.of(0, 1),
        values: Float64Array.of(0, 0, 0, 1, 0, h, 0, h),
        width: 4,
      },
    ],
  };
  return createCharacter({ ...tube(), clips: [clip] });
}

function measureWorst(character: Character): number {
  const meter = planClipMeter(createFrameSource(planBody(character), { skin: {} }));
  return meter.measure(character.clips[0]!, { fps: 60 }).worst.skinned;
}

describe('C14 refineWeights', () => {
  const character = bendingTube();
  const refined = refineWeights(character);

  it('loses at most 0.6 times as much under plain skinning', () => {
    const before = measureWorst(character);
    const after = measureWorst({ ...character, binding: refined });
    expect(before).toBeLessThan(-0.1);
    expect(Math.abs(after)).toBeLessThan(0.6 * Math.abs(before));
    expect(refined.before).toBeCloseTo(before, 10);
    expect(refined.after).toBeCloseTo(after, 10);
  });

  it('gives at most four weights, ≥ 0, that sum to 1', () => {
    const { offsets, weights, maxInfluences } = refined;
    expect(maxInfluences).toBeLessThanOrEqual(4);
    for (let k = 0; k + 1 < offsets.length; k++) {
      const own = weights.subarray(offsets[k]!, offsets[k + 1]!);
      expect(Math.min(...own)).toBeGreaterThan(0);
      expect(own.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 12);
    }
  });

  it.each([0.02, 0.005])('keeps every vertex within %s of the size in every frame', (bound) => {
    const binding = bound === 0.02 ? refined : refineWeights(character, { bound });
    const before = createFrameSource(planBody(character), { skin: {} });
    const after = createFrameSource(planBody({ ...character, binding }), { skin: {} });
    const size = Math.hypot(6.6, 2, 2);
    let farthest = 0;
    for (let time = 0; time <= 1; time += 1 / 60) {
      const x = before.seek(character.clips[0]!, time).positions;
      const y = after.seek(character.clips[0]!, time).positions;
      for (let i = 0; i < x.length; i += 3) {
        farthest = Math.max(farthest, Math.hypot(y[i]! - x[i]!, y[i + 1]! - x[i + 1]!, y[i + 2]! - x[i + 2]!));
      }
    }
    expect(farthest / size).toBeLessThanOrEqual(bound * 1.001);
    expect(farthest / size).toBeGreaterThan(0.9 * bound);
  });

  it('changes less from vertex to vertex the smoother it is asked to be', () => {
    const roughness = (smoothness: number) => {
      const { bones, weights, offsets } = refineWeights(character, { smoothness });
      const change = (k: number) => {
        const of = (b: typeof character.binding, n: number) => (b.bones[n] === 0 ? b.weights[n]! : 0);
        let sum = 0;
        for (let n = offsets[k]!; n < offsets[k + 1]!; n++) sum += bones[n] === 0 ? weights[n]! : 0;
        for (let n = character.binding.offsets[k]!; n < character.binding.offsets[k + 1]!; n++)
          sum -= of(character.binding, n);
        return sum;
      };
      const { neighbours, vertexCount } = character.surface;
      let sum = 0;
      for (let k = 0; k < vertexCount; k++) {
        for (let n = neighbours.offsets[k]!; n < neighbours.offsets[k + 1]!; n++) {
          sum += (change(k) - change(neighbours.values[n]!)) ** 2;
        }
      }
      return sum;
    };
    expect(roughness(2)).toBeLessThan(0.5 * roughness(0.01));
  });

  it('is the same twice', () => {
    expect(refineWeights(character).weights).toEqual(refined.weights);
  });

  it('refuses a character without clips and a bound that is none', () => {
    expect(() => refineWeights({ ...character, clips: [] })).toThrow('the character has none: add one');
    expect(() => refineWeights(character, { bound: 0 })).toThrow('0.02 is usual');
  });
});

describe('planLostFlesh', () => {
  it('has the gradient that finite differences give', () => {
    const character = bendingTube();
    const slots = planWeightSlots(character.surface, character.binding, 4);
    const flesh = planLostFlesh(character, slots, 4);
    const moment = flesh.moments[3]!;
    const gradient = new Float64Array(slots.weights.length);
    flesh.measure(moment, slots.weights);
    flesh.addGradient(gradient, moment, 1);
    const largest = gradient.reduce((most, g) => Math.max(most, Math.abs(g)), 0);
    for (const slot of [400, 401, 512, 513, 640, 641]) {
      const step = (by: number) => flesh.measure(moment, slots.weights.with(slot, slots.weights[slot]! + by));
      expect(Math.abs((step(1e-5) - step(-1e-5)) / 2e-5 - gradient[slot]!)).toBeLessThan(1e-6 * largest);
    }
  });
});
