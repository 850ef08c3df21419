import { describe, expect, it } from 'vitest';
import { planLaplacian } from '../../src/correction/plan-laplacian.js';
import { planNormalExact } from '../../src/correction/plan-normal-exact.js';
import { measureQuality, planQuality } from '../../src/quality/measure-quality.js';
import { tube } from '../meshes.js';
import { createBench, largestDistance } from './solver-bench.js';

describe('planLaplacian', () => {
  // The plain maximum of the weights makes a crease across the joint.
  const bench = createBench(tube({ around: 32, along: 48 }), { map: { kind: 'rubber', a: 1, smooth: false } });
  const x = bench.skin({ 1: { axis: 'y', degrees: 70 } });
  const quality = planQuality(bench.character.surface);
  const roughness = (y: Float64Array) => measureQuality(quality, x, y).roughness;

  it('removes the crease of a map with a sharp maximum', () => {
    const plain = roughness(bench.correct(planNormalExact(bench.context), x).y);
    const smooth = roughness(bench.correct(planLaplacian(bench.context), x).y);
    expect(plain).toBeGreaterThan(0.09);
    expect(smooth).toBeLessThan(0.05);
  });

  it('is smoother with a larger κ, and is C6 with κ = 0', () => {
    const series = [0, 1, 30, 300].map((smoothing) => bench.correct(planLaplacian(bench.context, { smoothing }), x).y);
    const values = series.map(roughness);
    for (let n = 1; n < values.length; n++) expect(values[n]).toBeLessThan(values[n - 1]!);
    const plain = bench.correct(planNormalExact(bench.context), x).y;
    expect(largestDistance(series[0]!, plain, bench.count)).toBeLessThan(1e-5); // γ below 1e−6 counts as 0
  });
});
