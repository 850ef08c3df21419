import { castRay, createRayHit, planBvh, refitBvh } from '@isoskin/core/mesh';
import { describe, expect, it } from 'vitest';
import { createBox, createSphere, joinSolids, moveRigidly } from './solids.js';

const INFINITY = Number.POSITIVE_INFINITY;

/** Fixed-seed numbers in 0 … 1. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('planBvh', () => {
  it('holds every triangle once and every box holds its children', () => {
    const { positions, triangles } = createSphere(1, 20);
    const bvh = planBvh(triangles, positions);
    expect([...bvh.order].sort((a, b) => a - b)).toEqual([...Array(triangles.length / 3).keys()]);
    let leaves = 0;
    for (let node = 0; node < bvh.nodeCount; node++) {
      if (bvh.size[node]! > 0) {
        leaves += bvh.size[node]!;
        continue;
      }
      for (const child of [bvh.first[node]!, bvh.first[node]! + 1]) {
        for (let a = 0; a < 3; a++) {
          expect(bvh.bounds[6 * child + a]).toBeGreaterThanOrEqual(bvh.bounds[6 * node + a]!);
          expect(bvh.bounds[6 * child + 3 + a]).toBeLessThanOrEqual(bvh.bounds[6 * node + 3 + a]!);
        }
      }
    }
    expect(leaves).toBe(triangles.length / 3);
  });

  it('survives no triangle, one triangle and many in one place', () => {
    const hit = createRayHit();
    const origin = Float64Array.of(0.2, 0.2, 1);
    const down = Float64Array.of(0, 0, -1);
    const corner = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
    expect(castRay(hit, planBvh(new Uint32Array(0), corner), corner, origin, down, INFINITY)).toBe(false);
    expect(castRay(hit, planBvh(Uint32Array.of(0, 1, 2), corner), corner, origin, down, INFINITY)).toBe(true);
    const many = new Uint32Array(3000).map((_, i) => i % 3);
    expect(castRay(hit, planBvh(many, corner), corner, origin, down, INFINITY)).toBe(true);
    expect(hit.t).toBe(1);
  });

  it('has the same boxes after a refit as when planned there', () => {
    const { positions, triangles } = createSphere(1, 12);
    const moved = moveRigidly(positions, 1, [3, 1, 2]);
    const bvh = planBvh(triangles, positions);
    const hit = createRayHit();
    refitBvh(bvh, moved);
    expect(castRay(hit, bvh, moved, Float64Array.of(3, 1, 2), Float64Array.of(1, 0, 0), INFINITY)).toBe(true);
    expect(castRay(hit, bvh, moved, Float64Array.of(0, 0, -5), Float64Array.of(0, 0, 1), INFINITY)).toBe(false);
    const box = [0, 1, 2].map((a) => Math.min(...moved.filter((_, i) => i % 3 === a)));
    expect([...bvh.bounds.slice(0, 3)]).toEqual(box);
  });
});

describe('castRay', () => {
  const { positions, triangles } = joinSolids(createBox([-1, -1, -1], [1, 1, 1]), createBox([3, -1, -1], [4, 1, 1]));
  const bvh = planBvh(triangles, positions);
  const hit = createRayHit();
  const along = Float64Array.of(1, 0, 0);

  it('meets the nearest face and says from which side', () => {
    const origin = Float64Array.of(-5, 0.3, 0.1);
    expect(castRay(hit, bvh, positions, origin, along, INFINITY)).toBe(true);
    expect([hit.t, hit.side]).toEqual([4, -1]);
    castRay(hit, bvh, positions, origin, along, INFINITY, 1);
    expect([hit.t, hit.side]).toEqual([6, 1]);
    castRay(hit, bvh, positions, Float64Array.of(0, 0.3, 0.1), along, INFINITY);
    expect([hit.t, hit.side]).toEqual([1, 1]);
    castRay(hit, bvh, positions, Float64Array.of(0, 0.3, 0.1), along, INFINITY, -1);
    expect(hit.t).toBeCloseTo(3, 14);
    expect(hit.side).toBe(-1);
    expect(castRay(hit, bvh, positions, origin, along, 3.9)).toBe(false);
    expect(castRay(hit, bvh, positions, origin, Float64Array.of(-1, 0, 0), INFINITY)).toBe(false);
  });

  it('lets no ray through edges, corners and the planes of boxes', () => {
    for (const y of [-1, 0, 1]) {
      for (const z of [-1, 0, 1]) {
        expect(castRay(hit, bvh, positions, Float64Array.of(-5, y, z), along, INFINITY)).toBe(true);
        expect(hit.t).toBe(4);
      }
    }
  });

  it('agrees with a look at every triangle (seed 7)', () => {
    const random = createRandom(7);
    const soup = Float64Array.from({ length: 900 }, random);
    const corners = Uint32Array.from({ length: 300 }, (_, i) => i);
    const tree = planBvh(corners, soup);
    const single = createRayHit();
    for (let ray = 0; ray < 300; ray++) {
      const origin = Float64Array.from({ length: 3 }, random);
      const direction = Float64Array.from({ length: 3 }, () => random() - 0.5);
      let nearest = INFINITY;
      for (let t = 0; t < 100; t++) {
        const one = planBvh(corners.slice(3 * t, 3 * t + 3), soup);
        if (castRay(single, one, soup, origin, direction, INFINITY)) nearest = Math.min(nearest, single.t);
      }
      castRay(hit, tree, soup, origin, direction, INFINITY);
      expect(hit.t).toBe(nearest);
    }
  });

  it('finds the sphere where it is', () => {
    const sphere = createSphere(2, 60);
    const tree = planBvh(sphere.triangles, sphere.positions);
    const random = createRandom(11);
    for (let ray = 0; ray < 200; ray++) {
      const d = Float64Array.from({ length: 3 }, () => random() - 0.5);
      const length = Math.hypot(...d);
      castRay(hit, tree, sphere.positions, new Float64Array(3), d, INFINITY);
      expect(hit.t * length).toBeCloseTo(2, 2);
      expect(hit.side).toBe(1);
    }
  });
});
