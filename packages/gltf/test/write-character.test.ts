import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Character, type CharacterInput, createCharacter } from '@isoskin/core';
import { readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { BOX_TRIANGLES, boxPositions, IDENTITY } from './model-builder.js';

/** Two boxes on six joints, every vertex on all six: needs JOINTS_1. */
function createInput(): CharacterInput {
  const joints = 6;
  const part = (name: string, group: number, x: number) => ({
    name,
    group,
    positions: boxPositions(1, 1, 2).map((value, i) => (i % 3 === 0 ? value + x : value)),
    triangles: BOX_TRIANGLES,
    bones: Uint8Array.from({ length: 8 * joints }, (_, i) => i % joints),
    weights: Float32Array.from({ length: 8 * joints }, (_, i) => 1 / (2 + ((i * 7) % 5))),
    influences: joints,
  });
  const locals = new Float64Array(joints * 10);
  const inverseBinds = new Float64Array(joints * 16);
  for (let n = 0; n < joints; n++) {
    locals.set([0, 0, n === 0 ? 0 : 0.25, 0, 0, 0, 1, 1, 1, 1], n * 10);
    inverseBinds.set([...IDENTITY.slice(0, 14), -0.25 * n, 1], n * 16);
  }
  const times = Float32Array.from([0, 0.5, 2]);
  return {
    name: 'Boxes',
    parts: [
      {
        ...part('Left', 0, 0),
        paint: new Map([['_ISOSKIN_GAMMA', Float32Array.from({ length: 8 }, (_, i) => i / 8)]]),
      },
      { ...part('Right', 1, 3), morphs: { first: 0, deltas: [boxPositions(0, 0, 1), null] } },
    ],
    skeleton: {
      names: ['a', 'b', 'c', 'd', 'e', 'f'],
      parents: [-1, 0, 1, 2, 3, 4],
      locals,
      boneNodes: [0, 1, 2, 3, 4, 5],
      inverseBinds,
    },
    morphs: [
      { name: 'Stretch', group: 1, weight: 0.5 },
      { name: 'Nothing', group: 1, weight: 0 },
    ],
    clips: [
      {
        name: 'Turn',
        duration: 2,
        channels: [
          {
            target: 2,
            path: 'rotation',
            interpolation: 'LINEAR',
            times,
            values: Float32Array.from([0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0]),
            width: 4,
          },
          {
            target: 0,
            path: 'weights',
            interpolation: 'STEP',
            times,
            values: Float32Array.from([0, 0, 1, 0, 0, 1]),
            width: 2,
          },
        ],
      },
    ],
  };
}

async function expectValid(glb: Uint8Array): Promise<void> {
  const { issues } = await validateBytes(glb);
  const faults = issues.messages.filter(({ severity }) => severity < 2);
  // Hints and notes are allowed; errors (0) and warnings (1) are not.
  expect(faults).toEqual([]);
}

function expectSame(actual: Character, expected: Character): void {
  expect(actual.surface.vertexCount).toBe(expected.surface.vertexCount);
  expect(actual.surface.triangles.length).toBe(expected.surface.triangles.length);
  expect(actual.surface.components.length).toBe(expected.surface.components.length);
  actual.surface.components.forEach(({ volume }, i) => {
    expect(volume / expected.surface.components[i]!.volume).toBeCloseTo(1, 5);
  });
  expect(actual.skeleton.names).toEqual(expected.skeleton.names);
  expect(actual.skeleton.parents).toEqual(expected.skeleton.parents);
  expect(actual.skeleton.boneNodes).toEqual(expected.skeleton.boneNodes);
  actual.skeleton.inverseBinds.forEach((x, i) => {
    expect(Math.abs(x - expected.skeleton.inverseBinds[i]!)).toBeLessThan(1e-5 * Math.max(1, Math.abs(x)));
  });
  expect(actual.parts.map(({ scale }) => scale)).toEqual(actual.parts.map(() => 1));
  expect(actual.clips.map(({ name }) => name)).toEqual(expected.clips.map(({ name }) => name));
  actual.clips.forEach((clip, c) => {
    expect(clip.duration).toBeCloseTo(expected.clips[c]!.duration, 6);
    expect(clip.channels.length).toBe(expected.clips[c]!.channels.length);
  });
}

describe('writeCharacter', () => {
  it('gives back what was written: surface, weights, morphs, paint, clips', async () => {
    const character = createCharacter(createInput());
    const glb = await writeCharacter(character, { colours: [[0.8, 0.2, 0.1]] });
    await expectValid(glb);
    const { character: again, document } = await readCharacterFromBytes(glb);
    expectSame(again, character);
    expect([...again.surface.positions].sort()).toEqual([...character.surface.positions].sort());
    expect(again.binding.maxInfluences).toBe(6);
    // The writer orders vertices by triangle: compare vertices by position.
    const at = (c: Character, v: number) => c.surface.positions.subarray(v * 3, v * 3 + 3).join();
    const before = new Map(Array.from({ length: 16 }, (_, v) => [at(character, v), v]));
    for (let v = 0; v < 16; v++) {
      const w = before.get(at(again, v))!;
      for (let k = 0; k < 6; k++) {
        const weight = character.binding.weights[character.binding.offsets[w]! + k]!;
        expect(again.binding.weights[again.binding.offsets[v]! + k]).toBeCloseTo(weight, 6);
      }
    }
    expect(again.morphs.map(({ name }) => name)).toEqual(['Stretch', 'Nothing']);
    expect([...again.morphWeights]).toEqual([0.5, 0]);
    expect(again.morphs[0]!.vertices.length).toBe(character.morphs[0]!.vertices.length);
    expect(again.clips[0]!.channels).toEqual(character.clips[0]!.channels);
    expect([...again.parts[0]!.paint.get('_ISOSKIN_GAMMA')!].sort()).toEqual(
      Array.from({ length: 8 }, (_, i) => i / 8),
    );
    expect(document.getRoot().listMaterials()[0]!.getBaseColorFactor()).toEqual([0.8, 0.2, 0.1, 1]);
  });

  it('writes parts of one group as primitives of one mesh, welded again when read', async () => {
    const input = createInput();
    const [first] = input.parts;
    const bottom = {
      ...first!,
      name: 'Bottom',
      positions: first!.positions.slice(0, 12),
      triangles: BOX_TRIANGLES.slice(0, 6),
      bones: Array.from(first!.bones).slice(0, 24),
      weights: first!.weights.slice(0, 24),
      paint: new Map<string, Float32Array>(),
    };
    const rest = { ...first!, name: 'Rest', triangles: BOX_TRIANGLES.slice(6) };
    const character = createCharacter({ ...input, parts: [bottom, rest], morphs: [], clips: [] });
    const glb = await writeCharacter(character, {
      colours: [
        [1, 0, 0],
        [0, 1, 0],
      ],
    });
    await expectValid(glb);
    const { character: again, document } = await readCharacterFromBytes(glb);
    expect(again.parts.map(({ group }) => group)).toEqual([0, 0]);
    expect(document.getRoot().listMaterials().length).toBe(2);
    expectSame(again, character);
  });

  it('writes several roots and two bones on one node', async () => {
    const input = createInput();
    const skeleton = {
      ...input.skeleton,
      parents: [-1, -1, 1, 2, 3, 4],
      boneNodes: [0, 1, 2, 3, 4, 4],
    };
    const glb = await writeCharacter(createCharacter({ ...input, skeleton }));
    await expectValid(glb);
    const { character } = await readCharacterFromBytes(glb);
    expect(character.skeleton.boneCount).toBe(6);
    expect(character.skeleton.names[0]).toBe('Boxes');
  });

  const fox = fileURLToPath(new URL('../../../../shared/models/Fox.glb', import.meta.url));
  it.skipIf(!existsSync(fox))('gives a real model back (skipped without ../shared/models)', async () => {
    const { character } = await readCharacter(fox);
    const glb = await writeCharacter(character);
    await expectValid(glb);
    expectSame((await readCharacterFromBytes(glb)).character, character);
  });
});
