/**
 * F7. The obstacle problem of contact on the samples of the skin, by projected Jacobi sweeps.
 *
 *   f = W d,   ⟨f_k, m_k⟩ ≥ need_k for touching k:      d_k ← d_k + [need_k − ⟨(W d)_k, m_k⟩] m_k,   from d_k = need_k m_k
 *
 * [ ]  clipped to 0 … need: a sample that needs next to nothing must not hold against what its neighbours need, or it would jump when
 * it lets go.
 * d  coefficients, zero where nothing touches;  W  the smooth weights that carry samples to vertices, so f is smooth whatever d
 * is;  m  unit way out. Solutions of several rounds add up. O(touching samples) per sweep, nothing is allocated.
 */
import type { Shares, SkinSamples } from './plan-skin-samples.js';

export interface Obstacle {
  /** Where the samples are now, and how far f has moved them, #S×3. */
  readonly points: Float64Array;
  readonly moved: Float64Array;
  /** Samples of this round. */
  readonly touchingCount: number;
  /** A new frame: the samples go to a surface: vertex k is at places[k] … (default: 3k …). */
  begin(positions: Float64Array | Float32Array, places?: Uint32Array): void;
  /** A new round: nothing touches. */
  clear(): void;
  /** Sample k must move by `need` along `out`. */
  add(k: number, need: number): void;
  /** Solves the round and moves the samples. */
  solve(): void;
  /** Adds f of all rounds to such a surface. */
  push(positions: Float64Array | Float32Array, places?: Uint32Array): void;
}

/** @param out m, #S×3, unit where `add` was called */
export function planObstacle(samples: SkinSamples, out: Float64Array, sweeps: number): Obstacle {
  const { count, vertices, carried, around, followers } = samples;
  const points = new Float64Array(3 * count);
  const moved = new Float64Array(3 * count);
  /** d of this round and of all, #S×3. */
  const step = new Float64Array(3 * count);
  const total = new Float64Array(3 * count);
  const needs = new Float64Array(count);
  const lacks = new Float64Array(count);
  const touching = new Uint32Array(count);
  let touchingCount = 0;

  /** What is missing of ⟨(W d)_k, m_k⟩, at most need_k. */
  function measureLack(k: number): number {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let e = around.offsets[k]!; e < around.offsets[k + 1]!; e++) {
      const j = 3 * around.values[e]!;
      const share = around.shares[e]!;
      x += share * step[j]!;
      y += share * step[j + 1]!;
      z += share * step[j + 2]!;
    }
    const lack = needs[k]! - (x * out[3 * k]! + y * out[3 * k + 1]! + z * out[3 * k + 2]!);
    return Math.max(0, Math.min(lack, needs[k]!));
  }

  return {
    points,
    moved,
    get touchingCount() {
      return touchingCount;
    },
    begin(positions, places) {
      for (let s = 0; s < count; s++) {
        const k = places ? places[vertices[s]!]! : 3 * vertices[s]!;
        points[3 * s] = positions[k]!;
        points[3 * s + 1] = positions[k + 1]!;
        points[3 * s + 2] = positions[k + 2]!;
      }
      moved.fill(0);
      total.fill(0);
    },
    clear() {
      touchingCount = 0;
    },
    add(k, need) {
      needs[k] = need;
      touching[touchingCount++] = k;
      for (let q = 3 * k; q < 3 * k + 3; q++) step[q] = need * out[q]!;
    },
    solve() {
      for (let sweep = 0; sweep < sweeps; sweep++) {
        for (let i = 0; i < touchingCount; i++) lacks[i] = measureLack(touching[i]!);
        for (let i = 0; i < touchingCount; i++) {
          const k = 3 * touching[i]!;
          for (let q = k; q < k + 3; q++) step[q]! += lacks[i]! * out[q]!;
        }
      }
      for (let i = 0; i < touchingCount; i++) {
        const s = touching[i]!;
        carry(moved, followers, s, step);
        carry(points, followers, s, step);
        for (let q = 3 * s; q < 3 * s + 3; q++) {
          total[q]! += step[q]!;
          step[q] = 0;
        }
      }
    },
    push(positions, places) {
      for (let s = 0; s < count; s++) carry(positions, carried, s, total, places);
    },
  };
}

/** Adds what sample s gives to those that follow it. */
function carry(
  out: Float64Array | Float32Array,
  { offsets, values, shares }: Shares,
  s: number,
  d: Float64Array,
  places?: Uint32Array,
): void {
  const dx = d[3 * s]!;
  const dy = d[3 * s + 1]!;
  const dz = d[3 * s + 2]!;
  if (dx === 0 && dy === 0 && dz === 0) return;
  for (let e = offsets[s]!; e < offsets[s + 1]!; e++) {
    const k = places ? places[values[e]!]! : 3 * values[e]!;
    const share = shares[e]!;
    out[k]! += share * dx;
    out[k + 1]! += share * dy;
    out[k + 2]! += share * dz;
  }
}
