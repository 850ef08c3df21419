/**
 * A2. Makes weights of any kind into ω: ≥ 0, Σ_i ω_ki = 1, each bone once, strongest first, no zeros.
 *
 * Weights that are NaN, infinite or negative count as 0. A vertex left with none is bound to the bone, among those that its
 * mesh uses, whose rest joint (origin of the inverse of T̄⁻¹) is nearest. O(influences), and log #B for each such vertex.
 */
import { IsoskinError, type Warning } from '../error.js';
import { many } from '../mesh/describe-defects.js';
import type { Binding, PartInput } from './character.js';
import { planNearestJoint } from './plan-nearest-joint.js';

/**
 * Sums off by less than this are rounding: eight weights stored as bytes can be off by 8 · ½/255 ≈ 1/64. They are
 * normalised and counted in `weightSumError`, without a warning.
 */
export const WEIGHT_SUM_TOLERANCE = 0.02;

export interface MendedWeights {
  /** Over the source vertices of all parts, one part after the other. */
  readonly binding: Binding;
  readonly warnings: readonly Warning[];
}

/** `positions`: x̄ of all source vertices, #×3. */
export function mendWeights(
  parts: readonly PartInput[],
  positions: Float64Array,
  inverseBinds: Float64Array,
): MendedWeights {
  const boneCount = inverseBinds.length / 16;
  const vertexCount = positions.length / 3;
  const offsets = new Uint32Array(vertexCount + 1);
  let capacity = vertexCount;
  for (const part of parts) capacity += part.weights.length;
  const bones = new Uint32Array(capacity);
  const weights = new Float64Array(capacity);
  const warnings: Warning[] = [];
  const joints = locateJoints(inverseBinds);
  const usedBones = listUsedBones(parts, boneCount);
  let filled = 0;
  let maxInfluences = 0;
  let weightSumError = 0;
  let vertex = 0;
  for (const part of parts) {
    let impossible = 0;
    let offSum = 0;
    let unbound = 0;
    let nearest: ReturnType<typeof planNearestJoint> | undefined;
    let partError = 0;
    const count = part.positions.length / 3;
    for (let v = 0; v < count; v++, vertex++) {
      const begin = filled;
      let sum = 0;
      for (let k = v * part.influences; k < (v + 1) * part.influences; k++) {
        const weight = part.weights[k]!;
        if (weight === 0) continue;
        if (!(weight > 0 && weight < Number.POSITIVE_INFINITY)) {
          impossible++;
          continue;
        }
        const bone = part.bones[k]!;
        if (!(Number.isInteger(bone) && bone >= 0 && bone < boneCount)) {
          throw new IsoskinError(
            'BONE_OUT_OF_RANGE',
            `A vertex hangs on bone ${bone} of ${boneCount} with weight ${weight}; bind the mesh to its skeleton again`,
            `part "${part.name}", vertex ${v}`,
          );
        }
        sum += weight;
        filled = insertInfluence(bones, weights, begin, filled, bone, weight);
      }
      if (filled === begin) {
        unbound++;
        nearest ??= planNearestJoint(joints, usedBones.get(part.group)!);
        bones[filled] = nearest(positions, vertex);
        weights[filled++] = 1;
      } else {
        const error = Math.abs(sum - 1);
        if (error > WEIGHT_SUM_TOLERANCE) offSum++;
        partError = Math.max(partError, error);
        for (let i = begin; i < filled; i++) weights[i]! /= sum;
      }
      maxInfluences = Math.max(maxInfluences, filled - begin);
      offsets[vertex + 1] = filled;
    }
    weightSumError = Math.max(weightSumError, partError);
    const warn = (code: string, n: number, message: string): void => {
      if (n > 0) warnings.push({ code, message, place: `part "${part.name}"` });
    };
    warn('WEIGHTS_IMPOSSIBLE', impossible, `${many(impossible, 'weight')} below 0 or not a number, taken as 0.`);
    warn(
      'WEIGHTS_NOT_NORMALISED',
      offSum,
      `The weights of ${many(offSum, 'vertex', 'vertices')} do not sum to 1 (off by up to ${partError.toFixed(3)}); they are scaled so that they do.`,
    );
    warn(
      'VERTEX_WITHOUT_WEIGHT',
      unbound,
      `${many(unbound, 'vertex', 'vertices')} without any weight, bound to the nearest joint.`,
    );
  }
  return {
    binding: {
      offsets,
      bones: bones.slice(0, filled),
      weights: weights.slice(0, filled),
      maxInfluences,
      weightSumError,
    },
    warnings,
  };
}

/** Adds to a list kept strongest first (smaller bone first among equals); a bone that is there already grows. */
function insertInfluence(
  bones: Uint32Array,
  weights: Float64Array,
  begin: number,
  end: number,
  bone: number,
  weight: number,
): number {
  let i = begin;
  while (i < end && bones[i] !== bone) i++;
  const isNew = i === end;
  const grown = isNew ? weight : weights[i]! + weight;
  for (; i > begin && (weights[i - 1]! < grown || (weights[i - 1] === grown && bones[i - 1]! > bone)); i--) {
    bones[i] = bones[i - 1]!;
    weights[i] = weights[i - 1]!;
  }
  bones[i] = bone;
  weights[i] = grown;
  return isNew ? end + 1 : end;
}

/** Bones that carry weight in each group, or all bones where none does. */
function listUsedBones(parts: readonly PartInput[], boneCount: number): Map<number, Uint32Array> {
  const used = new Map<number, Uint8Array>();
  for (const part of parts) {
    const marks = used.get(part.group) ?? new Uint8Array(boneCount);
    used.set(part.group, marks);
    for (let k = 0; k < part.weights.length; k++) if (part.weights[k]! > 0) marks[part.bones[k]!] = 1;
  }
  const lists = new Map<number, Uint32Array>();
  for (const [group, marks] of used) {
    const isUnused = !marks.includes(1);
    lists.set(
      group,
      Uint32Array.from(marks.keys()).filter((b) => isUnused || marks[b] === 1),
    );
  }
  return lists;
}

/** Rest position of every bone's joint, #B×3: the point p with T̄⁻¹ p = 0 (NaN where the matrix is singular). */
function locateJoints(inverseBinds: Float64Array): Float64Array {
  const joints = new Float64Array((inverseBinds.length / 16) * 3);
  for (let b = 0; b < inverseBinds.length / 16; b++) {
    const m = inverseBinds.subarray(16 * b, 16 * b + 16);
    const [a0, a1, a2] = [m[0]!, m[1]!, m[2]!];
    const [b0, b1, b2] = [m[4]!, m[5]!, m[6]!];
    const [c0, c1, c2] = [m[8]!, m[9]!, m[10]!];
    const [d0, d1, d2] = [m[12]!, m[13]!, m[14]!];
    // Cramer's rule on [a b c] p = −d, columns a, b, c.
    const det = a0 * (b1 * c2 - b2 * c1) + a1 * (b2 * c0 - b0 * c2) + a2 * (b0 * c1 - b1 * c0);
    joints[3 * b] = -(d0 * (b1 * c2 - b2 * c1) + d1 * (b2 * c0 - b0 * c2) + d2 * (b0 * c1 - b1 * c0)) / det;
    joints[3 * b + 1] = -(a0 * (d1 * c2 - d2 * c1) + a1 * (d2 * c0 - d0 * c2) + a2 * (d0 * c1 - d1 * c0)) / det;
    joints[3 * b + 2] = -(a0 * (b1 * d2 - b2 * d1) + a1 * (b2 * d0 - b0 * d2) + a2 * (b0 * d1 - b1 * d0)) / det;
  }
  return joints;
}
