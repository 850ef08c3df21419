/**
 * The surface as a viewer will show it, and its volumes: y_v = x_u + B_u e_u for the point u that stands for welded vertex v.
 *
 * e  sum of the weighted targets, #U×3, units of POSITION;  t = Bᵀ ∂V/∂y, #U×3: what a change of e does to the volumes.
 */
import {
  type Character,
  createPose,
  measureVolumeGradient,
  measureVolumes,
  NO_COMPONENT,
  planClosedSurface,
  samplePose,
} from '@isoskin/core';
import type { Sample } from './list-sample-times.js';
import type { SourceSkin } from './plan-source-skin.js';

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
  /** t, #U×3, of the last `measureSlopes`; zero for points that stand for no welded vertex. */
  readonly slopes: Float64Array;
  pose(sample: Sample): void;
  place(): void;
  /** Fills `volumes`; returns their sum. */
  measure(): number;
  /** Fills `slopes` and, at no further cost, `volumes`: V is homogeneous of degree 3, so 3V = Σ y·∂V/∂y. */
  measureSlopes(): void;
}

export function planBakedSurface(character: Character, source: SourceSkin): BakedSurface {
  const closed = planClosedSurface(character.surface);
  const { vertexCount } = closed;
  const { vertexComponent } = character.surface;
  const extended = new Float64Array(3 * (vertexCount + closed.apexCount));
  const gradient = new Float64Array(extended.length);
  const volumes = new Float64Array(character.surface.components.length);
  const skinned = new Float64Array(3 * source.pointCount);
  const blends = new Float64Array(9 * source.pointCount);
  const offsets = new Float64Array(3 * source.pointCount);
  const slopes = new Float64Array(3 * source.pointCount);
  const current = createPose(character);
  const { leaders } = source;
  return {
    skinned,
    blends,
    offsets,
    positions: extended.subarray(0, 3 * vertexCount),
    volumes,
    slopes,
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
    measure: () => measureVolumes(volumes, closed, extended),
    measureSlopes() {
      measureVolumeGradient(gradient, closed, extended);
      volumes.fill(0);
      for (let v = 0; v < vertexCount; v++) {
        const u = leaders[v]!;
        const b = 9 * u;
        const x = gradient[3 * v]!;
        const y = gradient[3 * v + 1]!;
        const z = gradient[3 * v + 2]!;
        const c = vertexComponent[v]!;
        if (c !== NO_COMPONENT)
          volumes[c]! += (extended[3 * v]! * x + extended[3 * v + 1]! * y + extended[3 * v + 2]! * z) / 3;
        slopes[3 * u] = blends[b]! * x + blends[b + 1]! * y + blends[b + 2]! * z;
        slopes[3 * u + 1] = blends[b + 3]! * x + blends[b + 4]! * y + blends[b + 5]! * z;
        slopes[3 * u + 2] = blends[b + 6]! * x + blends[b + 7]! * y + blends[b + 8]! * z;
      }
    },
  };
}
