import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ControlCurveOptions,
  CURVE_STRATEGIES,
  measureHeight,
  planControlCurve,
} from '../../src/wrinkles/plan-control-curve.js';

const SEED = 9;

function evaluate(options: ControlCurveOptions, distance: number) {
  const curve = planControlCurve(options);
  const out = new Float64Array(2 * curve.pointCount);
  const count = curve.evaluate(out, distance);
  expect(count).toBe(curve.pointCount);
  const x = Array.from({ length: count }, (_, i) => out[2 * i]!);
  const y = Array.from({ length: count }, (_, i) => out[2 * i + 1]!);
  let length = 0;
  for (let i = 1; i < count; i++) length += Math.hypot(x[i]! - x[i - 1]!, y[i]! - y[i - 1]!);
  return { x, y, length, count };
}

const options = fc
  .record({
    length: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
    points: fc.integer({ min: 3, max: 40 }),
    strategy: fc.constantFrom(...CURVE_STRATEGIES),
    height: fc.double({ min: 0, max: 0.5, noNaN: true }),
    spacing: fc.integer({ min: 0, max: 6 }),
    crest: fc.integer({ min: 1, max: 5 }),
    shares: fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.2, noNaN: true })),
      {
        maxLength: 3,
      },
    ),
    rest: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ length, points, strategy, height, spacing, crest, shares, rest }): ControlCurveOptions => {
    const sum = shares.reduce((s, [share]) => s + share, rest) || 1;
    return {
      length,
      points,
      strategy,
      maxHeight: height * length,
      spacing,
      crest: Math.min(crest, points - 2),
      levels: shares.map(([share, h]) => ({ share: share / sum, maxHeight: h * length })),
    };
  });

