import { countSelfIntersections, countSelfIntersectionsOf, planBvh, trianglesCross } from '@isoskin/core/mesh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBox, createSphere, createTube, joinSolids, moveRigidly, type Solid } from '../contact/solids.js';

const seed = 20;

/** Does the open segment pq pass through the inside of triangle abc? Another way to the same answer, for general position. */
function pierces(p: Float64Array, s0: number, s1: number, a: number, b: number, c: number): boolean {
  const at = (v: number, i: number) => p[3 * v + i]!;
  const minus = (v: number, w: number) => [0, 1, 2].map((i) => at(v, i) - at(w, i)) as [number, number, number];
  const det = (u: number[], v: number[], w: number[]) =>
    u[0]! * (v[1]! * w[2]! - v[2]! * w[1]!) +
    u[1]! * (v[2]! * w[0]! - v[0]! * w[2]!) +
    u[2]! * (v[0]! * w[1]! - v[1]! * w[0]!);
  const e1 = minus(b, a);
  const e2 = minus(c, a);
  const d = minus(s0, s1);
  const r = minus(s0, a);
  const whole = det(e1, e2, d);
  const u = det(r, e2, d) / whole;
  const v = det(e1, r, d) / whole;
  const t = det(e1, e2, r) / whole;
  return u > 0 && v > 0 && u + v < 1 && t > 0 && t < 1;
}

function crossByEdges(p: Float64Array, a: number[], b: number[]): boolean {
  const edges = (x: number[], y: number[]) =>
    [0, 1, 2].some((i) => pierces(p, x[i]!, x[(i + 1) % 3]!, y[0]!, y[1]!, y[2]!));
  return edges(a, b) || edges(b, a);
}

function countByHand({ positions, triangles }: Solid): number {
  let count = 0;
  const corners = (t: number) => [...triangles.slice(3 * t, 3 * t + 3)];
  for (let a = 0; a < triangles.length / 3; a++) {
    for (let b = a + 1; b < triangles.length / 3; b++) {
      if (corners(a).some((v) => corners(b).includes(v))) continue;
      if (crossByEdges(positions, corners(a), corners(b))) count++;
    }
  }
  return count;
}

/** Cuts both triangles with the other's plane and compares the two segments; undefined for common planes and needles. */
function crossBySegments(a: number[][], b: number[][]): boolean | undefined {
  const minus = (u: number[], v: number[]) => u.map((x, i) => x - v[i]!);
  const dot = (u: number[], v: number[]) => u.reduce((sum, x, i) => sum + x * v[i]!, 0);
  const times = (u: number[], v: number[]) =>
    [0, 1, 2].map((i) => u[(i + 1) % 3]! * v[(i + 2) % 3]! - u[(i + 2) % 3]! * v[(i + 1) % 3]!);
  const normal = (t: number[][]) => times(minus(t[1]!, t[0]!), minus(t[2]!, t[0]!));
  const line = times(normal(a), normal(b));
  if (dot(line, line) === 0) return undefined;
  const cut = (t: number[][], other: number[][]) => {
    const heights = t.map((p) => dot(normal(other), minus(p, other[0]!)));
    if (!heights.some((h) => h > 0) || !heights.some((h) => h < 0)) return undefined;
    const places: number[] = [];
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const [h, g] = [heights[i]!, heights[j]!];
      if (h * g <= 0 && h !== g) places.push((dot(line, t[i]!) * g - dot(line, t[j]!) * h) / (g - h));
    }
    return [Math.min(...places), Math.max(...places)] as const;
  };
  const [s, r] = [cut(a, b), cut(b, a)];
  return s !== undefined && r !== undefined && Math.min(s[1], r[1]) - Math.max(s[0], r[0]) > 1e-6;
}

/** Fixed-seed numbers in 0 … 1. */
function createRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0;
    return state / 2 ** 32;
  };
}

const cross = (...xyz: number[]) => trianglesCross(Float64Array.from(xyz), 0, 1, 2, 3, 4, 5);

describe('trianglesCross', () => {
  const ground = [0, 0, 0, 4, 0, 0, 0, 4, 0];
  it.each([
    ['stands through it', [1, 1, -1, 1, 1, 1, 1, 9, 0], true],
    ['hangs above', [1, 1, 0.001, 1, 1, 1, 2, 1, 1], false],
    ['touches with a corner', [1, 1, 0, 1, 1, 1, 2, 1, 1], false],
    ['stands on an edge', [1, 1, 0, 2, 1, 0, 1, 1, 1], false],
    ['crosses the plane outside', [5, 5, -1, 5, 5, 1, 6, 5, 0], false],
    ['cuts only the border', [4, 0, -1, 4, 0, 1, 8, 0, 0], false],
    ['has a corner in the plane and passes through', [1, 1, -1, 1, 1, 1, 2, 1, 0], true],
    ['overlaps in the plane', [1, 1, 0, 5, 1, 0, 1, 5, 0], true],
    ['lies within it in the plane', [0.5, 0.5, 0, 1, 0.5, 0, 0.5, 1, 0], true],
    ['lies beside it along an edge', [0, 0, 0, 4, 0, 0, 0, -4, 0], false],
    ['is a needle', [1, 1, -1, 1, 1, 1, 1, 1, 0], false],
    ['is a point in it', [1, 1, 0, 1, 1, 0, 1, 1, 0], false],
  ])('%s', (_, other, expected) => {
    const orders = [
      [0, 1, 2],
      [1, 2, 0],
      [2, 1, 0],
    ];
    for (const i of orders) {
      for (const j of orders) {
        const a = i.flatMap((c) => ground.slice(3 * c, 3 * c + 3));
        const b = j.flatMap((c) => other.slice(3 * c, 3 * c + 3));
        expect(cross(...a, ...b)).toBe(expected);
        expect(cross(...b, ...a)).toBe(expected);
      }
    }
  });

  it(`agrees with edges through faces (seed ${seed})`, () => {
    let crossing = 0;
    fc.assert(
      fc.property(fc.integer(), (start) => {
        const p = Float64Array.from({ length: 18 }, createRandom(start));
        const expected = crossByEdges(p, [0, 1, 2], [3, 4, 5]);
        crossing += expected ? 1 : 0;
        expect(trianglesCross(p, 0, 1, 2, 3, 4, 5)).toBe(expected);
      }),
      { seed, numRuns: 3000 },
    );
    expect(crossing).toBeGreaterThan(100);
  });

  it(`agrees with segments on the common line where everything touches, on a grid (seed ${seed})`, () => {
    let crossing = 0;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 18, maxLength: 18 }), (xyz) => {
        const a = [0, 3, 6].map((i) => xyz.slice(i, i + 3));
        const b = [9, 12, 15].map((i) => xyz.slice(i, i + 3));
        const expected = crossBySegments(a, b);
        if (expected === undefined) return;
        crossing += expected ? 1 : 0;
        expect(cross(...xyz)).toBe(expected);
        expect(cross(...xyz.slice(9), ...xyz.slice(0, 9))).toBe(expected);
      }),
      { seed, numRuns: 5000 },
    );
    expect(crossing).toBeGreaterThan(100);
  });
});

