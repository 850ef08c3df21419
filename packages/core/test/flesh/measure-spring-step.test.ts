/** G1: the exact step of a damped spring. */
import { measureSpringStep } from '@isoskin/core/stack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { free } from './oscillator.js';

const M = new Float64Array(4);
const step = (f: number, zeta: number, h: number, e: number, v: number): [number, number] => {
  measureSpringStep(M, 2 * Math.PI * f, zeta, h);
  return [M[0]! * e + M[1]! * v, M[2]! * e + M[3]! * v];
};
/** Classical Runge–Kutta in many small steps: an independent oracle for every damping. */
function integrate(f: number, zeta: number, h: number, e: number, v: number): [number, number] {
  const w = 2 * Math.PI * f;
  const a = (x: number, y: number) => -2 * zeta * w * y - w * w * x;
  const n = 20000;
  const d = h / n;
  for (let i = 0; i < n; i++) {
    const [k1, l1] = [v, a(e, v)];
    const [k2, l2] = [v + (d / 2) * l1, a(e + (d / 2) * k1, v + (d / 2) * l1)];
    const [k3, l3] = [v + (d / 2) * l2, a(e + (d / 2) * k2, v + (d / 2) * l2)];
    const [k4, l4] = [v + d * l3, a(e + d * k3, v + d * l3)];
    e += (d / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
    v += (d / 6) * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return [e, v];
}

describe('measureSpringStep', () => {
  it('is the textbook solution below critical damping', () => {
    for (const h of [0, 1e-9, 1 / 240, 1 / 30, 0.7, 25]) {
      expect(step(2, 0.15, h, 0.3, -1.2)[0]).toBeCloseTo(free(h, 4 * Math.PI, 0.15, 0.3, -1.2), 14);
    }
  });

  it.each([0.05, 0.999999, 1, 1.000001, 1.7, 6])('agrees with Runge–Kutta for ζ = %d', (zeta) => {
    const [e, v] = step(1.5, zeta, 0.4, 0.3, -1.2);
    const [re, rv] = integrate(1.5, zeta, 0.4, 0.3, -1.2);
    expect(e).toBeCloseTo(re, 10);
    expect(v).toBeCloseTo(rv, 9);
  });

  it('is continuous at critical damping', () => {
    const [e] = step(2, 1, 0.3, 1, 0);
    for (const off of [1e-6, 1e-9, 1e-12, 1e-16]) {
      expect(Math.abs(step(2, 1 + off, 0.3, 1, 0)[0] - e)).toBeLessThan(10 * off + 1e-15);
      expect(Math.abs(step(2, 1 - off, 0.3, 1, 0)[0] - e)).toBeLessThan(10 * off + 1e-15);
    }
  });

  const spring = {
    f: fc.double({ min: 0.05, max: 60, noNaN: true }),
    zeta: fc.double({ min: 0, max: 20, noNaN: true }),
    h: fc.oneof(fc.double({ min: 0, max: 0.1, noNaN: true }), fc.double({ min: 0, max: 1e6, noNaN: true })),
    e: fc.double({ min: -1, max: 1, noNaN: true }),
    v: fc.double({ min: -100, max: 100, noNaN: true }),
  };

  it('never gains energy, for any frequency, damping and step (seed 901)', () => {
    fc.assert(
      fc.property(fc.record(spring), fc.array(spring.h, { maxLength: 20 }), ({ f, zeta, e, v }, steps) => {
        const w = 2 * Math.PI * f;
        let energy = v * v + w * w * e * e;
        for (const h of steps) {
          [e, v] = step(f, zeta, h, e, v);
          const next = v * v + w * w * e * e;
          expect(next).toBeLessThanOrEqual(energy * (1 + 1e-12) + 1e-300);
          energy = next;
        }
      }),
      { seed: 901, numRuns: 400 },
    );
  });

  it('two steps are one of both lengths (seed 902)', () => {
    fc.assert(
      fc.property(
        fc.record({ ...spring, h: fc.double({ min: 0, max: 2, noNaN: true }) }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ f, zeta, h, e, v }, share) => {
          const once = step(f, zeta, h, e, v);
          const [a, b] = step(f, zeta, share * h, e, v);
          const twice = step(f, zeta, (1 - share) * h, a, b);
          const size = Math.hypot(2 * Math.PI * f * e, v) + 1e-12;
          expect(Math.abs(once[0] - twice[0]) * 2 * Math.PI * f).toBeLessThan(1e-9 * size);
          expect(Math.abs(once[1] - twice[1])).toBeLessThan(1e-9 * size);
        },
      ),
      { seed: 902, numRuns: 400 },
    );
  });
});
