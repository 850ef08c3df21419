/** P1: the fit finds the terms that made the numbers, and no more where they are noise. */
import { describe, expect, it } from 'vitest';
import { fitTerms, refitTerms } from '../../src/drive/fit-terms.js';

const COUNT = 600;
let state = 7;
const random = () => {
  state = (state * 1664525 + 1013904223) % 2 ** 32;
  return state / 2 ** 32;
};
const variables = Array.from({ length: 12 }, () => Float64Array.from({ length: COUNT }, () => 2 * random() - 1));
const ones = new Float64Array(COUNT).fill(1);
const at = (i: number, n: number) => variables[i]![n]!;
const make = (f: (n: number) => number) => Float64Array.from({ length: COUNT }, (_, n) => f(n));
const options = { terms: 24, taught: 480 };

describe('fitTerms', () => {
  it('finds a sparse polynomial with products of two and three', () => {
    const y = make((n) => 0.3 - 2 * at(4, n) + at(7, n) + 1.5 * at(4, n) * at(7, n) + 0.8 * at(4, n) ** 2 * at(7, n));
    const { terms, coefficients } = fitTerms(variables, y, ones, options);
    const found = new Map(terms.map((term, t) => [term.join(' '), coefficients[t]!]));
    for (const [term, value] of [
      ['', 0.3],
      ['4', -2],
      ['7', 1],
      ['4 7', 1.5],
      ['4 4 7', 0.8],
    ] as const) {
      expect(found.get(term), term).toBeCloseTo(value, 2);
    }
    const rest = [...found].filter(([term]) => !['', '4', '7', '4 7', '4 4 7'].includes(term));
    for (const [term, value] of rest) expect(Math.abs(value), term).toBeLessThan(0.01);
  });

  it('takes few terms where there is nothing but noise', () => {
    const y = make(() => random() - 0.5);
    const { terms, coefficients } = fitTerms(variables, y, ones, options);
    const kept = make(
      (n) => y[n]! - terms.reduce((sum, term, t) => sum + coefficients[t]! * term.reduce((p, i) => p * at(i, n), 1), 0),
    );
    const square = (from: number) => kept.slice(from).reduce((sum, v) => sum + v * v, 0) / (COUNT - from);
    expect(square(options.taught)).toBeLessThan(1.1 / 12);
  });

  it('weighs samples, and finds the coefficients of given terms', () => {
    const y = make((n) => (n % 2 === 0 ? at(0, n) : -5));
    const a = make((n) => (n % 2 === 0 ? 1 : 0));
    const [c, none] = refitTerms([[0], [1]], variables, y, a);
    expect(c).toBeCloseTo(1, 4);
    expect(none).toBeCloseTo(0, 4);
  });
});