describe('countSelfIntersections', () => {
  const cube = createBox([-1, -1, -1], [1, 1, 1]);
  // Off the diagonals of the cube's faces: each end goes through one triangle with all 8 triangles of the sides.
  const crossed = joinSolids(cube, createBox([0.3, -0.6, -3], [0.5, -0.4, 3]));

  it('counts a bar through a cube', () => {
    expect(countSelfIntersectionsOf(crossed.triangles, crossed.positions)).toBe(16);
  });

  it('is 0 for disjoint, nested, touching and simple bodies', () => {
    const zero = (...solids: Solid[]) => {
      const { triangles, positions } = joinSolids(...solids);
      expect(countSelfIntersectionsOf(triangles, positions)).toBe(0);
    };
    zero(cube);
    zero(cube, createBox([2, 0, 0], [3, 1, 1]));
    zero(cube, createBox([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]));
    zero(createSphere(1, 16), createSphere(1.2, 16));
    // Corner to corner, edge on edge.
    zero(createBox([0, 0, 0], [1, 1, 1]), createBox([1, 1, 1], [2, 2, 2]));
    zero(createBox([0, 0, 0], [1, 1, 1]), createBox([1, 1, 0], [2, 2, 1]));
  });

  it('counts overlap in a common plane, not contact along its border', () => {
    const sheet = (x: number): Solid => ({
      positions: Float64Array.of(x, 0, 0, x + 1, 0, 0, x, 1, 0),
      triangles: Uint32Array.of(0, 1, 2),
    });
    const pair = (x: number) => joinSolids(sheet(0), sheet(x));
    expect(countSelfIntersectionsOf(pair(0.5).triangles, pair(0.5).positions)).toBe(1);
    expect(countSelfIntersectionsOf(pair(1).triangles, pair(1).positions)).toBe(0);
  });

  it('tells a folded tube from one that only bends', () => {
    const hairpin = (gap: number) =>
      createTube(
        Array.from({ length: 25 }, (_, i) => {
          const s = i / 8 - 1.5;
          const bend = Math.max(-0.5, Math.min(0.5, s)) * Math.PI;
          const straight = Math.abs(s) > 0.5 ? (Math.abs(s) - 0.5) * 4 : 0;
          return [gap * Math.cos(bend) - straight, gap * Math.sin(bend), 0];
        }),
        0.5,
        12,
      );
    expect(countSelfIntersectionsOf(hairpin(1).triangles, hairpin(1).positions)).toBe(0);
    // Shaken a little: where edge meets edge by symmetry, the count by hand is a matter of rounding.
    const folded = hairpin(0.43);
    folded.positions.forEach((x, i) => {
      folded.positions[i] = x + 0.003 * Math.sin(i * i);
    });
    const count = countSelfIntersectionsOf(folded.triangles, folded.positions);
    expect(count).toBeGreaterThan(20);
    expect(countByHand(folded)).toBe(count);
  });

  it(`equals the count by hand on random meshes, and does not change with rigid motion (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 6, max: 30 }), (start, vertexCount) => {
        const random = createRandom(start);
        const positions = Float64Array.from({ length: 3 * vertexCount }, random);
        const corners: number[] = [];
        for (let t = 0; t < 40; t++) {
          const a = Math.floor(random() * vertexCount);
          const b = (a + 1 + Math.floor(random() * (vertexCount - 2))) % vertexCount;
          const c = (b + 1) % vertexCount === a ? (b + 2) % vertexCount : (b + 1) % vertexCount;
          corners.push(a, b, c);
        }
        const triangles = Uint32Array.from(corners);
        const expected = countByHand({ positions, triangles });
        const bvh = planBvh(triangles, positions);
        expect(countSelfIntersections(bvh, positions)).toBe(expected);
        expect(countSelfIntersections(bvh, moveRigidly(positions, 2, [10, -3, 1]))).toBe(expected);
      }),
      { seed, numRuns: 60 },
    );
  });

  it('does not change when a body turns, whatever the pose the tree was planned in', () => {
    const bvh = planBvh(crossed.triangles, crossed.positions);
    for (const angle of [0.3, 1, 2.5]) {
      expect(countSelfIntersections(bvh, moveRigidly(crossed.positions, angle, [4, 5, 6]))).toBe(16);
    }
  });
});
