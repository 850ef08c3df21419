import { skinLinear } from '@isoskin/core/kernels';
import { openRoom } from '@isoskin/wasm/bake';
import { describe, expect, it } from 'vitest';

/** Numbers between −1 and 1, the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const random = createRandom(7);
const numbers = (length: number) => Float64Array.from({ length }, random);
const [POINTS, BONES] = [50, 6];

describe('points in WASM', () => {
  const offsets = Uint32Array.from({ length: POINTS + 1 }, (_, u) => 2 * u + Math.floor(u / 3));
  const entries = offsets[POINTS]!;
  const bones = Uint32Array.from({ length: entries }, (_, i) => (7 * i) % BONES);
  const weights = numbers(entries);
  const rest = numbers(3 * POINTS);
  const matrices = numbers(12 * BONES);

  it('skins as the reference kernels do, bit for bit, with what is added in f32', () => {
    const moved = Float32Array.from(numbers(3 * POINTS));
    const out = new Float64Array(3 * POINTS);
    const { code, lists, at } = openRoom({
      offsets,
      bones,
      weights,
      rest,
      matrices,
      moved,
      out,
      blends: new Float64Array(9 * POINTS),
    });
    const skin = (positions: Float64Array) => {
      const input = { positions, directions: positions, offsets, bones, weights };
      const found = { positions: new Float64Array(3 * POINTS), directions: new Float64Array(3 * POINTS) };
      skinLinear(found, input, matrices, 0, POINTS);
      return found.positions;
    };
    code.skinPoints(at.out, 0, at.rest, 0, at.offsets, at.bones, at.weights, at.matrices, POINTS);
    expect(lists.out).toEqual(skin(rest));
    expect(lists.blends.every((x) => x === 0)).toBe(true);
    code.skinPoints(at.out, at.blends, at.rest, at.moved, at.offsets, at.bones, at.weights, at.matrices, POINTS);
    const sum = rest.map((x, i) => x + moved[i]!);
    expect(lists.out).toEqual(skin(sum));
    for (let u = 0; u < POINTS; u++) {
      const turned = [0, 1, 2].map((r) =>
        [0, 1, 2].reduce((x, c) => x + lists.blends[9 * u + 3 * c + r]! * sum[3 * u + c]!, 0),
      );
      const still = skin(new Float64Array(3 * POINTS));
      for (let r = 0; r < 3; r++) expect(turned[r]).toBeCloseTo(lists.out[3 * u + r]! - still[3 * u + r]!, 12);
    }
  });

  it('morphs, pushes, gathers and compares', () => {
    const morphOffsets = Uint32Array.of(0, 2, 2, 3);
    const targets = Uint32Array.of(0, 2, 1);
    const [deltas, morphWeights, out] = [numbers(9), numbers(3), new Float64Array(9)];
    const three = rest.slice(0, 9);
    const scales = Float64Array.of(1, 2, -1);
    const lists = {
      morphOffsets,
      targets,
      deltas,
      morphWeights,
      three,
      out,
      scales,
      row: new Float32Array(9),
      found: new Float64Array(3),
      order: Uint32Array.of(2, 0, 0),
    };
    const room = openRoom(lists);
    const { code, at } = room;
    code.morphPoints(at.out, at.three, at.morphOffsets, at.targets, at.deltas, at.morphWeights, 3);
    for (let i = 0; i < 9; i++) {
      const own = [...targets.keys()].filter(
        (e) => e >= morphOffsets[Math.floor(i / 3)]! && e < morphOffsets[Math.floor(i / 3) + 1]!,
      );
      const moved = own.reduce((x, e) => x + morphWeights[targets[e]!]! * deltas[3 * e + (i % 3)]!, three[i]!);
      expect(room.lists.out[i]).toBe(moved);
    }
    code.comparePoints(at.found, at.out, at.three, 0, 3);
    const square = [0, 3, 6].map((i) =>
      [0, 1, 2].reduce((x, r) => x + (room.lists.out[i + r]! - three[i + r]!) ** 2, 0),
    );
    expect(room.lists.found[0]).toBeCloseTo(Math.max(...square), 14);
    expect([...room.lists.found.subarray(1)]).toEqual([Math.min(...room.lists.out), Math.max(...room.lists.out)]);
    // φ as deltas of one number: shapes and values are the lists above, the welded vertices those of `order`.
    code.pushPoints(at.row, at.order, at.scales, at.morphOffsets, at.targets, at.deltas, at.three, at.morphWeights, 3);
    const push = (k: number) =>
      [...targets.keys()].reduce(
        (x, e) => (e >= morphOffsets[k]! && e < morphOffsets[k + 1]! ? x + morphWeights[targets[e]!]! * deltas[e]! : x),
        0,
      );
    [2, 0, 0].forEach((k, u) => {
      for (let r = 0; r < 3; r++)
        expect(room.lists.row[3 * u + r]).toBe(Math.fround((push(k) / scales[u]!) * three[3 * k + r]!));
    });
    room.lists.three[4] = Number.NaN;
    code.comparePoints(at.found, at.out, at.three, 0, 3);
    expect(room.lists.found[0]).toBeNaN();
    code.gatherPoints(at.out, at.three, at.order, 3);
    expect([...room.lists.out]).toEqual([...three.subarray(6, 9), ...three.subarray(0, 3), ...three.subarray(0, 3)]);
  });
});
