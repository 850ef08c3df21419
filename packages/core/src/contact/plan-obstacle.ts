/**
 * F7. The obstacle problem of contact on the samples of the skin, by projected Jacobi sweeps.
 *
 *   f = W d,   ⟨f_k, m_k⟩ ≥ need_k for touching k:      d_k = c_k m_k,   c_k ← c_k + [need_k − Σ_j w_kj ⟨m_k, m_j⟩ c_j],   from c_k = need_k
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
  const { count, vertices, carried, followers } = samples;
  const round = planRound(samples, out, sweeps);
  const { touching, amounts } = round;
  const points = new Float64Array(3 * count);
  const moved = new Float64Array(3 * count);
  /** d of all rounds, #S×3. */
  const total = new Float64Array(3 * count);
  /** Where samples, and the vertices that they carry, stand in a surface of the `places` last given. */
  const own = new Uint32Array(count);
  const targets = new Uint32Array(carried.values.length);
  let known: Uint32Array | undefined;
  let isLocated = false;

  function locate(places?: Uint32Array): void {
    if (isLocated && places === known) return;
    isLocated = true;
    known = places;
    for (let s = 0; s < count; s++) own[s] = places ? places[vertices[s]!]! : 3 * vertices[s]!;
    for (let e = 0; e < targets.length; e++) targets[e] = places ? places[carried.values[e]!]! : 3 * carried.values[e]!;
  }

  return {
    points,
    moved,
    get touchingCount() {
      return round.count;
    },
    begin(positions, places) {
      locate(places);
      for (let s = 0; s < count; s++) {
        const k = own[s]!;
        points[3 * s] = positions[k]!;
        points[3 * s + 1] = positions[k + 1]!;
        points[3 * s + 2] = positions[k + 2]!;
      }
      moved.fill(0);
      total.fill(0);
    },
    clear: round.clear,
    add: round.add,
    solve() {
      round.solve();
      for (let i = 0; i < round.count; i++) {
        const s = touching[i]!;
        const dx = amounts[i]! * out[3 * s]!;
        const dy = amounts[i]! * out[3 * s + 1]!;
        const dz = amounts[i]! * out[3 * s + 2]!;
        moveFollowers(moved, points, followers, s, dx, dy, dz);
        total[3 * s]! += dx;
        total[3 * s + 1]! += dy;
        total[3 * s + 2]! += dz;
      }
    },
    push(positions, places) {
      locate(places);
      carry(positions, targets, carried, total);
    },
  };
}

/** c of the samples that touch in a round: w_kj ⟨m_k, m_j⟩ among them is small, and listed once for all sweeps. */
function planRound({ count: sampleCount, around }: SkinSamples, out: Float64Array, sweeps: number) {
  const { offsets, values, shares } = around;
  const touching = new Uint32Array(sampleCount);
  const ranks = new Uint32Array(sampleCount); // by sample which of them it is, from 1; 0: none
  const needs = new Float64Array(sampleCount);
  const lacks = new Float64Array(sampleCount);
  const amounts = new Float64Array(sampleCount);
  const gains = new Float64Array(values.length);
  const columns = new Uint32Array(values.length);
  const ends = new Uint32Array(sampleCount); // of the rows
  let count = 0;

  function listGains(): void {
    let n = 0;
    for (let i = 0; i < count; i++) {
      const a = 3 * touching[i]!;
      for (let e = offsets[touching[i]!]!; e < offsets[touching[i]! + 1]!; e++) {
        const rank = ranks[values[e]!]!;
        if (rank === 0) continue;
        const b = 3 * values[e]!;
        gains[n] = shares[e]! * (out[a]! * out[b]! + out[a + 1]! * out[b + 1]! + out[a + 2]! * out[b + 2]!);
        columns[n++] = rank - 1;
      }
      ends[i] = n;
    }
  }

  return {
    touching,
    amounts,
    get count() {
      return count;
    },
    clear() {
      for (let i = 0; i < count; i++) ranks[touching[i]!] = 0;
      count = 0;
    },
    add(k: number, need: number) {
      needs[count] = need;
      amounts[count] = need;
      touching[count++] = k;
      ranks[k] = count;
    },
    solve() {
      listGains();
      for (let sweep = 0; sweep < sweeps; sweep++) {
        measureLacks(lacks, needs, amounts, ends, gains, columns, count);
        for (let i = 0; i < count; i++) amounts[i]! += lacks[i]!;
      }
    },
  };
}

// Loops stand here, and not in the plan, where engines compile them anew, and slower, for every character.

function measureLacks(
  lacks: Float64Array,
  needs: Float64Array,
  amounts: Float64Array,
  ends: Uint32Array,
  gains: Float64Array,
  columns: Uint32Array,
  count: number,
): void {
  for (let i = 0, n = 0; i < count; i++) {
    let lack = needs[i]!;
    for (; n < ends[i]!; n++) lack -= gains[n]! * amounts[columns[n]!]!;
    lacks[i] = Math.max(0, Math.min(lack, needs[i]!));
  }
}

/** Moves the samples that follow s by their shares of d. */
function moveFollowers(
  moved: Float64Array,
  points: Float64Array,
  { offsets, values, shares }: Shares,
  s: number,
  dx: number,
  dy: number,
  dz: number,
): void {
  for (let e = offsets[s]!; e < offsets[s + 1]!; e++) {
    const k = 3 * values[e]!;
    const share = shares[e]!;
    moved[k]! += share * dx;
    moved[k + 1]! += share * dy;
    moved[k + 2]! += share * dz;
    points[k]! += share * dx;
    points[k + 1]! += share * dy;
    points[k + 2]! += share * dz;
  }
}

/** Adds W d to a surface that has the vertices of W at `targets`. */
function carry(
  positions: Float64Array | Float32Array,
  targets: Uint32Array,
  { offsets, shares }: Shares,
  d: Float64Array,
): void {
  for (let s = 0; s < offsets.length - 1; s++) {
    const dx = d[3 * s]!;
    const dy = d[3 * s + 1]!;
    const dz = d[3 * s + 2]!;
    if (dx === 0 && dy === 0 && dz === 0) continue;
    for (let e = offsets[s]!; e < offsets[s + 1]!; e++) {
      const k = targets[e]!;
      const share = shares[e]!;
      positions[k]! += share * dx;
      positions[k + 1]! += share * dy;
      positions[k + 2]! += share * dz;
    }
  }
}
