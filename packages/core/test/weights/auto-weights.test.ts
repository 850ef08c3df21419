import { autoWeights, type Character, type CharacterInput, createCharacter } from '@isoskin/core';
import { type AutoWeights, WEIGHT_METHODS, type WeightOptions } from '@isoskin/core/weights';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxShape, chain, character, mergeShapes, part, type Shape, sphereShape, tubeShape } from '../meshes.js';

const SEED = 20261115;
const weigh = (c: Character, options?: WeightOptions) => autoWeights(c.surface, c.skeleton, options);

function weightOf(w: AutoWeights, k: number, bone: number): number {
  for (let n = w.offsets[k]!; n < w.offsets[k + 1]!; n++) if (w.bones[n] === bone) return w.weights[n]!;
  return 0;
}

function expectValid(w: AutoWeights, vertexCount: number, boneCount: number, limit: number): void {
  expect(w.offsets.length).toBe(vertexCount + 1);
  for (let k = 0; k < vertexCount; k++) {
    const weights = w.weights.subarray(w.offsets[k]!, w.offsets[k + 1]!);
    const bones = [...w.bones.subarray(w.offsets[k]!, w.offsets[k + 1]!)];
    expect(weights.length).toBeGreaterThan(0);
    expect(weights.length).toBeLessThanOrEqual(limit);
    expect(new Set(bones).size).toBe(bones.length);
    expect(Math.max(...bones)).toBeLessThan(boneCount);
    expect(Math.abs(weights.reduce((a, b) => a + b) - 1)).toBeLessThan(1e-12);
    weights.forEach((weight, n) => {
      expect(weight).toBeGreaterThan(0);
      if (n > 0) expect(weight).toBeLessThanOrEqual(weights[n - 1]!);
    });
  }
}

/** Two bones and a leaf along a tube: rings at x, the middle joint at 3.3. */
function tubeCharacter(options: Parameters<typeof tubeShape>[0] = {}): Character {
  return createCharacter(character([part(tubeShape({ along: 23, ...options }))], chain([0, 3.3, 6.6])));
}

/** A box around x, y, z with n cells along each edge, from (x0, y0, z0) to (x1, y1, z1), all vertices welded. */
function gridBox(low: readonly number[], high: readonly number[], n: number): Shape {
  const positions: number[] = [];
  const triangles: number[] = [];
  const index = new Map<string, number>();
  const vertex = (g: readonly number[]) => {
    const key = g.join();
    if (!index.has(key)) {
      index.set(key, positions.length / 3);
      positions.push(...g.map((i, a) => low[a]! + ((high[a]! - low[a]!) * i) / n));
    }
    return index.get(key)!;
  };
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [0, n]) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const corner = (u: number, v: number) => {
            const g = [0, 0, 0];
            g[axis] = side;
            g[(axis + 1) % 3] = i + u;
            g[(axis + 2) % 3] = j + v;
            return vertex(g);
          };
          const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
          triangles.push(...(side === n ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
        }
      }
    }
  }
  return { positions, triangles };
}

/** The surface of all unit cells of a solid that is given cell by cell. */
function voxelShape(cells: readonly (readonly [number, number, number])[], size: number): Shape {
  const solid = new Set(cells.map((cell) => cell.join()));
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const cell of cells) {
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [0, 1]) {
        const beside = [...cell] as [number, number, number];
        beside[axis]! += side === 1 ? 1 : -1;
        if (solid.has(beside.join())) continue;
        const first = positions.length / 3;
        for (const [u, v] of [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ]) {
          const p = [...cell] as [number, number, number];
          p[axis]! += side;
          p[(axis + 1) % 3]! += u!;
          p[(axis + 2) % 3]! += v!;
          positions.push(...p.map((x) => x * size));
        }
        const [a, b, c, d] = [first, first + 1, first + 2, first + 3];
        triangles.push(...(side === 1 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
      }
    }
  }
  return { positions, triangles };
}

/** A U of cells of size ½: legs at x = 0…1 and x = 2…3, joined below y = 1; 1 thick, 6 high. */
function uShape(): Shape {
  const cells: [number, number, number][] = [];
  for (let y = 0; y < 12; y++) {
    for (let x = 0; x < 6; x++) {
      for (let z = 0; z < 2; z++) if (y < 2 || x < 2 || x >= 4) cells.push([x, y, z]);
    }
  }
  return voxelShape(cells, 0.5);
}

