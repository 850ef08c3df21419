/** The little language in which doors for JSON are written: the place, the code, and what would be right. */
import { IsoskinError } from '@isoskin/core';
import * as json from '@isoskin/core/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const { dictionary, flag, index, list, number, object, oneOf, text, tuple } = json;
const SEED = 20281;

function refuse(check: json.Check, value: unknown): { place: string; message: string } {
  try {
    json.checkJson(value, check, 'THING', 'thing');
  } catch (error) {
    expect(error).toBeInstanceOf(IsoskinError);
    const { code, place, message } = error as IsoskinError;
    expect(code).toBe('THING');
    expect(message).toContain(`(${place})`);
    return { place, message };
  }
  throw new Error('It was let through.');
}

describe('checkJson', () => {
  it.each<[string, json.Check, unknown, string, RegExp]>([
    ['no object', object({ a: text }), 3, 'thing', /an object with a; found 3/],
    ['an unknown field', object({ width: flag, name: text }), { widht: true }, 'thing: widht', /“width”.*width, name/],
    ['an inherited field', object({ a: text }), { constructor: 'x' }, 'thing: constructor', /There is no/],
    ['a missing field', object({ a: text }, ['a']), {}, 'thing', /“a” is missing/],
    ['a field in a list', list(object({ a: number() })), [{ a: 1 }, { a: '1' }], 'thing: [1].a', /number; found "1"/],
    ['a short list', list(flag, 2), [true], 'thing', /at least 2 entries; found 1/],
    ['a long list', list(flag, 0, 1), [true, true], 'thing', /0 to 1 entries; found 2/],
    ['a tuple of another length', tuple(number(), 3), [1, 2], 'thing', /3 values; found \[1, 2\]/],
    ['an entry of a tuple', tuple(number(), 2), [1, null], 'thing: [1]', /number; found null/],
    ['a value of a dictionary', dictionary(flag), { x: 0 }, 'thing: x', /true or false; found 0/],
    ['a list for a dictionary', dictionary(flag), [], 'thing', /an object; found \[\]/],
    ['less than the least', number(1), 0.5, 'thing', /of at least 1; found 0.5/],
    ['more than the most', number(0, 1), 2, 'thing', /between 0 and 1; found 2/],
    ['the open end', number(0, 1, true), 0, 'thing', /above 0 and at most 1; found 0/],
    ['the open end without a most', number(0, undefined, true), 0, 'thing', /above 0; found 0/],
    ['NaN', number(), Number.NaN, 'thing', /number; found NaN/],
    ['half an index', index, 0.5, 'thing', /whole number/],
    ['an unknown name', oneOf(['fold', 'crease']), 'creese', 'thing', /fold, crease\. Did you mean “crease”/],
    ['no name', oneOf(['fold']), undefined, 'thing', /nothing is not one of fold/],
    ['a list for a text', text, [[]], 'thing', /text; found a list/],
  ])('refuses %s', (_, check, value, place, message) => {
    const refused = refuse(check, value);
    expect(refused.place).toBe(place);
    expect(refused.message).toMatch(message);
    expect(refused.message).not.toMatch(/undefined|\[object| {2}|Infinity/);
  });

  it('lets through what is right, undefined fields and the ends of ranges too', () => {
    const check = object({ a: number(0, 1), b: list(tuple(index, 2), 1, 2), c: dictionary(flag), d: text }, ['a']);
    json.checkJson({ a: 0, b: [[0, 7]], c: {}, d: '' }, check, 'THING', 'thing');
    json.checkJson({ a: 1, b: undefined }, check, 'THING', 'thing');
    json.checkJson(1, number(0, 1, true), 'THING', 'thing');
  });

  it('does not take the faults of a program for those of a file', () => {
    const broken = () => {
      throw new TypeError('a mistake');
    };
    expect(() => json.checkJson(1, broken, 'THING', 'thing')).toThrow(TypeError);
  });

  it(`keeps its sentences short, whatever it is given (seed ${SEED})`, () => {
    const check = object({ a: oneOf(['x']), b: list(number(0)) }, ['a', 'b']);
    const long = fc.string({ minLength: 100, maxLength: 5000 });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(long, long, { minKeys: 1 })), (value) => {
        expect(refuse(check, value).message.length).toBeLessThan(400);
      }),
      { seed: SEED, numRuns: 200 },
    );
  });
});
