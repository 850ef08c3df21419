import { createCharacter } from '@isoskin/core';
import { createSurface } from '@isoskin/core/mesh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRefinedTopology } from '../../src/wrinkles/create-refined-topology.js';
import { planButterfly } from '../../src/wrinkles/plan-butterfly.js';
import { gradeLevels, planRefinement, type RefinementPlan } from '../../src/wrinkles/plan-refinement.js';
import * as meshes from '../meshes.js';

const SEED = 26;

/** A regular grid of n×n vertices, valence 6 inside. */
function grid(n: number): { triangles: Uint32Array; at: (i: number, j: number) => number; count: number } {
  const at = (i: number, j: number) => i * n + j;
  const triangles: number[] = [];
  for (let i = 0; i + 1 < n; i++) {
    for (let j = 0; j + 1 < n; j++) {
      triangles.push(at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return { triangles: Uint32Array.from(triangles), at, count: n * n };
}

function weightsOf(stencil: { vertices: number[]; weights: number[] }): Map<number, number> {
  return new Map(stencil.vertices.map((v, k) => [v, stencil.weights[k]!]));
}

function countOpenEdges(triangles: ArrayLike<number>, count: number): { open: number; bad: number } {
  const edges = new Map<string, number>();
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[3 * t + k]!, triangles[3 * t + ((k + 1) % 3)]!];
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : 100));
    }
  }
  const values = [...edges.values()];
  return {
    open: values.filter((n) => n === 1 || n === 100).length,
    bad: values.filter((n) => ![1, 100, 101].includes(n)).length,
  };
}

/** Places all new vertices of a plan by their stencils: `positions` (vertexCount×3) has the old ones in front. */
function applyRefinement(positions: Float64Array, plan: RefinementPlan): void {
  const { offsets, vertices, weights } = plan.stencils;
  for (let i = 0; i < offsets.length - 1; i++) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
      const w = weights[n]!;
      const v = 3 * vertices[n]!;
      x += w * positions[v]!;
      y += w * positions[v + 1]!;
      z += w * positions[v + 2]!;
    }
    const to = 3 * (plan.baseCount + i);
    positions[to] = x;
    positions[to + 1] = y;
    positions[to + 2] = z;
  }
}

