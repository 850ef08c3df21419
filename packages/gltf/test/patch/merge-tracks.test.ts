import { describe, expect, it } from 'vitest';
import { mergeWeights } from '../../src/bake/merge-weights.js';

const added = { times: Float32Array.of(0, 1), values: Float32Array.of(0, 10) };
const at = ({ times, values }: { times: Float32Array; values: Float32Array }, time: number) => {
  const width = values.length / times.length;
  let i = 0;
  while (i + 2 < times.length && times[i + 1]! <= time) i++;
  const u = (time - times[i]!) / (times[i + 1]! - times[i]!);
  return Array.from({ length: width }, (_, k) => values[i * width + k]! * (1 - u) + values[(i + 1) * width + k]! * u);
};

describe('mergeWeights', () => {
  it('keeps LINEAR keys exactly', () => {
    const merged = mergeWeights({ interpolation: 'LINEAR', times: [0, 0.25, 1], values: [0, 1, 0] }, [0], added, 30);
    expect([...merged.times]).toEqual([0, 0.25, 1]);
    expect([...merged.values]).toEqual([0, 0, 1, 2.5, 0, 10]);
  });

  it('keeps the jumps of STEP', () => {
    const merged = mergeWeights({ interpolation: 'STEP', times: [0, 0.5], values: [0, 1] }, [0], added, 30);
    expect(at(merged, 0.4)[0]).toBeCloseTo(0, 6);
    expect(at(merged, 0.4999)[0]).toBeLessThan(0.01);
    expect(at(merged, 0.5)[0]).toBeCloseTo(1, 6);
    expect(at(merged, 0.75)).toEqual([1, 7.5]);
  });

  it('samples CUBICSPLINE', () => {
    // Flat tangents: 3u² − 2u³.
    const keys = { interpolation: 'CUBICSPLINE', times: [0, 1], values: [0, 0, 0, 0, 1, 0] };
    const merged = mergeWeights(keys, [0], added, 30);
    for (const u of [0.1, 0.33, 0.5, 0.9]) expect(at(merged, u)[0]).toBeCloseTo(3 * u * u - 2 * u ** 3, 3);
  });

  it('uses the defaults where the clip does not drive the old targets', () => {
    expect([...mergeWeights(undefined, [0.25, 0.5], added, 30).values]).toEqual([0.25, 0.5, 0, 0.25, 0.5, 10]);
    expect(mergeWeights(undefined, [], added, 30)).toBe(added);
  });
});
