import { createCharacter } from '@isoskin/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weldVertices } from '../../src/mesh/weld-vertices.js';
import * as meshes from '../meshes.js';

const weld = (positions: number[], tolerance: number, groups?: number[], isAlike = (_a: number, _b: number) => true) =>
  weldVertices({
    positions: Float64Array.from(positions),
    groups: Uint32Array.from(groups ?? positions.slice(0, positions.length / 3).fill(0)),
    tolerance,
    size: 1,
    isAlike,
  });

describe('weldVertices', () => {
  it('joins equal positions in order of first appearance', () => {
    const { welded, leaders } = weld([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0], 0);
    expect([...welded]).toEqual([0, 1, 0, 1, 2]);
    expect([...leaders]).toEqual([0, 1, 4]);
  });
  it('takes −0 and 0 for one place', () => {
    expect(weld([0, -0, 0, -0, 0, -0], 0).leaders.length).toBe(1);
  });
  it('never across groups', () => {
    expect(weld([0, 0, 0, 0, 0, 0], 0.1, [0, 1]).leaders.length).toBe(2);
  });
  it('keeps strangers apart and counts them', () => {
    const { leaders, keptApart } = weld([0, 0, 0, 0, 0, 0, 0, 0, 0], 0, undefined, (a, b) => a % 2 === b % 2);
    expect([leaders.length, keptApart]).toEqual([2, 1]);
  });
  it('joins the nearest of several leaders', () => {
    expect([...weld([0, 0, 0, 0.015, 0, 0, 0.009, 0, 0], 0.01).welded]).toEqual([0, 1, 1]);
  });
  const seed = 7;
  it(`walls of the grid split nothing: two points closer than the tolerance are one, farther are two (seed ${seed})`, () => {
    const place = fc.double({ min: -100, max: 100, noNaN: true });
    const cell = fc.integer({ min: -1000, max: 1000 }).map((i) => i * 8e-3); // on a wall of the grid
    const coordinate = fc.oneof(place, cell);
    const direction = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(coordinate, coordinate, coordinate),
        fc.tuple(direction, direction, direction),
        fc.boolean(),
        (p, d, near) => {
          const length = Math.hypot(...d);
          fc.pre(length > 1e-3);
          const step = (1e-3 * (near ? 0.999 : 1.001)) / length;
          const q = p.map((x, i) => x + step * d[i]!);
          expect(weld([...p, ...q], 1e-3).leaders.length).toBe(near ? 1 : 2);
        },
      ),
      { seed, numRuns: 2000 },
    );
  });
  it('stays linear when a shape is collapsed into one point', () => {
    const n = 200_000; // quadratic would take minutes
    const { leaders } = weld(new Array(3 * n).fill(0), 0, undefined, () => false);
    expect(leaders.length).toBe(n);
  });
});

describe('welding a character', () => {
  it('closes UV seams', () => {
    const c = createCharacter(meshes.seamedBox(1, 2, 3));
    expect([c.surface.vertexCount, c.surface.caps.count, c.parts[0]!.vertexCount]).toEqual([8, 0, 36]);
    for (let v = 0; v < 36; v++) {
      const source = meshes.seamedBox(1, 2, 3).parts[0]!.positions.slice(3 * v, 3 * v + 3);
      const to = c.parts[0]!.welded[v]!;
      expect([...c.surface.positions.slice(3 * to, 3 * to + 3)]).toEqual([...source]);
    }
  });
  it('keeps parts that merely touch apart, joins them when they move alike', () => {
    const touching = createCharacter(meshes.twoTouchingCubes());
    expect(touching.surface.components.map((p) => p.volume)).toEqual([1, 1]);
    expect(touching.warnings.map((w) => w.code)).toEqual(['VERTICES_KEPT_APART']);
    const input = meshes.twoTouchingCubes();
    const alike = createCharacter({
      ...input,
      parts: [{ ...input.parts[0]!, weights: input.parts[0]!.weights.map(() => 0.5) }],
    });
    expect([alike.surface.vertexCount, alike.surface.components.length]).toEqual([12, 1]);
  });
  it('keeps vertices apart that a morph target parts', () => {
    // Two boxes on top of each other, welded unless "open" lifts the upper one.
    const shape = meshes.mergeShapes(meshes.boxShape(1, 1, 1), meshes.boxShape(1, 1, 1, 0, 1));
    const deltas = Float64Array.from(shape.positions, (_, i) => (i >= 24 && i % 3 === 1 ? 0.5 : 0));
    const make = (scale: number) =>
      createCharacter({
        ...meshes.character([
          meshes.part(shape, undefined, { morphs: { first: 0, deltas: [deltas.map((d) => d * scale)] } }),
        ]),
        morphs: [{ name: 'open', group: 0, weight: 0 }],
      });
    expect(make(1).surface.components.length).toBe(2);
    expect(make(0).surface.components.length).toBe(1);
  });
  it('borderTolerance closes a seam whose sides were rounded apart, and nothing else', () => {
    const shape = meshes.splitShape(meshes.boxShape(1, 1, 1));
    const positions = shape.positions.map((x, i) => x + 1e-4 * Math.sin(12.9898 * i));
    const input = meshes.character([meshes.part({ ...shape, positions })]);
    expect(createCharacter(input).surface.caps.count).toBe(12);
    const joined = createCharacter({ ...input, borderTolerance: 1e-3 });
    expect(joined.surface.vertexCount).toBe(8);
    expect(joined.surface.caps.count).toBe(0);
    expect(joined.surface.components[0]!.volume).toBeCloseTo(1, 3);
    // A closed mesh finer than the tolerance stays as it is.
    const fine = createCharacter({ ...meshes.sphere(16), borderTolerance: 0.2 });
    expect(fine.surface.vertexCount).toBe(createCharacter(meshes.sphere(16)).surface.vertexCount);
  });
});
