/**
 * How far joints are turned, with a sign. Normals depend on it to first order; the amounts of the shapes are volumes, which hardly tell a bend
 * to the left from one to the right.
 *
 *   a_j,i(n) = e_i · log(q̄_j⁻¹ q_j(n)),        Σ_n a aᵀ = Σ_i σ_i e_i e_iᵀ
 *
 * q_j  rotation of joint j in sample n, q̄_j in the default pose. A hinge has one axis that is used, a trunk two.
 */
import { createPose, POSE_STRIDE, samplePose } from '@isoskin/core';
import { findAxes } from '@isoskin/core/harmonics';
import type { BakeJob } from './bake-job.js';

export interface Turn {
  /** Node of the skeleton. */
  readonly node: number;
  readonly name: string;
  /** a of every sample, radians. */
  readonly amounts: Float64Array;
}

/** Joints that never turn further about an axis (6°) hardly show in the normals. */
const SMALL = 0.1;

export function planTurns({ stack, samples }: BakeJob): Turn[] {
  const { character } = stack;
  const { skeleton } = character;
  const pose = createPose(character);
  const nodes = [...new Set(skeleton.boneNodes)];
  const logs = nodes.map(() => new Float64Array(3 * samples.length));
  samples.forEach(({ clip, time }, n) => {
    if (clip < 0) return;
    samplePose(pose, character, character.clips[clip], time);
    for (const [j, node] of nodes.entries()) {
      const at = node * POSE_STRIDE + 3;
      setLog(logs[j]!, 3 * n, skeleton.locals, pose.locals, at);
    }
  });
  return nodes.flatMap((node, j) => {
    const matrix = new Float64Array(9);
    for (let n = 0; n < logs[j]!.length; n += 3) {
      for (let i = 0; i < 9; i++) matrix[i]! += logs[j]![n + ((i / 3) | 0)]! * logs[j]![n + (i % 3)]!;
    }
    return findAxes(matrix, 3).flatMap(({ axis: e }, i): Turn[] => {
      const amounts = Float64Array.from({ length: samples.length }, (_, n) =>
        e.reduce((sum, x, r) => sum + x * logs[j]![3 * n + r]!, 0),
      );
      return amounts.some((a) => Math.abs(a) > SMALL)
        ? [{ node, name: `${skeleton.names[node]} turn ${i + 1}`, amounts }]
        : [];
    });
  });
}

/** log(ā⁻¹ b) of two unit quaternions at the same place, the shorter way round. */
function setLog(out: Float64Array, to: number, a: Float64Array, b: Float64Array, at: number): void {
  const ax = -a[at]!;
  const ay = -a[at + 1]!;
  const az = -a[at + 2]!;
  const aw = a[at + 3]!;
  const bx = b[at]!;
  const by = b[at + 1]!;
  const bz = b[at + 2]!;
  const bw = b[at + 3]!;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const sine = Math.hypot(x, y, z);
  const factor = sine > 0 ? (Math.sign(w || 1) * 2 * Math.atan2(sine, Math.abs(w))) / sine : 0;
  out[to] = factor * x;
  out[to + 1] = factor * y;
  out[to + 2] = factor * z;
}
