/** Turns of joints on top of a clip: set by the gizmo, keyed on the timeline, applied to a sampled pose. */
import { POSE_STRIDE } from '@isoskin/core';
import type { CharacterFacts } from '../engine/protocol.js';
import type { PoseEdits, PoseKey, Quaternion } from './studio-document.js';

type Joints = CharacterFacts['joints'];

/** Two keys closer than this are the same key. */
const SAME_TIME = 1e-3;

export function turnJoint(pose: PoseEdits, node: number, turn: Quaternion): PoseEdits {
  return { ...pose, loose: { ...pose.loose, [node]: turn } };
}

/** What is turned at a time, by the names of the joints: for another time, clip or file. */
export function savePose(pose: PoseEdits, clip: number, time: number, joints: Joints): Record<string, Quaternion> {
  const nameOf = (node: number) => joints.find((joint) => joint.node === node)?.name ?? '';
  return Object.fromEntries(listTurns(pose, clip, time).map(([node, turn]) => [nameOf(node), turn]));
}

/** A saved pose as loose turns; joints that a character does not have are left out. */
export function applySaved(pose: PoseEdits, turns: Readonly<Record<string, Quaternion>>, joints: Joints): PoseEdits {
  const loose = joints.flatMap(({ node, name }) => (Object.hasOwn(turns, name) ? [[node, turns[name]!]] : []));
  return { ...pose, loose: Object.fromEntries(loose) };
}

/** The loose turns become keys of a clip at a time. */
export function keyPose(pose: PoseEdits, clip: number, time: number): PoseEdits {
  const nodes = { ...pose.keys[clip] };
  for (const [node, turn] of Object.entries(pose.loose)) {
    const others = (nodes[Number(node)] ?? []).filter((key) => Math.abs(key.time - time) > SAME_TIME);
    nodes[Number(node)] = [...others, { time, turn }].sort((a, b) => a.time - b.time);
  }
  return { loose: {}, keys: { ...pose.keys, [clip]: nodes } };
}

/** One joint as the clip has it, or with −1 all of them. */
export function resetPose(pose: PoseEdits, clip: number, node: number): PoseEdits {
  if (node < 0) return { loose: {}, keys: { ...pose.keys, [clip]: {} } };
  const { [node]: _loose, ...loose } = pose.loose;
  const { [node]: _keys, ...nodes } = pose.keys[clip] ?? {};
  return { loose, keys: { ...pose.keys, [clip]: nodes } };
}

/** Times at which a clip has keys, ascending. */
export function listKeyTimes(pose: PoseEdits, clip: number): number[] {
  const times = Object.values(pose.keys[clip] ?? {}).flatMap((keys) => keys.map((key) => key.time));
  return [...new Set(times)].sort((a, b) => a - b);
}

export function isPosed(pose: PoseEdits, clip: number): boolean {
  return Object.keys(pose.loose).length > 0 || Object.keys(pose.keys[clip] ?? {}).length > 0;
}

/** Turn of a joint at a time: loose if there is one, else between its keys. */
export function turnAt(pose: PoseEdits, clip: number, node: number, time: number): Quaternion | undefined {
  const loose = pose.loose[node];
  if (loose) return loose;
  const keys = pose.keys[clip]?.[node];
  return keys && keys.length > 0 ? betweenKeys(keys, time) : undefined;
}

/** Applies all turns to `locals` (#N×10), a pose sampled from the clip. */
export function applyPoseEdits(locals: Float64Array, pose: PoseEdits, clip: number, time: number): void {
  for (const [node, turn] of listTurns(pose, clip, time)) {
    const at = POSE_STRIDE * node + 3;
    if (at + 4 <= locals.length) multiply(locals, at, turn);
  }
}

/** The turned joints at a time of a clip. */
export function listTurns(pose: PoseEdits, clip: number, time: number): [node: number, turn: Quaternion][] {
  const nodes = new Set([...Object.keys(pose.loose), ...Object.keys(pose.keys[clip] ?? {})].map(Number));
  return [...nodes].flatMap((node) => {
    const turn = turnAt(pose, clip, node, time);
    return turn ? [[node, turn] as [number, Quaternion]] : [];
  });
}

function betweenKeys(keys: readonly PoseKey[], time: number): Quaternion {
  const next = keys.findIndex((key) => key.time >= time);
  if (next === 0) return keys[0]!.turn;
  if (next < 0) return keys.at(-1)!.turn;
  const [a, b] = [keys[next - 1]!, keys[next]!];
  const u = (time - a.time) / (b.time - a.time);
  const dot = a.turn.reduce((sum, x, k) => sum + x * b.turn[k]!, 0);
  // Normalised linear interpolation: keys of a hand-made pose are near each other.
  const mixed = a.turn.map((x, k) => (1 - u) * x + u * (dot < 0 ? -1 : 1) * b.turn[k]!);
  const length = Math.hypot(...mixed) || 1;
  return mixed.map((x) => x / length) as unknown as Quaternion;
}

/** q ← q · t, unit. */
function multiply(q: Float64Array, at: number, [tx, ty, tz, tw]: Quaternion): void {
  const [x, y, z, w] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
  q[at] = w * tx + x * tw + y * tz - z * ty;
  q[at + 1] = w * ty - x * tz + y * tw + z * tx;
  q[at + 2] = w * tz + x * ty - y * tx + z * tw;
  q[at + 3] = w * tw - x * tx - y * ty - z * tz;
}
