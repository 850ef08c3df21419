import { describe, expect, it } from 'vitest';
import { mergeTracks, sampleTrack } from '../../src/patch/merge-tracks.js';
import type { Track } from '../../src/patch/weight-track.js';

const track = (interpolation: Track['interpolation'], times: number[], values: number[], width = 1): Track => ({
  interpolation,
  width,
  times: Float32Array.from(times),
  values: Float32Array.from(values),
});
const added = track('LINEAR', [0, 1], [0, 10]);
const at = (merged: Track, time: number) => {
  const out = new Float32Array(merged.width);
  sampleTrack(out, 0, merged, time);
  return [...out];
};

describe('mergeTracks', () => {
  it('keeps LINEAR keys exactly', () => {
    const merged = mergeTracks(track('LINEAR', [0, 0.25, 1], [0, 1, 0]), added, 30);
    expect([...merged.times]).toEqual([0, 0.25, 1]);
    expect([...merged.values]).toEqual([0, 0, 1, 2.5, 0, 10]);
  });

  it('keeps the jumps of STEP', () => {
    const merged = mergeTracks(track('STEP', [0, 0.5], [0, 1]), added, 30);
    expect(at(merged, 0.4)[0]).toBeCloseTo(0, 6);
    expect(at(merged, 0.4999)[0]).toBeLessThan(0.01);
    expect(at(merged, 0.5)[0]).toBeCloseTo(1, 6);
    expect(at(merged, 0.75)).toEqual([1, 7.5]);
  });

  it('samples CUBICSPLINE', () => {
    // Flat tangents: 3u² − 2u³.
    const merged = mergeTracks(track('CUBICSPLINE', [0, 1], [0, 0, 0, 0, 1, 0]), added, 30);
    for (const u of [0.1, 0.33, 0.5, 0.9]) expect(at(merged, u)[0]).toBeCloseTo(3 * u * u - 2 * u ** 3, 3);
  });

  it('keeps any two of one kind and equal times as they are', () => {
    const cubic = track('CUBICSPLINE', [0, 1], [0, 0, 1, 1, 2, 0]);
    const merged = mergeTracks(cubic, cubic, 30);
    expect(merged.interpolation).toBe('CUBICSPLINE');
    expect([...merged.values]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 0, 0]);
  });

  it('a constant asks for no keys of its own', () => {
    const merged = mergeTracks(track('LINEAR', [0], [0.25, 0.5], 2), track('LINEAR', [0.5, 1], [0, 10]), 30);
    expect([...merged.times]).toEqual([0.5, 1]);
    expect([...merged.values]).toEqual([0.25, 0.5, 0, 0.25, 0.5, 10]);
  });
});
