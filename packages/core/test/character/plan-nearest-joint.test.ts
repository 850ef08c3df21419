import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planNearestJoint } from '../../src/character/plan-nearest-joint.js';

it('finds what a comparison with all would find, ties and impossible joints included (seed 8)', () => {
  const value = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.constant(Number.NaN),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 120 }), fc.nat(1000), (list, at) => {
      const joints = Float64Array.from(list.flat());
      const candidates = Uint32Array.from(list.keys()).filter((b) => b % 7 !== 3);
      if (candidates.length === 0) return;
      const nearest = planNearestJoint(joints, candidates);
      const positions = Float64Array.from([at % 5, at % 3, (at % 11) / 3]);
      let best = candidates[0]!;
      let least = Number.POSITIVE_INFINITY;
      for (const b of candidates) {
        const square = [0, 1, 2].map((r) => joints[3 * b + r]! - positions[r]!).reduce((sum, d) => sum + d * d, 0);
        if (square < least) [best, least] = [b, square];
      }
      expect(nearest(positions, 0)).toBe(best);
    }),
    { seed: 8, numRuns: 500 },
  );
});
