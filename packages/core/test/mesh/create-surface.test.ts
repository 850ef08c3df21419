import { type Character, type CharacterInput, createCharacter } from '@isoskin/core';
import { createSurface, NO_COMPONENT } from '@isoskin/core/mesh';
import fc from 'fast-check';
import Module from 'manifold-3d';
import { describe, expect, it } from 'vitest';
import * as meshes from '../meshes.js';

const total = (c: Character) => c.surface.components.reduce((sum, part) => sum + part.volume, 0);
const codes = (c: Character) => c.warnings.map((w) => w.code);
const polygon = (n: number) => (n / 2) * Math.sin((2 * Math.PI) / n); // area of the regular n-gon in the unit circle

describe('volumes that are known', () => {
  it('box', () => {
    const c = createCharacter(meshes.box(1, 2, 3));
    expect(total(c)).toBeCloseTo(6, 12);
    expect(c.warnings).toEqual([]);
    expect(c.surface.components).toEqual([
      { name: 'mesh', group: 0, vertexCount: 8, triangleCount: 12, boundaryLoops: 0, volume: total(c), solid: true },
    ]);
  });
  it('tube = prism over a 16-gon, 258 vertices', () => {
    const c = createCharacter(meshes.tube());
    expect(c.surface.vertexCount).toBe(258);
    expect(total(c)).toBeCloseTo(6.6 * polygon(16), 11);
  });
  it('sphere tends to 4π/3 with the square of the step', () => {
    const error = (n: number) => (4 * Math.PI) / 3 - total(createCharacter(meshes.sphere(n)));
    expect(error(64)).toBeLessThan(0.006);
    expect(error(32) / error(64)).toBeCloseTo(4, 0);
  });
  it('torus: 2π²Rr² times the polygons’ shares', () => {
    const [n, m, R, r] = [64, 48, 2, 0.5];
    const exact = 2 * Math.PI ** 2 * R * r * r;
    expect(total(createCharacter(meshes.torus(n, m, R, r)))).toBeCloseTo(exact, 0);
    expect(total(createCharacter(meshes.torus(256, 192, R, r))) / exact).toBeCloseTo(1, 3);
  });
  it('agrees with manifold-3d', async () => {
    const wasm = await Module();
    wasm.setup();
    const shape = meshes.torusShape(24, 12);
    const mesh = new wasm.Mesh({
      numProp: 3,
      vertProperties: Float32Array.from(shape.positions),
      triVerts: Uint32Array.from(shape.triangles),
    });
    const oracle = new wasm.Manifold(mesh).volume();
    expect(total(createCharacter(meshes.torus(24, 12))) / oracle).toBeCloseTo(1, 5);
  });
  it('holds far from the origin', () => {
    const shape = meshes.boxShape(1, 1, 1, 1e6, -2e6, 3e6);
    expect(total(createCharacter(meshes.character([meshes.part(shape)])))).toBe(1);
  });
});

