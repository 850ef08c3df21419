/**
 * Finds the rest pose in which a skeleton from elsewhere stands in a body: its bind pose or its default pose.
 *
 * A file's bind pose may lie in other axes or units than its scene, and a skeleton without skin has none. Both poses are
 * judged by their boxes: score = Σ_axes overlap / Σ_axes union of the joints' box and the body's. O(#B + #V).
 */

import { IsoskinError } from '../error.js';
import { measureBox } from '../mesh/measure-box.js';
import type { Surface } from '../mesh/surface.js';
import { invertAffine, measureWorldMatrices } from '../skeleton/matrices.js';
import type { Skeleton } from '../skeleton/skeleton.js';

/** The default pose must be this much better to be taken. */
const CLEARLY_BETTER = 0.05;
/** With less overlap the skeleton does not stand in the body. */
const LEAST_OVERLAP = 0.2;

/** The skeleton with the inverse bind matrices of the better pose. */
export function fitSkeleton(skeleton: Skeleton, surface: Pick<Surface, 'positions'>): Skeleton {
  const { boneCount, boneNodes, inverseBinds } = skeleton;
  const world = new Float64Array(16 * skeleton.nodeCount);
  measureWorldMatrices(world, skeleton, skeleton.locals);
  const posed = new Float64Array(16 * boneCount);
  const bound = new Float64Array(3 * boneCount);
  const placed = new Float64Array(3 * boneCount);
  const matrix = new Float64Array(16);
  for (let i = 0; i < boneCount; i++) {
    if (invertAffine(matrix, 0, inverseBinds, 16 * i)) bound.set(matrix.subarray(12, 15), 3 * i);
    const at = 16 * boneNodes[i]!;
    placed.set(world.subarray(at + 12, at + 15), 3 * i);
    if (!invertAffine(posed, 16 * i, world, at)) posed.set(inverseBinds.subarray(16 * i, 16 * i + 16), 16 * i);
  }
  const body = measureBox(surface.positions);
  const bind = measureOverlap(measureBox(bound), body);
  const pose = measureOverlap(measureBox(placed), body);
  if (Math.max(bind, pose) < LEAST_OVERLAP) {
    const message =
      'The skeleton does not stand in the mesh: give both the same place, size and axes, and export them again.';
    throw new IsoskinError('SKELETON_ELSEWHERE', message);
  }
  return pose > bind + CLEARLY_BETTER ? { ...skeleton, inverseBinds: posed } : skeleton;
}

function measureOverlap(a: readonly number[], b: readonly number[]): number {
  let overlap = 0;
  let union = 0;
  for (let r = 0; r < 3; r++) {
    overlap += Math.max(0, Math.min(a[r + 3]!, b[r + 3]!) - Math.max(a[r]!, b[r]!));
    union += Math.max(a[r + 3]!, b[r + 3]!) - Math.min(a[r]!, b[r]!);
  }
  return union > 0 ? overlap / union : 0;
}
