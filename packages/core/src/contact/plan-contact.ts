/**
 * F7. Contact of the skin with itself: the other skin is an obstacle in a small smooth solve over the samples that touch it.
 *
 *   f_k = Σ_s w_ks d_s,   ⟨f_k, m_k⟩ ≥ need_k   for every touching sample k
 *   need_k = c_k S(σ (soft(u_k) − u_k)),   u_k = φ_k − g t_k,   S(a) = a/(1 + (a/L_k)⁴)^¼,   L_k = 0.6 min(t_k, t_k now)
 *
 * f  displacement, smooth because the weights w are;  φ, m  distance to the other skin and the way out;  t  thickness;  g  gap;
 * σ  share of the penetration that each side takes;  soft(u) = u, (u+δ)²/4δ, 0: contact begins and ends with a continuous slope;
 * c  how much of the other skin is seen × how far its normals agree × how fine the skin is × strength. Twice, the second time on
 * what the first has left.
 *
 * A function of the surface and the bones alone; bones never move. Volume is restored afterwards: bulges appear by themselves.
 * O(#S + near pairs) per frame, nothing is allocated.
 */

import type { Character } from '../character/character.js';
import { smoothStep } from '../linear-algebra/smooth-step.js';
import type { CreateSearch } from './pair-search.js';
import { type Obstacle, planObstacle } from './plan-obstacle.js';
import { planSkinDistance } from './plan-skin-distance.js';
import { planSkinSamples, type SkinSamples } from './plan-skin-samples.js';

export interface ContactOptions {
  /** Share of the overlap that is parted, 0 … 1. */
  readonly strength?: number;
  /** Distance kept where skin touches, in local thicknesses: the volume step, which comes after, swells what touches. */
  readonly gap?: number;
}

export const CONTACT_DEFAULTS = { strength: 1, gap: 0.01 };

/** What was tuned, with the reasons; ablations: docs/decisions/contact.md. Lengths in local thicknesses t. */
export const CONTACT_CONSTANTS = {
  /** Distance of the samples: a push is twice as wide, which is what still looks like flesh; cost goes with its fourth power. */
  spacing: 0.33,
  /** How much thickness may grow per length: beside something thin skin is sampled and seen as thin skin. */
  slope: 0.5,
  /** How far a sample sees: what lies deeper cannot be parted in a way that anyone would like. */
  reach: 0.8,
  /** Skin counts when it is nearer than this share of its distance at rest: 1 would count what merely bends. */
  closer: 0.9,
  /** The two sides of one flesh are strangers only when they are this far apart at rest. */
  hidden: 2,
  /** Sharpness of the distance: larger values average over the roundness of the other skin and open a gap. */
  sharp: 0.05,
  /** Cosine between normals from which skin looks at skin fully. */
  face: 1,
  /** Seen area, in areas of the sample itself, at which it believes half of what it sees: on coarse skin it sees few others. */
  sure: 0.4,
  /** Half width δ of the soft start. */
  band: 0.1,
  /** Most displacement L: more presses a finger flat. */
  most: 0.6,
  /** Thickness in edges from which skin moves at all, and freely: below 1 a vertex is a whole knuckle. */
  coarse: 1,
  fine: 2.5,
  /** σ: half for each side, and more because a sample believes only part of what it sees. */
  share: 0.8,
  /** Sweeps of the obstacle problem, and how often distance and obstacle follow each other. */
  sweeps: 5,
  rounds: 2,
};
export type ContactConstants = typeof CONTACT_CONSTANTS;

export interface Contact {
  readonly samples: SkinSamples;
  /**
   * Finds what touches on a surface, and how it parts; false: nothing touches.
   *
   * @param positions of it: vertex k is at places[k] … (default: 3k …). @param from #V×3, what `bones` have made of the skin; default: `positions`
   */
  find(positions: Float64Array, bones: Float64Array, from?: Float64Array): boolean;
  find(positions: Float64Array | Float32Array, bones: Float64Array, from: Float64Array, places: Uint32Array): boolean;
  /** Adds the displacement that the last `find` found to a surface, which may be another one of the same frame. */
  push: Obstacle['push'];
  /** Deepest penetration, of the gap as well, that the last `find` met. */
  readonly deepest: number;
}

