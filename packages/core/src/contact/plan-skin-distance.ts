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
  /** Share of a pair's weight that does not change between rounds. */
  const factors = new Float64Array(inverses.length);
  const seen = new Float64Array(count);
  const weights = new Float64Array(count);
  const phi = new Float64Array(count);
  const out = new Float64Array(3 * count);
  const clear = new Float64Array(count);
  const found = new Uint32Array(count);
  let pairCount = 0;
  let foundCount = 0;

  /** Of the near pairs those that look at each other. */
  function keepFacing(): void {
    pairCount = 0;
    for (let i = 0; i < near.count; i++) {
      const a = pairs[2 * i]!;
      const b = pairs[2 * i + 1]!;
      const facing = -(
        normals[a]! * normals[b]! +
        normals[a + 1]! * normals[b + 1]! +
        normals[a + 2]! * normals[b + 2]!
      );
      if (facing <= 0) continue;
      const inverse = inverses[i]!;
      pairs[2 * pairCount] = a;
      pairs[2 * pairCount + 1] = b;
      inverses[pairCount] = inverse;
      factors[pairCount++] = (4 / Math.PI) * smoothStep(facing / face) * inverse;
    }
  }

  /** All pairs with the samples at x. */
  function countPairs(x: Float64Array): void {
    for (let i = 0; i < pairCount; i++) {
      const a = pairs[2 * i]!;
      const b = pairs[2 * i + 1]!;
      const dx = x[a]! - x[b]!;
      const dy = x[a + 1]! - x[b + 1]!;
      const dz = x[a + 2]! - x[b + 2]!;
      const z = (dx * dx + dy * dy + dz * dz) * inverses[i]!;
      if (z >= 1) continue;
      const w = (1 - z) * (1 - z) * (1 - z) * factors[i]!;
      add(a, w * areas[b / 3]!, z, dx * normals[b]! + dy * normals[b + 1]! + dz * normals[b + 2]!, b);
      add(b, w * areas[a / 3]!, z, -(dx * normals[a]! + dy * normals[a + 1]! + dz * normals[a + 2]!), a);
    }
  }

  /** @param a, b where the vectors of the sample and of the other one are */
  function add(a: number, w: number, z: number, height: number, b: number): void {
    const k = a / 3;
    if (seen[k] === 0) found[foundCount++] = k;
    seen[k]! += w;
    const sharpened = w / (z + sharp);
    weights[k]! += sharpened;
    phi[k]! += sharpened * height;
    out[a]! += sharpened * normals[b]!;
    out[a + 1]! += sharpened * normals[b + 1]!;
    out[a + 2]! += sharpened * normals[b + 2]!;
  }

  function measureAgain(points: Float64Array): void {
    for (let i = 0; i < foundCount; i++) {
      const k = found[i]!;
      seen[k] = weights[k] = phi[k] = out[3 * k] = out[3 * k + 1] = out[3 * k + 2] = 0;
    }
    foundCount = 0;
    countPairs(points);
    for (let i = 0; i < foundCount; i++) {
      const k = found[i]!;
      phi[k]! /= weights[k]!;
      const a = 3 * k;
      const length = Math.sqrt(out[a]! * out[a]! + out[a + 1]! * out[a + 1]! + out[a + 2]! * out[a + 2]!);
      clear[k] = length / weights[k]!;
      for (let q = a; q < a + 3; q++) out[q]! /= length || 1;
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
      keepFacing();
      measureAgain(points);
    },
    measureAgain,
  };
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
