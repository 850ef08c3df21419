/** The reasons for which nothing folds. */
import type { StackSpec } from '@isoskin/core';
import { expect, it } from 'vitest';
import { explainWrinkle } from '../../src/state/explain-wrinkle.js';

const end = { triangle: 0, barycentric: [1, 0, 0] } as const;
const stackOf = (change: object = {}, layer: object = {}): StackSpec => ({
  wrinkles: {
    ...layer,
    tools: [
      { a: end, b: end, width: 1, enabled: false },
      { a: end, b: end, width: 1, ...change },
    ],
  },
});
const wordsOf = (stack: StackSpec, distance: number) =>
  explainWrinkle(stack, 1, [{ name: 'one', length: 2, distance, lost: Math.max(0, 2 - distance) }]).words;

it('says why a wrinkle folds, or does not', () => {
  expect(wordsOf(stackOf(), 1.8)).toMatch(/^Folds: .* 10.0 % shorter/);
  expect(wordsOf(stackOf({}, { refine: 0 }), 1.8)).toMatch(/too coarse/);
  expect(wordsOf(stackOf(), 2.1)).toMatch(/5.0 % longer than its rest length/);
  expect(wordsOf(stackOf(), 2)).toMatch(/about as long as/);
  expect(wordsOf(stackOf({ strength: 0 }), 1.8)).toMatch(/strength is 0/);
  expect(wordsOf(stackOf({ enabled: false }), 1.8)).toMatch(/this wrinkle is off/);
  expect(wordsOf(stackOf({}, { enabled: false }), 1.8)).toMatch(/layer is off/);
  expect(explainWrinkle(stackOf(), 1, undefined).words).toBe('');
});
