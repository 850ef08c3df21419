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
import type { SkinSamples } from './plan-skin-samples.js';

export interface Obstacle {
  /** Where the samples are now, and how far f has moved them, #S×3. */
  readonly points: Float64Array;
  readonly moved: Float64Array;
  /** Samples of this round. */
  readonly touchingCount: number;
  /** A new frame: the samples go to the surface `positions` (#V×3). */
  begin(positions: Float64Array): void;
  /** A new round: nothing touches. */
  clear(): void;
  /** Sample k must move by `need` along `out`. */
  add(k: number, need: number): void;
  /** Solves the round and moves the samples. */
  solve(): void;
  /** Adds f of all rounds to `positions` (#V×3). */
  push(positions: Float64Array): void;
}

/** @param out m, #S×3, unit where `add` was called */
export function planObstacle(samples: SkinSamples, out: Float64Array, sweeps: number): Obstacle {
  const { count, vertices, carried, around } = samples;
  const points = new Float64Array(3 * count);
  const moved = new Float64Array(3 * count);
  /** d of this round and of all, #S×3. */
  const step = new Float64Array(3 * count);
  const total = new Float64Array(3 * count);
  const needs = new Float64Array(count);
  const lacks = new Float64Array(count);
  const touching = new Uint32Array(count);
  const f = new Float64Array(3);
  let touchingCount = 0;

  /** (W d)_k into f. */
  function carryTo(k: number): void {
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
    f[0] = x;
    f[1] = y;
    f[2] = z;
  }

  return {
    points,
    moved,
    get touchingCount() {
      return touchingCount;
    },
    begin(positions) {
      for (let s = 0; s < count; s++) {
        const k = 3 * vertices[s]!;
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
        for (let i = 0; i < touchingCount; i++) {
          const k = touching[i]!;
          carryTo(k);
          const lack = needs[k]! - (f[0]! * out[3 * k]! + f[1]! * out[3 * k + 1]! + f[2]! * out[3 * k + 2]!);
          lacks[i] = Math.max(0, Math.min(lack, needs[k]!));
        }
        for (let i = 0; i < touchingCount; i++) {
          const k = 3 * touching[i]!;
          for (let q = k; q < k + 3; q++) step[q]! += lacks[i]! * out[q]!;
        }
      }
      for (let k = 0; k < count; k++) {
        carryTo(k);
        for (let r = 0; r < 3; r++) {
          points[3 * k + r]! += f[r]!;
          moved[3 * k + r]! += f[r]!;
        }
      }
      for (let q = 0; q < step.length; q++) total[q]! += step[q]!;
      step.fill(0);
    },
    push(positions) {
      for (let s = 0; s < count; s++) {
        const dx = total[3 * s]!;
        const dy = total[3 * s + 1]!;
        const dz = total[3 * s + 2]!;
        if (dx === 0 && dy === 0 && dz === 0) continue;
        for (let e = carried.offsets[s]!; e < carried.offsets[s + 1]!; e++) {
          const k = 3 * carried.values[e]!;
          const share = carried.shares[e]!;
          positions[k]! += share * dx;
          positions[k + 1]! += share * dy;
          positions[k + 2]! += share * dz;
        }
      }
    },
  };
}
