/** B4: region volumes that sum to the whole, with an exact gradient, for any cut of any surface. */

import { measureVolume, type Surface } from '@isoskin/core';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
  NO_REGION,
  planClosedSurface,
  planRegionVolumes,
  type RegionVolumes,
} from '@isoskin/core/mesh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRegionEvaluator } from '../../src/correction/evaluate-regions.js';
import type { SolverContext } from '../../src/correction/volume-solver.js';
import { randomSurface } from './random-surface.js';

const SEED = 20267;
const HOLES = 5;

/** Every triangle (caps included) in a random region; runs of triangles, so that there are patches and crumbs. */
function cut(surface: Surface, random: () => number, regionCount: number, left = 0): RegionVolumes {
  const closed = planClosedSurface(surface);
  let region = 0;
  const triangleRegion = Uint32Array.from({ length: closed.triangleCount }, () => {
    if (random() < 0.3) region = random() < left ? NO_REGION : Math.trunc(random() * regionCount);
    return region;
  });
  return planRegionVolumes(closed, triangleRegion, regionCount);
}

function measure(plan: RegionVolumes, surface: Surface, map: (p: number[]) => number[] = (p) => p): number[] {
  const x = createExtendedPositions(plan);
  for (let k = 0; k < 3 * surface.vertexCount; k += 3) x.set(map([...surface.positions.subarray(k, k + 3)]), k);
  const out = createRegionGradients(plan);
  measureRegionVolumes(out, plan, x);
  return [...out.volumes];
}

/** ∂V_s/∂x as one dense array per region, from the inner vertices and the pairs. */
function gradients(plan: RegionVolumes, surface: Surface): Float64Array[] {
  const out = createRegionGradients(plan);
  const x = createExtendedPositions(plan);
  x.set(surface.positions);
  measureRegionVolumes(out, plan, x);
  return Array.from({ length: plan.regionCount }, (_, s) => {
    const g = new Float64Array(3 * surface.vertexCount);
    for (let n = plan.inner.offsets[s]!; n < plan.inner.offsets[s + 1]!; n++) {
      const k = plan.inner.values[n]!;
      for (let r = 0; r < 3; r++) g[3 * k + r]! += out.areas[3 * k + r]!;
    }
    for (let p = plan.pairsOfRegion.offsets[s]!; p < plan.pairsOfRegion.offsets[s + 1]!; p++) {
      for (let r = 0; r < 3; r++) g[3 * plan.pairVertex[p]! + r]! += out.pairs[3 * p + r]!;
    }
    return g;
  });
}

describe('region volumes', () => {
  it(`sum to the volume of the whole, to 1e−12 (seed ${SEED})`, () => {
    fc.assert(
      fc.property(randomSurface(HOLES), fc.integer({ min: 1, max: 6 }), ({ surface, random }, regionCount) => {
        const plan = cut(surface, random, regionCount);
        const x = new Float64Array(3 * (plan.closed.vertexCount + plan.closed.apexCount));
        x.set(surface.positions);
        const whole = measureVolume(plan.closed, x);
        const sum = measure(plan, surface).reduce((a, b) => a + b, 0);
        expect(Math.abs(sum - whole)).toBeLessThan(1e-12 * Math.max(1, Math.abs(whole)));
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it(`do not change in a rigid motion, each of them (seed ${SEED})`, () => {
    fc.assert(
      fc.property(randomSurface(HOLES), ({ surface, random }) => {
        const plan = cut(surface, random, 4);
        const [c, s] = [Math.cos(1.1), Math.sin(1.1)];
        const still = measure(plan, surface);
        const moved = measure(plan, surface, ([x, y, z]) => [c * x! - s * y! + 7, s * x! + c * y! - 5, z! + 11]);
        for (const [r, v] of moved.entries()) expect(Math.abs(v - still[r]!)).toBeLessThan(1e-12);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });

  it(`have finite differences as gradients: apexes, holes across borders, non-manifold edges (seed ${SEED})`, () => {
    fc.assert(
      fc.property(randomSurface(HOLES), fc.constantFrom(0, 0.3), ({ surface, random }, left) => {
        const plan = cut(surface, random, 3, left);
        const exact = gradients(plan, surface);
        const size = Math.max(1e-3, ...exact.flatMap((g) => [...g].map(Math.abs)));
        const positions = surface.positions.slice();
        const moved = { ...surface, positions };
        const h = 1e-2; // at most quadratic in one coordinate: central differences are exact
        let worst = 0;
        for (let i = 0; i < positions.length; i++) {
          const keep = positions[i]!;
          positions[i] = keep + h;
          const up = measure(plan, moved);
          positions[i] = keep - h;
          const down = measure(plan, moved);
          positions[i] = keep;
          for (const [s, g] of exact.entries())
            worst = Math.max(worst, Math.abs((up[s]! - down[s]!) / (2 * h) - g[i]!));
        }
        expect(worst / size).toBeLessThan(1e-10);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it(`are the same from tetrahedra alone (seed ${SEED})`, () => {
    fc.assert(
      fc.property(randomSurface(HOLES), fc.constantFrom(0, 0.3), ({ surface, random }, left) => {
        const plan = cut(surface, random, 4, left);
        const context = {
          volumes: plan,
          character: { surface },
        } as unknown as SolverContext;
        const bases = { offsets: new Uint32Array(surface.vertexCount + 1), shapes: new Uint32Array(0) };
        const evaluator = createRegionEvaluator(context, { ...bases, values: new Float64Array(0) });
        const x = createExtendedPositions(plan);
        x.set(surface.positions);
        evaluator.measureVolumesOnly(x);
        const wanted = measure(plan, surface);
        for (const [s, v] of evaluator.volumes.entries()) expect(v).toBeCloseTo(wanted[s]!, 12);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it(`count every inner vertex once and every other one in pairs (seed ${SEED})`, () => {
    fc.assert(
      fc.property(randomSurface(HOLES), ({ surface, random }) => {
        const plan = cut(surface, random, 4, 0.2);
        const inner = [...plan.inner.values];
        expect(new Set(inner).size).toBe(inner.length);
        const paired = new Set(plan.pairVertex.subarray(0, plan.pairCount));
        for (const k of inner) expect(paired.has(k)).toBe(false);
        const keys = [...plan.pairVertex].map((k, p) => `${plan.pairRegion[p]} ${k}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (let p = plan.pairCount; p < plan.pairVertex.length; p++) {
          expect(plan.pairVertex[p]).toBeGreaterThanOrEqual(surface.vertexCount);
        }
      }),
      { seed: SEED, numRuns: 40 },
    );
  });
});
