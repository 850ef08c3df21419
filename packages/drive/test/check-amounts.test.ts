/** What a player says to a file that it cannot play. */
import { checkAmounts } from '@isoskin/drive';
import { describe, expect, it } from 'vitest';

const sound = () => ({
  version: 1,
  inputs: [
    { node: 0, rest: [0, 0, 0, 1] },
    { node: 1, weight: 0 },
  ],
  shapes: [{ name: 'elbow', targets: [[1, 1, 2]], range: [-1, 1], terms: [[0.1], [0.2, 3], [0.3, 3, 9]] }],
  certificate: { poses: 1, worst: 0, median: 0, linear: { worst: 0, median: 0 }, solver: { worst: 0, median: 0 } },
});
type Sound = ReturnType<typeof sound>;
const targets: Record<number, string[]> = { 0: [], 1: ['smile', 'isoskin elbow'] };
const check = (value: unknown, nodes = targets) => checkAmounts(value, (n) => nodes[n]);

describe('checkAmounts', () => {
  it('lets a sound one pass', () => {
    const value = sound();
    expect(check(value)).toBe(value);
  });

  it.for<[string, (value: Sound) => unknown, RegExp]>([
    ['none', () => undefined, /has none: bake it with isoskin bake --drive/],
    ['null', () => null, /version undefined/],
    ['another version', (value) => ({ ...value, version: 7 }), /version 7 is not known/],
    ['no shapes', (value) => ({ ...value, shapes: [] }), /drives no shape/],
    ['shapes cut off', ({ shapes: _, ...rest }) => rest, /cut short/],
    ['no certificate', ({ certificate: _, ...rest }) => rest, /cut short/],
    ['a rest cut off', (value) => ({ ...value, inputs: [{ node: 0, rest: [0, 0] }] }), /cut short/],
    [
      'a reach of nothing',
      (value) => ({ ...value, inputs: [{ node: 0, rest: [0, 0, 0, 1], reach: 0 }, value.inputs[1]] }),
      /cut short/,
    ],
    ['a range cut off', (value) => ({ ...value, shapes: [{ ...value.shapes[0], range: [1] }] }), /cut short/],
    ['a term of nothing', (value) => ({ ...value, shapes: [{ ...value.shapes[0], terms: [[]] }] }), /cut short/],
    ['a place too far', (value) => ({ ...value, shapes: [{ ...value.shapes[0], terms: [[1, 10]] }] }), /cut short/],
    ['no numbers', (value) => ({ ...value, shapes: [{ ...value.shapes[0], terms: [['a', 1]] }] }), /cut short/],
    ['nodes that are not there', (value) => ({ ...value, inputs: [{ node: 9, rest: [0, 0, 0, 1] }] }), /another file/],
    ['weights that are not there', (value) => ({ ...value, inputs: [{ node: 1, weight: 5 }] }), /another file/],
  ])('%s: a sentence', ([, spoil, sentence]) => {
    expect(() => check(spoil(sound()))).toThrow(sentence);
    expect(() => check(spoil(sound()))).toThrow(/^ISOSKIN_amounts: .*\.$/);
  });

  it('a driver of another mesh: a sentence', () => {
    expect(() => check(sound(), { ...targets, 1: ['isoskin elbow', 'smile'] })).toThrow(
      /another file, node 1 has no morph target "isoskin elbow" in place 1/,
    );
  });
});
