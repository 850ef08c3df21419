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
 * In a character that is its own mirror image one side decides for both: a triangle of the other one takes the joint opposite to that of its image.
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
  for (let t = 0; t < triangleCount; t++) {
    const opposite = isOther(labelling, t) ? mirror!.bones[findBone(labelling, t, mirror!.vertices)]! : -1;
    labels[t] = skeleton.boneNodes[opposite >= 0 ? opposite : findBone(labelling, t)]!;
  }
  return labels;
}

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

/** @param mates vertices that stand for those of the triangle */
function findBone(
  { character, closed, segments, by, sums, touched, hit, bends }: Labelling,
  t: number,
  mates?: Int32Array,
): number {
  const { triangles, vertexCount } = closed;
  const { offsets, bones, weights } = character.binding;
  const { positions } = character.surface;
  let corners = 0;
  let count = 0;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let c = 0; c < 3; c++) {
    const own = triangles[3 * t + c]!;
    if (own >= vertexCount) continue;
    const v = mates ? mates[own]! : own;
    for (let n = offsets[v]!; n < offsets[v + 1]!; n++) {
      const bone = bones[n]!;
      if (sums[bone] === 0) touched[count++] = bone;
      sums[bone]! += weights[n]!;
    }
    corners++;
    x += positions[3 * v]!;
    y += positions[3 * v + 1]!;
    z += positions[3 * v + 2]!;
  }
  let best = count > 0 ? touched[0]! : 0;
  for (let n = 1; n < count; n++) if (sums[touched[n]!]! > sums[best]!) best = touched[n]!;
  for (let n = 0; n < count; n++) sums[touched[n]!] = 0;
  if (by === 'bone') return best;
  measureSegmentDistance(hit, segments, best, x / corners, y / corners, z / corners);
  const end = segments.ends[hit.segment]!;
  const isChain = segments.offsets[best + 1]! - segments.offsets[best]! === 1;
  return bends[end] && (hit.place > 0.5 || (isChain && !bends[best])) ? end : best;
}

/** Whether a triangle lies on the side that does not decide, and has an image. */
function isOther({ closed: { triangles, vertexCount }, character, mirror }: Labelling, t: number): boolean {
  if (!mirror) return false;
  let sum = 0;
  for (let c = 0; c < 3; c++) {
    const v = triangles[3 * t + c]!;
    if (v >= vertexCount) continue;
    if (mirror.vertices[v]! < 0) return false;
    sum += character.surface.positions[3 * v + mirror.axis]! - mirror.middle;
  }
  return sum < 0;
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
