/** What the frame table is run on: tubes, presets, random meshes, and clips of demos and models that the caller brings. */
import {
  type Character,
  createCharacter,
  createPose,
  frameTimes,
  POSE_STRIDE,
  type Pose,
  presetStack,
  type StackSpec,
  samplePose,
} from '@isoskin/core';
import { box, chain, character as characterInput, morphingBox, openTube, part, torusShape, tube } from '../meshes.js';
import { createRandom, createRandomInput } from './random-meshes.js';

export interface FrameCase {
  readonly name: string;
  readonly character: Character;
  /** Default: the preset `organic`. */
  readonly spec?: StackSpec;
  /** Consecutive frames. */
  readonly poses: readonly Pose[];
  /** Nothing may move, bit for bit. */
  readonly still?: boolean;
}

/** Every joint but the first turns by up to `angle` from where it rests, each a little differently, more from frame to frame. */
export function bendJoints(character: Character, frames: number, angle: number): Pose[] {
  return Array.from({ length: frames }, (_, n) => {
    const pose = createPose(character);
    for (let node = 1; node < character.skeleton.nodeCount; node++) {
      const half = 0.5 * angle * (1 + 0.03 * n) * Math.cos(0.7 * (node - 1));
      const [s, c] = [Math.sin(half), Math.cos(half)];
      const at = POSE_STRIDE * node + 3;
      const [x, y, z, w] = pose.locals.slice(at, at + 4) as unknown as [number, number, number, number];
      pose.locals.set([x * c - z * s, y * c + w * s, z * c + x * s, w * c - y * s], at); // q ⊗ (0, s, 0, c)
    }
    return pose;
  });
}

/** Neighbouring frames from the middle of a clip. */
export function playClip(character: Character, clip: Character['clips'][number], frames: number, fps: number): Pose[] {
  const times = frameTimes(clip, fps);
  const first = Math.max(0, Math.floor((times.length - frames) / 2));
  return Array.from(times.slice(first, first + frames), (time) => {
    const pose = createPose(character);
    samplePose(pose, character, clip, time);
    return pose;
  });
}

/** Every clip of a character; one that has none is bent. */
export function listClipCases(name: string, character: Character, frames: number, fps = 60): FrameCase[] {
  if (character.clips.length === 0) return [{ name, character, poses: bendJoints(character, frames, 0.4) }];
  return character.clips.map((clip) => ({
    name: `${name}: ${clip.name}`,
    character,
    poses: playClip(character, clip, frames, fps),
  }));
}

/** Tubes, closed and open, and one of several blocks a region. */
export function listTubeCases(frames: number): FrameCase[] {
  const closed = createCharacter(tube({ around: 24, along: 30 }));
  const open = createCharacter(openTube({ around: 12, along: 20 }));
  const fine = createCharacter(tube({ around: 40, along: 60 }));
  return [
    { name: 'tube', character: closed, poses: bendJoints(closed, frames, 1.2) },
    { name: 'open tube', character: open, poses: bendJoints(open, frames, 1.2) },
    { name: 'fine tube', character: fine, poses: bendJoints(fine, frames, 0.8) },
  ];
}

/** Presets on a tube, six influences a vertex (more than a loop takes), morph targets, and what must not move at all. */
export function listSpecialCases(frames: number): FrameCase[] {
  const closed = createCharacter(tube());
  const presets = (['anatomic', 'rubber', 'muscle', 'toy'] as const).map((name) => ({
    name: `tube, ${name}`,
    character: closed,
    spec: presetStack(name),
    poses: bendJoints(closed, frames, 1.2),
  }));
  const many = createManyInfluences();
  const morphing = createCharacter(morphingBox());
  const swelling = createSwellingTube();
  const morph = (pose: Pose, n: number) => {
    pose.morphWeights.fill(n / 8);
    return pose;
  };
  const still = createCharacter(box(1, 2, 3));
  return [
    ...presets,
    { name: 'six influences', character: many, poses: bendJoints(many, frames, 0.5) },
    { name: 'morph target, bent', character: swelling, poses: bendJoints(swelling, frames, 1).map(morph) },
    {
      name: 'morph target at rest',
      character: morphing,
      poses: [0, 1, 2].map((n) => morph(createPose(morphing), n)),
      still: true,
    },
    { name: 'box at rest', character: still, poses: [createPose(still), createPose(still)], still: true },
  ];
}

/** A tube with a morph target that makes it a third thicker. */
function createSwellingTube(): Character {
  const input = tube();
  const [one] = input.parts;
  const deltas = Float64Array.from(one!.positions, (x, i) => (i % 3 === 0 ? 0 : x / 3));
  const parts = [{ ...one!, morphs: { first: 0, deltas: [deltas] } }];
  return createCharacter({ ...input, parts, morphs: [{ name: 'swell', group: 0, weight: 0 }] });
}

/** A torus whose vertices follow six bones at once. */
function createManyInfluences(): Character {
  const weigh = (x: number, y: number) => {
    const turn = ((Math.atan2(y, x) / (2 * Math.PI) + 1) % 1) * 6;
    const near = Array.from({ length: 6 }, (_, i) => 1.05 + Math.cos(((turn - i) * Math.PI) / 3));
    const sum = near.reduce((a, b) => a + b);
    return near.map((value) => value / sum);
  };
  return createCharacter(characterInput([part(torusShape(), weigh)], chain([0, 0.5, 1, 1.5, 2, 2.5])));
}

/**
 * Random characters: a lumpy tube or torus, sometimes with a torn hole, sometimes two of them; two to five bones; vertices in any
 * order. The same seed gives the same character everywhere.
 */
export function listRandomCases(seeds: readonly number[], frames: number): FrameCase[] {
  return seeds.map((seed) => {
    const random = createRandom(seed);
    const character = createCharacter(createRandomInput(random));
    return { name: `random mesh, seed ${seed}`, character, poses: bendJoints(character, frames, 0.3 + 0.4 * random()) };
  });
}
