import { createFrameSource, planBody } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { findUsed, reduceHarmonics } from '../../src/bake/reduce-harmonics.js';

const character = createDemo('finger', { vertices: 3000 });
const stack = { skin: {}, volume: { options: { harmonics: 1 } } };
const { shapes } = createFrameSource(planBody(character), stack).volume!.shapes!;
const K = shapes.regionCount;

const reduce = (count: number, amountOf: (n: number, s: number) => number, quiet: number) =>
  reduceHarmonics(
    shapes,
    [],
    findUsed(shapes, count, amountOf, () => quiet).map(({ axis }) => axis),
    amountOf,
  );

/** Σ_s amount_s · shape_s at every vertex, of the shapes beyond the regions. */
function push({ offsets, shapes: ids, values }: typeof shapes, amountOf: (s: number) => number): number[] {
  return Array.from({ length: offsets.length - 1 }, (_, k) => {
    let sum = 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) if (ids[e]! >= K) sum += amountOf(ids[e]!) * values[e]!;
    return sum;
  });
}

describe('directions of a bake', () => {
  const axis = [0.6, 0, -0.8];
  const hinge = (n: number, s: number) => (s < K ? 0 : (0.1 + 0.01 * n) * axis[(s - K) % 3]!);

  it('a hinge needs one direction a region, and moves the same', () => {
    const reduced = reduce(5, hinge, 1e-9);
    expect(reduced.shapes.shapeCount).toBe(2 * K);
    expect([...reduced.regions.subarray(K)]).toEqual(Array.from({ length: K }, (_, s) => s));
    const wanted = push(shapes, (s) => hinge(3, s));
    const found = push(reduced.shapes, (s) => reduced.amountOf(3, s));
    for (const [k, value] of wanted.entries()) expect(found[k]).toBeCloseTo(value, 12);
  });

  it('all directions are kept where all are used, and none where they stay quiet', () => {
    const wild = (n: number, s: number) => Math.sin(1.7 * (n + 1) * (s + 1));
    const reduced = reduce(20, wild, 1e-9);
    expect(reduced.shapes.shapeCount).toBe(4 * K);
    const found = push(reduced.shapes, (s) => reduced.amountOf(4, s));
    for (const [k, value] of push(shapes, (s) => wild(4, s)).entries()) expect(found[k]).toBeCloseTo(value, 10);
    expect(reduce(5, hinge, 1e9).shapes.shapeCount).toBe(K);
  });
});