describe('holes', () => {
  it('an open tube has the volume of the closed one, whose cap centres are the means of the rings', () => {
    const open = createCharacter(meshes.openTube());
    const { caps, defects, components } = open.surface;
    expect(total(open)).toBeCloseTo(total(createCharacter(meshes.tube())), 11);
    expect([caps.count, defects.boundaryLoops, defects.boundaryEdges]).toEqual([2, 2, 32]);
    expect(components[0]).toMatchObject({ boundaryLoops: 2, solid: true });
    expect([...caps.component]).toEqual([0, 0]);
    expect([...caps.members.values.slice(0, 16)]).toEqual(Array.from({ length: 16 }, (_, i) => i));
    expect([...caps.members.offsets]).toEqual([0, 16, 32]);
    expect([...caps.edges.offsets]).toEqual([0, 16, 32]);
    expect(codes(open)).toEqual(['OPEN_BORDERS']);
  });
  it('two holes that share a vertex are one', () => {
    const shape = meshes.boxShape(1, 1, 1);
    shape.triangles.splice(0, 3); // 0 2 3 of the bottom
    shape.triangles.splice(15, 3); // 2 6 7 or another triangle that touches it
    const { caps } = createCharacter(meshes.character([meshes.part(shape)])).surface;
    expect(caps.count).toBe(1);
  });
  it('a flat card and a two-sided card have no volume', () => {
    const card = { positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], triangles: [0, 1, 2, 0, 2, 3] };
    const both = { positions: card.positions, triangles: [...card.triangles, ...meshes.reverseShape(card).triangles] };
    for (const [shape, loops] of [
      [card, 1],
      [both, 0],
    ] as const) {
      const c = createCharacter(meshes.character([meshes.part(shape)]));
      expect(c.surface.components[0]).toMatchObject({ solid: false, boundaryLoops: loops });
      expect(codes(c)).toContain('FLAT_COMPONENTS');
    }
  });
  it('a thin plate is still a body', () => {
    expect(createCharacter(meshes.box(1, 1, 1 / 1000)).surface.components[0]!.solid).toBe(true);
  });
});

describe('defects', () => {
  it('non-manifold edges are counted and do no harm', () => {
    const c = createCharacter(meshes.cubesOnAnEdge());
    expect(c.surface.defects).toMatchObject({ nonManifoldEdges: 1, boundaryEdges: 0 });
    expect(c.surface.vertexCount).toBe(14);
    expect(c.surface.components.length).toBe(1);
    expect(total(c)).toBeCloseTo(2, 12);
    expect(codes(c)).toEqual(['NON_MANIFOLD_EDGES']);
  });
  it('inconsistent triangles are turned to agree with the majority', () => {
    const c = createCharacter(meshes.inconsistentBox([3, 8]));
    expect(total(c)).toBeCloseTo(1, 12);
    expect(c.surface.defects).toMatchObject({ flippedTriangles: 2, boundaryEdges: 0 });
    expect(codes(c)).toEqual(['FLIPPED_TRIANGLES']);
    expect([...c.surface.triangles]).toEqual([...createCharacter(meshes.box()).surface.triangles]);
  });
  it('a Möbius band is left alone', () => {
    const positions: number[] = [];
    const n = 12;
    for (let i = 0; i < n; i++) {
      const u = (2 * Math.PI * i) / n;
      for (const w of [-0.3, 0.3]) {
        const d = 1 + w * Math.cos(u / 2);
        positions.push(d * Math.cos(u), d * Math.sin(u), w * Math.sin(u / 2));
      }
    }
    const triangles: number[] = [];
    for (let i = 0; i < n; i++) {
      const [a, b] = [2 * i, 2 * i + 1];
      const [c, d] = i + 1 < n ? [a + 2, b + 2] : [1, 0];
      triangles.push(a, c, b, b, c, d);
    }
    const { surface, warnings } = createSurface({
      positions: Float64Array.from(positions),
      triangles: Uint32Array.from(triangles),
    });
    expect(warnings.map((w) => w.code)).toContain('NOT_ORIENTABLE');
    expect(warnings.map((w) => w.code)).not.toContain('FLIPPED_TRIANGLES');
    expect(surface.triangles.length).toBe(triangles.length);
    // There is no inside: nothing of it is corrected, and that is said.
    expect(surface.components.map(({ solid }) => solid)).toEqual([false]);
    expect(warnings.map((w) => w.code)).toContain('ONE_SIDED_COMPONENTS');
  });
  it('an inside-out character is turned as a whole, caps too', () => {
    const shape = meshes.reverseShape(meshes.tubeShape({ capped: false }));
    const c = createCharacter(meshes.character([meshes.part(shape)]));
    expect(total(c)).toBeCloseTo(total(createCharacter(meshes.tube())), 11);
    expect(codes(c)).toContain('INSIDE_OUT');
    expect(closedBalance(c)).toBe(true);
  });
  it('a negative scale mirrors the rest shape and winds it the other way', () => {
    const c = createCharacter(meshes.character([meshes.part(meshes.boxShape(1, 2, 3), undefined, { scale: -2 })]));
    expect(total(c)).toBeCloseTo(48, 10);
    expect(codes(c)).toEqual([]);
    expect(c.surface.positions[3]).toBe(-2);
  });
  it('a cavity keeps its negative volume', () => {
    const hollow = meshes.mergeShapes(meshes.boxShape(3, 3, 3), meshes.reverseShape(meshes.boxShape(1, 1, 1, 1, 1, 1)));
    const c = createCharacter(meshes.character([meshes.part(hollow)]));
    expect(c.surface.components.map((p) => Math.round(p.volume))).toEqual([27, -1]);
    expect(codes(c)).toEqual(['NEGATIVE_COMPONENT']);
  });
  it('duplicates and collapsed triangles go, opposite-facing ones stay, unused vertices are counted', () => {
    const shape = meshes.boxShape(1, 1, 1);
    shape.triangles.push(2, 3, 0, 5, 5, 1, 7, 6, 4, 0, 3, 2);
    shape.positions.push(9, 9, 9);
    const { surface } = createCharacter(meshes.character([meshes.part(shape)]));
    // 2 3 0 and 7 6 4 are rotations of triangles that are there already, 0 3 2 is the reverse of one.
    expect(surface.defects).toMatchObject({ duplicateTriangles: 2, degenerateTriangles: 1, unusedVertices: 1 });
    expect(surface.triangles.length / 3).toBe(13);
    expect(surface.vertexComponent[8]).toBe(NO_COMPONENT);
  });
});