describe(`planControlCurve (H2–H4), seed ${SEED}`, () => {
  it('keeps the length to 1e−9 for every strategy, level, spacing and crest, compressed by 0 … 60 %', () => {
    fc.assert(
      fc.property(options, fc.double({ min: 0, max: 0.6, noNaN: true }), (own, compression) => {
        const distance = own.length * (1 - compression);
        const { x, y, length, count } = evaluate(own, distance);
        expect(Math.abs(length / own.length - 1)).toBeLessThan(1e-9);
        expect(y[0]).toBe(0);
        expect(y[count - 1]).toBe(0);
        expect(x[0]).toBe(0);
        expect(x[count - 1]).toBe(distance);
        expect(x.every((value, i) => i === 0 || value > x[i - 1]!)).toBe(true);
        expect(Math.min(...y)).toBeGreaterThanOrEqual(0);
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('is continuous in the compression: heights move by no more than √ of the lost length', () => {
    fc.assert(
      fc.property(options, fc.double({ min: 0, max: 0.6, noNaN: true }), (own, compression) => {
        const step = 1e-8;
        const before = evaluate(own, own.length * (1 - compression));
        const after = evaluate(own, own.length * (1 - compression - step));
        // A bump rises like √r, so a step δ of the compression moves a height by at most about √(δ·ℓ·pas): 1e−4 of ℓ here.
        const moved = Math.max(...before.y.map((y, i) => Math.abs(after.y[i]! - y)));
        expect(moved).toBeLessThan(4e-4 * own.length);
      }),
      { seed: SEED, numRuns: 1000 },
    );
  });

  it('is flat when stretched', () => {
    fc.assert(
      fc.property(options, fc.double({ min: 1, max: 5, noNaN: true }), (own, stretch) => {
        const { x, y, count } = evaluate(own, own.length * stretch);
        expect(y.every((height) => height === 0)).toBe(true);
        expect(x[count - 1]).toBe(own.length * stretch);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('raises one bump by h = √(r·pas + r²/4) (H2)', () => {
    const { y } = evaluate({ length: 1, points: 11, strategy: 'from-a', maxHeight: 1 }, 0.95);
    const [r, pas] = [0.05, 0.095];
    expect(y[1]).toBeCloseTo(Math.sqrt(r * pas + (r * r) / 4), 12);
    expect(y.filter((height) => height > 0)).toHaveLength(1);
  });

  it('starts the next bump at maxHeight, from A, from both ends, or lifts all alike', () => {
    const own = { length: 1, points: 11, maxHeight: 0.03 };
    const fromA = evaluate({ ...own, strategy: 'from-a' }, 0.97).y;
    expect(fromA[1]).toBeCloseTo(0.03, 12);
    expect(fromA[3]).toBeGreaterThan(0);
    expect(fromA[9]).toBe(0);
    const both = evaluate({ ...own, strategy: 'both-ends' }, 0.97).y;
    expect(both[1]).toBeCloseTo(both[9]!, 12);
    expect(both[5]).toBe(0);
    const all = evaluate({ ...own, strategy: 'everywhere' }, 0.97).y;
    for (const i of [3, 5, 7, 9]) expect(all[i]).toBeCloseTo(all[1]!, 12);
  });

  it('lets all bumps grow on when all have reached maxHeight: the length wins', () => {
    for (const strategy of CURVE_STRATEGIES) {
      const { y, length } = evaluate({ length: 1, points: 11, strategy, maxHeight: 0.01 }, 0.7);
      const raised = y.filter((height) => height > 0);
      expect(raised).toHaveLength(5);
      for (const height of raised) expect(height).toBeCloseTo(raised[0]!, 12);
      expect(raised[0]).toBeGreaterThan(0.01);
      expect(length).toBeCloseTo(1, 12);
    }
  });

  it('leaves flat steps between bumps and widens crests', () => {
    const spaced = evaluate({ length: 1, points: 11, spacing: 1 }, 0.9).y.map((height) => (height > 0 ? 1 : 0));
    expect(spaced).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]);
    const wide = evaluate({ length: 1, points: 10, crest: 2 }, 0.9).y.map((height) => (height > 0 ? 1 : 0));
    expect(wide).toEqual([0, 1, 1, 0, 1, 1, 0, 1, 1, 0]);
  });

  it('puts the share of a level into bumps on the slopes of the coarser one', () => {
    const coarse = evaluate({ length: 1, points: 5 }, 0.8);
    const fine = evaluate({ length: 1, points: 5, levels: [{ share: 0.3, maxHeight: 1 }] }, 0.8);
    expect(fine.count).toBe(9);
    // What the coarse points alone measure is 70 % of the loss.
    let length = 0;
    for (let i = 2; i < 9; i += 2) length += Math.hypot(fine.x[i]! - fine.x[i - 2]!, fine.y[i]! - fine.y[i - 2]!);
    expect(length).toBeCloseTo(0.8 + 0.7 * 0.2, 12);
    expect(coarse.y[1]).toBeGreaterThan(fine.y[2]!);
  });

  it('survives any distance: collapsed, negative, not a number', () => {
    for (const distance of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e-300]) {
      const { x, y } = evaluate({ length: 1, points: 7, strategy: 'both-ends', levels: [{ share: 0.5 }] }, distance);
      for (const value of [...x, ...y]) expect(Number.isFinite(value)).toBe(true);
    }
    expect(evaluate({ length: 1, points: 7 }, 0).length).toBeCloseTo(1, 12);
  });

  it('takes a length that is animated', () => {
    const curve = planControlCurve({ length: 1, points: 9 });
    const out = new Float64Array(18);
    curve.evaluate(out, 1, 1.1);
    let length = 0;
    for (let i = 2; i < 18; i += 2) length += Math.hypot(out[i]! - out[i - 2]!, out[i + 1]! - out[i - 1]!);
    expect(length).toBeCloseTo(1.1, 12);
  });

  it.each([
    [{ length: 0 }, /length 0.*above 0/],
    [{ length: Number.NaN }, /length NaN/],
    [{ length: 1, points: 2 }, /2 points.*at least 3/],
    [{ length: 1, points: 4.5 }, /4\.5 points/],
    [{ length: 1, points: 5, crest: 6 }, /crest of 6 .*at most 3/],
    [{ length: 1, crest: 0 }, /crest of 0/],
    [{ length: 1, spacing: -1 }, /spacing of -1/],
    [{ length: 1, maxHeight: Number.NaN }, /height of NaN/],
    [{ length: 1, strategy: 'from-b' as 'from-a' }, /from-b.*from-a, both-ends, everywhere/],
    [{ length: 1, levels: [{ share: 0.7 }, { share: 0.7 }] }, /add up to 1/],
    [{ length: 1, levels: [{ share: Number.NaN }] }, /share of NaN/],
    [{ length: 1, points: 9000, levels: [1, 2, 3, 4].map(() => ({ share: 0.1 })) }, /too many/],
  ])('refuses %j', (own, message) => {
    expect(() => planControlCurve(own)).toThrow(message);
  });

  it('refuses an array that is too small', () => {
    expect(() => planControlCurve({ length: 1, points: 9 }).evaluate(new Float64Array(8), 0.5)).toThrow(/at least 18/);
  });

  it('gives heights between the points, straight or rounded, and none outside', () => {
    const curve = Float64Array.of(0, 0, 1, 2, 2, 0);
    expect(measureHeight(curve, 3, 0.25, false)).toBeCloseTo(0.5);
    expect(measureHeight(curve, 3, 0.25, true)).toBeCloseTo(2 * (3 / 16 - 2 / 64));
    expect(measureHeight(curve, 3, 1, true)).toBe(2);
    for (const at of [-1, 0, 2, 3, Number.NaN]) expect(measureHeight(curve, 3, at, true)).toBe(0);
  });
});
