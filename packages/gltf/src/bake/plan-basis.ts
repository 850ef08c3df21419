/**
 * Principal components of displacement rows (no mean: a weight of 0 must mean "no correction").
 *
 *   maximise Σ_f ⟨row_f, b⟩² over orthonormal b_1 … b_K;   G = R Rᵀ,  G c = σ² c,  b = Rᵀ c / σ
 *
 * R holds at most `SNAPSHOTS` of the rows, evenly spread, so the cost is O(SNAPSHOTS² · n), whatever the length of the clips. G's leading eigenvectors come from orthogonal iteration.
 */
export interface Basis {
  /** Orthonormal, n numbers each, most important first; without the fixed ones. */
  readonly vectors: readonly Float64Array[];
  /** Largest distance (over points and evenly spread rows) that is left. */
  readonly error: number;
  /** Adds the next vector; false when there is none. */
  grow(): boolean;
}

const SNAPSHOTS = 64;
const ITERATIONS = 40;
/** Rows in which the largest distance is looked for: neighbours in time differ little. */
const LOOKED_AT = 128;

/** Rows are #n each, points are triples of numbers. Starts empty, or with `fixed` vectors (of any length and angle). */
export function createBasis(rows: readonly Float32Array[], limit: number, fixed: readonly Float64Array[] = []): Basis {
  const step = Math.ceil(rows.length / LOOKED_AT);
  const residuals = rows.filter((_, i) => i % step === 0).map((row) => row.slice());
  const given = fixed.map((vector) => vector.slice());
  orthonormalise(given);
  for (const vector of given) deflate(residuals, vector);
  const snapshots = pickSnapshots(residuals).map((row) => row.slice());
  const vectors: Float64Array[] = [];
  let coefficients: Float64Array[] | undefined;
  let error = measureLargest(residuals);
  return {
    vectors,
    get error() {
      return error;
    },
    grow() {
      if (error === 0 || vectors.length === limit) return false;
      coefficients ??= planCoefficients(snapshots, limit);
      const next = coefficients[vectors.length];
      if (!next) return false;
      const vector = combine(snapshots, next);
      for (const other of vectors) subtract(vector, dot(vector, other), other);
      const length = Math.sqrt(dot(vector, vector));
      if (!(length > 0)) return false;
      for (let i = 0; i < vector.length; i++) vector[i]! /= length;
      vectors.push(vector);
      error = deflate(residuals, vector);
      return true;
    },
  };
}

function pickSnapshots(rows: readonly Float32Array[]): Float32Array[] {
  const step = Math.max(1, rows.length / SNAPSHOTS);
  return Array.from({ length: Math.min(rows.length, SNAPSHOTS) }, (_, i) => rows[Math.floor(i * step)]!);
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
    const c = coefficients[f]!;
    for (let i = 0; i < out.length; i++) out[i]! += c * row[i]!;
  });
  return out;
}

function subtract(out: Float64Array, factor: number, vector: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i]! -= factor * vector[i]!;
}

/** Takes the part along `vector` out of every row; returns the largest distance of a point that is left. */
function deflate(rows: readonly Float32Array[], vector: Float64Array): number {
  let largest = 0;
  for (const row of rows) {
    const along = dot(row, vector);
    for (let i = 0; i < row.length; i += 3) {
      const x = row[i]! - along * vector[i]!;
      const y = row[i + 1]! - along * vector[i + 1]!;
      const z = row[i + 2]! - along * vector[i + 2]!;
      row[i] = x;
      row[i + 1] = y;
      row[i + 2] = z;
      const square = x * x + y * y + z * z;
      if (square > largest) largest = square;
    }
  }
  return Math.sqrt(largest);
}

/** Largest length of a point's displacement in all rows. */
export function measureLargest(rows: readonly Float32Array[]): number {
  let largest = 0;
  for (const row of rows) {
    for (let i = 0; i < row.length; i += 3) {
      const square = row[i]! * row[i]! + row[i + 1]! * row[i + 1]! + row[i + 2]! * row[i + 2]!;
      if (square > largest) largest = square;
    }
  }
  return Math.sqrt(largest);
}

export function dot(a: Float32Array | Float64Array, b: Float32Array | Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
