import type { Character } from '../character/character.js';
import { IsoskinError } from '../error.js';
import { type BoneSegments, measureSegmentDistance, type SegmentHit } from '../skeleton/plan-bone-segments.js';

/**
 * min_i d_ki, #V: distance from every rest vertex to the nearest of the bones, or of some bones only (D9).
 *
 * @param names of the joints whose bones count; all of them when absent. O(#V · #bones)
 */
export function measureBoneDistance(
  out: Float64Array,
  character: Character,
  segments: BoneSegments,
  names?: readonly string[],
): void {
  const { positions } = character.surface;
  const bones = pickBones(character, names);
  const { joints } = segments;
  const reach = measureReach(segments);
  const hit: SegmentHit = { distance: 0, segment: 0, place: 0 };
  let last = bones[0]!; // the bone that the vertex before was nearest to: most often this one's too
  for (let k = 0; k < out.length; k++) {
    const x = positions[3 * k]!;
    const y = positions[3 * k + 1]!;
    const z = positions[3 * k + 2]!;
    measureSegmentDistance(hit, segments, last, x, y, z);
    let nearest = hit.distance;
    for (let n = 0; n < bones.length; n++) {
      const i = bones[n]!;
      const dx = x - joints[3 * i]!;
      const dy = y - joints[3 * i + 1]!;
      const dz = z - joints[3 * i + 2]!;
      const far = nearest + reach[i]!;
      if (dx * dx + dy * dy + dz * dz >= far * far) continue; // it ends before it could be nearer
      measureSegmentDistance(hit, segments, i, x, y, z);
      if (hit.distance >= nearest) continue;
      nearest = hit.distance;
      last = i;
    }
    out[k] = nearest;
  }
}

/** How far the segments of every bone go from its joint. */
function measureReach({ offsets, points, parents }: BoneSegments): Float64Array {
  return Float64Array.from(parents, (_, i) => {
    let most = 0;
    for (let p = 6 * offsets[i]!; p < 6 * offsets[i + 1]!; p += 6) {
      most = Math.max(most, Math.hypot(...[0, 1, 2].map((r) => points[p + 3 + r]! - points[p + r]!)));
    }
    return most;
  });
}

function pickBones({ skeleton }: Character, joints: readonly string[] | undefined): Uint32Array {
  const all = Uint32Array.from({ length: skeleton.boneCount }, (_, i) => i);
  if (!joints) return all;
  const nameOf = (i: number) => skeleton.names[skeleton.boneNodes[i]!]!;
  const known = new Set(Array.from(all, nameOf));
  const missing = joints.find((name) => !known.has(name));
  if (missing !== undefined || joints.length === 0) {
    throw new IsoskinError(
      'JOINT_UNKNOWN',
      missing === undefined
        ? 'A correction map was given an empty list of bones; name at least one joint or leave the list out.'
        : `A correction map names the joint “${missing}”, which carries no skin; use one of: ${[...known].slice(0, 12).join(', ')}${known.size > 12 ? ' …' : ''}.`,
      'map.bones',
    );
  }
  const wanted = new Set(joints);
  return all.filter((i) => wanted.has(nameOf(i)));
}
