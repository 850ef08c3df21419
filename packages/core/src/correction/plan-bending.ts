/**
 * v → (M/γ + κ LᵀML)⁻¹ M v on a graph, 0 where γ = 0: what a bending energy leaves of v.
 *
 *   x = P (Pᵀ M/γ P + κ SᵀC⁻¹S)⁻¹ Pᵀ M v,   S = PᵀMLP,   then a few conjugate gradients on the whole system where x is not small
 *
 * M  masses;  L(v)_k = v_k − mean of the neighbours;  κ  stiffness;  P  carries values from seeds, of which no two are neighbours but mirror images, to the
 * others, each the mean of the seeds beside it;  C  masses of the seeds. x is smooth, so that the seeds know it already; the gradients smooth what P leaves
 * rough. L is carried, not LᵀML: the kinks of P would count as bending. A graph of few vertices is its own seeds, and x is exact.
 */
import { multiplySparse, type SparseRows, transposeSparse } from '../linear-algebra/multiply-sparse.js';
import { planSparseCholesky, type SparseCholesky } from '../linear-algebra/plan-sparse-cholesky.js';
import { createPcgScratch, solvePcg } from '../linear-algebra/solve-pcg.js';
import type { SparseMatrix } from '../linear-algebra/sparse-matrix.js';
import { type Placed, takeOutwards } from '../mesh/plan-clusters.js';
import type { Csr } from '../mesh/surface.js';

export interface BendingGraph extends Placed {
  readonly neighbours: Csr;
  readonly masses: Float64Array;
}

export interface Bending {
  /** Many v, each in place: one factorisation, then little for each. */
  solveAll(gamma: Float64Array, list: readonly Float64Array[]): void;
  /** γ = 1, for one v: no factorisation. */
  smooth(v: Float64Array): Float64Array;
}

/** Up to this many vertices are solved for directly. */
const FEW = 2_500;
/** Conjugate gradients after the seeds. */
const STEPS = 16;
const TOLERANCE = 1e-3;
/** Share of the largest value below which the answer counts as 0. */
const SMALL = 5e-3;
/** 1/γ is at least this share of κ, and at most κ over it: what lies beyond is lost in rounding. */
const LEAST = 1e-9;

export function planBending(graph: BendingGraph, kappa: number): Bending {
  const { masses, positions } = graph;
  const even = masses.map(() => 1);
  const whole = planSeeds(graph, even, kappa);
  let matrix: SparseMatrix | undefined; // of γ = 1
  let factor: SparseCholesky | undefined; // of the latest γ > 0 on the same seeds
  const factorise = (seeds: Seeds, stiff: Float64Array): SparseCholesky => {
    const own = assemble(seeds, stiff);
    if (seeds === whole && factor?.refactor(own.values)) return factor;
    const made = planSparseCholesky(own, listPlaces(seeds, positions));
    if (seeds === whole) factor = made;
    return made;
  };
  return {
    solveAll(gamma, list) {
      const seeds = gamma.every((value) => value > 0) ? whole : planSeeds(graph, gamma, kappa);
      const stiff = masses.map((mass, k) => mass * Math.min(Math.max(1 / gamma[k]!, LEAST * kappa), kappa / LEAST));
      const { solveSome } = factorise(seeds, stiff);
      const ground = planGround(graph, seeds, gamma, stiff, kappa);
      for (let first = 0; first < list.length; first += 4)
        solveOnSeeds(ground, list.slice(first, first + 4), solveSome);
    },
    smooth(v) {
      matrix ??= assemble(whole, masses);
      const { size, offsets, values } = matrix;
      const diagonal = Float64Array.from({ length: size }, (_, c) => values[offsets[c]!]!);
      const first = Float64Array.from(whole.vertices, (k) => v[k]!);
      const multiply = (out: Float64Array, x: Float64Array) => multiplyLower(out, matrix!, x);
      const precondition = (z: Float64Array, r: Float64Array): void => {
        for (let c = 0; c < z.length; c++) z[c] = r[c]! / diagonal[c]!;
      };
      const out = v.slice();
      solveOnSeeds(planGround(graph, whole, even, masses, kappa), [out], ([amounts]) => {
        solvePcg(first, multiply, precondition, amounts!, createPcgScratch(size), TOLERANCE, size);
        amounts!.set(first);
      });
      return out;
    },
  };
}

/** Of the seeds, ×3. */
function listPlaces({ vertices }: Seeds, x: Float64Array): Float64Array {
  return Float64Array.from({ length: 3 * vertices.length }, (_, i) => x[3 * vertices[(i / 3) | 0]! + (i % 3)]!);
}

