import { createTemporalQuality } from '@isoskin/core/quality';
import { describe, expect, it } from 'vitest';

const at = (x: number, u: number): [Float64Array, Float64Array] => [
  Float64Array.of(x, 0, 0, 0, 0, 0),
  Float64Array.of(x, u, 0, 0, 0, 0),
];

describe('createTemporalQuality', () => {
  it('divides the largest second differences of the clip', () => {
    const quality = createTemporalQuality(2);
    // x: 0 1 4 9 has second difference 2; u: 0 0 3 0 has 3, then −6.
    quality.push(...at(0, 0));
    quality.push(...at(1, 0));
    expect(quality.value).toBe(0);
    quality.push(...at(4, 3));
    expect(quality.value).toBeCloseTo(1.5, 12);
    quality.push(...at(9, 0));
    expect(quality.value).toBeCloseTo(3, 12);
  });

  it('is 0 for a correction in uniform motion and ∞ for one that jumps on a still body', () => {
    const quality = createTemporalQuality(2);
    for (let t = 0; t < 5; t++) quality.push(...at(t * t, 2 * t));
    expect(quality.value).toBe(0);
    quality.reset();
    for (let t = 0; t < 5; t++) quality.push(...at(1, t === 3 ? 1 : 0));
    expect(quality.value).toBe(Number.POSITIVE_INFINITY);
  });

  it('starts anew after a reset', () => {
    const quality = createTemporalQuality(2);
    for (let t = 0; t < 5; t++) quality.push(...at(100 * t * t, 7 * t * t));
    expect(quality.value).toBeCloseTo(0.07, 12);
    quality.reset();
    for (let t = 0; t < 5; t++) quality.push(...at(t * t, 0.5 * t * t));
    expect(quality.value).toBeCloseTo(0.5, 12);
  });
});
