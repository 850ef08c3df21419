/**
 * The moments of a character's clips that a plan is rehearsed on: looks, a few each second, without those whose pose was looked at already, and the
 * moments where joints turn most suddenly, for jumps.
 *
 *   distance of two poses   max over joints of 2 √(1 − ⟨q, q′⟩²) and |t − t′| / D, over morph weights of |w − w′|
 *   suddenness              max over joints of |R(t − h) − 2 R(t) + R(t + h)|,   R  rotation and scale in the world,  h = 1/60 s
 *
 * Both know the skeleton alone: no vertex order and no mirror changes what is chosen.
 */
import type { Character } from '../character/character.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import type { HarmMoment } from '../quality/measure-harm.js';
import type { Clip } from '../skeleton/clip.js';
import { measureWorldMatrices } from '../skeleton/matrices.js';
import { createPose, samplePose } from '../skeleton/pose.js';
import { POSE_STRIDE, type Pose } from '../skeleton/skeleton.js';

export interface Moment {
  readonly clip: Clip;
  readonly time: number;
  /** Whether the look is judged; otherwise the moment is one of the two beside a possible jump. */
  readonly isLook: boolean;
}

/** Looks: a second, of a clip at least, of all clips at most; poses closer than this are one. */
const LOOKS = { perSecond: 8, least: 8, most: 320, distance: 0.06 };
/** Jumps: of a clip and of all clips at most, and the suddenness below which none is expected. */
const JUMPS = { perClip: 8, most: 200, least: 0.03 };
export const JUMP_STEP = 1 / 60;
/** Keys closer than this, in seconds, are one. */
const TIME_GRAIN = 1e-4;
/** Moments of all clips whose suddenness is measured, at most: longer libraries are looked through in larger steps. */
const MAX_SCANNED = 20_000;

/**
 * Moments in the order in which they are judged: looks and the triples around possible jumps, clip after clip.
 *
 * @param more moments that are looked at in any case, and around which jumps are looked for
 */
export function listMoments(character: Character, clips: readonly Clip[], more: readonly HarmMoment[] = []): Moment[] {
  const looks = chooseLooks(character, clips);
  const asked = clips.flatMap((clip) =>
    more.filter((one) => one.clip === clip.name).map(({ time }) => ({ clip, time })),
  );
  const jumps = [...chooseJumps(character, clips), ...asked];
  return clips.flatMap((clip) => [
    ...looks.filter((look) => look.clip === clip).map(({ time }) => ({ clip, time, isLook: true })),
    ...jumps
      .filter((jump) => jump.clip === clip)
      .flatMap(({ time }) => [-1, 0, 1].map((i) => ({ clip, time: time + i * JUMP_STEP, isLook: i === 0 }))),
  ]);
}

interface Chosen {
  readonly clip: Clip;
  readonly time: number;
}

function chooseLooks(character: Character, clips: readonly Clip[]): Chosen[] {
  const all = clips.flatMap((clip) => {
    const count = Math.max(LOOKS.least, Math.ceil(LOOKS.perSecond * clip.duration));
    return Array.from({ length: count + 1 }, (_, i) => ({ clip, time: (clip.duration * i) / count }));
  });
  const poses = all.map(({ clip, time }) => {
    const pose = createPose(character);
    samplePose(pose, character, clip, time);
    return pose;
  });
  const measure = createPoseDistance(character);
  for (let least = LOOKS.distance; ; least *= 1.5) {
    const kept: number[] = [];
    for (let i = 0; i < all.length && kept.length <= LOOKS.most; i++) {
      if (kept.every((j) => measure(poses[i]!, poses[j]!, least) >= least)) kept.push(i);
    }
    if (kept.length <= LOOKS.most) return kept.map((i) => all[i]!);
  }
}