/** Bones along the bottom (0 → 1 and 3), up the left leg (1 → tip 2) and up the right leg (3 → tip 4). */
function uCharacter(): Character {
  const joints = [
    [1.5, 0.55, 0.5],
    [0.5, 0.55, 0.5],
    [0.5, 5.5, 0.5],
    [2.5, 0.55, 0.5],
    [2.5, 5.5, 0.5],
  ] as const;
  const parents = [-1, 0, 1, 0, 3];
  const skeleton = {
    names: ['root', 'left', 'left tip', 'right', 'right tip'],
    parents,
    locals: Float64Array.from(
      joints.flatMap((at, i) => [
        ...at.map((x, a) => x - (parents[i]! < 0 ? 0 : joints[parents[i]!]![a]!)),
        0,
        0,
        0,
        1,
        1,
        1,
        1,
      ]),
    ),
    boneNodes: [0, 1, 2, 3, 4],
    inverseBinds: Float64Array.from(joints.flatMap(([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1])),
  };
  return createCharacter(character([part(uShape())], skeleton));
}

describe('autoWeights', () => {
  it('gives a straight tube symmetric weights that sum to 1 and fall along the bone', () => {
    const c = tubeCharacter();
    const { positions, vertexCount } = c.surface;
    for (const method of WEIGHT_METHODS) {
      const w = weigh(c, { method, prune: 0 });
      expectValid(w, vertexCount, 3, 4);
      expect(w.unreached).toBe(0);
      const rings = new Map<number, number[]>();
      for (let k = 0; k < vertexCount - 2; k++) {
        const x = Math.round(1e6 * positions[3 * k]!);
        rings.set(x, [...(rings.get(x) ?? []), weightOf(w, k, 0)]);
      }
      const means = [...rings.values()].map((ring) => {
        // Around the tube nothing changes, but for the triangles' diagonals.
        expect(Math.max(...ring) - Math.min(...ring)).toBeLessThan(1e-4);
        return ring.reduce((a, b) => a + b) / ring.length;
      });
      for (let i = 1; i < means.length; i++) expect(means[i]).toBeLessThanOrEqual(means[i - 1]! + 1e-9);
      expect(means[0]).toBeGreaterThan(0.9);
      expect(means.at(-1)).toBeLessThan(0.1);
      // Ring 11 is at the joint: both bones alike.
      expect(means[11]).toBeCloseTo(0.5, 2);
    }
  });

  it('`bone` is d^−α exactly', () => {
    const c = tubeCharacter();
    const w = weigh(c, { method: 'bone', power: 3, prune: 0 });
    const { positions } = c.surface;
    for (let k = 0; k < c.surface.vertexCount - 2; k++) {
      const [x, y, z] = positions.subarray(3 * k, 3 * k + 3) as unknown as number[];
      const pull = (from: number, to: number) => Math.hypot(Math.max(from - x!, 0, x! - to), Math.hypot(y!, z!)) ** -3;
      // The leaf continues its parent's way by 0.3 of it.
      const pulls = [pull(0, 3.3), pull(3.3, 6.6), pull(6.6, 7.59)];
      const sum = pulls.reduce((a, b) => a + b);
      pulls.forEach((p, i) => {
        expect(weightOf(w, k, i)).toBeCloseTo(p / sum, 12);
      });
    }
  });

  it('`visible` is (ℓ/d)^α where all is seen', () => {
    const c = tubeCharacter();
    const w = weigh(c, { method: 'visible', power: 2, prune: 0 });
    const k = 11 * 16 + 3; // at the joint: d = 1 to the first two bones
    expect(weightOf(w, k, 0) / weightOf(w, k, 1)).toBeCloseTo(1, 12);
    expect(weightOf(w, k, 1) / weightOf(w, k, 2)).toBeCloseTo((3.3 / 1) ** 2 / (0.99 / Math.hypot(3.3, 1)) ** 2, 9);
  });

  it('a bone in one leg of a U does not pull the other', () => {
    const c = uCharacter();
    const { positions, vertexCount } = c.surface;
    const legs = (w: AutoWeights) => {
      let leak = 0;
      for (let k = 0; k < vertexCount; k++) {
        if (positions[3 * k + 1]! < 2.5) continue;
        const other = positions[3 * k]! < 1.5 ? [3, 4] : [1, 2];
        leak = Math.max(leak, weightOf(w, k, other[0]!) + weightOf(w, k, other[1]!));
      }
      return leak;
    };
    // Distance alone leaks: the legs are one leg's width apart.
    expect(legs(weigh(c, { method: 'bone', power: 2 }))).toBeGreaterThan(0.05);
    expect(legs(weigh(c, { method: 'visible', power: 2 }))).toBe(0);
    expect(legs(weigh(c, { method: 'heat' }))).toBeLessThan(0.02);
    // The article's test sees through the far wall from the outer sides, but not from the inner ones.
    const inner = weigh(c, { method: 'visible', power: 2, visibility: 'normals' });
    for (let k = 0; k < vertexCount; k++) {
      if (positions[3 * k] !== 1 || positions[3 * k + 1]! < 2 || positions[3 * k + 1]! > 5.9) continue;
      if (positions[3 * k + 2] === 0.5) expect(weightOf(inner, k, 3) + weightOf(inner, k, 4)).toBe(0);
    }
  });

  it('works on an open tube as on a closed one', () => {
    const closed = tubeCharacter();
    const open = tubeCharacter({ capped: false });
    for (const method of WEIGHT_METHODS) {
      const a = weigh(closed, { method });
      const b = weigh(open, { method });
      expectValid(b, open.surface.vertexCount, 3, 4);
      expect(b.unreached).toBe(0);
      for (let k = 5 * 16; k < 18 * 16; k++) expect(weightOf(b, k, 0)).toBeCloseTo(weightOf(a, k, 0), 1);
    }
  });

  it('binds two components each to its own bone, and one without a bone to the closest', () => {
    const shape = mergeShapes(
      gridBox([0, 0, 0], [2, 1, 1], 4),
      gridBox([4, 0, 0], [6, 1, 1], 4),
      gridBox([0.5, 1.5, 0.25], [1.5, 2, 0.75], 2),
    );
    const skeleton = chain([0.5, 1.5, 4.5, 5.5]);
    for (let i = 0; i < 4; i++) skeleton.inverseBinds.set([-skeleton.inverseBinds[16 * i]! * 0.5, -0.5], 16 * i + 13);
    const c = createCharacter(character([part(shape)], skeleton));
    expect(c.surface.components.length).toBe(3);
    for (const method of ['visible', 'heat'] as const) {
      const w = weigh(c, { method, influences: 2, power: 8 });
      expectValid(w, c.surface.vertexCount, 4, 2);
      expect(w.unreached).toBeGreaterThan(0);
      for (let k = 0; k < c.surface.vertexCount; k++) {
        const bone = w.bones[w.offsets[k]!]!;
        const x = c.surface.positions[3 * k]!;
        if (x > 3) expect([1, 2, 3]).toContain(bone);
        else expect([0, 1]).toContain(bone);
        if (method === 'visible' && c.surface.vertexComponent[k] === 2) {
          expect(w.offsets[k + 1]! - w.offsets[k]!).toBe(1); // rigid
        }
      }
    }
  });

  it('a shirt close around the body sees the bones inside', () => {
    const tube = tubeShape({ along: 23 });
    const shirt = tubeShape({ along: 23, radius: 1.03, capped: false });
    const inner = tubeShape({ along: 23, radius: 1.02, capped: false });
    // Outer and inner side of the shirt, joined at both ends.
    const first = shirt.positions.length / 3;
    const sleeve: Shape = {
      positions: [...shirt.positions, ...inner.positions],
      triangles: [
        ...shirt.triangles,
        ...inner.triangles.map((_, i) => first + inner.triangles[i % 3 === 1 ? i + 1 : i % 3 === 2 ? i - 1 : i]!),
      ],
    };
    for (const ring of [0, 22]) {
      for (let j = 0; j < 16; j++) {
        const [a, b] = [16 * ring + j, 16 * ring + ((j + 1) % 16)];
        const quad = [a, first + a, first + b, a, first + b, b];
        sleeve.triangles.push(...(ring === 0 ? quad : [a, first + b, first + a, a, b, first + b]));
      }
    }
    const c = createCharacter(character([part(mergeShapes(tube, sleeve))], chain([0, 3.3, 6.6])));
    expect(c.surface.components.map(({ solid }) => solid)).toEqual([true, true]);
    const w = weigh(c, { method: 'visible', lengths: false });
    expect(w.unreached).toBe(0);
    expect(w.bones[w.offsets[370 + 4 * 16]!]).toBe(0);
    expect(w.bones[w.offsets[370 + 18 * 16]!]).toBe(1);
  });

  it('a vertex that no bone reaches is rigid to its closest bone', () => {
    // A hook: from the far side of its bend no ray to the bone stays inside.
    const cells: [number, number, number][] = [];
    for (let x = 0; x < 8; x++) cells.push([x, 0, 0]);
    for (let y = 1; y < 4; y++) cells.push([7, y, 0]);
    for (let x = 0; x < 7; x++) cells.push([x, 3, 0]);
    const skeleton = chain([0.5, 3.5]);
    for (let i = 0; i < 2; i++) skeleton.inverseBinds.set([-0.5, -0.5], 16 * i + 13);
    const c = createCharacter(character([part(voxelShape(cells, 1))], skeleton));
    const w = weigh(c, { method: 'visible' });
    expect(w.unreached).toBeGreaterThan(4);
    const hidden = [...Array(c.surface.vertexCount).keys()].filter((k) => {
      const [x, y] = [c.surface.positions[3 * k]!, c.surface.positions[3 * k + 1]!];
      return x <= 3 && y >= 3;
    });
    expect(hidden.length).toBeGreaterThan(8);
    for (const k of hidden) {
      expect(w.offsets[k + 1]! - w.offsets[k]!).toBe(1);
      expect(w.bones[w.offsets[k]!]).toBe(0);
    }
    // Heat reaches them along the skin, past the second bone.
    const h = weigh(c, { method: 'heat' });
    for (const k of hidden) expect(h.bones[h.offsets[k]!]).toBe(1);
  });

  it('keeps the strongest influences only', () => {
    const c = createCharacter(character([part(sphereShape(8))], chain([-0.8, -0.5, -0.2, 0.1, 0.4, 0.7])));
    for (const method of WEIGHT_METHODS) {
      const full = weigh(c, { method, influences: 6, prune: 0 });
      for (const influences of [1, 2, 3]) {
        const w = weigh(c, { method, influences, prune: 0 });
        expectValid(w, c.surface.vertexCount, 6, influences);
        expect(w.maxInfluences).toBe(influences);
        for (let k = 0; k < c.surface.vertexCount; k++) {
          const kept = full.weights.subarray(full.offsets[k]!, full.offsets[k]! + influences);
          const sum = kept.reduce((a, b) => a + b);
          for (let n = 0; n < w.offsets[k + 1]! - w.offsets[k]!; n++) {
            expect(w.weights[w.offsets[k]! + n]).toBeCloseTo(kept[n]! / sum, 9);
          }
        }
      }
      const pruned = weigh(c, { method, influences: 6, prune: 0.1 });
      for (const weight of pruned.weights) expect(weight).toBeGreaterThanOrEqual(0.1);
    }
  });

  it('lets each group use its own bones only', () => {
    const parts = [part(boxShape(1, 1, 1)), part(boxShape(1, 1, 1, 0.5), undefined, { group: 1 })];
    const c = createCharacter(character(parts, chain([0.2, 0.6, 1])));
    for (const method of WEIGHT_METHODS) {
      const w = weigh(c, { method, bonesOfGroup: [[0], [1, 2]] });
      for (let k = 0; k < c.surface.vertexCount; k++) {
        const group = c.surface.components[c.surface.vertexComponent[k]!]!.group;
        for (const bone of w.bones.subarray(w.offsets[k]!, w.offsets[k + 1]!)) expect(bone === 0).toBe(group === 0);
      }
    }
  });

  it('gives the same result twice, bit for bit', () => {
    const c = uCharacter();
    for (const method of WEIGHT_METHODS) expect(weigh(c, { method })).toEqual(weigh(c, { method }));
  });

  it('has weights that bad triangles do not break', () => {
    const shape = tubeShape({ along: 23 });
    // Slivers: one ring almost on its neighbour.
    for (let j = 0; j < 16; j++) shape.positions[3 * (5 * 16 + j)] = shape.positions[3 * (6 * 16 + j)]! - 1e-7;
    const c = createCharacter(character([part(shape)], chain([0, 3.3, 6.6])));
    expectValid(weigh(c), c.surface.vertexCount, 3, 4);
  });

  it(`does not change when mesh and skeleton move together (seed ${SEED})`, () => {
    const base = bumpyTube();
    const rest = createCharacter(base);
    const before = WEIGHT_METHODS.map((method) => weigh(rest, { method, prune: 0 }));
    const unit = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(unit, unit, unit, unit), fc.tuple(unit, unit, unit), (q, t) => {
        fc.pre(Math.hypot(...q) > 0.1);
        const moved = createCharacter(moveInput(base, q, t));
        WEIGHT_METHODS.forEach((method, m) => {
          const w = weigh(moved, { method, prune: 0 });
          for (let k = 0; k < rest.surface.vertexCount; k++) {
            for (let bone = 0; bone < 3; bone++) {
              expect(Math.abs(weightOf(w, k, bone) - weightOf(before[m]!, k, bone))).toBeLessThan(1e-9);
            }
          }
        });
      }),
      { seed: SEED, numRuns: 20 },
    );
  });

  it('refuses options that mean nothing', () => {
    const c = tubeCharacter();
    const wrong: WeightOptions[] = [{ power: 0 }, { influences: 0 }, { influences: 2.5 }, { prune: 0.5 }];
    for (const options of wrong) expect(() => weigh(c, options)).toThrow(/WEIGHT_OPTION|use|usual/);
    expect(() => weigh(c, { method: 'magic' as 'heat' })).toThrow('There is no method “magic”');
    const none = { ...c.skeleton, boneCount: 0 };
    expect(() => autoWeights(c.surface, none)).toThrow('has no bone');
  });

  it('heat: c = 4 bends within half the length that c = 1 takes', () => {
    const c = tubeCharacter();
    const { positions, vertexCount } = c.surface;
    /** Distance from the joint at which the other bone's share has fallen to a tenth. */
    const reach = (locality: number) => {
      const w = weigh(c, { locality, prune: 0 });
      let far = 0;
      for (let k = 0; k < vertexCount; k++) {
        if (positions[3 * k]! < 3.3 && weightOf(w, k, 1) > 0.1) far = Math.max(far, 3.3 - positions[3 * k]!);
      }
      return far;
    };
    expect(reach(4)).toBeLessThan(0.6 * reach(1));
    expect(() => weigh(c, { locality: 0 })).toThrow('The locality 0 is not a number above 0');
  });
});

