import { expect, it } from 'vitest';
import { shareIndices } from '../../src/patch/share-indices.js';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

it('accessors that name nearly the same vertices share one list, others keep theirs', () => {
  const lists = [range(0, 100), range(5, 102), range(90, 300), range(0, 100)];
  const shared = shareIndices(
    lists.map((indices) => ({ indices, size: 3 })),
    2,
  );
  expect(shared[0]).toBe(shared[1]);
  expect(shared[0]).toBe(shared[3]);
  expect(shared[0]).toEqual(range(0, 102));
  expect(shared[2]).toEqual(range(90, 300));
});

it('what would be mostly zeros does not', () => {
  const lists = [range(0, 100), range(0, 40)].map((indices) => ({ indices, size: 6 }));
  const shared = shareIndices(lists, 2);
  expect(shared).toEqual(lists.map(({ indices }) => indices));
});