/** @param constants for ablations only. @param createSearch what finds the pairs that touch. Default: TypeScript */
export function planContact(
  character: Character,
  options: ContactOptions = {},
  constants: Partial<ContactConstants> = {},
  createSearch?: CreateSearch,
): Contact {
  const { strength, gap } = { ...CONTACT_DEFAULTS, ...options };
  const tuned = { ...CONTACT_CONSTANTS, ...constants };
  const { coarse, fine, sure, most, share, rounds } = tuned;
  const samples = planSkinSamples(character, tuned.spacing, tuned.slope);
  const distance = planSkinDistance(character, samples, tuned, createSearch);
  const obstacle = planObstacle(samples, distance.out, tuned.sweeps);
  const { areas, thickness, edges, opposites, vertices } = samples;
  const { seen, clear, phi, found, out } = distance;
  const { points: x, moved } = obstacle;
  const movable = thickness.map((t, k) => smoothStep((t / (edges[k]! || 1) - coarse) / (fine - coarse)));
  const sures = areas.map((area, k) => (sure * area * 4) / (Math.PI * (tuned.reach * thickness[k]!) ** 2));
  let deepest = 0;
  let base = new Float64Array(0) as Float64Array;

  /** need_k less what the rounds before have moved. */
  function measureNeed(k: number): number {
    const a = 3 * k;
    const t = thickness[k]!;
    const o = 3 * opposites[k]!;
    const now = Math.sqrt((x[a]! - x[o]!) ** 2 + (x[a + 1]! - x[o + 1]!) ** 2 + (x[a + 2]! - x[o + 2]!) ** 2);
    const before = Math.sqrt(moved[a]! ** 2 + moved[a + 1]! ** 2 + moved[a + 2]! ** 2);
    const depth = measureSoftDepth(phi[k]! - gap * t, tuned.band * t);
    const wanted = before + share * depth;
    const z = wanted / (most * Math.min(t, now) + Number.MIN_VALUE);
    const left = wanted / Math.sqrt(Math.sqrt(1 + z * z * z * z)) - before;
    const own = movable[k]! * left + (1 - movable[k]!) * measureReturn(k, depth);
    return strength * (seen[k]! / (seen[k]! + sures[k]!)) * smoothStep(clear[k]!) * own;
  }

  /** Coarse skin: the way back to where it was before volume moved it in, a, and no further than out, smoothly: a u/(a + u). */
  function measureReturn(k: number, depth: number): number {
    const v = 3 * vertices[k]!;
    let swelling = 0;
    for (let r = 0; r < 3; r++) swelling += (base[v + r]! - x[3 * k + r]!) * out[3 * k + r]!;
    return swelling > 0 ? (swelling * depth) / (swelling + depth) : 0;
  }

  /** Puts what is too near under the obstacle; false: nothing is. */
  function collect(): boolean {
    obstacle.clear();
    for (let i = 0; i < distance.foundCount; i++) {
      const k = found[i]!;
      if (phi[k]! >= (gap + tuned.band) * thickness[k]!) continue;
      const need = measureNeed(k);
      if (!(need > 0)) continue;
      deepest = Math.max(deepest, measureSoftDepth(phi[k]! - gap * thickness[k]!, tuned.band * thickness[k]!));
      obstacle.add(k, need);
    }
    return obstacle.touchingCount > 0;
  }

  return {
    samples,
    get deepest() {
      return deepest;
    },
    find(
      positions: Float64Array | Float32Array,
      bones: Float64Array,
      from = positions as Float64Array,
      places?: Uint32Array,
    ) {
      base = from;
      obstacle.begin(positions, places);
      deepest = 0;
      distance.measure(x, bones, from);
      let round = 0;
      for (; round < rounds && collect(); round++) {
        obstacle.solve();
        if (round + 1 < rounds) distance.measureAgain(x);
      }
      return round > 0;
    },
    push: obstacle.push,
  };
}

/** soft(u) − u: the depth of −u, from −δ on smoothly. */
function measureSoftDepth(u: number, band: number): number {
  if (u >= band) return 0;
  return u > -band ? ((u + band) * (u + band)) / (4 * band) - u : -u;
}
