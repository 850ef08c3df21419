import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tracePolygon } from '../src/trace-polygon.js';

const SEED = 20274;
type Vector = [number, number, number];

const place = (k: number): Vector => [Math.sin(3 * k + 1), Math.cos(5 * k), Math.sin(7 * k * k + 2)];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Σ (r_i − c)×(r_j − c) over edges, as it is written. */
function sumEdges(edges: readonly number[], centre: number): Vector {
  const sum: Vector = [0, 0, 0];
  for (let e = 0; e < edges.length; e += 2) {
    const [u, v] = [edges[e]!, edges[e + 1]!].map((k) => minus(place(k), place(centre))) as [Vector, Vector];
    cross(u, v).forEach((x, r) => void (sum[r]! += x));
  }
  return sum;
}

/** The same as the kernel takes it: quadrilaterals around the first point. */
function sumQuadrilaterals(points: readonly number[]): Vector {
  const sum: Vector = [0, 0, 0];
  for (let n = 2; n < points.length; n += 2) {
    const [first, a, b, c] = [points[0]!, points[n - 1]!, points[n]!, points[n + 1]!].map(place) as Vector[];
    cross(minus(b!, first!), minus(c!, a!)).forEach((x, r) => void (sum[r]! += x));
  }
  return sum;
}

function trace(edges: readonly number[], centre: number) {
  const polygon: number[] = [];
  tracePolygon(polygon, edges, centre);
  return polygon;
}

describe('tracePolygon', () => {
  it('keeps a ring as it is, and doubles the last point of an odd one', () => {
    expect(trace([1, 2, 3, 4, 2, 3, 4, 1], 0)).toEqual([1, 2, 3, 4]);
    expect(trace([1, 2, 3, 1, 2, 3], 0)).toEqual([1, 2, 3, 3]);
  });

  it('closes an open fan through its centre', () => {
    expect(trace([2, 3, 1, 2], 0)).toEqual([0, 1, 2, 3]);
  });

  it('has two points where there is no edge', () => {
    expect(trace([], 7)).toEqual([7, 7]);
  });

  it(`gives the area of any edges: broken, doubled, several rings, few and many (seed ${SEED})`, () => {
    const edges = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 80 }).map((list) => {
      const even = list.slice(0, list.length & ~1);
      return even.every((k, n) => n % 2 === 0 || k !== even[n - 1]) ? even : even.flatMap((k) => [k, (k % 20) + 1]);
    });
    fc.assert(
      fc.property(edges, (list) => {
        const points = trace(list, 0);
        expect(points.length % 2).toBe(0);
        const [found, expected] = [sumQuadrilaterals(points), sumEdges(list, 0)];
        found.forEach((x, r) => void expect(x).toBeCloseTo(expected[r]!, 9));
      }),
      { seed: SEED },
    );
  });
});
