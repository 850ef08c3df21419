import { describe, expect, it } from 'vitest';
import { planNormalExact } from '../../src/correction/plan-normal-exact.js';
import { sphere, tube } from '../meshes.js';
import { createJobRunner, largestDistance } from './solver-bench.js';

describe('planAlongField', () => {
  it('meets a target far away on a sphere: twice the volume is ∛2 times the radius everywhere', () => {
    const bench = createJobRunner(sphere(24));
    const twice = Float64Array.of(2 * bench.targets[0]!);
    const { y, error } = bench.correct(planNormalExact(bench.context, { areaNorm: true }), bench.skin({}), twice);
    expect(error).toBeLessThan(1e-13);
    for (let k = 0; k < y.length; k += 3) {
      const radius = Math.hypot(y[k]!, y[k + 1]!, y[k + 2]!);
      expect(Math.abs(radius - 2 ** (1 / 3))).toBeLessThan(0.01);
    }
  });

  it('is still exact where the limit cuts the field, continuously', () => {
    const bench = createJobRunner(tube(), { map: { kind: 'power' } });
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
    // A tube whose sides alone move has V ∝ r²: it cannot be turned inside out.
    for (const thickness of [100, 1]) {
      const bench = createJobRunner(tube(), { thickness, map: { kind: 'power', smooth: false } });
      const inverted = Float64Array.of(-0.5 * bench.targets[0]!);
      const { y, report, error } = bench.correct(planNormalExact(bench.context), bench.skin({}), inverted);
      expect(y.every(Number.isFinite)).toBe(true);
      expect(report.fallback).toBe('small-steps');
      // Steps along ever new normals get there, if they may go that far.
      expect(report.limited).toBe(thickness === 1);
      expect(report.inexact[0]).toBe(thickness === 1 ? 1 : 0);
      expect(error < 1e-9).toBe(thickness === 100);
    }
  });
});