interface Seeds {
  readonly vertices: Uint32Array;
  /** P and its transpose; what γ holds is no seed, and nothing is carried to it. */
  readonly carry: SparseRows;
  readonly back: SparseRows;
  /** Lower triangle of κ SᵀC⁻¹S. */
  readonly energy: SparseRows;
}

function planSeeds(graph: BendingGraph, gamma: Float64Array, kappa: number): Seeds {
  const { neighbours, masses } = graph;
  const { offsets, values } = neighbours;
  const count = masses.length;
  const seedOf = new Int32Array(count).fill(-1);
  const isBeside = new Uint8Array(count);
  const isFree = (k: number) => isBeside[k] === 0 && gamma[k]! > 0;
  if (count > FEW)
    takeOutwards(graph, isFree, (k) => {
      seedOf[k] = 0;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) isBeside[values[e]!] = 1;
    });
  const vertices: number[] = [];
  for (let k = 0; k < count; k++) if (count > FEW ? seedOf[k] === 0 : isFree(k)) seedOf[k] = vertices.push(k) - 1;
  const starts = new Uint32Array(count + 1);
  const list: number[] = [];
  const shares: number[] = [];
  for (let k = 0; k < count; k++) {
    const from = list.length;
    if (seedOf[k]! >= 0) list.push(seedOf[k]!);
    else if (gamma[k]! > 0)
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) if (seedOf[values[e]!]! >= 0) list.push(seedOf[values[e]!]!);
    for (let n = from; n < list.length; n++) shares.push(1 / (list.length - from));
    starts[k + 1] = list.length;
  }
  const size = vertices.length;
  const carry = { offsets: starts, values: Uint32Array.from(list), shares: Float64Array.from(shares) };
  const back = transposeSparse(carry, size);
  const bent = multiplySparse(back, multiplySparse(listBending(neighbours), carry, size), size, masses);
  const weights = Float64Array.from({ length: size }, (_, c) => {
    let mass = 0;
    for (let e = back.offsets[c]!; e < back.offsets[c + 1]!; e++) mass += back.shares[e]! * masses[back.values[e]!]!;
    return kappa / mass;
  });
  const energy = multiplySparse(transposeSparse(bent, size), bent, size, weights, true);
  return { vertices: Uint32Array.from(vertices), carry, back, energy };
}

/** L. */
function listBending({ offsets, values }: Csr): SparseRows {
  const count = offsets.length - 1;
  const starts = offsets.map((start, k) => start + k);
  const list = new Uint32Array(values.length + count);
  const shares = new Float64Array(list.length);
  for (let k = 0; k < count; k++) {
    const at = starts[k]!;
    const valence = offsets[k + 1]! - offsets[k]!;
    list[at] = k;
    shares[at] = 1;
    for (let n = 0; n < valence; n++) {
      list[at + 1 + n] = values[offsets[k]! + n]!;
      shares[at + 1 + n] = -1 / valence;
    }
  }
  return { offsets: starts, values: list, shares };
}

/** Lower triangle of Pᵀ M/γ P + κ SᵀC⁻¹S, the diagonal first in every row. */
function assemble({ vertices, carry, back, energy }: Seeds, stiff: Float64Array): SparseMatrix {
  const size = vertices.length;
  const stay = multiplySparse(back, carry, size, stiff, true);
  const offsets = new Uint32Array(size + 1);
  const columns = new Uint32Array(size + energy.values.length + stay.values.length);
  const values = new Float64Array(columns.length);
  const place = new Int32Array(size).fill(-1);
  let end = 0;
  for (let c = 0; c < size; c++) {
    const start = end;
    columns[end] = c;
    place[c] = end++;
    for (const { offsets: from, values: list, shares } of [energy, stay]) {
      for (let e = from[c]!; e < from[c + 1]!; e++) {
        const d = list[e]!;
        if (place[d]! < start) {
          columns[end] = d;
          place[d] = end++;
        }
        values[place[d]!]! += shares[e]!;
      }
    }
    offsets[c + 1] = end;
  }
  return { size, offsets, columns: columns.slice(0, end), values: values.slice(0, end) };
}

/** out = A x. */
function multiplyLower(out: Float64Array, { size, offsets, columns, values }: SparseMatrix, x: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < size; i++) {
    let sum = values[offsets[i]!]! * x[i]!;
    for (let e = offsets[i]! + 1; e < offsets[i + 1]!; e++) {
      sum += values[e]! * x[columns[e]!]!;
      out[columns[e]!]! += values[e]! * x[i]!;
    }
    out[i]! += sum;
  }
}

