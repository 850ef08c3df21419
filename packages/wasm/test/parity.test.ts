/** The WASM frame against the TypeScript frame, which is its specification. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Character,
  createCharacter,
  frameTimes,
  POSE_STRIDE,
  type Pose,
  presetStack,
  samplePose,
} from '@isoskin/core';
import { readCharacter } from '@isoskin/gltf';
import { createDemo } from '@isoskin/implicit';
import { createWasmKernels, detectFeatures } from '@isoskin/wasm';
import { describe, expect, it } from 'vitest';
import {
  box,
  chain,
  character as characterInput,
  morphingBox,
  openTube,
  part,
  torusShape,
  tube,
} from '../../core/test/meshes.js';
import { type Comparison, compareStacks } from './compare-stacks.js';

const kernels = await createWasmKernels({ threads: 1 });

/** What f32 may cost (docs/kernels.md). */
function expectParity(found: Comparison): void {
  expect(found.frames).toBeGreaterThan(0);
  expect(found.skinned).toBeLessThan(2e-6);
  expect(found.positions).toBeLessThan(1e-5);
  expect(found.total).toBeLessThan(1e-6);
  expect(found.regions).toBeLessThan(5e-5);
}

/** Turns node 1 about y by steps of `degrees`. */
const bend = (degrees: number, frames: number) => (pose: Pose, n: number) => {
  if (n === frames) return undefined;
  const half = (degrees * n * Math.PI) / 360;
  pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], POSE_STRIDE + 3);
  return n / 60;
};

/** Consecutive frames of a clip, at most `most`, from the middle on. */
const play = (character: Character, clip: Character['clips'][number], most: number) => {
  const times = frameTimes(clip, 30);
  const first = Math.max(0, Math.floor((times.length - most) / 2));
  return (pose: Pose, n: number) => {
    const time = n < most ? times[first + n] : undefined;
    if (time !== undefined) samplePose(pose, character, clip, time);
    return time;
  };
};

/** A torus whose vertices follow six bones, five of them at once: more influences than the loop takes. */
function manyInfluences(): Character {
  const shape = torusShape();
  const weigh = (x: number, y: number) => {
    const turn = ((Math.atan2(y, x) / (2 * Math.PI) + 1) % 1) * 6;
    const near = Array.from({ length: 6 }, (_, i) => 1.05 + Math.cos(((turn - i) * Math.PI) / 3));
    const sum = near.reduce((a, b) => a + b);
    return near.map((value) => value / sum);
  };
  return createCharacter(characterInput([part(shape, weigh)], chain([0, 0.5, 1, 1.5, 2, 2.5])));
}

describe('WASM frame = TypeScript frame', () => {
  it('tube, bent to 120°', () => {
    expectParity(compareStacks(createCharacter(tube()), kernels, bend(3, 41)));
  });

  it('open tube: holes are capped for the volume and open for the normals', () => {
    const found = compareStacks(createCharacter(openTube()), kernels, bend(3, 41));
    expectParity(found);
    expect(found.normals).toBeLessThan(1e-2);
  });

  it('box: at rest nothing moves, bit for bit', () => {
    const found = compareStacks(createCharacter(box(1, 2, 3)), kernels, (_, n) => (n < 3 ? 0 : undefined));
    expect(found.positions).toBe(0);
    expect(found.normals).toBeLessThan(1e-6);
  });

  it('torus with six influences a vertex', () => {
    expectParity(compareStacks(manyInfluences(), kernels, bend(2, 20)));
  });

  it('a fine tube of two regions: several blocks a region', () => {
    const fine = createCharacter(tube({ around: 40, along: 60 }));
    const found = compareStacks(fine, kernels, bend(2, 46));
    expectParity(found);
    expect(found.normals).toBeLessThan(1e-2);
  });

  it('morph targets', () => {
    const character = createCharacter(morphingBox());
    expectParity(
      compareStacks(character, kernels, (pose, n) => {
        pose.morphWeights.fill(0.1 * n);
        return n < 10 ? n / 60 : undefined;
      }),
    );
  });

  for (const preset of ['rubber', 'muscle', 'toy'] as const) {
    it(`preset ${preset} on a tube`, () => {
      expectParity(compareStacks(createCharacter(tube()), kernels, bend(3, 31), presetStack(preset)));
    });
  }

  it('elephant, all clips', () => {
    const character = createDemo('elephant', { vertices: 1500 });
    for (const clip of character.clips) expectParity(compareStacks(character, kernels, play(character, clip, 30)));
  });

  it('memory of its own and plain SIMD', async () => {
    const features = { ...detectFeatures(), sharedMemory: false, relaxedSimd: false };
    const own = await createWasmKernels({ features });
    expect(own.threads).toBe(1);
    expectParity(compareStacks(createCharacter(tube()), own, bend(3, 21)));
  });
});

const models = new URL('../../../../shared/models/', import.meta.url);
const MODELS = [
  'Fox.glb',
  'RiggedFigure.glb',
  'CesiumMan.glb',
  'RobotExpressive.glb',
  'Ghost.glb',
  'aframe_leftHand.glb',
  'webxr_hand_left.glb',
  'Manny/kaykit_Manny.gltf',
];
describe.skipIf(!existsSync(models))('real models (skipped where ../shared/models is missing)', () => {
  for (const model of MODELS) {
    it(`${model}, all clips`, async () => {
      const { character } = await readCharacter(fileURLToPath(new URL(model, models)));
      for (const clip of character.clips) {
        const found = compareStacks(character, kernels, play(character, clip, 10));
        expect({ clip: clip.name, ...found }).toSatisfy((one: Comparison) => one.positions < 1e-5);
        expectParity(found);
      }
    });
  }
});
