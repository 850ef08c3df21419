import type { Character } from '../character/character.js';
import { IsoskinError } from '../error.js';
import { type BoneSegments, measureSegmentDistance, type SegmentHit } from '../skeleton/plan-bone-segments.js';

/**
 * min_i d_ki, #V: distance from every rest vertex to the nearest of the bones, or of some bones only (D9).
 *
 * @param joints names of the joints whose bones count; all of them when absent. O(#V · #bones)
 */
export function measureBoneDistance(
  out: Float64Array,
  character: Character,
  segments: BoneSegments,
  joints?: readonly string[],
): void {
  const { positions } = character.surface;
  const bones = pickBones(character, joints);
  const hit: SegmentHit = { distance: 0, segment: 0, place: 0 };
  for (let k = 0; k < out.length; k++) {
    let nearest = Number.POSITIVE_INFINITY;
    for (const i of bones) {
      measureSegmentDistance(hit, segments, i, positions[3 * k]!, positions[3 * k + 1]!, positions[3 * k + 2]!);
      if (hit.distance < nearest) nearest = hit.distance;
    }
    out[k] = nearest;
  }
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