describe('modified butterfly (H8)', () => {
  it('has the eight-point stencil between regular vertices', () => {
    const { triangles, at } = grid(7);
    const found = weightsOf(planButterfly(triangles).measureStencil(at(3, 3), at(4, 3)));
    const wanted = new Map([
      [at(3, 3), 1 / 2],
      [at(4, 3), 1 / 2],
      [at(3, 4), 1 / 8],
      [at(4, 2), 1 / 8],
      [at(2, 4), -1 / 16],
      [at(4, 4), -1 / 16],
      [at(3, 2), -1 / 16],
      [at(5, 2), -1 / 16],
    ]);
    expect(found.size).toBe(8);
    for (const [v, weight] of wanted) expect(found.get(v)).toBeCloseTo(weight, 15);
  });

  it('reproduces cubic polynomials on a regular grid, at both levels', () => {
    const n = 13;
    const { triangles, count } = grid(n);
    const levels = new Uint8Array(triangles.length / 3);
    for (let t = 0; t < levels.length; t++) {
      const corners = [0, 1, 2].map((k) => triangles[3 * t + k]!);
      if (corners.every((v) => [Math.floor(v / n), v % n].every((c) => c >= 4 && c <= 8))) levels[t] = 2;
    }
    const plan = planRefinement(triangles, count, levels);
    const cubic = (x: number, y: number) =>
      1 + 2 * x - y + x * x - 3 * x * y + 0.5 * y ** 3 + x ** 3 - 2 * x * x * y + x * y * y;
    const positions = new Float64Array(3 * plan.vertexCount);
    for (let v = 0; v < count; v++) {
      const [x, y] = [Math.floor(v / n) / n, (v % n) / n];
      positions.set([x, y, cubic(x, y)], 3 * v);
    }
    applyRefinement(positions, plan);
    let checked = 0;
    for (let v = count; v < plan.vertexCount; v++) {
      expect(positions[3 * v + 2]).toBeCloseTo(cubic(positions[3 * v]!, positions[3 * v + 1]!), 12);
      checked++;
    }
    expect(checked).toBeGreaterThan(300);
  });

  it.each([
    [3, [5 / 12, -1 / 12, -1 / 12]],
    [4, [3 / 8, 0, -1 / 8, 0]],
    [
      5,
      [0, 1, 2, 3, 4].map((j) => (1 / 4 + Math.cos((2 * Math.PI * j) / 5) + Math.cos((4 * Math.PI * j) / 5) / 2) / 5),
    ],
    [
      7,
      [0, 1, 2, 3, 4, 5, 6].map(
        (j) => (1 / 4 + Math.cos((2 * Math.PI * j) / 7) + Math.cos((4 * Math.PI * j) / 7) / 2) / 7,
      ),
    ],
  ])('has the known weights around a vertex of valence %d', (valence, wanted) => {
    // The outer ends are on the border, which counts as regular: the rule of the centre alone applies.
    const found = weightsOf(planButterfly(fanAround(valence)).measureStencil(0, 1));
    expect(found.get(0)).toBeCloseTo(3 / 4, 15);
    wanted.forEach((weight, j) => {
      expect(found.get(1 + j) ?? 0).toBeCloseTo(weight, 15);
    });
    expect([...found.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(1, 14);
  });

  it('takes the mean of both rules between two extraordinary vertices', () => {
    const octahedron = Uint32Array.of(0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 5, 2, 1, 5, 3, 2, 5, 4, 3, 5, 1, 4);
    const both = weightsOf(planButterfly(octahedron).measureStencil(0, 1));
    // ½(¾·0 + ⅜·1 − ⅛·3) + ½(¾·1 + ⅜·0 − ⅛·5).
    expect(both.get(0)).toBeCloseTo(9 / 16, 15);
    expect(both.get(1)).toBeCloseTo(9 / 16, 15);
    expect(both.get(3)).toBeCloseTo(-1 / 16, 15);
    expect(both.get(5)).toBeCloseTo(-1 / 16, 15);
  });

  it('follows the border with the four-point rule, and is affine beside it', () => {
    const { triangles, at } = grid(7);
    const butterfly = planButterfly(triangles);
    const found = weightsOf(butterfly.measureStencil(at(0, 2), at(0, 3)));
    expect([...found].sort(([a], [b]) => a - b)).toEqual([
      [at(0, 1), -1 / 16],
      [at(0, 2), 9 / 16],
      [at(0, 3), 9 / 16],
      [at(0, 4), -1 / 16],
    ]);
    for (const [a, b] of [
      [at(0, 3), at(1, 3)],
      [at(1, 3), at(1, 4)],
      [at(1, 0), at(0, 1)],
    ] as const) {
      const own = weightsOf(butterfly.measureStencil(a, b));
      let [sum, x, y] = [0, 0, 0];
      for (const [v, weight] of own) {
        sum += weight;
        x += weight * Math.floor(v / 7);
        y += weight * (v % 7);
      }
      expect(sum).toBeCloseTo(1, 14);
      expect(x).toBeCloseTo((Math.floor(a / 7) + Math.floor(b / 7)) / 2, 13);
      expect(y).toBeCloseTo(((a % 7) + (b % 7)) / 2, 13);
    }
  });

  it('treats edges of more than two triangles as creases', () => {
    const { surface } = createCharacter(meshes.cubesOnAnEdge());
    const plan = planRefinement(
      surface.triangles,
      surface.vertexCount,
      new Uint8Array(surface.triangles.length / 3).fill(2),
    );
    const positions = new Float64Array(3 * plan.vertexCount);
    positions.set(surface.positions);
    applyRefinement(positions, plan);
    expect(positions.every(Number.isFinite)).toBe(true);
  });
});

describe(`planRefinement, seed ${SEED}`, () => {
  const shapes = {
    torus: meshes.torusShape(12, 8),
    sphere: meshes.sphereShape(6),
    box: meshes.boxShape(1, 1, 1),
    open: meshes.tubeShape({ capped: false, around: 8, along: 6 }),
  };

  it.each(Object.entries(shapes))(
    'has no cracks, whatever triangles of a %s are refined, at every set of levels in use',
    (name, shape) => {
      const { surface } = createSurface({
        positions: Float64Array.from(shape.positions),
        triangles: Uint32Array.from(shape.triangles),
      });
      const { triangles, vertexCount } = surface;
      const count = triangles.length / 3;
      const before = countOpenEdges(triangles, count);
      const some = fc.array(fc.record({ t: fc.nat(count - 1), level: fc.integer({ min: 1, max: 3 }) }), {
        minLength: 1,
        maxLength: 6,
      });
      fc.assert(
        fc.property(some, fc.integer({ min: 0, max: 6 }), (list, used) => {
          const wanted = new Uint8Array(count);
          for (const { t, level } of list) wanted[t] = Math.max(wanted[t]!, level);
          const plan = planRefinement(triangles, vertexCount, wanted);
          const topology = createRefinedTopology(plan);
          const part = new Uint8Array(count);
          for (const { t, level } of list.slice(0, used)) part[t] = Math.max(part[t]!, level);
          const graded = gradeLevels(triangles, vertexCount, part);
          for (const levels of [plan.levels, graded]) {
            topology.update(Uint8Array.from(plan.patches.triangles, (t) => levels[t]!));
            const after = countOpenEdges(topology.triangles, topology.triangleCount);
            expect(after.bad).toBe(0);
            if (before.open === 0) expect(after.open).toBe(0);
            else expect(after.open).toBeGreaterThanOrEqual(before.open);
            const drawn = topology.triangles.subarray(0, 3 * topology.triangleCount);
            expect(drawn.every((v) => topology.used[v] === 1)).toBe(true);
          }
          // Nothing in use: the triangles are the old ones.
          topology.update(new Uint8Array(plan.patches.count));
          expect(topology.triangleCount).toBe(count);
          const area = (list: ArrayLike<number>) =>
            Array.from({ length: count }, (_, t) =>
              [0, 1, 2]
                .map((k) => list[3 * t + k]!)
                .sort((a, b) => a - b)
                .join(' '),
            ).sort();
          expect(area(topology.triangles)).toEqual(area(triangles));
        }),
        { seed: SEED, numRuns: name === 'torus' ? 60 : 30 },
      );
    },
  );

  it('keeps old vertices to the bit and takes levels back without a new plan', () => {
    const shape = meshes.torusShape(12, 8);
    const triangles = Uint32Array.from(shape.triangles);
    const wanted = new Uint8Array(triangles.length / 3);
    wanted[5] = 2;
    const plan = planRefinement(triangles, shape.positions.length / 3, wanted);
    const positions = new Float64Array(3 * plan.vertexCount);
    positions.set(shape.positions);
    applyRefinement(positions, plan);
    shape.positions.forEach((x, i) => {
      expect(positions[i]).toBe(x);
    });
    const topology = createRefinedTopology(plan);
    const full = Uint8Array.from(plan.patches.triangles, (t) => plan.levels[t]!);
    expect(topology.update(full)).toBe(true);
    const { triangleCount, version } = topology;
    expect(topology.update(full)).toBe(false);
    expect(topology.version).toBe(version);
    topology.update(new Uint8Array(full.length));
    expect(topology.triangleCount).toBe(triangles.length / 3);
    topology.update(full);
    expect(topology.triangleCount).toBe(triangleCount);
  });

  it('brings a sphere nearer to round, also at vertices of valence 4', () => {
    const shape = meshes.sphereShape(6);
    const { surface } = createSurface({
      positions: Float64Array.from(shape.positions),
      triangles: Uint32Array.from(shape.triangles),
    });
    const plan = planRefinement(
      surface.triangles,
      surface.vertexCount,
      new Uint8Array(surface.triangles.length / 3).fill(2),
    );
    const positions = new Float64Array(3 * plan.vertexCount);
    positions.set(surface.positions);
    applyRefinement(positions, plan);
    let [butterfly, linear] = [0, 0];
    for (let v = surface.vertexCount; v < plan.vertexCount; v++) {
      const radius = (i: number) => Math.hypot(positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!);
      const [a, b] = [plan.parents[2 * (v - surface.vertexCount)]!, plan.parents[2 * (v - surface.vertexCount) + 1]!];
      const middle = [0, 1, 2].map((r) => (positions[3 * a + r]! + positions[3 * b + r]!) / 2);
      butterfly = Math.max(butterfly, Math.abs(radius(v) - 1));
      linear = Math.max(linear, Math.abs(Math.hypot(...middle) - 1));
    }
    expect(butterfly).toBeLessThan(0.35 * linear);
  });
});

/** K triangles around vertex 0, the rest border. */
function fanAround(valence: number): Uint32Array {
  const out: number[] = [];
  for (let j = 0; j < valence; j++) out.push(0, 1 + j, 1 + ((j + 1) % valence));
  return Uint32Array.from(out);
}
