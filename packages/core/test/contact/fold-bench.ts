/** Poses of the demos that fold, and what the tests of contact look at. */
import {
  type Character,
  countSelfIntersections,
  createPose,
  createStack,
  POSE_STRIDE,
  type Pose,
  planBvh,
  presetStack,
  type StackSpec,
} from '@isoskin/core';

export const WITH_CONTACT: StackSpec = {
  layers: [{ layer: 'skin' }, { layer: 'contact' }, ...presetStack('organic').layers.slice(1)],
};

type Quaternion = readonly [x: number, y: number, z: number, w: number];

function turn(pose: Pose, character: Character, joint: string, rotation: Quaternion): void {
  pose.locals.set(rotation, POSE_STRIDE * character.skeleton.names.indexOf(joint) + 3);
}

function about(x: number, y: number, z: number, degrees: number): Quaternion {
  const half = (degrees * Math.PI) / 360;
  const sine = Math.sin(half) / Math.hypot(x, y, z);
  return [x * sine, y * sine, z * sine, Math.cos(half)];
}

/** q_y q_x q_z of three angles. */
function turns(x: number, y: number, z: number): Quaternion {
  const [sx, sy, sz] = [x, y, z].map((a) => Math.sin((a * Math.PI) / 360)) as [number, number, number];
  const [cx, cy, cz] = [x, y, z].map((a) => Math.cos((a * Math.PI) / 360)) as [number, number, number];
  return [
    cy * sx * cz + sy * cx * sz,
    sy * cx * cz - cy * sx * sz,
    cy * cx * sz - sy * sx * cz,
    cy * cx * cz + sy * sx * sz,
  ];
}

export function bend(
  character: Character,
  joint: string,
  axis: readonly [number, number, number],
  degrees: number,
): Pose {
  const pose = createPose(character);
  turn(pose, character, joint, about(...axis, degrees));
  return pose;
}

/** Fingers of the demo `hand`: lean, and how far they close. */
const FINGERS = { index: [9, 0.92], middle: [2, 1], ring: [-6, 1], little: [-14, 1] } as const;

/** The demo `hand` between open (0) and a fist (1): the fingers close, then the thumb lies over them. */
export function closeHand(character: Character, amount: number): Pose {
  const pose = createPose(character);
  const late = Math.max(0, 5 * amount - 4);
  const over = late * late * (3 - 2 * late);
  turn(pose, character, 'palm', turns(-12 * amount, 0, 0));
  turn(pose, character, 'thumb.1', turns(42 * over, -16 * over, 4 * over));
  turn(pose, character, 'thumb.2', turns(24 * over, -26 * over, 22 * over));
  turn(pose, character, 'thumb.3', turns(14 * over, -26 * over, 36 * over));
  for (const [f, [name, [lean, most]]] of Object.entries(FINGERS).entries()) {
    const bent = Math.min(1, amount * (1 + 0.08 * f)) * most;
    const across = [Math.cos((lean * Math.PI) / 180), -Math.sin((lean * Math.PI) / 180), 0] as const;
    turn(pose, character, `${name}.1`, turns(82 * bent, 0, lean * bent));
    turn(pose, character, `${name}.2`, about(...across, 94 * bent));
    turn(pose, character, `${name}.3`, about(...across, 60 * bent));
  }
  return pose;
}

export interface FoldResult {
  /** Most crossing pairs: of every tenth pose and the last, and of any pose. */
  skinned: number;
  corrected: number;
  /** Largest relative volume error of a region. */
  error: number;
  /** Largest step of a vertex between two poses, over the median of the poses' largest steps. */
  jump: number;
  /** Longest edge relative to its rest length. */
  stretch: number;
  /** Most triangles that look inwards: their normal is against the skin's turned rest normals. */
  inverted: { skinned: number; corrected: number };
}

export function fold(character: Character, poses: readonly Pose[], spec = WITH_CONTACT): FoldResult {
  const stack = createStack(character, spec);
  const { frame } = stack;
  const { triangles, positions: rest } = character.surface;
  const bvh = planBvh(triangles, rest);
  const result: FoldResult = {
    skinned: 0,
    corrected: 0,
    error: 0,
    jump: 0,
    stretch: 0,
    inverted: { skinned: 0, corrected: 0 },
  };
  const steps: number[] = [];
  let last: Float64Array | undefined;
  for (const [n, pose] of poses.entries()) {
    stack.evaluate(pose);
    result.corrected = Math.max(result.corrected, countSelfIntersections(bvh, frame.positions));
    const report = frame.reports[0]!;
    for (const [s, volume] of report.volumes.entries()) {
      result.error = Math.max(result.error, Math.abs(volume / report.targets[s]! - 1));
    }
    if (last) steps.push(largestStep(last, frame.positions));
    last = frame.positions.slice();
    result.stretch = Math.max(result.stretch, longestEdge(triangles, rest, frame.positions));
    if (n % 10 !== 0 && n + 1 < poses.length) continue; // what is slow, and grows with the bend anyway
    result.skinned = Math.max(result.skinned, countSelfIntersections(bvh, frame.skinned));
    for (const kind of ['skinned', 'corrected'] as const) {
      const surface = kind === 'skinned' ? frame.skinned : frame.positions;
      result.inverted[kind] = Math.max(
        result.inverted[kind],
        countInverted(triangles, surface, rest, frame.directions, stack.volumeLayers[0]!.directions!),
      );
    }
  }
  const sorted = steps.toSorted((a, b) => a - b);
  result.jump = sorted.at(-1)! / sorted[sorted.length >> 1]!;
  return result;
}

function largestStep(from: Float64Array, to: Float64Array): number {
  let most = 0;
  for (let i = 0; i < to.length; i += 3) {
    most = Math.max(most, Math.hypot(to[i]! - from[i]!, to[i + 1]! - from[i + 1]!, to[i + 2]! - from[i + 2]!));
  }
  return most;
}

export function longestEdge(triangles: Uint32Array, rest: Float64Array, y: Float64Array): number {
  const length = (p: Float64Array, i: number, j: number) =>
    Math.sqrt(
      (p[3 * i]! - p[3 * j]!) ** 2 + (p[3 * i + 1]! - p[3 * j + 1]!) ** 2 + (p[3 * i + 2]! - p[3 * j + 2]!) ** 2,
    );
  let most = 0;
  for (let c = 0; c < triangles.length; c++) {
    const [i, j] = [triangles[c]!, triangles[c % 3 === 2 ? c - 2 : c + 1]!];
    most = Math.max(most, length(y, i, j) / length(rest, i, j));
  }
  return most;
}

/** Triangles against the turned field n that were not against the rest field n̄. */
function countInverted(
  triangles: Uint32Array,
  y: Float64Array,
  rest: Float64Array,
  field: Float64Array,
  restField: Float64Array,
): number {
  const side = (p: Float64Array, n: Float64Array, t: number) => {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const u = [0, 1, 2].map((r) => p[b + r]! - p[a + r]!) as [number, number, number];
    const v = [0, 1, 2].map((r) => p[c + r]! - p[a + r]!) as [number, number, number];
    const m = [0, 1, 2].map((r) => n[a + r]! + n[b + r]! + n[c + r]!) as [number, number, number];
    return (u[1] * v[2] - u[2] * v[1]) * m[0] + (u[2] * v[0] - u[0] * v[2]) * m[1] + (u[0] * v[1] - u[1] * v[0]) * m[2];
  };
  let count = 0;
  for (let t = 0; t < triangles.length; t += 3) if (side(y, field, t) < 0 && side(rest, restField, t) > 0) count++;
  return count;
}
