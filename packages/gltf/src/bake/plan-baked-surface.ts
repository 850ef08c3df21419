/**
 * The surface as a viewer will show it, and its volumes: y_v = x_u + B_u e_u for the point u that stands for welded vertex v.
 *
 * e  sum of the weighted targets, #U×3, units of POSITION.
 */
import { createPose, measureVolumes, planClosedSurface, samplePose } from '@isoskin/core/frames';
import type { BakeJob } from './bake-job.js';
import type { Sample } from './list-samples.js';
import { gatherVertices } from './plan-source-skin.js';

export interface BakedSurface {
  /** Of the last pose: skinned points #U×3 and blends #U×9. */
  readonly skinned: Float64Array;
  readonly blends: Float64Array;
  /** Displacement of the points in units of POSITION, #U×3: set it, then call `place`. */
  readonly offsets: Float64Array;
  /** Welded positions, #V×3, of the last `place`. */
  readonly positions: Float64Array;
  /** Volume of every component, of the last `measure`. */
  readonly volumes: Float64Array;
  pose(sample: Sample): void;
  place(): void;
  /** Puts points (#U×3, world units) in their place. */
  gather(points: ArrayLike<number>): void;
  /** Fills `volumes`; returns their sum. */
  measure(): number;
}

export function planBakedSurface({ read: { character }, source }: Pick<BakeJob, 'read' | 'source'>): BakedSurface {
  const closed = planClosedSurface(character.surface);
  const { vertexCount } = closed;
  const extended = new Float64Array(3 * (vertexCount + closed.apexCount));
  const volumes = new Float64Array(character.surface.components.length);
  const skinned = new Float64Array(3 * source.pointCount);
  const blends = new Float64Array(9 * source.pointCount);
  const offsets = new Float64Array(3 * source.pointCount);
  const current = createPose(character);
  const { leaders } = source;
  return {
    skinned,
    blends,
    offsets,
    positions: extended.subarray(0, 3 * vertexCount),
    volumes,
    pose({ clip, time }) {
      samplePose(current, character, character.clips[clip], time);
      source.apply(skinned, blends, current);
    },
    place() {
      for (let v = 0; v < vertexCount; v++) {
        const u = leaders[v]!;
        const b = 9 * u;
        const x = offsets[3 * u]!;
        const y = offsets[3 * u + 1]!;
        const z = offsets[3 * u + 2]!;
        extended[3 * v] = skinned[3 * u]! + blends[b]! * x + blends[b + 3]! * y + blends[b + 6]! * z;
        extended[3 * v + 1] = skinned[3 * u + 1]! + blends[b + 1]! * x + blends[b + 4]! * y + blends[b + 7]! * z;
        extended[3 * v + 2] = skinned[3 * u + 2]! + blends[b + 2]! * x + blends[b + 5]! * y + blends[b + 8]! * z;
      }
    },
    gather: (points) => gatherVertices(extended, points, source),
    measure: () => measureVolumes(volumes, closed, extended),
  };
}
