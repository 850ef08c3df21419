/** P1: the player's formula, against rotation matrices and numbers that can be worked out by hand. */
import { type Amounts, createDriver, listPlaces, measureRotation } from '@isoskin/drive';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

type Quad = [number, number, number, number];
const NONE: Quad = [0, 0, 0, 1];
const certificate = { poses: 0, worst: 0, median: 0, linear: { worst: 0, median: 0 }, solver: { worst: 0, median: 0 } };

const quaternion = fc
  .tuple(...[0, 1, 2, 3].map(() => fc.double({ min: -1, max: 1, noNaN: true })))
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((v) => v / Math.hypot(...q)) as Quad);

const numbersOf = (rest: Quad, q: Quad) => {
  const u = new Float64Array(9);
  measureRotation(u, 0, rest, ...q);
  return [...u];
};
const multiply = ([x, y, z, w]: Quad, [p, q, r, s]: Quad): Quad => [
  w * p + x * s + y * r - z * q,
  w * q - x * r + y * s + z * p,
  w * r + x * q - y * p + z * s,
  w * s - x * p - y * q - z * r,
];

describe('the nine numbers of a rotation', () => {
  it('are 0 at rest, and blind to sign and length', () => {
    fc.assert(
      fc.property(quaternion, quaternion, fc.double({ min: 0.1, max: 5, noNaN: true }), (rest, q, length) => {
        for (const value of numbersOf(rest, rest)) expect(value).toBeCloseTo(0, 12);
        const scaled = numbersOf(rest, q.map((v) => -length * v) as Quad);
        numbersOf(rest, q).forEach((value, i) => {
          expect(scaled[i]).toBeCloseTo(value, 10);
        });
      }),
    );
  });

  it('depend on what comes after the rest alone, and give its matrix', () => {
    fc.assert(
      fc.property(quaternion, quaternion, (rest, turn) => {
        const u = numbersOf(rest, multiply(rest, turn));
        numbersOf(NONE, turn).forEach((value, i) => {
          expect(u[i]).toBeCloseTo(value, 10);
        });
        const [x, y, z, w] = turn;
        expect(1 - u[7]! - u[8]!).toBeCloseTo(1 - 2 * (y * y + z * z), 10); // R₀₀
        expect(u[3]! - u[2]!).toBeCloseTo(2 * (x * y - z * w), 10); // R₀₁
        expect(u[5]! + u[0]!).toBeCloseTo(2 * (y * z + x * w), 10); // R₂₁
      }),
    );
  });
});

describe('beyond the reach that was taught', () => {
  const REACH = 0.8;
  const turned = (axis: [number, number, number], angle: number): Quad => [
    ...(axis.map((v) => v * Math.sin(angle / 2)) as [number, number, number]),
    Math.cos(angle / 2),
  ];
  const heldOf = (q: Quad) => {
    const u = new Float64Array(9);
    const angle = measureRotation(u, 0, NONE, ...q, REACH);
    return { u: [...u], angle };
  };
  const axis: [number, number, number] = [2 / 3, -1 / 3, 2 / 3];
  const differ = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((v, i) => v - b[i]!));

  it('nothing changes inside, and outside it is a rotation about the same axis that is led back to none', () => {
    for (let angle = 0; angle <= Math.PI; angle += 0.05) {
      const back = angle <= REACH ? angle : angle * (1 - ((angle - REACH) / (Math.PI - REACH)) ** 2);
      const { u, angle: told } = heldOf(turned(axis, angle).map((v) => -3 * v) as Quad);
      expect(told).toBeCloseTo(angle, 10);
      expect(differ(u, numbersOf(NONE, turned(axis, back)))).toBeCloseTo(0, 10);
    }
    expect(Math.hypot(...heldOf(turned(axis, Math.PI)).u)).toBeCloseTo(0, 10);
  });

  it('it goes on smoothly at the reach, and comes out of half a turn on the other side as it went in', () => {
    const h = 1e-4;
    const slope = (angle: number) => differ(heldOf(turned(axis, angle + h)).u, heldOf(turned(axis, angle)).u) / h;
    expect(slope(REACH)).toBeCloseTo(slope(REACH - h), 3);
    expect(differ(heldOf(turned(axis, Math.PI - h)).u, heldOf(turned(axis, Math.PI + h)).u)).toBeLessThan(10 * h);
  });
});

describe('createDriver', () => {
  const amounts: Amounts = {
    version: 1,
    inputs: [
      { node: 4, rest: NONE },
      { node: 2, weight: 1 },
    ],
    shapes: [{ name: 'elbow', targets: [], range: [-1e6, 1e6], terms: [[0.5], [2, 2], [-3, 2, 9]] }],
    certificate,
  };

  it('sums products of its inputs', () => {
    expect(listPlaces(amounts)).toEqual([0, 9, 10]);
    const driver = createDriver(amounts);
    driver.turn(0, 0, 0, Math.sin(0.4), Math.cos(0.4)); // 0.8 about z: u₂ = 2 zw = sin 0.8
    driver.weigh(1, 0.25);
    expect(driver.measure()[0]).toBeCloseTo(0.5 + 2 * Math.sin(0.8) - 3 * Math.sin(0.8) * 0.25, 12);
  });

  it('never passes its ceilings, and stays 0 without a pose that is one', () => {
    const driver = createDriver({
      ...amounts,
      shapes: [{ name: 'elbow', targets: [], range: [-0.1, 0.3], terms: [[1, 9]] }],
    });
    for (const [weight, most] of [
      [100, 0.3],
      [-100, 0.1],
      [0.2, 0.2],
    ] as const) {
      driver.weigh(1, weight);
      const [value] = driver.measure();
      expect(Math.sign(value!)).toBe(Math.sign(weight));
      expect(Math.abs(value!)).toBeLessThanOrEqual(most);
      expect(Math.abs(value!)).toBeGreaterThan(0.9 * most);
    }
    driver.weigh(1, Number.NaN);
    expect(driver.measure()[0]).toBe(0);
  });
});
