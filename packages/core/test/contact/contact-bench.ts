/** Poses of the demos that fold, and what the tests of contact look at. */
import { type Character, createPose, POSE_STRIDE, type Pose, presetStack, type StackSpec } from '@isoskin/core';

export const WITHOUT_CONTACT: StackSpec = presetStack('organic');
export const WITH_CONTACT: StackSpec = { ...WITHOUT_CONTACT, contact: {} };

type Quaternion = readonly [x: number, y: number, z: number, w: number];
type Axis = readonly [x: number, y: number, z: number];

function turn(pose: Pose, character: Character, joint: string, rotation: Quaternion): void {
  pose.locals.set(rotation, POSE_STRIDE * character.skeleton.names.indexOf(joint) + 3);
}

function about([x, y, z]: Axis, degrees: number): Quaternion {
  const half = (degrees * Math.PI) / 360;
  const sine = Math.sin(half) / Math.hypot(x, y, z);
  return [x * sine, y * sine, z * sine, Math.cos(half)];
}

export function bend(character: Character, joint: string, axis: Axis, degrees: number): Pose {
  const pose = createPose(character);
  turn(pose, character, joint, about(axis, degrees));
  return pose;
}

/** Fingers of the demo `hand`: lean, and how far they close. */
const FINGERS = { index: [9, 0.92], middle: [2, 1], ring: [-6, 1], little: [-14, 1] } as const;

/** The fingers of the demo `hand` between open (0) and closed (1). */
export function closeFingers(character: Character, amount: number): Pose {
  const pose = createPose(character);
  for (const [f, [name, [lean, most]]] of Object.entries(FINGERS).entries()) {
    const bent = Math.min(1, amount * (1 + 0.08 * f)) * most;
    const across = [Math.cos((lean * Math.PI) / 180), -Math.sin((lean * Math.PI) / 180), 0] as const;
    turn(pose, character, `${name}.1`, about([1, 0, 0], 82 * bent));
    turn(pose, character, `${name}.2`, about(across, 94 * bent));
    turn(pose, character, `${name}.3`, about(across, 60 * bent));
  }
  return pose;
}

/** Rays across a surface. */
const CELLS = 128;

/**
 * Q10. Flesh that is in the same place twice, ∫ max(w − 1, 0), as a share of the volume: rays along z count how often a point lies
 * inside. For one closed surface.
 */
export function measureOverlap(triangles: Uint32Array, x: Float64Array): number {
  const bounds = [0, 1, 2].map((r) => {
    const values = x.filter((_, i) => i % 3 === r);
    return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))] as const;
  });
  const [[left, right], [low, high]] = bounds as [readonly [number, number], readonly [number, number]];
  const h = Math.max(right - left, high - low) / CELLS;
  const hits = new Map<number, [z: number, sign: number][]>();
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const area = (x[b]! - x[a]!) * (x[c + 1]! - x[a + 1]!) - (x[c]! - x[a]!) * (x[b + 1]! - x[a + 1]!);
    const [us, vs] = [0, 1].map((r) => [x[a + r]!, x[b + r]!, x[c + r]!]) as [number[], number[]];
    // Off the vertices: a drawn mesh likes round numbers.
    for (let i = Math.ceil((Math.min(...us) - left) / h - 0.381); left + (i + 0.381) * h <= Math.max(...us); i++) {
      for (let j = Math.ceil((Math.min(...vs) - low) / h - 0.618); low + (j + 0.618) * h <= Math.max(...vs); j++) {
        const [px, py] = [left + (i + 0.381) * h, low + (j + 0.618) * h];
        const u = ((x[b]! - px) * (x[c + 1]! - py) - (x[c]! - px) * (x[b + 1]! - py)) / area;
        const v = ((x[c]! - px) * (x[a + 1]! - py) - (x[a]! - px) * (x[c + 1]! - py)) / area;
        if (!(u >= 0 && v >= 0 && u + v <= 1)) continue;
        const key = i * 4096 + j;
        const list = hits.get(key) ?? [];
        list.push([u * x[a + 2]! + v * x[b + 2]! + (1 - u - v) * x[c + 2]!, area > 0 ? -1 : 1]);
        hits.set(key, list);
      }
    }
  }
  let volume = 0;
  let twice = 0;
  for (const list of hits.values()) {
    if (list.reduce((sum, [, sign]) => sum + sign, 0) !== 0) continue; // through an edge
    list.sort((p, q) => p[0] - q[0]);
    let w = 0;
    for (let i = 0; i + 1 < list.length; i++) {
      w += list[i]![1];
      const length = list[i + 1]![0] - list[i]![0];
      volume += w * length;
      twice += Math.max(0, w - 1) * length;
    }
  }
  return twice / volume;
}

/** Q5. RMS of the Laplacian of a displacement over the RMS of the displacement. */
export function measureRoughness({ surface }: Character, u: Float64Array): number {
  const { offsets, values } = surface.neighbours;
  let laplacian = 0;
  let size = 0;
  for (let k = 0; k < surface.vertexCount; k++) {
    for (let r = 0; r < 3; r++) {
      let sum = 0;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += u[3 * values[e]! + r]!;
      laplacian += (u[3 * k + r]! - sum / (offsets[k + 1]! - offsets[k]!)) ** 2;
      size += u[3 * k + r]! ** 2;
    }
  }
  return Math.sqrt(laplacian / size);
}

/** 99th percentile of |e|/|ē|. */
export function measureStretch({ surface }: Character, y: Float64Array): number {
  const { triangles, positions } = surface;
  const length = (p: Float64Array, i: number, j: number) =>
    Math.hypot(p[3 * i]! - p[3 * j]!, p[3 * i + 1]! - p[3 * j + 1]!, p[3 * i + 2]! - p[3 * j + 2]!);
  const ratios = Float64Array.from(triangles, (i, c) => {
    const j = triangles[c % 3 === 2 ? c - 2 : c + 1]!;
    return length(y, i, j) / length(positions, i, j);
  }).sort();
  return ratios[Math.floor(0.99 * (ratios.length - 1))]!;
}

/** Longest displacement of a vertex. */
export function measureLargest(u: Float64Array): number {
  let most = 0;
  for (let k = 0; k < u.length; k += 3) most = Math.max(most, Math.hypot(u[k]!, u[k + 1]!, u[k + 2]!));
  return most;
}
