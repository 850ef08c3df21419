/**
 * Q9. Misplaced flesh: how much of the body is not where it was, whatever regions a correction kept.
 *
 *   misplaced = mean over three cuts of ½ Σ_z |V_z − c V̄_z| / Σ_z |c V̄_z|
 *
 * The cuts know nothing of the solver: by bone (borders through the joints), by joint (across mid-bone), and into slices whose two
 * borders per bone lie off both. Pieces are closed by B4, so they sum to the whole. c = scale of the frame's target volume.
 * O(#T) per measurement, no allocation.
 */
import type { Character } from '../character/character.js';
import { labelTriangles } from '../regions/label-triangles.js';
import { type BoneSegments, measureSegmentDistance, planBoneSegments } from '../skeleton/plan-bone-segments.js';
import { createExtendedPositions, measureTetrahedra } from '../volume/measure-region-volumes.js';
import { type ClosedSurface, planClosedSurface } from '../volume/plan-closed-surface.js';
import { planRegionVolumes, type RegionVolumes } from '../volume/plan-region-volumes.js';

export interface Placement {
  /** Share of the body that is misplaced at `positions` (#V×3). */
  measure(positions: Float64Array, scale: number): number;
  /**
   * Tells the corners of every piece that ends further from its volume at `corrected` than at `skinned`, and by how much, of the body.
   */
  blame(
    skinned: Float64Array,
    corrected: Float64Array,
    scale: number,
    accuse: (vertex: number, excess: number) => void,
  ): void;
}

/** Places along a bone where slices end: a third from each joint, off the borders of the two other cuts. */
const SLICES = [0.3, 0.7] as const;

export function planPlacement(character: Character): Placement {
  const closed = planClosedSurface(character.surface);
  const segments = planBoneSegments(character.skeleton);
  const labels = [
    labelTriangles(character, closed, segments, 'bone'),
    labelTriangles(character, closed, segments, 'joint'),
    labelSlices(character, closed, segments),
  ];
  const cuts = labels.map((list) => planCut(character, closed, list));
  const { vertexCount, triangles } = character.surface;
  return {
    blame(skinned, corrected, scale, accuse) {
      for (const { volumes, extended, now, rest, pieces, sizes } of cuts) {
        extended.set(skinned);
        measureTetrahedra(now, volumes, extended);
        const excess = now.map((volume, z) => -Math.abs(volume - scale * rest[z]!));
        extended.set(corrected);
        measureTetrahedra(now, volumes, extended);
        const whole = rest.reduce((sum, volume) => sum + Math.abs(scale * volume), 0) || 1;
        for (let z = 0; z < now.length; z++) excess[z]! += Math.abs(now[z]! - scale * rest[z]!);
        for (let c = 0; c < triangles.length; c++) {
          const z = pieces[(c / 3) | 0]!;
          if (excess[z]! > 0 && triangles[c]! < vertexCount) accuse(triangles[c]!, excess[z]! / whole / sizes[z]!);
        }
      }
    },
    measure(positions, scale) {
      let sum = 0;
      for (const { volumes, extended, now, rest } of cuts) {
        extended.set(positions);
        measureTetrahedra(now, volumes, extended);
        let moved = 0;
        let whole = 0;
        for (let z = 0; z < now.length; z++) {
          moved += Math.abs(now[z]! - scale * rest[z]!);
          whole += Math.abs(scale * rest[z]!);
        }
        sum += whole > 0 ? moved / whole / 2 : 0;
      }
      return sum / cuts.length;
    },
  };
}

interface Cut {
  readonly volumes: RegionVolumes;
  readonly extended: Float64Array;
  readonly now: Float64Array;
  readonly rest: Float64Array;
  /** Piece of every triangle, and how many triangles each has. */
  readonly pieces: Uint32Array;
  readonly sizes: Uint32Array;
}

function planCut({ surface }: Character, closed: ClosedSurface, labels: Int32Array): Cut {
  const number = new Map<number, number>();
  const pieces = Uint32Array.from(labels, (label) => {
    if (!number.has(label)) number.set(label, number.size);
    return number.get(label)!;
  });
  const volumes = planRegionVolumes(closed, pieces, number.size);
  const extended = createExtendedPositions(volumes);
  extended.set(surface.positions);
  const rest = new Float64Array(number.size);
  measureTetrahedra(rest, volumes, extended);
  const sizes = new Uint32Array(number.size);
  for (const z of pieces) sizes[z]!++;
  return { volumes, extended, now: new Float64Array(number.size), rest, pieces, sizes };
}

/** Three pieces per bone: around its joint, its middle, and around the joint of the child that it leads to. */
function labelSlices(character: Character, closed: ClosedSurface, segments: BoneSegments): Int32Array {
  const { surface, skeleton } = character;
  const bones = labelTriangles(character, closed, segments, 'bone');
  const boneOf = new Map<number, number>();
  for (let i = skeleton.boneCount - 1; i >= 0; i--) boneOf.set(skeleton.boneNodes[i]!, i);
  const hit = { distance: 0, segment: 0, place: 0 };
  return bones.map((node, t) => {
    const corners = [0, 1, 2].map((c) => closed.triangles[3 * t + c]!).filter((v) => v < closed.vertexCount);
    const mean = (r: number) => corners.reduce((sum, v) => sum + surface.positions[3 * v + r]!, 0) / corners.length;
    const bone = boneOf.get(node)!;
    measureSegmentDistance(hit, segments, bone, mean(0), mean(1), mean(2));
    const end = segments.ends[hit.segment]!;
    if (end === bone || hit.place < SLICES[0]) return 2 * node;
    return hit.place > SLICES[1] ? 2 * skeleton.boneNodes[end]! : 2 * node + 1;
  });
}
