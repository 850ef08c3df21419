import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PercentileLists } from '../../src/linear-algebra/percentile-lists.js';

describe('PercentileLists', () => {
  it('finds what stands at 98 % of the sorted list, in any order and with equals', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: 0, max: 3 }));
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 300 }), (list) => {
        const lists = new PercentileLists(2);
        for (const value of list) lists.add(1, value + 0);
        const sorted = Float64Array.from(list, (value) => value + 0).sort();
        expect(lists.find(1)).toBe(sorted[Math.floor(0.98 * (list.length - 1))]);
        expect(lists.find(0)).toBe(0);
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});
