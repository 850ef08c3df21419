/** The direction field: outward, smooth, short where normals disagree. */
import { createCharacter } from '@isoskin/core';
import { normalise, sumAreaVectors } from '@isoskin/core/kernels';
import { describe, expect, it } from 'vitest';
import { applySweep, measureDirections } from '../../src/correction/measure-directions.js';
import { box, character, mergeShapes, part, sphere, tube, tubeShape } from '../meshes.js';

const lengths = (field: Float64Array) =>
  Array.from({ length: field.length / 3 }, (_, k) => Math.hypot(...field.subarray(3 * k, 3 * k + 3)));

describe('directions', () => {
  it('of a sphere are its radii, almost of unit length', () => {
    const { surface } = createCharacter(sphere(16));
    const field = measureDirections(surface, { spread: 2 });
    for (const [k, length] of lengths(field).entries()) {
      let dot = 0;
      for (let r = 0; r < 3; r++) dot += field[3 * k + r]! * surface.positions[3 * k + r]!;
      expect(dot / length).toBeGreaterThan(0.99);
      expect(length).toBeLessThanOrEqual(1 + 1e-12);
      expect(length).toBeGreaterThan(0.85);
    }
  });

  it('of a thin fin are short on its rim and point outward on its faces', () => {
    const disc = tubeShape({ length: 0.02, radius: 1, around: 24, along: 3 });
    const { surface } = createCharacter(character([part(disc)]));
    const field = measureDirections(surface, { spread: 2 });
    const all = lengths(field);
    const rim = all.filter((_, k) => Math.abs(surface.positions[3 * k]! - 0.02) < 1e-9);
    expect(Math.max(...rim)).toBeLessThan(0.9);
    const centre = surface.vertexCount - 2;
    expect(field[3 * centre]).toBeLessThan(0);
  });

  it('without sweeps and spread are the normals', () => {
    const { surface } = createCharacter(tube());
    const field = measureDirections(surface, { spread: 0, sweeps: 0 });
    const normals = new Float64Array(3 * surface.vertexCount);
    sumAreaVectors(normals, surface.positions, surface.triangles, surface.triangles.length / 3, surface.vertexCount);
    normalise(normals, normals, 0, surface.vertexCount);
    for (const [i, x] of field.entries()) expect(x).toBeCloseTo(normals[i]!, 12);
  });

  it('do not depend on size or place, nor on another part far away', () => {
    const plain = measureDirections(createCharacter(tube()).surface);
    const shape = tubeShape();
    const moved = { ...shape, positions: shape.positions.map((x) => 1e-3 * x + 5) };
    const small = measureDirections(createCharacter(character([part(moved)])).surface);
    for (const [i, x] of small.entries()) expect(x).toBeCloseTo(plain[i]!, 8);
    const twins = mergeShapes(shape, { ...shape, positions: shape.positions.map((x) => x + 50) });
    const both = measureDirections(createCharacter(character([part(twins)])).surface);
    for (const [i, x] of plain.entries()) expect(both[i]).toBeCloseTo(x, 8);
  });

  it('survive a vertex that no triangle uses', () => {
    const input = box();
    const one = input.parts[0]!;
    const positions = Float64Array.of(...one.positions, 9, 9, 9);
    const bones = [...Array.from(one.bones), 0];
    const weights = Float64Array.of(...one.weights, 1);
    const { surface } = createCharacter({ ...input, parts: [{ ...one, positions, bones, weights }] });
    expect(measureDirections(surface).every(Number.isFinite)).toBe(true);
  });
});

it('a sweep is half the old value and half the neighbours’ mean: constants stay', () => {
  const { surface } = createCharacter(tube());
  const field = new Float64Array(3 * surface.vertexCount).fill(2);
  const out = new Float64Array(field.length);
  applySweep(out, field, surface);
  for (const x of out) expect(x).toBeCloseTo(2, 14);
  field.fill(0);
  field[30] = 1;
  applySweep(out, field, surface);
  expect(out[30]).toBe(0.5);
});
