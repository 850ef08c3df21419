/** A dressed tube: skin, an open sleeve around it and a ring plate are one body, whatever the order or the side. */
import {
  type CharacterInput,
  createCharacter,
  createFrameSource,
  createPose,
  type PartInput,
  planBody,
  presetStack,
  type StackSpec,
} from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { planLayers } from '../../src/layers/plan-layers.js';
import { chain, character, part, type Shape, tube, tubeShape } from '../meshes.js';

const LENGTH = 3.3;
const SIZE = Math.hypot(2 * LENGTH, 2, 2);

const slide = ({ positions, triangles }: Shape, by: number): Shape => ({
  positions: positions.map((p, i) => (i % 3 === 0 ? p + by : p)),
  triangles,
});

function dress(): CharacterInput {
  const soft = (x: number) => {
    const u = Math.min(1, Math.max(0, (x - LENGTH + 1) / 2));
    return [1 - u * u * (3 - 2 * u), u * u * (3 - 2 * u)];
  };
  const skin = part(tubeShape({ around: 20, along: 30 }), soft, { name: 'skin' });
  const sleeve = part(
    slide(tubeShape({ radius: 1.05, length: 1.4, around: 18, along: 14, capped: false }), 1.9),
    soft,
    {
      name: 'sleeve',
    },
  );
  const plate = part(slide(tubeShape({ radius: 1.08, length: 0.2, around: 12, along: 3 }), 0.6), () => [1, 0], {
    name: 'plate',
  });
  return character([skin, sleeve, plate], chain([0, LENGTH]));
}

/** The same part with its vertices in another order, `order[new] = old`. */
function shuffle(own: PartInput, order: readonly number[]): PartInput {
  const at = new Map(order.map((old, now) => [old, now]));
  const take = (list: ArrayLike<number>, wide: number) =>
    order.flatMap((old) => Array.from({ length: wide }, (_, i) => list[wide * old + i]!));
  return {
    ...own,
    positions: Float64Array.from(take(own.positions, 3)),
    triangles: Uint32Array.from(own.triangles!, (k) => at.get(k)!),
    bones: take(own.bones!, own.influences!),
    weights: Float64Array.from(take(own.weights!, own.influences!)),
  };
}

function mirror(own: PartInput): PartInput {
  const positions = Float64Array.from(own.positions, (p, i) => (i % 3 === 2 ? -p : p));
  const triangles = Uint32Array.from(
    own.triangles!,
    (_, i) => own.triangles![i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]!,
  );
  return { ...own, positions, triangles };
}

const organic = presetStack('organic');

/** Positions of the source vertices of all parts, the second bone bent by 80° about y or z. */
function bend(input: CharacterInput, axis: number, stack: StackSpec = organic): number[] {
  const own = createCharacter(input);
  const pose = createPose(own);
  pose.locals[10 + 3 + axis] = Math.sin((40 * Math.PI) / 180);
  pose.locals[10 + 6] = Math.cos((40 * Math.PI) / 180);
  const { positions } = createFrameSource(planBody(own), stack).evaluate(pose, 0);
  return own.parts.flatMap(({ welded, vertexCount }) =>
    Array.from({ length: 3 * vertexCount }, (_, i) => positions[3 * welded[(i / 3) | 0]! + (i % 3)]!),
  );
}

const differ = (a: readonly number[], b: readonly number[]) =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0) / SIZE;