/** A system on seeds, and memory. */
interface Ground {
  readonly graph: BendingGraph;
  readonly seeds: Seeds;
  readonly gamma: Float64Array;
  /** M/γ. */
  readonly stiff: Float64Array;
  readonly kappa: number;
  readonly local: Int32Array;
  readonly kept: Uint32Array;
  readonly near: Uint32Array;
}

function planGround(
  graph: BendingGraph,
  seeds: Seeds,
  gamma: Float64Array,
  stiff: Float64Array,
  kappa: number,
): Ground {
  const count = graph.masses.length;
  const near = new Uint32Array(graph.neighbours.values.length);
  return { graph, seeds, gamma, stiff, kappa, local: new Int32Array(count), kept: new Uint32Array(count), near };
}

/** `list` in place. @param solve the seeds' own system; their memory in and out */
function solveOnSeeds(ground: Ground, list: readonly Float64Array[], solve: (some: Float64Array[]) => void): void {
  const { seeds, graph, gamma } = ground;
  const size = seeds.vertices.length;
  const rights = list.map((v) => graph.masses.map((mass, k) => (gamma[k]! > 0 ? mass * v[k]! : 0)));
  const amounts = rights.map((right) => gather(new Float64Array(size), seeds.carry, right));
  solve(amounts);
  for (let n = 0; n < list.length; n++) {
    const out = list[n]!;
    spread(out, seeds.carry, amounts[n]!);
    if (size < out.length) polish(out, rights[n]!, ground);
  }
}

/** out = Pᵀ x; `out` is 0. */
function gather(out: Float64Array, { offsets, values, shares }: SparseRows, x: Float64Array): Float64Array {
  for (let k = 0; k < x.length; k++)
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) out[values[e]!]! += shares[e]! * x[k]!;
  return out;
}

/** out = P x. */
function spread(out: Float64Array, { offsets, values, shares }: SparseRows, x: Float64Array): void {
  for (let k = 0; k < out.length; k++) {
    let sum = 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += shares[e]! * x[values[e]!]!;
    out[k] = sum;
  }
}

/** Conjugate gradients on A x = b over the vertices where x is not small; 0 elsewhere. */
function polish(x: Float64Array, b: Float64Array, { graph, stiff, kappa, local, kept, near }: Ground): void {
  const { neighbours, masses } = graph;
  const { offsets, values } = neighbours;
  let largest = 0;
  for (let k = 0; k < x.length; k++) largest = Math.max(largest, Math.abs(x[k]!));
  let n = 0;
  for (let k = 0; k < x.length; k++) {
    local[k] = Math.abs(x[k]!) > SMALL * largest ? n : -1;
    if (local[k]! >= 0) kept[n++] = k;
  }
  const lists = new Uint32Array(n + 1);
  const share = new Float64Array(n);
  const weight = new Float64Array(n);
  const own = new Float64Array(n);
  const diagonal = new Float64Array(n);
  const right = new Float64Array(n);
  const guess = new Float64Array(n);
  for (let i = 0, end = 0; i < n; i++) {
    const k = kept[i]!;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const j = local[values[e]!]!;
      if (j >= 0) near[end++] = j;
    }
    lists[i + 1] = end;
    share[i] = 1 / Math.max(1, offsets[k + 1]! - offsets[k]!);
    weight[i] = kappa * masses[k]!;
    own[i] = stiff[k]!;
    diagonal[i]! += own[i]! + weight[i]!;
    right[i] = b[k]!;
    guess[i] = x[k]!;
  }
  for (let i = 0; i < n; i++)
    for (let e = lists[i]!; e < lists[i + 1]!; e++) diagonal[near[e]!]! += weight[i]! * share[i]! * share[i]!;
  const bent = new Float64Array(n);
  const multiply = (out: Float64Array, v: Float64Array): void => {
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let e = lists[i]!; e < lists[i + 1]!; e++) sum += v[near[e]!]!;
      const value = weight[i]! * (v[i]! - share[i]! * sum);
      out[i] = own[i]! * v[i]! + value;
      bent[i] = share[i]! * value;
    }
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let e = lists[i]!; e < lists[i + 1]!; e++) sum += bent[near[e]!]!;
      out[i]! -= sum;
    }
  };
  const precondition = (out: Float64Array, v: Float64Array): void => {
    for (let i = 0; i < n; i++) out[i] = v[i]! / diagonal[i]!;
  };
  solvePcg(guess, multiply, precondition, right, createPcgScratch(n), TOLERANCE, STEPS);
  x.fill(0);
  for (let i = 0; i < n; i++) x[kept[i]!] = guess[i]!;
}
