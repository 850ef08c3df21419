/**
 * P1. A sparse polynomial for numbers that are known at samples: terms are taken one by one, the most useful first.
 *
 *   minimise  Σ_n a_n (y_n − Σ_t c_t Π_{i ∈ t} u_ni)² + ρ |c|²,   t a product of at most three variables
 *
 * Orthogonal matching pursuit on the Gram matrix (a pivoted Cholesky factorisation). First among the variables, then among these and the
 * products of those that were taken, then with a third factor; the number of terms is where the samples that are kept aside fit best.
 * Based on: Pati, Rezaiifar, Krishnaprasad, Orthogonal matching pursuit, 1993. O(samples · candidates²).
 */
export interface FitOptions {
  /** Most terms. */
  readonly terms: number;
  /** Samples from this one on are kept aside. */
  readonly taught: number;
}

export interface Fit {
  /** Term → variables that it multiplies. */
  readonly terms: readonly (readonly number[])[];
  readonly coefficients: Float64Array;
}

/** ρ relative to Σ a. */
const RIDGE = 1e-6;
/** Variables whose products are tried, and products that get a third factor. */
const CHOSEN = 20;
/** A candidate that is left with less than this share of itself repeats the others. */
const REPEATED = 1e-8;

/** @param variables variable → its values at the samples; @param a weight of every sample */
export function fitTerms(
  variables: readonly Float64Array[],
  y: Float64Array,
  a: Float64Array,
  options: FitOptions,
): Fit {
  const singles = [[], ...variables.map((_, i) => [i])];
  const few = takeTerms(singles, variables, y, a, { ...options, terms: Math.min(options.terms, CHOSEN + 1) }, false);
  const chosen = few.terms.flat();
  const pairs = chosen.flatMap((i, n) => chosen.slice(n).map((j) => [Math.min(i, j), Math.max(i, j)]));
  const products = takeTerms([...singles, ...pairs], variables, y, a, options, true);
  const third = products.terms.filter((term) => term.length === 2).slice(0, CHOSEN);
  const triples = third.flatMap((term) => chosen.slice(0, CHOSEN / 2).map((i) => [...term, i].sort((p, q) => p - q)));
  return takeTerms([...products.terms, ...triples], variables, y, a, options, true);
}

/** The coefficients of given terms. */
export function refitTerms(
  terms: readonly (readonly number[])[],
  variables: readonly Float64Array[],
  y: Float64Array,
  a: Float64Array,
): Float64Array {
  const { length } = terms;
  return takeTerms(terms, variables, y, a, { terms: length, taught: y.length }, false).ordered;
}

function takeTerms(
  given: readonly (readonly number[])[],
  variables: readonly Float64Array[],
  y: Float64Array,
  a: Float64Array,
  { terms: most, taught }: FitOptions,
  stop: boolean,
): Fit & { ordered: Float64Array } {
  const candidates = [...new Map(given.map((term) => [term.join(' '), term])).values()];
  const columns = candidates.map((term) => multiply(term, variables, y.length));
  const { gram, right } = measureGram(columns, y, a, taught);
  const C = candidates.length;
  const left = Float64Array.from({ length: C }, (_, j) => gram[j * C + j]!); // what is left of the diagonal
  const rows: Float64Array[] = []; // of the factor, over all candidates
  const gains: number[] = [];
  const order: number[] = [];
  const isTaken = new Uint8Array(C);
  let best: { error: number; coefficients: Float64Array | undefined } = { error: Infinity, coefficients: undefined };
  const end = Math.min(most, C);
  while (order.length < end) {
    let pick = -1;
    let largest = 0;
    for (let j = 0; j < C; j++) {
      if (isTaken[j] || left[j]! <= REPEATED * gram[j * C + j]!) continue;
      const gain = right[j]! ** 2 / left[j]!;
      if (gain > largest) [pick, largest] = [j, gain];
    }
    if (pick < 0) break;
    isTaken[pick] = 1;
    order.push(pick);
    const root = Math.sqrt(left[pick]!);
    const row = gram.slice(pick * C, (pick + 1) * C);
    for (const before of rows) subtract(row, before, before[pick]!);
    for (let j = 0; j < C; j++) row[j]! /= root;
    const gain = right[pick]! / root;
    for (let j = 0; j < C; j++) {
      left[j]! -= row[j]! ** 2;
      right[j]! -= row[j]! * gain;
    }
    rows.push(row);
    gains.push(gain);
    if (stop && (order.length % 4 === 0 || order.length === end)) {
      const coefficients = substitute(rows, gains, order);
      const error = measureError(order, coefficients, columns, y, a, taught);
      if (error < best.error) best = { error, coefficients };
    }
  }
  const coefficients = best.coefficients ?? substitute(rows, gains, order);
  const taken = order.slice(0, coefficients.length);
  const ordered = new Float64Array(C);
  taken.forEach((j, n) => {
    ordered[j] = coefficients[n]!;
  });
  return { terms: taken.map((j) => candidates[j]!), coefficients, ordered };
}

function subtract(out: Float64Array, row: Float64Array, factor: number): void {
  for (let j = 0; j < out.length; j++) out[j]! -= factor * row[j]!;
}

function multiply(term: readonly number[], variables: readonly Float64Array[], count: number): Float64Array {
  const out = new Float64Array(count).fill(1);
  for (const i of term) for (let n = 0; n < count; n++) out[n]! *= variables[i]![n]!;
  return out;
}

/** XᵀAX + ρ and XᵀAy of the taught samples. */
function measureGram(columns: readonly Float64Array[], y: Float64Array, a: Float64Array, taught: number) {
  const C = columns.length;
  const gram = new Float64Array(C * C);
  const right = new Float64Array(C);
  const weighted = new Float64Array(taught);
  let whole = 0;
  for (let n = 0; n < taught; n++) whole += a[n]!;
  for (let j = 0; j < C; j++) {
    const own = columns[j]!;
    for (let n = 0; n < taught; n++) weighted[n] = a[n]! * own[n]!;
    for (let i = 0; i <= j; i++) gram[i * C + j] = gram[j * C + i] = dot(weighted, columns[i]!, taught);
    gram[j * C + j]! += RIDGE * whole;
    right[j] = dot(weighted, y, taught);
  }
  return { gram, right };
}

function dot(p: Float64Array, q: Float64Array, count: number): number {
  let sum = 0;
  for (let n = 0; n < count; n++) sum += p[n]! * q[n]!;
  return sum;
}

/** Coefficients of the taken terms from the factor. */
function substitute(rows: readonly Float64Array[], gains: readonly number[], order: readonly number[]): Float64Array {
  const out = new Float64Array(order.length);
  for (let n = order.length - 1; n >= 0; n--) {
    let sum = gains[n]!;
    for (let m = n + 1; m < order.length; m++) sum -= rows[n]![order[m]!]! * out[m]!;
    out[n] = sum / rows[n]![order[n]!]!;
  }
  return out;
}

/** Weighted squares of the samples that were kept aside. */
function measureError(
  order: readonly number[],
  coefficients: Float64Array,
  columns: readonly Float64Array[],
  y: Float64Array,
  a: Float64Array,
  taught: number,
): number {
  let error = 0;
  for (let n = taught; n < y.length; n++) {
    let sum = 0;
    for (let t = 0; t < order.length; t++) sum += coefficients[t]! * columns[order[t]!]![n]!;
    error += a[n]! * (sum - y[n]!) ** 2;
  }
  return error;
}
