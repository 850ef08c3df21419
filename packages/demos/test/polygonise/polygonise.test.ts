import { createField, polygonise } from '@isoskin/demos';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureMeshQuality } from '../measure-mesh-quality.js';
import { createPoint, createSegment } from '../shapes.js';

const SEED = 20261115;

/** Two balls of potential that nearly touch: the hardest place for signs. */
const pinched = (gap: number, turn: number) =>
  createField({
    primitives: [
      createPoint('a', [0, 0, 0, 1]),
      createPoint('b', [(2 + gap) * Math.cos(turn), (2 + gap) * Math.sin(turn), 0.3 * turn, 1]),
    ],
  });

describe(`polygonise, seed ${SEED}`, () => {
  it('meets the volume and area of a sphere at second order', () => {
    const sphere = createField({ primitives: [createPoint('ball', [0.1, 0.2, 0.3, 1])] });
    const errors = [0.2, 0.1, 0.05].map((step) => {
      const { positions, triangles } = polygonise(sphere, { step });
      const quality = measureMeshQuality(positions, triangles);
      expect(quality).toMatchObject({ manifold: true, openEdges: 0, euler: 2 });
      expect(quality.minAngle).toBeGreaterThan(20);
      expect(quality.minAngle50).toBeGreaterThan(45);
      expect(Math.abs(quality.area / (4 * Math.PI) - 1)).toBeLessThan(0.5 * step * step);
      return 1 - quality.volume / ((4 / 3) * Math.PI);
    });
    expect(errors[2]).toBeGreaterThan(0);
    expect(errors[0]! / errors[1]!).toBeGreaterThan(3.4);
    expect(errors[0]! / errors[1]!).toBeLessThan(4.6);
    expect(errors[1]! / errors[2]!).toBeGreaterThan(3.6);
    expect(errors[1]! / errors[2]!).toBeLessThan(4.4);
  });

  it('puts every vertex on the surface, facing outward', () => {
    const field = createField({
      primitives: [
        createSegment('a', [0, -1, 0, 0.5], [0, 1, 0, 0.3]),
        createSegment('b', [0, 0, 0, 0.3], [1.2, 0.4, 0, 0.2]),
      ],
      blends: [['a', 'b']],
    });
    const { positions, triangles } = polygonise(field, { vertices: 3000 });
    const gradient = new Float64Array(3);
    for (let at = 0; at < positions.length; at += 3) {
      const value = field.value(positions[at]!, positions[at + 1]!, positions[at + 2]!);
      expect(Math.abs(value - field.iso)).toBeLessThan(1e-8);
    }
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((n) => [...positions.subarray(3 * triangles[t + n]!, 3 * triangles[t + n]! + 3)]);
      const u = b!.map((value, axis) => value - a![axis]!);
      const v = c!.map((value, axis) => value - a![axis]!);
      const normal = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
      field.gradient(gradient, a![0]!, a![1]!, a![2]!);
      expect(normal[0]! * gradient[0]! + normal[1]! * gradient[1]! + normal[2]! * gradient[2]!).toBeLessThan(0);
    }
  });

  it.each([200, 1700, 5700, 20000])('meets %i vertices to 3 %', (vertices) => {
    const field = createField({ primitives: [createSegment('a', [0, -1, 0, 0.5], [0.3, 1, 0.2, 0.2])] });
    const { positions } = polygonise(field, { vertices });
    expect(Math.abs(positions.length / 3 / vertices - 1)).toBeLessThan(0.03);
  });

  it('stays closed and manifold where two parts nearly touch, at any step', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.1, max: 0.1, noNaN: true }),
        fc.double({ min: 0, max: 1.5, noNaN: true }),
        fc.double({ min: 0.08, max: 0.7, noNaN: true }),
        (gap, turn, step) => {
          const { positions, triangles } = polygonise(pinched(gap, turn), { step });
          const quality = measureMeshQuality(positions, triangles);
          expect(quality).toMatchObject({ manifold: true, openEdges: 0 });
          expect(quality.euler % 2).toBe(0);
          expect(quality.volume).toBeGreaterThan(0);
        },
      ),
      { seed: SEED, numRuns: 60 },
    );
  });

  it('is finer behind a lens, by its power, and still closed on the surface', () => {
    const field = createField({ primitives: [createSegment('rod', [-4, 0, 0, 1], [4, 0, 0, 1])] });
    const count = (lenses: readonly [number, number, number, number, number][]) => {
      const { positions, triangles } = polygonise(field, { step: 0.15, lenses });
      const quality = measureMeshQuality(positions, triangles);
      expect(quality).toMatchObject({ manifold: true, openEdges: 0, euler: 2 });
      expect(quality.minAngle).toBeGreaterThan(20);
      let [left, right] = [0, 0];
      for (let at = 0; at < positions.length; at += 3) {
        expect(field.value(positions[at]!, positions[at + 1]!, positions[at + 2]!)).toBeCloseTo(1, 6);
        if (positions[at]! < -4) left++;
        if (positions[at]! > 4) right++;
      }
      return { left, right };
    };
    const plain = count([]);
    const lens = count([[4, 0, 0, 4, 2]]);
    expect(lens.left).toBe(plain.left);
    expect(lens.right / plain.right).toBeGreaterThan(2.5);
    expect(lens.right / plain.right).toBeLessThan(4.5);
  });

  it('says what to do when the surface is too small for the grid', () => {
    const field = createField({ primitives: [createPoint('p', [0, 0, 0, 0.01])] });
    expect(() => polygonise(field, { step: 10 })).toThrow(/smaller step/);
    expect(() => polygonise(field, { step: -1 })).toThrow(/must be positive/);
    expect(() => polygonise(field, { vertices: 3 })).toThrow(/at least 8/);
  });
});
