/**
 * A1. The rest segments of every bone: from its joint to each child joint, taken from the inverse bind matrices.
 *
 * A leaf joint has a short virtual segment that continues the way from its parent. d_ki is the smallest distance from rest
 * vertex k to a segment of bone i.
 */
import { measureDistance } from '../mesh/measure-distance.js';
import { invertAffine } from './matrices.js';
import type { Skeleton } from './skeleton.js';

/** Length of a leaf's virtual segment relative to the segment that leads to it. */
const LEAF_SHARE = 0.3;

export interface BoneSegments {
  /** Bone → segments: segment n runs from `points[6n…]` to `points[6n+3…]`. */
  readonly offsets: Uint32Array;
  readonly points: Float64Array;
  /** Bone at the far end of each segment; the bone itself for a leaf. */
  readonly ends: Uint32Array;
  /** Rest joint of every bone, #B×3. */
  readonly joints: Float64Array;
  /** Bone of the nearest ancestor that is a joint, −1 for a root. */
  readonly parents: Int32Array;
}

export function planBoneSegments(skeleton: Skeleton): BoneSegments {
  const { boneCount, boneNodes, inverseBinds, parents: nodeParents } = skeleton;
  const joints = new Float64Array(3 * boneCount);
  const matrix = new Float64Array(16);
  for (let i = 0; i < boneCount; i++) {
    if (invertAffine(matrix, 0, inverseBinds, 16 * i)) joints.set(matrix.subarray(12, 15), 3 * i);
  }
  const bonesOfNode = new Map<number, number[]>();
  for (let i = 0; i < boneCount; i++) {
    const list = bonesOfNode.get(boneNodes[i]!) ?? [];
    list.push(i);
    bonesOfNode.set(boneNodes[i]!, list);
  }
  const parents = new Int32Array(boneCount).fill(-1);
  const children: number[][] = Array.from({ length: boneCount }, () => []);
  for (let i = 0; i < boneCount; i++) {
    let node = nodeParents[boneNodes[i]!]!;
    while (node >= 0 && !bonesOfNode.has(node)) node = nodeParents[node]!;
    if (node < 0) continue;
    // Two skins may share the parent joint: the bone bound nearest is the one of the same skin.
    const nearest = bonesOfNode
      .get(node)!
      .reduce((a, b) => (measureDistance(joints, a, i) <= measureDistance(joints, b, i) ? a : b));
    parents[i] = nearest;
    children[nearest]!.push(i);
  }
  const offsets = new Uint32Array(boneCount + 1);
  const points: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < boneCount; i++) {
    const own = [joints[3 * i]!, joints[3 * i + 1]!, joints[3 * i + 2]!];
    for (const child of children[i]!) {
      points.push(...own, joints[3 * child]!, joints[3 * child + 1]!, joints[3 * child + 2]!);
      ends.push(child);
    }
    if (children[i]!.length === 0) {
      const p = parents[i]!;
      points.push(...own, ...own.map((x, r) => (p < 0 ? x : x + LEAF_SHARE * (x - joints[3 * p + r]!))));
      ends.push(i);
    }
    offsets[i + 1] = ends.length;
  }
  return { offsets, points: Float64Array.from(points), ends: Uint32Array.from(ends), joints, parents };
}

export interface SegmentHit {
  distance: number;
  segment: number;
  /** Place along the segment, 0 at its joint, 1 at its end. */
  place: number;
}

/** Nearest point of bone i to (x, y, z), into `out`. */
export function measureSegmentDistance(
  out: SegmentHit,
  segments: BoneSegments,
  i: number,
  x: number,
  y: number,
  z: number,
): void {
  const { offsets, points } = segments;
  let distance = Number.POSITIVE_INFINITY;
  for (let n = offsets[i]!; n < offsets[i + 1]!; n++) {
    const p = 6 * n;
    const ux = points[p + 3]! - points[p]!;
    const uy = points[p + 4]! - points[p + 1]!;
    const uz = points[p + 5]! - points[p + 2]!;
    const vx = x - points[p]!;
    const vy = y - points[p + 1]!;
    const vz = z - points[p + 2]!;
    const square = ux * ux + uy * uy + uz * uz;
    const place = square > 0 ? Math.min(1, Math.max(0, (ux * vx + uy * vy + uz * vz) / square)) : 0;
    const dx = vx - place * ux;
    const dy = vy - place * uy;
    const dz = vz - place * uz;
    const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (d < distance) {
      distance = d;
      out.segment = n;
      out.place = place;
    }
  }
  out.distance = distance;
}

/** Bones so that every parent comes before its children. */
export function orderParentsFirst(parents: Int32Array): number[] {
  const order: number[] = [];
  const done = new Uint8Array(parents.length);
  for (let i = 0; i < parents.length; i++) {
    const chain: number[] = [];
    for (let k = i; k >= 0 && !done[k]; k = parents[k]!) {
      done[k] = 1;
      chain.push(k);
    }
    order.push(...chain.reverse());
  }
  return order;
}