/** A tube without symmetry, so that no tie is decided by rounding. */
function bumpyTube(): CharacterInput {
  const shape = tubeShape({ along: 14, around: 11 });
  shape.positions = shape.positions.map((x, i) => x + 0.06 * Math.sin(12.9898 * i + 4));
  return character([part(shape)], chain([0.3, 3.1, 6.2]));
}

function moveInput(input: CharacterInput, q: readonly number[], t: readonly number[]): CharacterInput {
  const length = Math.hypot(...q);
  const [x, y, z, w] = q.map((value) => value / length) as [number, number, number, number];
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const turn = (p: ArrayLike<number>, i: number) =>
    rows.map((row, a) => row[0]! * p[i]! + row[1]! * p[i + 1]! + row[2]! * p[i + 2]! + t[a]!);
  const parts = input.parts.map((one) => {
    const positions = new Float64Array(one.positions.length);
    for (let i = 0; i < positions.length; i += 3) positions.set(turn(one.positions, i), i);
    return { ...one, positions };
  });
  const inverseBinds = input.skeleton.inverseBinds.slice();
  for (let i = 0; i < inverseBinds.length; i += 16) {
    const joint = [-inverseBinds[i + 12]!, -inverseBinds[i + 13]!, -inverseBinds[i + 14]!];
    inverseBinds.set(
      turn(joint, 0).map((value) => -value),
      i + 12,
    );
  }
  return { ...input, parts, skeleton: { ...input.skeleton, inverseBinds } };
}
