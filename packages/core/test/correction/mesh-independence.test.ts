import { describe, expect, it } from 'vitest';
import { chain, character, part, type Shape } from '../meshes.js';
import { methods } from './methods.js';
import { createJobRunner } from './solver-bench.js';

const AROUND = 32;

/** A tube along x with rings at the given places and two cap centres. */
function ringTube(rings: readonly number[]): Shape {
  const positions: number[] = [];
  const triangles: number[] = [];
  const at = (i: number, j: number) => i * AROUND + (j % AROUND);
  for (const [i, x] of rings.entries()) {
    for (let j = 0; j < AROUND; j++) {
      const angle = (2 * Math.PI * j) / AROUND;
      positions.push(x, Math.cos(angle), Math.sin(angle));
      if (i === 0) continue;
      triangles.push(at(i - 1, j), at(i - 1, j + 1), at(i, j + 1), at(i - 1, j), at(i, j + 1), at(i, j));
    }
  }
  const centre = rings.length * AROUND;
  positions.push(rings[0]!, 0, 0, rings.at(-1)!, 0, 0);
  for (let j = 0; j < AROUND; j++) {
    triangles.push(centre, at(0, j + 1), at(0, j), centre + 1, at(rings.length - 1, j), at(rings.length - 1, j + 1));
  }
  return { positions, triangles };
}

/** Weights that blend smoothly over the middle; the same function of the place for every sampling. */
const weigh = (x: number) => {
  const t = Math.min(1, Math.max(0, (x - 2) / 2.6));
  const w = t * t * (3 - 2 * t);
  return [1 - w, w];
};

describe('C9: the same tube meshed two ways', () => {
  const even = Array.from({ length: 49 }, (_, i) => (6.6 * i) / 48);
  // Three more rings between every two of the first half.
  const uneven = even.flatMap((x, i) => (i < 24 ? [0, 1, 2, 3].map((n) => x + (n / 4) * (even[i + 1]! - x)) : [x]));
  const benches = [even, uneven].map((rings) =>
    createJobRunner(character([part(ringTube(rings), weigh)], chain([0, 3.3])), { map: { kind: 'power' } }),
  );

  /** Largest difference of the corrections at the common rings, relative to the largest correction. */
  const difference = (name: string, areaNorm: boolean) => {
    const [a, b] = benches.map((bench) => {
      const x = bench.skin({ 1: { axis: 'y', degrees: 60 } });
      const { y } = bench.correct(methods[name]!.plan(bench.context, { areaNorm }), x);
      return y.map((v, i) => v - x[i]!);
    }) as [Float64Array, Float64Array];
    let largest = 0;
    let apart = 0;
    for (const [i, x] of even.entries()) {
      const other = uneven.indexOf(x);
      for (let n = 0; n < 3 * AROUND; n++) {
        largest = Math.max(largest, Math.abs(a[3 * AROUND * i + n]!));
        apart = Math.max(apart, Math.abs(a[3 * AROUND * i + n]! - b[3 * AROUND * other + n]!));
      }
    }
    return apart / largest;
  };

  it.each(['C1 axis linear', 'C2 axis exact', 'C5 normal linear', 'C6 normal exact'])('%s', (name) => {
    expect(difference(name, true)).toBeLessThan(0.12);
    expect(difference(name, false)).toBeGreaterThan(0.4);
  });
});
