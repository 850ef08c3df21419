/** Options that act or refuse, through a file as a user has it: attributes of any name, bones per region, an off-centre tube, contact with progressive poses. */
import {
  type Character,
  checkStack,
  createCharacter,
  createFrameSource,
  createPose,
  planBody,
  type StackSpec,
} from '@isoskin/core';
import { countSelfIntersectionsOf } from '@isoskin/core/mesh';
import { createDemo, createDemoInput } from '@isoskin/demos';
import { readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';

/** A tube with an attribute that is 1 where x > 0. */
async function readPainted(name: string): Promise<Character> {
  const input = createDemoInput('tube', { vertices: 600 });
  const [part] = input.parts;
  const values = Float32Array.from({ length: part!.positions.length / 3 }, (_, v) =>
    part!.positions[3 * v]! > 0 ? 1 : 0,
  );
  const painted = createCharacter({ ...input, parts: [{ ...part!, paint: new Map([[name, values]]) }] });
  return (await readCharacterFromBytes(await writeCharacter(painted))).character;
}

function bend(character: Character, degrees: number) {
  const pose = createPose(character);
  const half = (degrees * Math.PI) / 360;
  pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], 10 + 3);
  return pose;
}

function evaluate(character: Character, stack: StackSpec, degrees = 90): Float64Array {
  return createFrameSource(planBody(character), stack).evaluate(bend(character, degrees)).positions.slice();
}

/** Largest way of the vertices on either side of the joint. */
function measureMoves(character: Character, before: Float64Array, after: Float64Array) {
  const moves = { painted: 0, bare: 0 };
  for (let v = 0; v < character.surface.vertexCount; v++) {
    const side = character.surface.positions[3 * v]! > 0 ? 'painted' : 'bare';
    const way = Math.hypot(...[0, 1, 2].map((r) => after[3 * v + r]! - before[3 * v + r]!));
    moves[side] = Math.max(moves[side], way);
  }
  return moves;
}

describe('painted attributes of any name', () => {
  it('_MUSCLE multiplies γ, _HOLD fixes', async () => {
    const character = await readPainted('_MUSCLE');
    const skin = evaluate(character, { skin: {} });
    const layer = { method: 'normal-exact', regions: { by: 'component' } } as const;
    const muscle = measureMoves(
      character,
      skin,
      evaluate(character, { volume: { ...layer, map: { paint: '_MUSCLE' } } }),
    );
    expect(muscle.painted).toBeGreaterThan(0.05);
    expect(muscle.bare).toBeLessThan(1e-9);
    const held = await readPainted('_HOLD');
    const fixed = measureMoves(held, skin, evaluate(held, { volume: { ...layer, map: { fixed: '_HOLD' } } }));
    expect(fixed.painted).toBe(0);
    expect(fixed.bare).toBeGreaterThan(0.05);
    expect(() => evaluate(held, { volume: { map: { fixed: '_NOT' } } })).toThrow(/_NOT.*_HOLD/);
  });

  it('"softness": "_SOFT" swings where it is painted', async () => {
    const character = await readPainted('_SOFT');
    const stack = createFrameSource(planBody(character), checkStack({ skin: {}, flesh: { softness: '_SOFT' } }));
    stack.evaluate(bend(character, 0), 0, 0);
    for (let n = 1; n <= 4; n++) stack.evaluate(bend(character, 10 * n * n), n / 30, 1 / 30);
    const { skinned, positions } = stack.frame;
    const moves = measureMoves(character, skinned, positions);
    expect(moves.painted).toBeGreaterThan(0.01);
    expect(moves.bare).toBe(0);
  });
});

describe('options that act', () => {
  it('map.bones by region changes that region alone', () => {
    const character = createDemo('elephant');
    const plan = (bones?: Record<string, string[]>) =>
      createFrameSource(planBody(character), {
        volume: { method: 'regions-exact', regions: { by: 'bone' }, map: { kind: 'organic', ...(bones && { bones }) } },
      }).volume!;
    const [all, own] = [plan(), plan({ 'spine.2': ['spine.1', 'spine.2'] })];
    const change = new Map(all.regions.ids.map((name) => [name, 0]));
    for (let t = 0; t < character.surface.triangles.length; t++) {
      const name = all.regions.ids[all.regions.triangleRegion[Math.floor(t / 3)]!]!;
      const v = character.surface.triangles[t]!;
      change.set(name, Math.max(change.get(name)!, Math.abs(all.gamma[v]! - own.gamma[v]!)));
    }
    expect(change.get('spine.2')).toBeGreaterThan(0.01);
    expect(change.get('hind.L.3')).toBeLessThan(0.001 * change.get('spine.2')!); // regions pass into each other as the weights do
  });

  it('organic differs from rubber on the off-centre tube, and hardly on the other', () => {
    const differ = (name: string) => {
      const character = createDemo(name);
      const [rubber, organic] = (['rubber', 'organic'] as const).map((kind) =>
        evaluate(character, {
          volume: { method: 'normal-exact', regions: { by: 'component' }, map: { kind, a: 2, b: 2 } },
        }),
      );
      return Math.max(...rubber!.map((x, i) => Math.abs(x - organic![i]!)));
    };
    expect(differ('off-centre-tube')).toBeGreaterThan(10 * differ('tube'));
    expect(differ('off-centre-tube')).toBeGreaterThan(0.1);
  });

  it('contact works with progressive poses as without', () => {
    const character = createDemo('tube', { vertices: 900 });
    const count = (stack: StackSpec) =>
      countSelfIntersectionsOf(character.surface.triangles, evaluate(character, stack, 120));
    const both = count({ contact: {}, volume: { progressive: 8 } });
    expect(both).toBeLessThan(0.7 * count({ volume: { progressive: 8 } }));
    expect(both).toBeLessThanOrEqual(1.2 * count({ contact: {}, volume: {} }));
  });

  it('shape is refused where it cannot act', () => {
    const shape = [{ region: '*', across: 0 }];
    expect(() => checkStack({ volume: { method: 'normal-exact', shape } })).toThrow(/shapes/);
    expect(() => checkStack({ volume: { regions: { by: 'component' }, shape } })).toThrow(/by joint or bone/);
    expect(() => checkStack({ volume: { shape } })).not.toThrow();
  });
});