/** Distance of two poses; once it is `enough` the rest is not looked at. Where the whole body stands does not count. */
function createPoseDistance({ skeleton, surface }: Character) {
  const size = measureDiagonal(surface.positions) || 1;
  const bones = new Set(skeleton.boneNodes);
  const joints = [...bones].filter((node) => bones.has(skeleton.parents[node]!));
  return (a: Pose, b: Pose, enough: number): number => {
    let most = 0;
    for (let i = 0; i < joints.length && most < enough; i++) {
      const at = joints[i]! * POSE_STRIDE;
      let [moved, cosine, scaled] = [0, 0, 0];
      for (let r = 0; r < 3; r++) moved += (a.locals[at + r]! - b.locals[at + r]!) ** 2;
      for (let r = 3; r < 7; r++) cosine += a.locals[at + r]! * b.locals[at + r]!;
      for (let r = 7; r < 10; r++) scaled = Math.max(scaled, Math.abs(a.locals[at + r]! - b.locals[at + r]!));
      most = Math.max(most, 2 * Math.sqrt(Math.max(0, 1 - cosine * cosine)), Math.sqrt(moved) / size, scaled);
    }
    for (let i = 0; i < a.morphWeights.length && most < enough; i++)
      most = Math.max(most, Math.abs(a.morphWeights[i]! - b.morphWeights[i]!));
    return most;
  };
}

/** The most sudden moments of every clip, at least two steps apart. */
function chooseJumps(character: Character, clips: readonly Clip[]): Chosen[] {
  const times = clips.map(listScanTimes);
  const scanned = times.reduce((sum, { length }) => sum + length, 0);
  const stride = Math.max(1, Math.ceil(scanned / MAX_SCANNED));
  const measure = createSuddenness(character);
  const all = clips.flatMap((clip, c) => {
    const found = times[c]!.filter((_, i) => i % stride === 0)
      .map((time) => ({ clip, time, value: measure(clip, time) }))
      .filter(({ value }) => value > JUMPS.least)
      .sort((a, b) => b.value - a.value || a.time - b.time);
    const kept: typeof found = [];
    for (const one of found) {
      if (kept.length === JUMPS.perClip) break;
      if (kept.every(({ time }) => Math.abs(time - one.time) > 2.5 * JUMP_STEP)) kept.push(one);
    }
    return kept;
  });
  return all.sort((a, b) => b.value - a.value).slice(0, JUMPS.most);
}

/** Where motion may be sudden: at the keys, where its speed changes, and in steps of a frame where those are far apart. */
function listScanTimes({ channels, duration }: Clip): number[] {
  const keys = new Set(channels.flatMap(({ times }) => Array.from(times, (time) => Math.round(time / TIME_GRAIN))));
  if (keys.size * JUMP_STEP < 0.4 * duration)
    for (let i = 1; i * JUMP_STEP < duration; i++) keys.add(Math.round((i * JUMP_STEP) / TIME_GRAIN));
  return [...keys]
    .map((key) => key * TIME_GRAIN)
    .filter((time) => time >= JUMP_STEP && time + JUMP_STEP <= duration)
    .sort((a, b) => a - b);
}

function createSuddenness(character: Character) {
  const { skeleton } = character;
  const pose = createPose(character);
  const worlds = [0, 1, 2].map(() => new Float64Array(16 * skeleton.nodeCount));
  const [before, now, after] = worlds as [Float64Array, Float64Array, Float64Array];
  return (clip: Clip, time: number): number => {
    worlds.forEach((world, i) => {
      samplePose(pose, character, clip, time + (i - 1) * JUMP_STEP);
      measureWorldMatrices(world, skeleton, pose.locals);
    });
    let most = 0;
    for (const node of skeleton.boneNodes) {
      let square = 0;
      for (let c = 0; c < 3; c++) {
        for (let r = 0; r < 3; r++) {
          const at = 16 * node + 4 * c + r;
          square += (before[at]! - 2 * now[at]! + after[at]!) ** 2;
        }
      }
      most = Math.max(most, square);
    }
    return Math.sqrt(most);
  };
}
