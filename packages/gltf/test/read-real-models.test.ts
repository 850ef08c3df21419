import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Character, createPose, samplePose } from '@isoskin/core';
import { measureBoneMatrices, measureWorldMatrices } from '@isoskin/core/kernels';
import type { Part } from '@isoskin/core/mesh';
import { readCharacter } from '@isoskin/gltf/node';
import { describe, expect, it } from 'vitest';
import type { Loose } from './model-builder.js';

const shared = new URL('../../../../shared/', import.meta.url);
const path = (name: string) => fileURLToPath(new URL(`models/${name}`, shared));
const meter = fileURLToPath(new URL('accept/glb.mjs', shared));

interface Facts {
  bones: number;
  clips: number;
  parts: number;
  scale: number;
  warnings: string[];
}

const MODELS: [name: string, facts: Facts][] = [
  ['Fox.glb', { bones: 24, clips: 3, parts: 1, scale: 1, warnings: [] }],
  ['RiggedFigure.glb', { bones: 19, clips: 1, parts: 1, scale: 1, warnings: [] }],
  ['CesiumMan.glb', { bones: 19, clips: 1, parts: 1, scale: 1, warnings: [] }],
  [
    'RobotExpressive.glb',
    { bones: 43, clips: 14, parts: 4, scale: 100, warnings: ['RIGID_BESIDE', 'WEIGHTS_NOT_NORMALISED'] },
  ],
  ['Ghost.glb', { bones: 72, clips: 1, parts: 2, scale: 1, warnings: ['OPEN_BORDERS'] }],
  ['aframe_leftHand.glb', { bones: 16, clips: 7, parts: 1, scale: -1, warnings: [] }],
  ['webxr_hand_left.glb', { bones: 25, clips: 0, parts: 1, scale: 1, warnings: [] }],
  ['Manny/kaykit_Manny.gltf', { bones: 21, clips: 0, parts: 8, scale: 1, warnings: ['OPEN_BORDERS'] }],
];

const hasModels = existsSync(path('Fox.glb'));
describe.skipIf(!hasModels)(`real models${hasModels ? '' : ' (skipped: no ../shared/models)'}`, () => {
  it.each(MODELS)('%s', async (name, facts) => {
    const { character, sources, nodes } = await readCharacter(path(name));
    expect(character.skeleton.boneCount).toBe(facts.bones);
    expect(character.clips.length).toBe(facts.clips);
    expect(character.parts.length).toBe(facts.parts);
    expect(character.parts[0]!.scale).toBeCloseTo(facts.scale, 4);
    expect(character.warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(facts.warnings));
    expect(sources.map(({ primitive }) => primitive.getAttribute('POSITION')!.getCount())).toEqual(
      character.parts.map((part) => part.vertexCount),
    );
    expect(nodes.length).toBe(character.skeleton.nodeCount);
  });

  it.skipIf(!existsSync(meter)).each(MODELS)(
    '%s has the rest volume that the independent meter finds',
    async (name) => {
      const { character } = await readCharacter(path(name));
      const glb: Loose = await import(meter);
      const file = glb.loadGlb(path(name));
      const list = glb.surfaces(file, -1, 0, { bind: true });
      const expected = glb.volume(list, glb.topology(list)) * glb.jointScale(file, -1, 0).scale;
      const volume = character.surface.components.reduce((sum, component) => sum + component.volume, 0);
      // A surface that is inside out as a whole is turned by createCharacter.
      expect(Math.abs(Math.abs(volume / expected) - 1)).toBeLessThan(1e-5);
    },
  );

  it.skipIf(!existsSync(meter)).each(MODELS)('%s moves as the independent player moves it', async (name) => {
    const { character } = await readCharacter(path(name));
    const glb: Loose = await import(meter);
    const file = glb.loadGlb(path(name));
    expect(character.clips.map((clip) => clip.duration)).toEqual(glb.clips(file).map((clip: Loose) => clip.duration));
    for (let clip = -1; clip < Math.min(character.clips.length, 3); clip++) {
      const time = clip < 0 ? 0 : 0.37 * character.clips[clip]!.duration;
      const expected: { positions: Float64Array }[] = glb.surfaces(file, clip, time);
      const size = glb.topology(glb.surfaces(file, -1, 0)).size * Math.abs(character.parts[0]!.scale);
      const off = character.parts.map((part, p) => {
        const moved = skinLinearly(character, part, clip, time);
        return moved.reduce((worst, x, i) => Math.max(worst, Math.abs(x - expected[p]!.positions[i]!)), 0);
      });
      expect(Math.max(...off) / size).toBeLessThan(1e-5);
    }
  });
});

/** Source vertices of a part at a moment, by plain linear skinning: x = Σ ω T T̄⁻¹ x̄. */
function skinLinearly(character: Character, part: Part, clip: number, time: number): Float64Array {
  const { skeleton, binding, surface } = character;
  const pose = createPose(character);
  samplePose(pose, character, character.clips[clip], time);
  const world = new Float64Array(skeleton.nodeCount * 16);
  measureWorldMatrices(world, skeleton, pose.locals);
  const bones = new Float64Array(skeleton.boneCount * 12);
  measureBoneMatrices(bones, skeleton, world);
  const out = new Float64Array(part.vertexCount * 3);
  part.welded.forEach((v, source) => {
    const [x, y, z] = surface.positions.subarray(v * 3, v * 3 + 3) as unknown as [number, number, number];
    for (let i = binding.offsets[v]!; i < binding.offsets[v + 1]!; i++) {
      const m = binding.bones[i]! * 12;
      for (let r = 0; r < 3; r++) {
        const moved = bones[m + r]! * x + bones[m + 3 + r]! * y + bones[m + 6 + r]! * z + bones[m + 9 + r]!;
        out[source * 3 + r]! += binding.weights[i]! * moved;
      }
    }
  });
  return out;
}
