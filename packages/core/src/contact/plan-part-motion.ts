/**
 * F5. How the parts move: the matrix of each one (that of its bone, or the blend of its bones), its inverse, and what that says
 * about two parts without looking at a single vertex. O(parts) per frame, O(1) per pair.
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { type PartFields, sampleField } from './plan-part-fields.js';

export interface PartMotion {
  /** Inverse of the linear part and the translation (not inverted) of every part, #P×12. */
  readonly inverse: Float64Array;
  /** Mean scale, #P. */
  readonly scales: Float64Array;
  /** How far outside the field of its own part a vertex may be, #P: 2 Σ_i max ω_i |(M_i − M_p) x̄| and what it is at rest. */
  readonly strays: Float64Array;
  measure(boneMatrices: Float64Array): void;
  /** Whether the ball around each of two parts meets the grid of the other. */
  meet(p: number, q: number): boolean;
  /** 0 where two parts have hardly moved against each other since the rest pose, 1 where they have. */
  measureShift(p: number, q: number): number;
}

/** Parts that moved less against each other (in radii) do not touch anew; those that moved more count fully. */
const STILL = 0.5;
const MOVED = 1.5;

export function planPartMotion(character: Character, fields: PartFields): PartMotion {
  const { count: P, shares, frames, radii } = fields;
  const pulls = planPulls(character, fields);
  const strays = new Float64Array(P);
  const matrices = new Float64Array(BONE_STRIDE * P);
  const inverse = new Float64Array(BONE_STRIDE * P);
  const scales = new Float64Array(P);
  /** Ball around the box of every part, in the pose, ×4. */
  const balls = new Float64Array(4 * P);
  const reach = Float64Array.from(radii, (_, p) => {
    const side = (r: number) => (frames[10 * p + 7 + r]! - frames[10 * p + 4 + r]!) / 2;
    return Math.hypot(side(0), side(1), side(2));
  });
  const point = new Float64Array(3);

  function measure(boneMatrices: Float64Array): void {
    matrices.fill(0);
    for (let p = 0; p < P; p++) {
      const o = BONE_STRIDE * p;
      for (let e = shares.offsets[p]!; e < shares.offsets[p + 1]!; e++) {
        const b = BONE_STRIDE * shares.bones[e]!;
        const w = shares.weights[e]!;
        for (let r = 0; r < BONE_STRIDE; r++) matrices[o + r]! += w * boneMatrices[b + r]!;
      }
      invertPart(inverse, scales, p, matrices);
      const f = 10 * p;
      toPose(
        p,
        (frames[f + 4]! + frames[f + 7]!) / 2,
        (frames[f + 5]! + frames[f + 8]!) / 2,
        (frames[f + 6]! + frames[f + 9]!) / 2,
      );
      balls.set(point, 4 * p);
      balls[4 * p + 3] = reach[p]! * scales[p]!;
      strays[p] = measureStray(p, boneMatrices);
    }
  }

  /** From the ball around the part: |(M_i − M_p) x̄| ≤ |(M_i − M_p) c̄| + |M_i − M_p| r̄. Twice that, as arcs are longer. */
  function measureStray(p: number, boneMatrices: Float64Array): number {
    const o = BONE_STRIDE * p;
    const f = 10 * p;
    const x = (frames[f + 4]! + frames[f + 7]!) / 2;
    const y = (frames[f + 5]! + frames[f + 8]!) / 2;
    const z = (frames[f + 6]! + frames[f + 9]!) / 2;
    let sum = 0;
    for (let e = pulls.offsets[p]!; e < pulls.offsets[p + 1]!; e++) {
      const b = BONE_STRIDE * pulls.bones[e]!;
      let place = 0;
      let turn = 0;
      for (let r = 0; r < 3; r++) {
        const dx = boneMatrices[b + r]! - matrices[o + r]!;
        const dy = boneMatrices[b + r + 3]! - matrices[o + r + 3]!;
        const dz = boneMatrices[b + r + 6]! - matrices[o + r + 6]!;
        const d = dx * x + dy * y + dz * z + boneMatrices[b + r + 9]! - matrices[o + r + 9]!;
        place += d * d;
        turn += dx * dx + dy * dy + dz * dz;
      }
      sum += pulls.weights[e]! * (Math.sqrt(place) + Math.sqrt(turn) * reach[p]!);
    }
    return 2 * sum + pulls.rest[p]! * scales[p]!;
  }

  /** Into `point`: a place of the rest frame of part p in the pose. */
  function toPose(p: number, x: number, y: number, z: number): void {
    const o = BONE_STRIDE * p;
    for (let r = 0; r < 3; r++) {
      const i = o + r;
      point[r] = matrices[i]! * x + matrices[i + 3]! * y + matrices[i + 6]! * z + matrices[i + 9]!;
    }
  }

  /** Whether the ball around part p meets the grid of part q. */
  function reaches(p: number, q: number): boolean {
    const b = 4 * p;
    const o = BONE_STRIDE * q;
    const f = 10 * q;
    const dx = balls[b]! - inverse[o + 9]!;
    const dy = balls[b + 1]! - inverse[o + 10]!;
    const dz = balls[b + 2]! - inverse[o + 11]!;
    const x = inverse[o]! * dx + inverse[o + 3]! * dy + inverse[o + 6]! * dz;
    const y = inverse[o + 1]! * dx + inverse[o + 4]! * dy + inverse[o + 7]! * dz;
    const z = inverse[o + 2]! * dx + inverse[o + 5]! * dy + inverse[o + 8]! * dz;
    const ax = Math.max(frames[f + 4]! - x, 0, x - frames[f + 7]!);
    const ay = Math.max(frames[f + 5]! - y, 0, y - frames[f + 8]!);
    const az = Math.max(frames[f + 6]! - z, 0, z - frames[f + 9]!);
    return Math.sqrt(ax * ax + ay * ay + az * az) * scales[q]! < balls[b + 3]!;
  }

  function measureShift(p: number, q: number): number {
    const f = 10 * p;
    const o = BONE_STRIDE * q;
    let most = 0;
    // The furthest-moved of the four corners that span the box of part p.
    for (let corner = 0; corner < 4; corner++) {
      const x = frames[f + (corner === 1 ? 7 : 4)]!;
      const y = frames[f + (corner === 2 ? 8 : 5)]!;
      const z = frames[f + (corner === 3 ? 9 : 6)]!;
      toPose(p, x, y, z);
      const dx = point[0]! - inverse[o + 9]!;
      const dy = point[1]! - inverse[o + 10]!;
      const dz = point[2]! - inverse[o + 11]!;
      const mx = inverse[o]! * dx + inverse[o + 3]! * dy + inverse[o + 6]! * dz - x;
      const my = inverse[o + 1]! * dx + inverse[o + 4]! * dy + inverse[o + 7]! * dz - y;
      const mz = inverse[o + 2]! * dx + inverse[o + 5]! * dy + inverse[o + 8]! * dz - z;
      most = Math.max(most, mx * mx + my * my + mz * mz);
    }
    const size = Math.min(radii[p]!, radii[q]!);
    const z = Math.min(1, Math.max(0, (Math.sqrt(most) / size - STILL) / (MOVED - STILL)));
    return z * z * (3 - 2 * z);
  }

  return { inverse, scales, strays, measure, meet: (p, q) => reaches(p, q) && reaches(q, p), measureShift };
}

