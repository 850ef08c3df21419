import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitRotation } from '../../src/linear-algebra/fit-rotation.js';

const SEED = 20265;

describe('fitRotation', () => {
  const points = Float64Array.from({ length: 60 }, (_, i) => Math.sin(3 * i * i));
  const turn = (x: number, y: number, z: number, angle: number): number[] => {
    const length = Math.hypot(x, y, z) || 1;
    const [a, b, c] = [x / length, y / length, length === 1 && x + y + z === 0 ? 1 : z / length];
    const [s, t] = [Math.sin(angle), 1 - Math.cos(angle)];
    // Columns of the rotation about (a, b, c).
    return [
      ...[1 - t * (b * b + c * c), s * c + t * a * b, -s * b + t * a * c],
      ...[-s * c + t * a * b, 1 - t * (a * a + c * c), s * a + t * b * c],
      ...[s * b + t * a * c, -s * a + t * b * c, 1 - t * (a * a + b * b)],
    ];
  };
  const move = (from: Float64Array, R: ArrayLike<number>) =>
    from.map((_, i) => {
      const k = i - (i % 3);
      const r = i % 3;
      return R[r]! * from[k]! + R[3 + r]! * from[k + 1]! + R[6 + r]! * from[k + 2]! + 5 * r;
    });

  it(`gives back a rotation with a translation (seed ${SEED})`, () => {
    const part = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(part, part, part, fc.double({ min: -3.14, max: 3.14, noNaN: true }), (x, y, z, angle) => {
        const R = turn(x, y, z, angle);
        const out = new Float64Array(9);
        fitRotation(out, points, move(points, R), 20);
        for (let i = 0; i < 9; i++) expect(out[i]).toBeCloseTo(R[i]!, 10);
      }),
      { seed: SEED },
    );
  });

  it('never reflects, and is defined for flat and for single points', () => {
    const flat = points.map((v, i) => (i % 3 === 2 ? 0 : v));
    const mirrored = points.map((v, i) => (i % 3 === 2 ? -v : v));
    for (const [from, to, count] of [
      [flat, move(flat, turn(1, 2, 3, 1)), 20],
      [points, mirrored, 20],
      [points, points, 1],
      [points, new Float64Array(60), 20],
    ] as const) {
      const R = new Float64Array(9);
      fitRotation(R, from, to, count);
      const det =
        R[0]! * (R[4]! * R[8]! - R[5]! * R[7]!) -
        R[3]! * (R[1]! * R[8]! - R[2]! * R[7]!) +
        R[6]! * (R[1]! * R[5]! - R[2]! * R[4]!);
      expect(det).toBeCloseTo(1, 12);
    }
  });

  it('weights and vertex lists choose the points', () => {
    const R = turn(0, 1, 1, 0.7);
    const to = move(points, R);
    to[5] = 40; // vertex 1 is wrong
    const out = new Float64Array(9);
    fitRotation(
      out,
      points,
      to,
      20,
      Float64Array.from({ length: 20 }, (_, k) => (k === 1 ? 0 : 1)),
    );
    for (let i = 0; i < 9; i++) expect(out[i]).toBeCloseTo(R[i]!, 10);
    fitRotation(out, points, to, 5, null, Uint32Array.of(0, 2, 5, 7, 11));
    for (let i = 0; i < 9; i++) expect(out[i]).toBeCloseTo(R[i]!, 10);
  });
});
