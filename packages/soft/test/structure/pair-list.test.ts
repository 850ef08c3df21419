import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairList } from '../../src/structure/pair-list.js';

describe('PairList', () => {
  it('finds the pairs that a look at every pair finds (seed 11)', () => {
    const points = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 3, maxLength: 180 });
    fc.assert(
      fc.property(points, fc.double({ min: 0.05, max: 2, noNaN: true }), (flat, distance) => {
        const count = Math.floor(flat.length / 3);
        const x = Float64Array.from(flat.slice(0, 3 * count));
        const list = new PairList(count);
        list.find(x, distance);
        const found = Array.from({ length: list.count }, (_, p) => `${list.pairs[2 * p]}-${list.pairs[2 * p + 1]}`);
        const all: string[] = [];
        for (let i = 0; i < count; i++) {
          for (let j = i + 1; j < count; j++) {
            const square = [0, 1, 2].reduce((sum, k) => sum + (x[3 * i + k]! - x[3 * j + k]!) ** 2, 0);
            if (square <= distance * distance) all.push(`${i}-${j}`);
          }
        }
        expect(found.sort()).toEqual(all.sort());
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  it('makes room when all are near all', () => {
    const list = new PairList(100);
    list.find(new Float64Array(300), 1);
    expect(list.count).toBe(4950);
  });
});