/** Inverse of the linear part of a part's matrix, its translation, and its mean scale. */
function invertPart(out: Float64Array, scales: Float64Array, p: number, m: Float64Array): void {
  const o = BONE_STRIDE * p;
  const a = m[o]!;
  const d = m[o + 1]!;
  const g = m[o + 2]!;
  const b = m[o + 3]!;
  const e = m[o + 4]!;
  const h = m[o + 5]!;
  const c = m[o + 6]!;
  const f = m[o + 7]!;
  const k = m[o + 8]!;
  const det = a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g);
  const s = Math.abs(det) > 0 ? 1 / det : 0;
  out[o] = (e * k - f * h) * s;
  out[o + 1] = (f * g - d * k) * s;
  out[o + 2] = (d * h - e * g) * s;
  out[o + 3] = (c * h - b * k) * s;
  out[o + 4] = (a * k - c * g) * s;
  out[o + 5] = (b * g - a * h) * s;
  out[o + 6] = (b * f - c * e) * s;
  out[o + 7] = (c * d - a * f) * s;
  out[o + 8] = (a * e - b * d) * s;
  out[o + 9] = m[o + 9]!;
  out[o + 10] = m[o + 10]!;
  out[o + 11] = m[o + 11]!;
  scales[p] = Math.cbrt(Math.abs(det));
}

/** Part → the bones that pull at its vertices and their largest weights; and how far outside its own field they are at rest. */
function planPulls({ surface, binding }: Character, fields: PartFields) {
  const x = surface.positions;
  const offsets = [0];
  const bones: number[] = [];
  const weights: number[] = [];
  const rest = new Float64Array(fields.count);
  const sample = new Float64Array(4);
  for (let p = 0; p < fields.count; p++) {
    const most = new Map<number, number>();
    for (const k of fields.vertices.subarray(fields.offsets[p]!, fields.offsets[p + 1]!)) {
      for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
        most.set(binding.bones[e]!, Math.max(most.get(binding.bones[e]!) ?? 0, binding.weights[e]!));
      }
      sampleField(sample, fields, p, x[3 * k]!, x[3 * k + 1]!, x[3 * k + 2]!);
      rest[p] = Math.max(rest[p]!, sample[0]!);
    }
    bones.push(...most.keys());
    weights.push(...most.values());
    offsets.push(bones.length);
  }
  return {
    offsets: Uint32Array.from(offsets),
    bones: Uint32Array.from(bones),
    weights: Float64Array.from(weights),
    rest,
  };
}
