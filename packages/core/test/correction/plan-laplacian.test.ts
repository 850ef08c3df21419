import { describe, expect, it } from 'vitest';
import { planLaplacian } from '../../src/correction/plan-laplacian.js';
import { planNormalExact } from '../../src/correction/plan-normal-exact.js';
import { measureQuality, planQuality } from '../../src/quality/measure-quality.js';
import { tube } from '../meshes.js';
import { createJobRunner, largestDistance } from './solver-bench.js';

describe('planLaplacian', () => {
  // The plain maximum of the weights makes a crease across the joint, at x = 3.3.
  const input = tube({ around: 32, along: 49, power: 16 });
  const bench = createJobRunner(input, { map: { kind: 'rubber', a: 1, smooth: false } });
  const x = bench.skin({ 1: { axis: 'y', degrees: 70 } });
  const { surface } = bench.character;
  const quality = planQuality(surface);
  const roughness = (y: Float64Array) => measureQuality(quality, x, y).roughness;
  /** Largest |L(u)| on the ring of the joint over the largest |u|. */
  const crease = (y: Float64Array) => {
    const { offsets, values } = surface.neighbours;
    let largest = 0;
    for (let k = 0; k < bench.count; k++) {
      if (Math.abs(surface.positions[3 * k]! - 3.3) > 1e-6) continue;
      const bend = [0, 1, 2].map((r) => {
        const u = (j: number) => y[3 * j + r]! - x[3 * j + r]!;
        const ring = [...values.subarray(offsets[k]!, offsets[k + 1]!)];
        return u(k) - ring.reduce((sum, j) => sum + u(j), 0) / ring.length;
      });
      largest = Math.max(largest, Math.hypot(...bend));
    }
    return largest / largestDistance(y, x, bench.count);
  };

  it('removes the crease of a map with a sharp maximum', () => {
    const plain = bench.correct(planNormalExact(bench.context), x).y;
    const smooth = bench.correct(planLaplacian(bench.context), x).y;
    expect(crease(plain)).toBeGreaterThan(0.14);
    expect(crease(smooth)).toBeLessThan(0.065);
    expect(roughness(plain)).toBeGreaterThan(0.115);
    expect(roughness(smooth)).toBeLessThan(0.08);
  });

  it('is smoother with a larger κ, and is C6 with κ = 0', () => {
    const series = [0, 1, 30, 300].map((smoothing) => bench.correct(planLaplacian(bench.context, { smoothing }), x).y);
    const values = series.map(roughness);
    for (let n = 1; n < values.length; n++) expect(values[n]).toBeLessThan(values[n - 1]!);
    const plain = bench.correct(planNormalExact(bench.context), x).y;
    expect(largestDistance(series[0]!, plain, bench.count)).toBeLessThan(1e-5); // γ below 1e−6 counts as 0
  });
});
