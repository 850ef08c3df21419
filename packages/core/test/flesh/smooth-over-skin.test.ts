/** No creases where soft flesh meets stiff flesh. */
import { createFrameSource, planBody } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { smoothOverSkin } from '../../src/flesh/smooth-over-skin.js';

const elephant = createDemo('elephant');
const { neighbours, vertexCount, positions: rest } = elephant.surface;

/** 99th percentile of how far the swing of a vertex is from the mean of its neighbours', per length of an edge; and the largest swing. */
function measureCreases(blend: number) {
  const flesh = { frequency: 1.6, damping: 0.15, maxStretch: 0.35, blend };
  const stack = createFrameSource(planBody(elephant), { skin: {}, flesh });
  const { positions, skinned } = stack.seek(elephant.clips.find(({ name }) => name === 'trot')!, 0.6);
  const move = positions.map((x, i) => x - skinned[i]!);
  let swing = 0;
  const rough = Float64Array.from({ length: vertexCount }, (_, k) => {
    const around = [...neighbours.values.subarray(neighbours.offsets[k]!, neighbours.offsets[k + 1]!)];
    const length = (p: (r: number) => number) => Math.hypot(p(0), p(1), p(2));
    const edge = around.reduce((sum, j) => sum + length((r) => rest[3 * j + r]! - rest[3 * k + r]!), 0);
    swing = Math.max(
      swing,
      length((r) => move[3 * k + r]!),
    );
    return length((r) => around.reduce((sum, j) => sum + move[3 * j + r]! - move[3 * k + r]!, 0)) / edge;
  }).sort();
  return { rough: rough[Math.floor(0.99 * vertexCount)]!, swing };
}

describe('smoothOverSkin', () => {
  it('takes the creases out of a swinging belly, and not the swing', () => {
    const [sharp, smooth] = [measureCreases(0), measureCreases(0.25)];
    expect(smooth.rough).toBeLessThan(0.45 * sharp.rough);
    expect(smooth.swing).toBeGreaterThan(0.95 * sharp.swing);
  });

  it('leaves what is even alone, stays above 0, and keeps the largest value', () => {
    const even = smoothOverSkin(new Float64Array(vertexCount).fill(0.3), elephant.surface, 0.2);
    for (const value of even) expect(value).toBeCloseTo(0.3, 9);
    const step = Float64Array.from({ length: vertexCount }, (_, k) => (rest[3 * k]! > 0 ? 1 : 0));
    const smooth = smoothOverSkin(step, elephant.surface, 0.2);
    expect(Math.max(...smooth)).toBeCloseTo(1, 9);
    expect(Math.min(...smooth)).toBeGreaterThanOrEqual(0);
    expect(smoothOverSkin(step, elephant.surface, 0)).toEqual(step);
  });
});
