/** The search for pairs of samples that may touch and look at each other (F7), whatever runs it: `planPairSearch` in TypeScript, WASM. */
import type { Character } from '../character/character.js';
import { type NearLists, planNearPairs } from './plan-near-pairs.js';
import { planSampleNormals } from './plan-sample-normals.js';
import type { SkinSamples } from './plan-skin-samples.js';

export interface PairSearch {
  /** Finds the pairs of samples at `points`, #S×3; `surface` (#V×3) is what `bones` have made of the skin. */
  find(points: Float64Array, bones: Float64Array, surface: Float64Array): void;
  /** Pairs found: three times the numbers of k and j, and 1/r² of the distance at which they begin to count. */
  readonly count: number;
  readonly pairs: Uint32Array;
  readonly inverses: Float64Array;
  /** Which way the samples of these pairs look, #S×3. */
  readonly normals: Float64Array;
}

export interface SearchPlan {
  readonly character: Character;
  readonly samples: SkinSamples;
  /** Pairs by the bones that carry them, and how the bones move. */
  readonly near: NearLists;
  /** Distance at which two samples begin to count: the least of `reach` thicknesses and `closer` times that at rest, less `hidden` thicknesses behind each other. */
  readonly constants: { readonly reach: number; readonly closer: number; readonly hidden: number };
}

export type CreateSearch = (plan: SearchPlan) => PairSearch;

export function planPairSearch({ character, samples, near: lists }: SearchPlan): PairSearch {
  const near = planNearPairs(samples, lists);
  const looks = planSampleNormals(character, samples);
  return {
    pairs: near.pairs,
    inverses: near.inverses,
    normals: looks.normals,
    get count() {
      return near.count;
    },
    find(points, bones, surface) {
      looks.begin(surface, bones);
      near.find(points, bones);
      looks.measure(near.pairs, 2 * near.count);
    },
  };
}
