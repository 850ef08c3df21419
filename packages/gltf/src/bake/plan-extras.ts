/**
 * What the shapes cannot say (flesh, contact, folds, skinnings that no player has, other methods): few targets beside them, the same in every
 * clip, the principal components of what is left (no mean: a weight of 0 must mean "no correction").
 *
 *   r_n = δ_n − Σ_s λ_s(n) d_s,     maximise Σ_n ⟨r_n, b⟩² over orthonormal b_1 … b_E,     μ_k(n) = ⟨r_n, b_k⟩
 *
 * G = R Rᵀ,  G c = σ² c,  b = Rᵀ c / σ, with some evenly spread samples in R, and those that they leave too far off: O(ROWS² · n + samples · E · n).
 * G's leading eigenvectors come from orthogonal iteration.
 */
import { type BakeJob, scaleOf } from './bake-job.js';
import { type DrawnSource, listPushes } from './drawn-shapes.js';

export interface Extra {
  readonly group: number;
  /** Deltas of the group's points, #points×3, unit length as a whole. */
  readonly vector: Float64Array;
  /** μ of every sample. */
  readonly weights: Float64Array;
}

/** Share of the tolerance that the targets may leave. */
const LEFT = 0.6;
/** Samples that are looked at, and how many more, how often, of those that are left too far off. */
const ROWS = 96;
const MISSED = 16;
const ROUNDS = 3;
const ITERATIONS = 40;

export function planExtras(job: BakeJob, drawn: DrawnSource | undefined, share: number): Extra[] {
  const { source, samples, size, tolerance, maxTargets, read } = job;
  const moving = samples.flatMap(({ clip }, n) => (clip >= 0 ? [n] : []));
  const step = Math.max(1, moving.length / ROWS);
  const spread = Array.from({ length: Math.min(moving.length, ROWS) }, (_, i) => moving[Math.floor(i * step)]!);
  return source.morphs.flatMap((_, group) => {
    const remainderOf = planRemainder(job, drawn, group);
    const limit = (share * LEFT * tolerance * size) / scaleOf(read.character, group);
    const looked = new Set(spread);
    for (let round = 0; ; round++) {
      const rows = Array.from(looked, (n) => remainderOf(n).slice());
      const vectors = planBasis(rows, maxTargets, limit);
      const weights = vectors.map(() => new Float64Array(samples.length));
      const missed: { readonly n: number; readonly left: number }[] = [];
      for (const n of moving) {
        const row = remainderOf(n);
        vectors.forEach((vector, k) => {
          weights[k]![n] = dot(vector, row);
          subtract(row, weights[k]![n]!, vector);
        });
        const left = measureLargest([row]);
        if (left > limit && !looked.has(n)) missed.push({ n, left });
      }
      if (missed.length === 0 || vectors.length === maxTargets || round === ROUNDS) {
        return vectors.map((vector, k) => ({ group, vector, weights: weights[k]! }));
      }
      // What happens for a moment only was not among the rows.
      missed.sort((a, b) => b.left - a.left);
      for (const { n } of missed.slice(0, MISSED)) looked.add(n);
    }
  });
}

/** r of a sample, overwritten by the next. */
function planRemainder(job: BakeJob, drawn: DrawnSource | undefined, group: number): (n: number) => Float32Array {
  const { groupOffsets } = job.source;
  const [from, to] = [3 * groupOffsets[group]!, 3 * groupOffsets[group + 1]!];
  const out = new Float32Array(to - from);
  const all = Array.from({ length: drawn?.shapes.shapeCount ?? 0 }, (_, s) => s);
  const vectors = drawn
    ? [...listPushes(job, drawn, group, all)].filter(([, vector]) => vector.some((x) => x !== 0))
    : [];
  return (n) => {
    out.set(job.rowOf(n).subarray(from, to));
    for (const [s, vector] of vectors) {
      const weight = drawn!.weightOf(n, s);
      if (weight !== 0) for (let i = 0; i < out.length; i++) out[i]! -= weight * vector[i]!;
    }
    return out;
  };
}

/**
 * Orthonormal vectors, most important first: as many as leave no point (three numbers of a row) farther off than `tolerance`, at most
 * `limit`. `rows` are overwritten by what is left.
 */
export function planBasis(rows: readonly Float32Array[], limit: number, tolerance: number): Float64Array[] {
  const vectors: Float64Array[] = [];
  if (measureLargest(rows) <= tolerance) return vectors;
  const snapshots = rows.map((row) => row.slice());
  for (const coefficients of planCoefficients(snapshots, limit)) {
    const vector = combine(snapshots, coefficients);
    for (const other of vectors) subtract(vector, dot(vector, other), other);
    const length = Math.sqrt(dot(vector, vector));
    if (!(length > 0)) break;
    for (let i = 0; i < vector.length; i++) vector[i]! /= length;
    vectors.push(vector);
    for (const row of rows) subtract(row, dot(row, vector), vector);
    if (measureLargest(rows) <= tolerance) break;
  }
  return vectors;
}

/** Leading eigenvectors of G, by orthogonal iteration from a fixed start. */
function planCoefficients(rows: readonly Float32Array[], limit: number): Float64Array[] {
  const count = rows.length;
  const gram = rows.map(() => new Float64Array(count));
  for (let f = 0; f < count; f++) for (let g = 0; g <= f; g++) gram[f]![g] = gram[g]![f] = dot(rows[f]!, rows[g]!);
  let block = Array.from({ length: Math.min(limit, count) }, (_, k) =>
    Float64Array.from({ length: count }, (_, f) => scramble(f * 8191 + k)),
  );
  orthonormalise(block);
  for (let i = 0; i < ITERATIONS; i++) {
    block = block.map((c) => Float64Array.from(gram, (line) => dot(line, c)));
    orthonormalise(block);
  }
  return block.filter((c) => dot(c, c) > 0);
}

/** A fixed number in −½ … ½ for every integer: the same start every time. */
function scramble(seed: number): number {
  const x = 43758.5453 * Math.sin(seed + 1);
  return x - Math.floor(x) - 0.5;
}

/** Gram–Schmidt; vectors that depend on those before become zero. */
function orthonormalise(block: readonly Float64Array[]): void {
  block.forEach((vector, k) => {
    const before = Math.sqrt(dot(vector, vector));
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < k; j++) subtract(vector, dot(vector, block[j]!), block[j]!);
    }
    const length = Math.sqrt(dot(vector, vector));
    const scale = length > 1e-12 * before ? 1 / length : 0;
    for (let i = 0; i < vector.length; i++) vector[i]! *= scale;
  });
}

function combine(rows: readonly Float32Array[], coefficients: Float64Array): Float64Array {
  const out = new Float64Array(rows[0]!.length);
  rows.forEach((row, f) => {
    subtract(out, -coefficients[f]!, row);
  });
  return out;
}

type Numbers = Float32Array | Float64Array;

function subtract(out: Numbers, factor: number, vector: Numbers): void {
  for (let i = 0; i < out.length; i++) out[i]! -= factor * vector[i]!;
}

/** Largest length of a point's displacement in all rows. */
function measureLargest(rows: readonly Float32Array[]): number {
  let largest = 0;
  for (const row of rows) {
    for (let i = 0; i < row.length; i += 3) {
      largest = Math.max(largest, row[i]! * row[i]! + row[i + 1]! * row[i + 1]! + row[i + 2]! * row[i + 2]!);
    }
  }
  return Math.sqrt(largest);
}

export function dot(a: Numbers, b: Numbers): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
