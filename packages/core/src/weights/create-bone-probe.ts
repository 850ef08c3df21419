/**
 * Distances from a point to all bones at rest: A5's d_ki, with the nearest point of every bone. O(segments), no allocation
 * per point.
 */
import { type BoneSegments, planBoneSegments } from '../skeleton/plan-bone-segments.js';
import type { Skeleton } from '../skeleton/skeleton.js';

/** A shorter bone counts as this share of the median bone, so that coincident joints still pull. */
const SHORTEST_SHARE = 0.05;

export interface BoneProbe {
  readonly boneCount: number;
  readonly segments: BoneSegments;
  /** ℓ_i: the longest segment of bone i (of a leaf its virtual one), #B. */
  readonly lengths: Float64Array;
  /** d_ki of the last `measure`, #B; at least `floor`. */
  readonly distances: Float64Array;
  /** Nearest point of every bone, #B×3. */
  readonly points: Float64Array;
  /** Writes `distances` and `points` of the listed bones for the point (x, y, z). */
  measure(bones: ArrayLike<number>, x: number, y: number, z: number): void;
}

/** @param floor smallest distance: a vertex on a bone must not weigh infinitely much */
export function createBoneProbe(skeleton: Skeleton, floor: number): BoneProbe {
  const segments = planBoneSegments(skeleton);
  const { boneCount } = skeleton;
  const distances = new Float64Array(boneCount);
  const points = new Float64Array(3 * boneCount);
  const { offsets, points: ends } = segments;

  const measure = (bones: ArrayLike<number>, x: number, y: number, z: number): void => {
    for (let n = 0; n < bones.length; n++) {
      const i = bones[n]!;
      let nearest = Number.POSITIVE_INFINITY;
      for (let p = 6 * offsets[i]!; p < 6 * offsets[i + 1]!; p += 6) {
        const ax = ends[p]!;
        const ay = ends[p + 1]!;
        const az = ends[p + 2]!;
        const ux = ends[p + 3]! - ax;
        const uy = ends[p + 4]! - ay;
        const uz = ends[p + 5]! - az;
        const square = ux * ux + uy * uy + uz * uz;
        const along = ux * (x - ax) + uy * (y - ay) + uz * (z - az);
        const place = along <= 0 ? 0 : along >= square ? 1 : along / square;
        const cx = place === 0 ? ax : ax + place * ux;
        const cy = place === 0 ? ay : ay + place * uy;
        const cz = place === 0 ? az : az + place * uz;
        const d = (x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2;
        if (d < nearest) {
          nearest = d;
          points[3 * i] = cx;
          points[3 * i + 1] = cy;
          points[3 * i + 2] = cz;
        }
      }
      distances[i] = Math.max(floor, Math.sqrt(nearest));
    }
  };
  return { boneCount, segments, lengths: measureLengths(segments, boneCount), distances, points, measure };
}

function measureLengths({ offsets, points }: BoneSegments, boneCount: number): Float64Array {
  const lengths = new Float64Array(boneCount);
  for (let i = 0; i < boneCount; i++) {
    for (let p = 6 * offsets[i]!; p < 6 * offsets[i + 1]!; p += 6) {
      const length = Math.hypot(
        points[p + 3]! - points[p]!,
        points[p + 4]! - points[p + 1]!,
        points[p + 5]! - points[p + 2]!,
      );
      lengths[i] = Math.max(lengths[i]!, length);
    }
  }
  const positive = lengths.filter((length) => length > 0).sort();
  const shortest = SHORTEST_SHARE * (positive[positive.length >> 1] ?? 1 / SHORTEST_SHARE);
  return lengths.map((length) => Math.max(length, shortest));
}
