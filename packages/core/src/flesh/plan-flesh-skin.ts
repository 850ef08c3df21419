/**
 * G1. From lagging bones to the surface: every soft vertex is moved by what its bones lag behind by.
 *
 *   d_k = s_k Σ_i Σ_r ω_kir E_c(r)i x̄_k,    x_k ← x_k + L(|d_k|) d_k/|d_k|
 *   L(r) = r                        r ≤ ½ℓ
 *        = ½ℓ (1 + u/√(1 + u²))     beyond, u = 2r/ℓ − 1: never more than ℓ, with a continuous second derivative
 *
 * E_ci  lag of bone i on spring c, 3×4;  ω_kir  the part of the weight ω_ki that lies in region r, whose spring is c(r);
 * s  softness;  ℓ_k = s_k · maxStretch · local size. All factors are folded into one weight. O(#soft vertices · influences).
 */
import { BONE_STRIDE } from '../skeleton/matrices.js';

export interface FleshSkin {
  /** Vertices that can swing. */
  readonly vertices: Uint32Array;
  /** n-th of them → (lagging bone, weight): offsets, number of the first number of its matrix, weight. */
  readonly offsets: Uint32Array;
  readonly matrices: Uint32Array;
  readonly weights: Float64Array;
  /** (½ℓ)⁻². */
  readonly tightness: Float64Array;
  /** s, with what its regions make of it. */
  readonly softness: Float64Array;
}

/** Smaller weights are given to the others: they cannot be seen, and cost as much. */
const LEAST = 1e-3;
/** A vertex that can move by less, in local sizes, is left out. */
const NOTHING = 1e-6;

/** A region: which spring it hangs on, how far it gives, how soft it is. */
export interface FleshRegion {
  readonly spring: number;
  readonly maxStretch: number;
  readonly softness: number;
}

/** ω_kir: vertex → (bone, region, weight). */
export interface FleshShares {
  readonly offsets: Uint32Array;
  readonly bones: ArrayLike<number>;
  readonly regions: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** @param room local size, #V */
export function planFleshSkin(
  shares: FleshShares,
  boneCount: number,
  softness: Float64Array,
  room: Float64Array,
  regions: readonly FleshRegion[],
): FleshSkin {
  const vertices: number[] = [];
  const offsets: number[] = [0];
  const matrices: number[] = [];
  const weights: number[] = [];
  const tightness: number[] = [];
  const soft: number[] = [];
  for (let k = 0; k < softness.length; k++) {
    const before = weights.length;
    let stretch = 0;
    let kept = 0;
    let whole = 0;
    for (let n = shares.offsets[k]!; n < shares.offsets[k + 1]!; n++) {
      const region = regions[shares.regions[n]!]!;
      const weight = region.softness * shares.weights[n]!;
      stretch += region.maxStretch * shares.weights[n]!;
      whole += weight;
      if (!(weight > LEAST)) continue;
      kept += weight;
      const matrix = BONE_STRIDE * (region.spring * boneCount + shares.bones[n]!);
      const same = matrices.indexOf(matrix, before);
      if (same >= 0) weights[same]! += weight;
      else {
        matrices.push(matrix);
        weights.push(weight);
      }
    }
    if (!(softness[k]! * stretch * kept > NOTHING)) {
      weights.length = before;
      matrices.length = before;
      continue;
    }
    for (let n = before; n < weights.length; n++) weights[n]! *= (softness[k]! * whole) / kept;
    vertices.push(k);
    offsets.push(weights.length);
    soft.push(softness[k]! * whole);
    tightness.push((0.5 * softness[k]! * whole * stretch * room[k]!) ** -2);
  }
  return {
    vertices: Uint32Array.from(vertices),
    offsets: Uint32Array.from(offsets),
    matrices: Uint32Array.from(matrices),
    weights: Float64Array.from(weights),
    tightness: Float64Array.from(tightness),
    softness: Float64Array.from(soft),
  };
}

/** What the modes of the skin add (G3). */
export interface FleshWaves {
  /** √s_k φ_mk, #soft vertices × #M. */
  readonly values: Float64Array;
  /** q_m − X_m(E), #M×3. */
  readonly amounts: Float64Array;
}

const STILL: FleshWaves = { values: new Float64Array(0), amounts: new Float64Array(0) };

/**
 * Adds the lag to `positions`.
 *
 * @param rest x̄, #V×3. @param lag E, #springs × #B×12
 */
export function applyFleshSkin(
  positions: Float64Array | Float32Array,
  skin: FleshSkin,
  rest: Float64Array,
  lag: Float64Array,
  { values, amounts }: FleshWaves = STILL,
  places?: Uint32Array,
): void {
  const { vertices, offsets, matrices, weights, tightness } = skin;
  let wave = 0;
  for (let v = 0; v < vertices.length; v++) {
    const k = 3 * vertices[v]!;
    const x = rest[k]!;
    const y = rest[k + 1]!;
    const z = rest[k + 2]!;
    let dx = 0;
    let dy = 0;
    let dz = 0;
    for (let n = offsets[v]!; n < offsets[v + 1]!; n++) {
      const m = matrices[n]!;
      const w = weights[n]!;
      dx += w * (lag[m]! * x + lag[m + 3]! * y + lag[m + 6]! * z + lag[m + 9]!);
      dy += w * (lag[m + 1]! * x + lag[m + 4]! * y + lag[m + 7]! * z + lag[m + 10]!);
      dz += w * (lag[m + 2]! * x + lag[m + 5]! * y + lag[m + 8]! * z + lag[m + 11]!);
    }
    for (let m = 0; m < amounts.length; m += 3, wave++) {
      const value = values[wave]!;
      dx += value * amounts[m]!;
      dy += value * amounts[m + 1]!;
      dz += value * amounts[m + 2]!;
    }
    const square = (dx * dx + dy * dy + dz * dz) * tightness[v]!;
    let scale = 1;
    if (square > 1) {
      const r = Math.sqrt(square); // in halves of ℓ
      const root = Math.sqrt(1 + (r - 1) * (r - 1));
      scale = (root + r - 1) / (r * root);
    }
    const to = places ? places[vertices[v]!]! : k;
    positions[to]! += scale * dx;
    positions[to + 1]! += scale * dy;
    positions[to + 2]! += scale * dz;
  }
}
