import { type CharacterInput, type Clip, createCharacter, IsoskinError, type PartInput } from '@isoskin/core';
import { createStillCharacter } from '@isoskin/core/kernels';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as meshes from '../meshes.js';

const box = meshes.box();
const withPart = (more: Partial<PartInput>, skeleton = meshes.chain([0, 5])): CharacterInput =>
  meshes.character([{ ...box.parts[0]!, ...more }], skeleton);
const set = (values: ArrayLike<number>, at: number, value: number) =>
  Float64Array.from(values, (v, i) => (i === at ? value : v));
const fault = (input: CharacterInput): IsoskinError => {
  try {
    createCharacter(input);
  } catch (error) {
    if (error instanceof IsoskinError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('what is refused', () => {
  const { positions, triangles } = box.parts[0]!;
  const cases: [string, CharacterInput, string][] = [
    ['EMPTY_MESH', meshes.character([]), 'test'],
    ['EMPTY_MESH', withPart({ triangles: [] }), 'test'],
    ['POSITION_NOT_FINITE', withPart({ positions: set(positions, 16, Number.NaN) }), 'part "mesh", vertex 5'],
    ['POSITION_NOT_FINITE', withPart({ positions: set(positions, 3, Infinity) }), 'part "mesh", vertex 1'],
    ['ARRAY_LENGTH', withPart({ positions: positions.slice(1) }), 'part "mesh"'],
    ['ARRAY_LENGTH', withPart({ triangles: [0, 1] }), 'part "mesh"'],
    ['ARRAY_LENGTH', withPart({ weights: new Float64Array(7) }), 'part "mesh"'],
    ['TRIANGLE_OUT_OF_RANGE', withPart({ triangles: set(triangles!, 7, 8) }), 'part "mesh", triangle 2'],
    ['TRIANGLE_OUT_OF_RANGE', withPart({ triangles: set(triangles!, 0, -1) }), 'part "mesh", triangle 0'],
    ['BONE_OUT_OF_RANGE', withPart({ bones: [0, 0, 0, 2, 0, 0, 0, 0] }), 'part "mesh", vertex 3'],
    ['PARENT_ORDER', withPart({}, { ...meshes.chain([0, 1]), parents: [1, -1] }), 'node 0 "bone 0"'],
    ['NO_BONES', withPart({}, meshes.chain([])), 'skeleton'],
    [
      'BIND_NOT_FINITE',
      withPart({}, { ...meshes.chain([0, 1]), inverseBinds: new Float64Array(32).fill(Number.NaN, 20) }),
      'bone 1, node 1 "bone 1"',
    ],
  ];
  for (const [code, input, place] of cases) {
    it(`${code} at ${place}`, () => {
      const error = fault(input);
      expect([error.code, error.place]).toEqual([code, place]);
      expect(error.message).toContain(place);
    });
  }

  const clip = (more: Partial<Clip['channels'][number]>): CharacterInput => ({
    ...box,
    clips: [
      {
        name: 'run',
        duration: 1,
        channels: [
          {
            target: 0,
            path: 'translation',
            interpolation: 'LINEAR',
            times: new Float32Array([0, 1]),
            values: new Float32Array(6),
            width: 3,
            ...more,
          },
        ],
      },
    ],
  });
  it('clips with arrays that do not fit', () => {
    expect(createCharacter(clip({})).clips.length).toBe(1);
    expect(createCharacter(clip({ interpolation: 'CUBICSPLINE', values: new Float32Array(18) })).clips.length).toBe(1);
    expect(fault(clip({ interpolation: 'CUBICSPLINE' })).code).toBe('ARRAY_LENGTH');
    expect(fault(clip({ values: new Float32Array(5) })).code).toBe('ARRAY_LENGTH');
    expect(fault(clip({ times: new Float32Array([1, 0]) })).code).toBe('KEY_TIMES');
    expect(fault(clip({ times: new Float32Array([0, Number.NaN]) })).code).toBe('KEY_TIMES');
    expect(fault(clip({ path: 'rotation' })).code).toBe('CHANNEL_WIDTH');
    expect(fault(clip({ target: 1 })).code).toBe('CHANNEL_TARGET');
    expect(fault(clip({ path: 'weights', width: 1 })).code).toBe('CHANNEL_TARGET');
  });
});

describe('what is mended', () => {
  const row = (input: CharacterInput, vertex: number) => {
    const { binding, warnings } = createCharacter(input);
    const [begin, end] = [binding.offsets[vertex]!, binding.offsets[vertex + 1]!];
    return {
      bones: [...binding.bones.slice(begin, end)],
      weights: [...binding.weights.slice(begin, end)],
      codes: warnings.map((w) => w.code),
      binding,
    };
  };
  const weigh = (bones: number[], weights: number[], skeleton = meshes.chain([0, 1, 2, 3])): CharacterInput => {
    const all = <T>(list: T[]) => Array.from({ length: 8 }, () => list).flat();
    return withPart(
      { bones: all(bones), weights: Float64Array.from(all(weights)), influences: bones.length },
      skeleton,
    );
  };
  it('sorts, merges, drops zeros and ignores bones without weight', () => {
    const { bones, weights, codes } = row(weigh([0, 3, 99, 0, 2], [0.25, 0.5, 0, 0.125, 0.125]), 0);
    expect([bones, weights, codes]).toEqual([[3, 0, 2], [0.5, 0.375, 0.125], []]);
  });
  it('a bone that grows overtakes the others', () => {
    const { bones, weights } = row(weigh([1, 0, 2, 0], [0.3, 0.25, 0.2, 0.25]), 0);
    expect([bones, weights]).toEqual([
      [0, 1, 2],
      [0.5, 0.3, 0.2],
    ]);
  });
  it('NaN and negative weights count as 0', () => {
    const { bones, codes, weights } = row(weigh([0, 1, 2], [Number.NaN, -0.5, 1]), 3);
    expect([bones, weights, codes]).toEqual([[2], [1], ['WEIGHTS_IMPOSSIBLE']]);
  });
  it('sums are normalised and reported', () => {
    const { weights, codes, binding } = row(weigh([0, 1], [0.75, 0.75]), 0);
    expect([weights, codes, binding.weightSumError]).toEqual([[0.5, 0.5], ['WEIGHTS_NOT_NORMALISED'], 0.5]);
  });
  it('rounding of weights stored as bytes is no alarm', () => {
    const { codes, binding } = row(weigh([0, 1, 2, 3], [0.25 + 1 / 256, 0.25, 0.25, 0.25]), 0);
    expect([codes, binding.weightSumError]).toEqual([[], 1 / 256]);
  });
  it('a vertex without weight goes to the nearest joint that the mesh uses', () => {
    const shape = meshes.tubeShape();
    const input = (skeleton = meshes.chain([0, 3.3, 6.6])) =>
      meshes.character(
        [meshes.part(shape, (x, _y, _z, v) => (v === 257 ? [0, 0, 0] : x < 3 ? [1, 0, 0] : [0, 1, 0]))],
        skeleton,
      );
    const { bones, weights, codes } = row(input(), 257);
    expect([bones, weights]).toEqual([[1], [1]]);
    expect(codes).toContain('VERTEX_WITHOUT_WEIGHT');
    const none = createCharacter(withPart({ weights: new Float64Array(8) }, meshes.chain([-9, 0.9])));
    expect([...none.binding.bones]).toEqual(new Array(8).fill(1));
  });
  it('finds joints behind rotated and scaled bind matrices', () => {
    // Bone 0 at (4, 0, 0); bone 1 at (0, 2, 0), turned by 90° about z and scaled by 10.
    const skeleton = meshes.chain([4, 0]);
    skeleton.inverseBinds.set([0, 10, 0, 0, -10, 0, 0, 0, 0, 0, 10, 0, 20, 0, 0, 1], 16);
    const c = createCharacter(withPart({ weights: new Float64Array(8) }, skeleton));
    expect([...c.binding.bones]).toEqual(new Array(8).fill(1));
  });
  const seed = 11;
  it(`any weights become ≥ 0, sum to 1, strongest first, each bone once (seed ${seed})`, () => {
    const weight = fc.oneof(fc.double({ min: -1, max: 2 }), fc.constantFrom(0, Number.NaN, Infinity));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), weight), { minLength: 1, maxLength: 9 }), (slots) => {
        const { bones, weights } = row(
          weigh(
            slots.map((s) => s[0]),
            slots.map((s) => s[1]),
          ),
          0,
        );
        expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
        expect(weights.every((w, i) => w > 0 && (i === 0 || w <= weights[i - 1]!))).toBe(true);
        expect(new Set(bones).size).toBe(bones.length);
      }),
      { seed, numRuns: 300 },
    );
  });
});

