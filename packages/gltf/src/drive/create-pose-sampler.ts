/**
 * Poses over each joint's range, to teach and to judge a driver: what clips, blends of them and code can ask for.
 *
 *   q_j = slerp(q_j(moment), q_j(another), v) · exp(ω),   |ω| ≤ ρ_j
 *
 * ρ_j  `range`, or from the clips: WIDER times how far joint j turns in them, at least LEAST: what no clip moves, code or another clip will.
 * The moments are those of one blend for the whole body; some joints take theirs from elsewhere. Without clips: the default pose, turned by
 * up to ρ. Same seed, same poses.
 */
import { type Character, createPose, POSE_STRIDE, type Pose, samplePose } from '@isoskin/core';

export interface PoseSamplerOptions {
  /** Nodes of the skeleton that are turned. */
  readonly nodes: readonly number[];
  /** Morph targets of the character that are changed. */
  readonly morphs: readonly number[];
  readonly seed: number;
  /** Degrees that every joint may turn; default: from the clips, at least 45. */
  readonly range?: number | undefined;
}

const WIDER = 0.5;
const LEAST = 45;
/** Share of the joints that go their own way in a pose. */
const OWN_WAY = 0.3;
/** Moments of a clip that rotations are taken from. */
const MOMENTS = 32;
const RADIANS = Math.PI / 180;

export interface PoseSampler {
  readonly pose: Pose;
  /** The next pose, into `pose`. */
  next(): void;
}

export function createPoseSampler(character: Character, options: PoseSamplerOptions): PoseSampler {
  const { nodes, morphs, range } = options;
  const random = createRandom(options.seed);
  const pose = createPose(character);
  const moments = listMoments(character);
  const rotation = (m: number, n: number) => moments[m]!.locals.subarray(POSE_STRIDE * n + 3, POSE_STRIDE * n + 7);
  const ranges = nodes.map((n) => {
    if (range !== undefined) return range * RADIANS;
    return Math.max(LEAST * RADIANS, WIDER * measureSpread(moments.map((_, m) => rotation(m, n))));
  });
  const turn = new Float64Array(4);
  const out = new Float64Array(4);
  return {
    pose,
    next() {
      const pick = () => Math.floor(random() * moments.length);
      const [a, b, v] = [pick(), pick(), random()];
      pose.locals.set(moments[a]!.locals);
      const loose = random(); // how far this pose strays from the clips
      nodes.forEach((n, i) => {
        const strays = random() < OWN_WAY;
        const [from, to, share] = strays ? [pick(), pick(), random()] : [a, b, v];
        blend(out, rotation(from, n), rotation(to, n), share);
        fillTurn(turn, random, loose * ranges[i]!);
        multiply(pose.locals, POSE_STRIDE * n + 3, out, turn);
      });
      for (const m of morphs) pose.morphWeights[m] = random();
    },
  };
}

function listMoments(character: Character): Pose[] {
  const out: Pose[] = [];
  for (const clip of character.clips) {
    for (let i = 0; i < MOMENTS; i++) {
      const pose = createPose(character);
      samplePose(pose, character, clip, (clip.duration * i) / (MOMENTS - 1));
      out.push(pose);
    }
  }
  return out.length > 0 ? out : [createPose(character)];
}

/** Largest angle between the first rotation and the others. */
function measureSpread(rotations: readonly Float64Array[]): number {
  const [a] = rotations;
  const nearest = rotations.map((b) => Math.min(1, Math.abs(dot(a!, b))));
  return 2 * Math.acos(Math.min(...nearest));
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;
}

/** Normalised linear interpolation on the shorter way. */
function blend(out: Float64Array, a: Float64Array, b: Float64Array, v: number): void {
  const sign = dot(a, b) < 0 ? -1 : 1;
  for (let k = 0; k < 4; k++) out[k] = (1 - v) * a[k]! + sign * v * b[k]!;
  const length = Math.hypot(out[0]!, out[1]!, out[2]!, out[3]!) || 1;
  for (let k = 0; k < 4; k++) out[k]! /= length;
}

/** A rotation about any axis, by up to `most`. */
function fillTurn(out: Float64Array, random: () => number, most: number): void {
  const z = 2 * random() - 1;
  const around = 2 * Math.PI * random();
  const angle = most * random();
  const s = Math.sin(angle / 2);
  const r = Math.sqrt(1 - z * z);
  out[0] = s * r * Math.cos(around);
  out[1] = s * r * Math.sin(around);
  out[2] = s * z;
  out[3] = Math.cos(angle / 2);
}

function multiply(out: Float64Array, at: number, a: Float64Array, b: Float64Array): void {
  const [x, y, z, w] = a as unknown as [number, number, number, number];
  const [p, q, r, s] = b as unknown as [number, number, number, number];
  out[at] = w * p + x * s + y * r - z * q;
  out[at + 1] = w * q - x * r + y * s + z * p;
  out[at + 2] = w * r + x * q - y * p + z * s;
  out[at + 3] = w * s - x * p - y * q - z * r;
}

/** Mulberry32: the same numbers for the same seed everywhere. */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
