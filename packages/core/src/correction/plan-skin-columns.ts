/**
 * C16. What bends need to know of the skin (plan-harmonics.ts), whatever its regions and their map: patches of the size l on which columns of flesh stand,
 * how high these are and how they lean on each other, l = 0.9 t. O(#V).
 */
import type { Character } from '../character/character.js';
import { selectNth } from '../linear-algebra/select-nth.js';
import { measureTriangleArea } from '../mesh/cross.js';
import type { Surface } from '../mesh/surface.js';
import { measureVertexAreas } from './measure-vertex-areas.js';
import { type PatchSmoothing, planPatchSmoothing } from './plan-patch-smoothing.js';
import { planSkinPatches, type SkinPatches } from './plan-skin-patches.js';

export interface SkinColumns extends PatchSmoothing {
  readonly patches: Pick<SkinPatches, 'count' | 'offsets' | 'bones' | 'weights' | 'moments' | 'scales'>;
  /** Vertex → patch. */
  readonly patchOf: Uint32Array;
  /** t_p. */
  readonly flesh: Float64Array;
}

/** Flesh is a quarter of the way through the limb: half its radius, the other half is bone. */
const FLESH = 0.25;
/** l / t: how far along the skin a column leans on its neighbours, and the size of a patch. */
const LEAN = 0.9;
/** Width of a Gaussian that smooths as far as (M + l²L)⁻¹ M does, in l. */
const WIDTH = Math.SQRT2;
/** Patches beyond this many are not worth their time in a frame, about 0.1 µs each; they grow instead. */
const MOST_PATCHES = 600;

/** @param thickness T, smoothed */
export function planSkinColumns(character: Character, thickness: Float64Array): SkinColumns {
  const { surface } = character;
  const found = planSkinPatches(character, countPatches(measureArea(surface), thickness));
  const flesh = averageFlesh(found, thickness, measureVertexAreas(surface));
  const { count, offsets, bones, weights, moments, scales, clusters } = found;
  return {
    patches: { count, offsets, bones, weights, moments, scales },
    patchOf: clusters.clusterOf,
    flesh,
    ...planPatchSmoothing(
      found,
      flesh.map((t) => WIDTH * LEAN * t),
    ),
  };
}

/**
 * How much of a push the mesh can show, #V: what is l wide takes two samples along l, four vertices in l². On coarser skin a push would be a dent of whole
 * triangles: it fades, and with one vertex in l² there is nothing left.
 *
 * @param spread area of a vertex, of the mean
 */
export function measureSights(surface: Surface, thickness: Float64Array, spread: Float64Array): Float64Array {
  const area = measureArea(surface) / surface.vertexCount;
  return thickness.map((T, k) => {
    const count = (LEAN * FLESH * T) ** 2 / (spread[k]! * area);
    return count > 1 ? Math.min(1, (count - 1) / 3) : 0;
  });
}

function measureArea({ triangles, positions }: Surface): number {
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3)
    area += measureTriangleArea(positions, 3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!);
  return area;
}

/** As many patches of size l as the skin holds. */
function countPatches(area: number, thickness: Float64Array): number {
  const median = selectNth(thickness.slice(), thickness.length >> 1) ?? 0;
  const wanted = Math.ceil(area / (LEAN * FLESH * median) ** 2);
  return wanted >= 1 && wanted < MOST_PATCHES ? wanted : MOST_PATCHES;
}

function averageFlesh({ count, clusters }: SkinPatches, thickness: Float64Array, areas: Float64Array): Float64Array {
  const out = new Float64Array(count);
  const sums = new Float64Array(count);
  for (let k = 0; k < thickness.length; k++) {
    const p = clusters.clusterOf[k]!;
    out[p]! += FLESH * areas[k]! * thickness[k]!;
    sums[p]! += areas[k]!;
  }
  return out.map((sum, p) => sum / sums[p]!);
}
