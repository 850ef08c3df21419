import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectNth } from '../../src/linear-algebra/select-nth.js';

test('is the value that stands there in the sorted list, NaN last', () => {
  const number = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double());
  fc.assert(
    fc.property(fc.array(number), fc.nat(60), (list, n) => {
      const sorted = Float64Array.from(list).sort();
      expect(selectNth(Float64Array.from(list), n)! + 0).toEqual(sorted[n]! + 0); // −0 is 0
    }),
  );
});