describe('planLayers', () => {
  it('makes one body of skin, sleeve and plate, and shares places between them', () => {
    const body = planBody(createCharacter(dress()));
    const layers = planLayers(body, body.room)!;
    expect(new Set(layers.bodyOf).size).toBe(1);
    expect(layers.clusters.count).toBeLessThan(0.8 * body.character.surface.vertexCount);
    const { offsets, shares } = layers.clusters.weights;
    for (let k = 0; k + 1 < offsets.length; k++) {
      const sum = shares.subarray(offsets[k]!, offsets[k + 1]!).reduce((a, b) => a + b, 0);
      expect(sum).toBeCloseTo(1, 9);
    }
  });

  it('is undefined for a plain tube: the plan stays what it was', () => {
    const body = planBody(createCharacter(tube()));
    expect(planLayers(body, body.room)).toBeUndefined();
  });

  it('moves a turned-up cuff with the skin that it is a part of', () => {
    const [radii, along, around] = [[1, 1.02, 1.04], 12, 24];
    const rings = [
      ...Array.from({ length: along + 1 }, (_, n) => [radii[0]!, (2 * LENGTH * n) / along]),
      ...Array.from({ length: 7 }, (_, n) => [radii[1]!, (2 * LENGTH * (along - n)) / along]),
      ...Array.from({ length: 7 }, (_, n) => [radii[2]!, (2 * LENGTH * (along - 6 + n)) / along]),
    ] as const;
    const positions = rings.flatMap(([r, x]) =>
      Array.from({ length: around }, (_, i) => (2 * Math.PI * i) / around).flatMap((a) => [
        x!,
        r! * Math.cos(a),
        r! * Math.sin(a),
      ]),
    );
    const triangles = rings.slice(1).flatMap((_, n) =>
      Array.from({ length: around }, (_, i) => {
        const [a, b] = [n * around + i, n * around + ((i + 1) % around)];
        return [a, b, b + around, a, b + around, a + around];
      }).flat(),
    );
    const soft = (x: number) => [1 - Math.min(1, x / 2 / LENGTH), Math.min(1, x / 2 / LENGTH)];
    const body = planBody(createCharacter(character([part({ positions, triangles }, soft)], chain([0, LENGTH]))));
    const layers = planLayers(body, body.room)!;
    const { directions } = layers.direct();
    const { surface } = body.character;
    const radius = (k: number) => Math.hypot(surface.positions[3 * k + 1]!, surface.positions[3 * k + 2]!);
    let backs = 0;
    for (let k = 0; k < surface.vertexCount; k++) {
      const x = surface.positions[3 * k]!;
      if (x < 1.2 * LENGTH || x > 1.8 * LENGTH) continue;
      expect(layers.solitude[k]).toBeLessThan(0.5);
      // The middle sheet faces inwards, and is pushed outwards like the two beside it.
      const outward =
        (directions[3 * k + 1]! * surface.positions[3 * k + 1]! +
          directions[3 * k + 2]! * surface.positions[3 * k + 2]!) /
        radius(k);
      expect(outward).toBeGreaterThan(0.7);
      if (Math.abs(radius(k) - radii[1]!) < 0.005) backs++;
    }
    expect(backs).toBeGreaterThanOrEqual(2 * around);
  });

  it('does not depend on the order of the vertices: 0.02 % of the size', () => {
    const input = dress();
    // Steps that share no factor with the counts.
    const orders = input.parts.map(({ positions }) => {
      const count = positions.length / 3;
      let step = 7;
      while (count % step === 0) step += 2;
      return Array.from({ length: count }, (_, n) => (n * step + 3) % count);
    });
    const other = { ...input, parts: input.parts.map((own, i) => shuffle(own, orders[i]!)) };
    const plain = bend(input, 1);
    let first = 0;
    const sorted = orders.flatMap((order) => {
      const own = order.flatMap((old) => [0, 1, 2].map((r) => plain[3 * (first + old) + r]!));
      first += order.length;
      return own;
    });
    expect(differ(bend(other, 1), sorted)).toBeLessThan(2e-4);
  });

  it('is mirrored where the input is: 0.05 % of the size', () => {
    const input = dress();
    const other = { ...input, parts: input.parts.map(mirror) };
    const plain = bend(input, 2);
    const image = bend(other, 2).map((p, i) => (i % 3 === 2 ? -p : p));
    expect(differ(image, plain)).toBeLessThan(5e-4);
  });

  it('corrects the dressed body', () => {
    const input = dress();
    const plain = bend(input, 1, { skin: {} });
    const moved = bend(input, 1);
    expect(differ(plain, moved)).toBeGreaterThan(1e-3);
  });

  it('vertices that are fixed and painted do not move, layered or not', () => {
    const input = dress();
    const count = createCharacter(input).surface.vertexCount;
    const fixed = Array.from({ length: count }, (_, k) => k).filter((k) => k % 3 === 0);
    const stack = { ...organic, volume: { ...organic.volume, map: { ...organic.volume?.map, fixed } } } as StackSpec;
    const own = createCharacter(input);
    const pose = createPose(own);
    pose.locals[14] = Math.sin((40 * Math.PI) / 180);
    pose.locals[16] = Math.cos((40 * Math.PI) / 180);
    const still = createFrameSource(planBody(own), { skin: {} }).evaluate(pose, 0).positions.slice();
    const moved = createFrameSource(planBody(own), stack).evaluate(pose, 0).positions;
    for (const k of fixed) for (let r = 0; r < 3; r++) expect(moved[3 * k + r]).toBeCloseTo(still[3 * k + r]!, 10);
    expect(moved.some((p, i) => Math.abs(p - still[i]!) > 1e-3 * SIZE)).toBe(true);
  });
});
