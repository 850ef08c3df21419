import type { Character } from '../character/character.js';
import {
  type BoneSegments,
  measureSegmentDistance,
  orderParentsFirst,
  type SegmentHit,
} from '../skeleton/plan-bone-segments.js';
import type { ClosedSurface } from '../volume/plan-closed-surface.js';
import type { Mirror } from './find-mirror.js';

/**
 * Joint (node of the skeleton) that every closed triangle belongs to: the one with the largest sum of weights over its
 * corners. For E2 (`joint`) the half of that bone nearer to its child belongs to the child's joint. `joinStill`: not where nothing bends,
 * at tips that carry no skin and at the root of a chain; their half belongs to the joint at the other end. The triangles of a hole's cap follow the two corners that lie on the surface.
 * In a character that is its own mirror image both sides decide together: a triangle counts with its image, whose joints are swapped.
 */
export function labelTriangles(
  character: Character,
  closed: ClosedSurface,
  segments: BoneSegments,
  by: 'bone' | 'joint',
  joinStill = false,
  mirror?: Mirror,
): Int32Array {
  const { skeleton } = character;
  const { triangleCount } = closed;
  const labels = new Int32Array(triangleCount);
  const labelling: Labelling = {
    ...{ character, closed, segments, by, mirror },
    sums: new Float64Array(skeleton.boneCount),
    touched: new Uint32Array(skeleton.boneCount),
    hit: { distance: 0, segment: 0, place: 0 },
    bends: joinStill ? findBends(character, segments) : new Uint8Array(skeleton.boneCount).fill(1),
  };
  for (let t = 0; t < triangleCount; t++) labels[t] = skeleton.boneNodes[findBone(labelling, t)]!;
  return labels;
}

/** Sums of weights that differ by less, relatively, are equal: the triangle goes to the first of their bones. Places along a bone, too. */
const TIE = 1e-6;

/** What labels are found from, and memory. */
interface Labelling {
  readonly character: Character;
  readonly closed: ClosedSurface;
  readonly segments: BoneSegments;
  readonly by: 'bone' | 'joint';
  readonly mirror: Mirror | undefined;
  readonly sums: Float64Array;
  readonly touched: Uint32Array;
  readonly hit: SegmentHit;
  readonly bends: Uint8Array;
}

function findBone(
  { character, closed, segments, by, mirror, sums, touched, hit, bends }: Labelling,
  t: number,
): number {
  const { triangles, vertexCount } = closed;
  const { offsets, bones, weights } = character.binding;
  const { positions } = character.surface;
  const centre = [0, 0, 0];
  let corners = 0;
  let count = 0;
  /** Corner v, or the image of a corner. */
  const add = (v: number, isImage: boolean): void => {
    for (let n = offsets[v]!; n < offsets[v + 1]!; n++) {
      const bone = isImage ? mirror!.bones[bones[n]!]! : bones[n]!;
      if (bone < 0) continue;
      if (sums[bone] === 0) touched[count++] = bone;
      sums[bone]! += weights[n]!;
    }
    corners++;
    for (let r = 0; r < 3; r++) {
      const x = positions[3 * v + r]!;
      centre[r]! += isImage && r === mirror!.axis ? 2 * mirror!.middle - x : x;
    }
  };
  const hasImage = isMirrored(closed, mirror, t);
  for (let c = 0; c < 3; c++) {
    const v = triangles[3 * t + c]!;
    if (v >= vertexCount) continue;
    add(v, false);
    if (hasImage) add(mirror!.vertices[v]!, true);
  }
  let most = 0;
  for (let n = 0; n < count; n++) most = Math.max(most, sums[touched[n]!]!);
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < count; n++) if (sums[touched[n]!]! >= (1 - TIE) * most) best = Math.min(best, touched[n]!);
  if (count === 0) best = 0;
  for (let n = 0; n < count; n++) sums[touched[n]!] = 0;
  if (by === 'bone') return best;
  const [x, y, z] = centre.map((sum) => sum / corners) as [number, number, number];
  measureSegmentDistance(hit, segments, best, x, y, z);
  const end = segments.ends[hit.segment]!;
  const isChain = segments.offsets[best + 1]! - segments.offsets[best]! === 1;
  return bends[end] && (hit.place > 0.5 + TIE || (isChain && !bends[best])) ? end : best;
}

/** Whether all corners of a triangle have an image. */
function isMirrored({ triangles, vertexCount }: ClosedSurface, mirror: Mirror | undefined, t: number): boolean {
  if (!mirror) return false;
  for (let c = 3 * t; c < 3 * t + 3; c++)
    if (triangles[c]! < vertexCount && mirror.vertices[triangles[c]!]! < 0) return false;
  return true;
}

/** Joints with skin on both sides: before them, and at or beyond them. */
function findBends({ binding, skeleton: { boneCount } }: Character, { parents }: BoneSegments): Uint8Array {
  const carries = new Uint8Array(boneCount);
  for (let n = 0; n < binding.bones.length; n++) if (binding.weights[n]! > 0) carries[binding.bones[n]!] = 1;
  const before = new Uint8Array(boneCount);
  const beyond = new Uint8Array(boneCount);
  for (const i of orderParentsFirst(parents)) {
    const parent = parents[i]!;
    if (parent >= 0) before[i] = before[parent]! | carries[parent]!;
    if (!carries[i]) continue;
    for (let b = i; b >= 0 && !beyond[b]; b = parents[b]!) beyond[b] = 1;
  }
  return before.map((own, i) => own & beyond[i]!);
}
