import type { Character } from '../character/character.js';
import { type BoneSegments, measureSegmentDistance, type SegmentHit } from '../skeleton/plan-bone-segments.js';
import type { ClosedSurface } from '../volume/plan-closed-surface.js';

/**
 * Joint (node of the skeleton) that every closed triangle belongs to: the one with the largest sum of weights over its
 * corners. For E2 (`joint`) the half of that bone nearer to its child belongs to the child's joint. The triangles of a hole's
 * cap follow the two corners that lie on the surface.
 */
export function labelTriangles(
  character: Character,
  closed: ClosedSurface,
  segments: BoneSegments,
  by: 'bone' | 'joint',
): Int32Array {
  const { binding, skeleton, surface } = character;
  const { triangles, triangleCount, vertexCount } = closed;
  const labels = new Int32Array(triangleCount);
  const sums = new Float64Array(skeleton.boneCount);
  const touched: number[] = [];
  const hit: SegmentHit = { distance: 0, segment: 0, place: 0 };
  for (let t = 0; t < triangleCount; t++) {
    let corners = 0;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let c = 0; c < 3; c++) {
      const v = triangles[3 * t + c]!;
      if (v >= vertexCount) continue;
      for (let n = binding.offsets[v]!; n < binding.offsets[v + 1]!; n++) {
        const bone = binding.bones[n]!;
        if (sums[bone] === 0) touched.push(bone);
        sums[bone]! += binding.weights[n]!;
      }
      corners++;
      x += surface.positions[3 * v]!;
      y += surface.positions[3 * v + 1]!;
      z += surface.positions[3 * v + 2]!;
    }
    let best = touched[0] ?? 0;
    for (const bone of touched) if (sums[bone]! > sums[best]!) best = bone;
    for (const bone of touched) sums[bone] = 0;
    touched.length = 0;
    if (by === 'joint') {
      measureSegmentDistance(hit, segments, best, x / corners, y / corners, z / corners);
      if (hit.place > 0.5) best = segments.ends[hit.segment]!;
    }
    labels[t] = skeleton.boneNodes[best]!;
  }
  return labels;
}
