import { describe, expect, it } from 'vitest';
import { estimatePrisms, planPrisms } from '../../src/volume/estimate-prisms.js';
import { applyApexes } from '../../src/volume/plan-closed-surface.js';
import { createJobRunner } from '../correction/solver-bench.js';
import { openTube, tube } from '../meshes.js';

describe('estimatePrisms', () => {
  const gains = (bench: ReturnType<typeof createJobRunner>, x: Float64Array) => {
    const plan = planPrisms(bench.character, bench.regions, bench.volumes);
    applyApexes(x, bench.count, bench.volumes.members);
    return bench.targets.map((_, s) => estimatePrisms(plan, x, s));
  };

  it.each([
    ['closed', tube()],
    ['with caps', openTube()],
  ])('is the change of volume itself for a whole body (%s)', (_, input) => {
    const bench = createJobRunner(input);
    const x = bench.skin({ 0: { axis: 'z', degrees: 33 }, 1: { axis: 'y', degrees: 80 } });
    const change = bench.measure(x)[0]! - bench.targets[0]!;
    expect(gains(bench, x)[0]).toBeCloseTo(change, 11);
  });

  it('is 0 under rigid motion, and of the right sign and size for a bent tube cut in two', () => {
    const bench = createJobRunner(tube(), { regions: { by: 'bone' } });
    for (const gain of gains(bench, bench.skin({ 0: { axis: 'y', degrees: 77 } }))) expect(gain).toBeCloseTo(0, 12);
    const x = bench.skin({ 1: { axis: 'y', degrees: 80 } });
    const exact = bench.measure(x).map((v, s) => v - bench.targets[s]!);
    for (const [s, gain] of gains(bench, x).entries()) {
      expect(gain / exact[s]!).toBeGreaterThan(0.5);
      expect(gain / exact[s]!).toBeLessThan(2);
    }
  });
});