describe('the rest', () => {
  it('a still character is the same without clips, and as strict', () => {
    const input = meshes.morphingBox();
    expect(createStillCharacter(input)).toEqual(createCharacter(input));
    expect(() => createStillCharacter(withPart({ positions: set(box.parts[0]!.positions, 4, Number.NaN) }))).toThrow(
      /position is NaN/,
    );
  });

  it('scales positions and morphs, and keeps morphs sparse', () => {
    const from = meshes.boxShape(1, 1, 1);
    const grow = Float64Array.from(from.positions, (_, i) => (i === 3 ? 0.5 : 0));
    const c = createCharacter({
      ...meshes.character([meshes.part(from, undefined, { scale: 100, morphs: { first: 0, deltas: [grow, null] } })]),
      morphs: [
        { name: 'grow', group: 0, weight: 0.25 },
        { name: 'nothing', group: 0, weight: 0 },
      ],
    });
    expect(c.surface.components[0]!.volume).toBeCloseTo(1e6, 4);
    expect([...c.morphs[0]!.vertices]).toEqual([1]);
    expect([...c.morphs[0]!.deltas]).toEqual([50, 0, 0]);
    expect(c.morphs[1]).toMatchObject({ name: 'nothing', vertices: new Uint32Array(0) });
    expect([...c.morphWeights]).toEqual([0.25, 0]);
    expect(c.parts[0]!.scale).toBe(100);
  });
  it('reads unindexed triangles, several parts and groups', () => {
    const shape = meshes.splitShape(meshes.boxShape(1, 1, 1));
    const { triangles: _, ...bare } = meshes.part(shape);
    const c = createCharacter(
      meshes.character([
        { ...bare, name: 'a' },
        { ...bare, name: 'b', group: 7 },
      ]),
    );
    expect(c.surface.components.map((p) => [p.name, p.group, p.vertexCount])).toEqual([
      ['a', 0, 8],
      ['b', 7, 8],
    ]);
    expect(Math.min(...c.parts[1]!.welded)).toBe(8);
  });
  it('does not change its input', () => {
    const input = meshes.seamedBox();
    const before = structuredClone(input);
    createCharacter({ ...input, borderTolerance: 1e-3 });
    expect(input).toEqual(before);
  });
});
