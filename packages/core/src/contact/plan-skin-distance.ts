/**
 * F7. A smoothed signed distance from every sample of the skin to the *other* skin of its component, and the way out.
 *
 *   φ_k = Σ_j w_kj ⟨x_k − x_j, n_j⟩ / Σ_j w_kj,     m_k = normalise Σ_j w_kj n_j
 *   w_kj = A_j 4/(πr²) (1 − D²/r²)³ face(−⟨n_k, n_j⟩) / (D²/r² + 0.05),     r = min(r_k, r_j, 0.9 D̄),  D = |x_k − x_j|
 *
 * φ < 0 inside the other skin;  A  area of a sample;  n  outward normals (plan-sample-normals.ts);  r_k  0.8 local thicknesses.
 * D̄  distance at rest: skin counts only once it has come closer than it was, so neighbours, what touches and what overlaps at
 * rest are left alone, smoothly. The two sides of the same flesh look alike from behind: for them D̄ is less by two thicknesses.
 * What lies deeper than r fades out by itself. O(#S + near pairs) per frame, nothing is allocated.
 *
 * Based on: Kolluri, "Provably good moving least squares", 2008 (the distance).
 */

import type { Character } from '../character/character.js';
import { smoothStep } from '../linear-algebra/smooth-step.js';
import { type CreateSearch, planPairSearch } from './pair-search.js';
import type { ContactConstants } from './plan-contact.js';
import { planNearLists } from './plan-near-pairs.js';
import type { SkinSamples } from './plan-skin-samples.js';

export interface SkinDistance {
  /** Σ_j A_j … without the sharpening: how much of the other skin a sample sees, about 1 of a plane that it lies on; #S. */
  readonly seen: Float64Array;
  /** φ, #S, where `seen`. */
  readonly phi: Float64Array;
  /** m, #S×3, and how far the normals seen agree: |Σ w n| / Σ w, 0 … 1, #S; at 0 there is no way out. */
  readonly out: Float64Array;
  readonly clear: Float64Array;
  /** Samples that see another skin. */
  readonly found: Uint32Array;
  readonly foundCount: number;
  /** Of samples at `points`, #S×3; `surface` (#V×3) is what `bones` have made of the skin. */
  measure(points: Float64Array, bones: Float64Array, surface: Float64Array): void;
  /** The same for samples that have moved a little since: only pairs that were in reach are looked at again. */
  measureAgain(points: Float64Array): void;
}

/** Range of the cosine between rest normals over which skin goes from beside to behind. */
const OBLIQUE = 0.6;

export function planSkinDistance(
  character: Character,
  samples: SkinSamples,
  constants: ContactConstants,
  createSearch: CreateSearch = planPairSearch,
): SkinDistance {
  const { reach, closer, hidden, sharp, face } = constants;
  const { count, positions: rest, normals: restNormals, areas, thickness } = samples;
  const radii = thickness.map((t) => reach * t);
  const range = (k: number, j: number): number => {
    const restDistance = measureRestDistance(rest, restNormals, thickness, hidden, k, j);
    return Math.min(radii[k]!, radii[j]!, closer * restDistance);
  };
  const near = createSearch({ character, samples, near: planNearLists(character, samples, radii, range), constants });
  const { pairs, inverses, normals } = near;
  const factors = new Float64Array(inverses.length);
  const sums = Float64Array.from({ length: SUMS * count }, (_, i) => (i % SUMS === 6 ? areas[(i - 6) / SUMS]! : 0));
  const seen = new Float64Array(count);
  const phi = new Float64Array(count);
  const out = new Float64Array(3 * count);
  const clear = new Float64Array(count);
  const found = new Uint32Array(count);
  let pairCount = 0;
  let foundCount = 0;

  function measureAgain(points: Float64Array): void {
    foundCount = countPairs(found, sums, points, pairCount, pairs, inverses, factors, normals, sharp);
    for (let i = 0; i < foundCount; i++) {
      const a = SUMS * found[i]!;
      const k = found[i]!;
      const weight = sums[a + 1]!;
      const length = Math.sqrt(sums[a + 3]! * sums[a + 3]! + sums[a + 4]! * sums[a + 4]! + sums[a + 5]! * sums[a + 5]!);
      seen[k] = sums[a]!;
      phi[k] = sums[a + 2]! / weight;
      clear[k] = length / weight;
      out[3 * k] = sums[a + 3]! / (length || 1);
      out[3 * k + 1] = sums[a + 4]! / (length || 1);
      out[3 * k + 2] = sums[a + 5]! / (length || 1);
      sums[a] = sums[a + 1] = sums[a + 2] = sums[a + 3] = sums[a + 4] = sums[a + 5] = 0;
    }
  }

  return {
    seen,
    phi,
    out,
    clear,
    found,
    get foundCount() {
      return foundCount;
    },
    measure(points, bones, surface) {
      near.find(points, bones, surface);
      pairCount = keepFacing(factors, pairs, inverses, near.count, normals, face);
      measureAgain(points);
    },
    measureAgain,
  };
}

