import { describe, expect, it } from 'vitest';
import { planNormalExact } from '../../src/correction/plan-normal-exact.js';
import { sphere, tube } from '../meshes.js';
import { createBench, largestDistance } from './solver-bench.js';

describe('planAlongField', () => {
  it('meets a target far away on a sphere: twice the volume is ∛2 times the radius', () => {
    const bench = createBench(sphere(24));
    const { y, error } = bench.correct(
      planNormalExact(bench.context),
      bench.skin({}),
      Float64Array.of(2 * bench.targets[0]!),
    );
    expect(error).toBeLessThan(1e-13);
    for (let k = 0; k < y.length; k += 3) expect(Math.hypot(y[k]!, y[k + 1]!, y[k + 2]!)).toBeCloseTo(2 ** (1 / 3), 1);
  });

  it('is still exact where the limit cuts the field, continuously', () => {
    const bench = createBench(tube(), { map: { kind: 'power' } });
    const x = bench.skin({ 1: { axis: 'y', degrees: 70 } });
    const free = bench.correct(planNormalExact(bench.context), x);
    const largest = largestDistance(free.y, x, bench.count);
    const barely = bench.correct(planNormalExact(bench.context, { limit: (0.999 * largest) / 2 }), x);
    const firm = bench.correct(planNormalExact(bench.context, { limit: (0.6 * largest) / 2 }), x);
    expect(free.report.limited).toBe(false);
    expect(barely.report.limited).toBe(true);
    expect(largestDistance(barely.y, free.y, bench.count)).toBeLessThan(0.01 * largest);
    for (const { error, report } of [barely, firm]) {
      expect(error).toBeLessThan(1e-11);
      expect(report.inexact[0]).toBe(0);
    }
    expect(largestDistance(firm.y, x, bench.count)).toBeLessThanOrEqual(0.6 * largest * (1 + 1e-12));
  });

  it('falls back to small steps when no factor restores the volume, and says so', () => {
    // One vertex of a sphere pulled in: its own cubic is linear, but the rest may only shrink through itself.
    const bench = createBench(sphere(6), { thickness: 100 });
    const x = bench.skin({});
    const { y, report } = bench.correct(planNormalExact(bench.context), x, Float64Array.of(-bench.targets[0]!));
    expect(y.every(Number.isFinite)).toBe(true);
    expect(report.fallback === 'small-steps' || report.inexact[0] === 0).toBe(true);
  });
});