/** Whether triangles and cap triangles together run along every edge equally often both ways. */
function closedBalance({ surface: { triangles, caps, vertexCount } }: Character): boolean {
  const net = new Map<string, number>();
  const run = (a: number, b: number) => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    net.set(key, (net.get(key) ?? 0) + (a < b ? 1 : -1));
  };
  const add = (a: number, b: number, c: number) => {
    run(a, b);
    run(b, c);
    run(c, a);
  };
  for (let t = 0; t < triangles.length; t += 3) add(triangles[t]!, triangles[t + 1]!, triangles[t + 2]!);
  for (let a = 0; a < caps.count; a++) {
    for (let e = caps.edges.offsets[a]!; e < caps.edges.offsets[a + 1]!; e++) {
      add(caps.edges.values[2 * e]!, caps.edges.values[2 * e + 1]!, vertexCount + a);
    }
  }
  return [...net.values()].every((n) => n === 0);
}

describe('structure', () => {
  const all = { ...meshes.closed(), ...meshes.withBoundary(), ...meshes.nonManifold(), ...meshes.selfContact() };
  for (const [name, input] of Object.entries(all)) {
    it(`${name}: closed with its caps; corners and neighbours match the triangles`, () => {
      const c = createCharacter(input);
      const { triangles, corners, neighbours, vertexCount } = c.surface;
      expect(closedBalance(c)).toBe(true);
      const near = Array.from({ length: vertexCount }, () => new Set<number>());
      triangles.forEach((v, i) => {
        const t = i - (i % 3);
        for (const w of triangles.slice(t, t + 3)) if (w !== v) near[v]!.add(w);
      });
      for (let v = 0; v < vertexCount; v++) {
        const mine = [...corners.values.slice(corners.offsets[v], corners.offsets[v + 1])];
        expect(mine.every((i) => triangles[i] === v)).toBe(true);
        const list = [...neighbours.values.slice(neighbours.offsets[v], neighbours.offsets[v + 1])];
        expect(list).toEqual([...near[v]!].sort((a, b) => a - b));
      }
      expect(corners.values.length).toBe(triangles.length);
    });
  }
});