// The loops over pairs stand here, and not in the plan, where engines compile them anew, and slower, for every character.

/** Of `count` near pairs those that look at each other, moved to the front, and the share of their weight that does not change between rounds. */
function keepFacing(
  factors: Float64Array,
  pairs: Uint32Array,
  inverses: Float64Array,
  count: number,
  n: Float64Array,
  face: number,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const a = pairs[2 * i]!;
    const b = pairs[2 * i + 1]!;
    const facing = -(n[a]! * n[b]! + n[a + 1]! * n[b + 1]! + n[a + 2]! * n[b + 2]!);
    if (facing <= 0) continue;
    const inverse = inverses[i]!;
    pairs[2 * kept] = a;
    pairs[2 * kept + 1] = b;
    inverses[kept] = inverse;
    factors[kept++] = (4 / Math.PI) * smoothStep(facing / face) * inverse;
  }
  return kept;
}

/** A sample's numbers in `sums`: what it has seen, Σ w, Σ w ⟨x_k − x_j, n_j⟩, Σ w n_j ×3, its area. */
const SUMS = 8;

/** Sums over pairs with the samples at x; lists the samples that see any, and returns how many. */
function countPairs(
  found: Uint32Array,
  sums: Float64Array,
  x: Float64Array,
  count: number,
  pairs: Uint32Array,
  inverses: Float64Array,
  factors: Float64Array,
  n: Float64Array,
  sharp: number,
): number {
  let foundCount = 0;
  for (let i = 0; i < count; i++) {
    const p = pairs[2 * i]!;
    const q = pairs[2 * i + 1]!;
    const dx = x[p]! - x[q]!;
    const dy = x[p + 1]! - x[q + 1]!;
    const dz = x[p + 2]! - x[q + 2]!;
    const z = (dx * dx + dy * dy + dz * dz) * inverses[i]!;
    if (z >= 1) continue;
    const w = (1 - z) * (1 - z) * (1 - z) * factors[i]!;
    const k = (p / 3) >>> 0; // no division: engines multiply
    const j = (q / 3) >>> 0;
    const a = SUMS * k;
    const b = SUMS * j;
    if (sums[a] === 0) found[foundCount++] = k;
    if (sums[b] === 0) found[foundCount++] = j;
    const u = w * sums[b + 6]!;
    const v = w * sums[a + 6]!;
    const su = u / (z + sharp);
    const sv = v / (z + sharp);
    sums[a]! += u;
    sums[a + 1]! += su;
    sums[a + 2]! += su * (dx * n[q]! + dy * n[q + 1]! + dz * n[q + 2]!);
    sums[a + 3]! += su * n[q]!;
    sums[a + 4]! += su * n[q + 1]!;
    sums[a + 5]! += su * n[q + 2]!;
    sums[b]! += v;
    sums[b + 1]! += sv;
    sums[b + 2]! -= sv * (dx * n[p]! + dy * n[p + 1]! + dz * n[p + 2]!);
    sums[b + 3]! += sv * n[p]!;
    sums[b + 4]! += sv * n[p + 1]!;
    sums[b + 5]! += sv * n[p + 2]!;
  }
  return foundCount;
}

/** D̄ of two samples, less `hidden` thicknesses where they are the two sides of the same flesh; ≤ 0: never strangers. */
function measureRestDistance(
  x: Float64Array,
  n: Float64Array,
  thickness: Float64Array,
  hidden: number,
  k: number,
  j: number,
): number {
  const a = 3 * k;
  const b = 3 * j;
  const ex = x[a]! - x[b]!;
  const ey = x[a + 1]! - x[b + 1]!;
  const ez = x[a + 2]! - x[b + 2]!;
  const distance = Math.sqrt(ex * ex + ey * ey + ez * ez);
  // In front of each other: they look at each other over a gap.
  if (ex * (n[b]! - n[a]!) + ey * (n[b + 1]! - n[a + 1]!) + ez * (n[b + 2]! - n[a + 2]!) >= 0) return distance;
  const along = n[a]! * n[b]! + n[a + 1]! * n[b + 1]! + n[a + 2]! * n[b + 2]!;
  return distance - smoothStep(0.5 - along / OBLIQUE) * hidden * Math.min(thickness[k]!, thickness[j]!);
}