describe('invariance', () => {
  const seed = 20261115;
  const inputs = [
    meshes.tube({ around: 7, along: 5 }),
    meshes.openTube({ around: 6, along: 4 }),
    meshes.seamedBox(1, 2, 3),
  ];
  const summary = (c: Character) => [c.surface.components.length, c.surface.caps.count, c.surface.vertexCount];

  it(`order of vertices and triangles does not matter (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), fc.infiniteStream(fc.nat(1e6)), (which, random) => {
        const plain = createCharacter(inputs[which]!);
        const mixed = createCharacter(shuffleInput(inputs[which]!, () => random.next().value));
        expect(summary(mixed)).toEqual(summary(plain));
        expect(total(mixed) / total(plain)).toBeCloseTo(1, 12);
      }),
      { seed, numRuns: 30 },
    );
  });
  it(`turning and moving changes no volume (seed ${seed})`, () => {
    const number = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), number, number, number, (which, angle, dx, dy) => {
        const input = inputs[which]!;
        const [s, c] = [Math.sin(angle), Math.cos(angle)];
        const positions = input.parts[0]!.positions.map((_, i, p) => {
          const [x, y, z] = [p[i - (i % 3)]!, p[i - (i % 3) + 1]!, p[i - (i % 3) + 2]!];
          return i % 3 === 0 ? c * x - s * z + dx : i % 3 === 1 ? y + 100 * dy : s * x + c * z;
        });
        const moved = createCharacter({ ...input, parts: [{ ...input.parts[0]!, positions }] });
        const plain = createCharacter(input);
        expect(summary(moved)).toEqual(summary(plain));
        expect(total(moved) / total(plain)).toBeCloseTo(1, 11);
      }),
      { seed, numRuns: 50 },
    );
  });
});

function shuffleInput(input: CharacterInput, random: () => number): CharacterInput {
  const [part] = input.parts;
  const { positions, weights, influences } = part!;
  const bones = Array.from(part!.bones);
  const order = (n: number) => {
    const list = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = random() % (i + 1);
      [list[i], list[j]] = [list[j]!, list[i]!];
    }
    return list;
  };
  const from = order(positions.length / 3); // new → old
  const to = new Uint32Array(from.length);
  from.forEach((old, v) => {
    to[old] = v;
  });
  const triangles = Array.from(part!.triangles!);
  const rows = (values: ArrayLike<number>, width: number) =>
    from.flatMap((v) => Array.from({ length: width }, (_, k) => values[v * width + k]!));
  return {
    ...input,
    parts: [
      {
        ...part!,
        positions: Float64Array.from(rows(positions, 3)),
        bones: rows(bones, influences),
        weights: Float64Array.from(rows(weights, influences)),
        triangles: order(triangles.length / 3).flatMap((t) => triangles.slice(3 * t, 3 * t + 3).map((v) => to[v]!)),
      },
    ],
  };
}

describe('the reference tube', () => {
  it('loses 0.17 / 1.47 / 3.92 / 7.22 / 11.0 % under linear skinning at 10 / 30 / 50 / 70 / 90°', () => {
    const c = createCharacter(meshes.tube());
    const { positions, triangles } = c.surface;
    const loss = (degrees: number) => {
      const [s, k] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
      const bent = positions.slice();
      for (let v = 0; v < c.surface.vertexCount; v++) {
        let w = 0;
        for (let i = c.binding.offsets[v]!; i < c.binding.offsets[v + 1]!; i++) {
          if (c.binding.bones[i] === 1) w = c.binding.weights[i]!;
        }
        const [x, z] = [positions[3 * v]! - 3.3, positions[3 * v + 2]!];
        bent[3 * v]! += w * (k * x + s * z - x);
        bent[3 * v + 2]! += w * (-s * x + k * z - z);
      }
      return 100 * (1 - createSurface({ positions: bent, triangles }).surface.components[0]!.volume / total(c));
    };
    const expected = [0.17, 1.47, 3.92, 7.22, 11.0];
    for (const [i, degrees] of [10, 30, 50, 70, 90].entries()) expect(loss(degrees)).toBeCloseTo(expected[i]!, 1);
  });
});
