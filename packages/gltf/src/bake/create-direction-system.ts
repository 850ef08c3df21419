/**
 * The least squares of one direction (fit-directions.ts), grown shape by shape: adding one appends three rows to A = L Lᵀ, nothing is
 * built twice.
 *
 *   A_kl = Σ_f w_fk w_fl G_f + ε F δ_kl I,   b_k = Σ_f w_fk B_fᵀ wanted_f,   A d = b,   G = BᵀB
 *   gain of a shape by itself = ρᵀ A_kk⁻¹ ρ,   ρ = Σ_f w_fk B_fᵀ left_f
 *
 * O(F · used) to add a shape, O(F) to look at one (A_kk is summed once a vertex).
 */
import type { DirectionFrames, DirectionRows } from './fit-directions.js';
import { createGrowingCholesky } from './growing-cholesky.js';

export interface DirectionSystem {
  readonly used: readonly number[];
  /** d of the shapes in use, #used×3; `rows.left` is what they leave. */
  readonly deltas: Float64Array;
  /** A new vertex, whose rows are filled. */
  start(used: readonly number[]): void;
  add(shape: number): void;
  /** The shape that takes most of the squares that are left, if that is more than the share `worth` of them. */
  findBest(near: readonly number[], worth: number): number | undefined;
}

export function createDirectionSystem(
  { blends, wanted, left }: DirectionRows,
  { count, amounts }: Pick<DirectionFrames, 'count' | 'amounts'>,
  most: number,
  damping: number,
): DirectionSystem {
  const used: number[] = [];
  const system = createGrowingCholesky(3 * most);
  const deltas = system.solution;
  const grams = new Float64Array(6 * count); // xx, xy, xz, yy, yz, zz of G
  const goals = new Float64Array(3 * count); // Bᵀ wanted
  const rests = new Float64Array(3 * count); // Bᵀ left
  const moved = new Float64Array(3 * count); // Σ w d
  const block = new Float64Array(6);
  const right = new Float64Array(3);
  const rows = Float64Array.from({ length: 9 * most });
  const shapeCount = amounts.length / count;
  const own = Array.from({ length: shapeCount }, () => new Float64Array(6)); // A_kk
  const ownOf = new Uint32Array(shapeCount); // the vertex that it was summed for
  let vertex = 0;

  const measureOwn = (shape: number): Float64Array => {
    const found = own[shape]!;
    if (ownOf[shape] === vertex) return found;
    ownOf[shape] = vertex;
    sumGrams(found, grams, amounts, count * shape, count * shape, count);
    for (const i of [0, 3, 5]) found[i]! += damping * count;
    return found;
  };
  const append = (shape: number): void => {
    used.push(shape);
    const width = 3 * used.length;
    for (let j = 0; j < used.length; j++) {
      const isOwn = used[j] === shape;
      const found = isOwn ? measureOwn(shape) : sumGrams(block, grams, amounts, count * shape, count * used[j]!, count);
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) rows[r * width + 3 * j + c] = found[PACKED[3 * r + c]!]!;
    }
    sumTriples(right, goals, amounts, count * shape, count);
    for (let r = 0; r < 3; r++) system.append(rows, r * width, right[r]!);
  };
  const finish = (): void => {
    system.solve();
    moved.fill(0);
    for (const [i, shape] of used.entries()) addTriples(moved, deltas, 3 * i, amounts, count * shape, count);
    for (let f = 0, b = 0; f < 3 * count; f += 3, b += 9) {
      const x = moved[f]!;
      const y = moved[f + 1]!;
      const z = moved[f + 2]!;
      for (let r = 0; r < 3; r++) {
        left[f + r] = wanted[f + r]! - blends[b + r]! * x - blends[b + 3 + r]! * y - blends[b + 6 + r]! * z;
      }
    }
    pullBack(rests, blends, left);
  };
  return {
    used,
    deltas,
    start(shapes) {
      while (used.length > 0) used.pop(); // setting the length gives the room back
      vertex++;
      system.clear();
      measureGrams(grams, blends);
      pullBack(goals, blends, wanted);
      shapes.forEach(append);
      finish();
    },
    add(shape) {
      append(shape);
      finish();
    },
    findBest(near, worth) {
      let best: number | undefined;
      let square = 0;
      for (let i = 0; i < left.length; i++) square += left[i]! * left[i]!;
      let largest = worth * square;
      for (let i = 0; i < near.length; i++) {
        const shape = near[i]!;
        if (used.includes(shape)) continue;
        sumTriples(right, rests, amounts, count * shape, count);
        const gain = measureGain(measureOwn(shape), right);
        if (!(gain > largest)) continue;
        best = shape;
        largest = gain;
      }
      return best;
    },
  };
}

/** Place of row r, column c of a symmetric 3×3 matrix. */
const PACKED = [0, 1, 2, 1, 3, 4, 2, 4, 5];

/** G = BᵀB, B column-major. */
function measureGrams(out: Float64Array, b: Float64Array): void {
  for (let i = 0, to = 0; i < b.length; i += 9, to += 6) {
    for (let c = 0, k = 0; c < 3; c++) {
      for (let d = c; d < 3; d++, k++) {
        const p = i + 3 * c;
        const q = i + 3 * d;
        out[to + k] = b[p]! * b[q]! + b[p + 1]! * b[q + 1]! + b[p + 2]! * b[q + 2]!;
      }
    }
  }
}

/** out = Bᵀ x. */
function pullBack(out: Float64Array, b: Float64Array, x: Float64Array): void {
  for (let f = 0, i = 0; f < x.length; f += 3) {
    for (let c = 0; c < 3; c++, i += 3) out[f + c] = b[i]! * x[f]! + b[i + 1]! * x[f + 1]! + b[i + 2]! * x[f + 2]!;
  }
}

/** Σ_f w_f,i w_f,j G_f. Sums are declared one by one, here and below: numbers that are taken from a list stay in memory. */
function sumGrams(
  out: Float64Array,
  grams: Float64Array,
  w: Float64Array,
  i: number,
  j: number,
  count: number,
): Float64Array {
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  for (let f = 0, g = 0; f < count; f++, g += 6) {
    const both = w[i + f]! * w[j + f]!;
    xx += both * grams[g]!;
    xy += both * grams[g + 1]!;
    xz += both * grams[g + 2]!;
    yy += both * grams[g + 3]!;
    yz += both * grams[g + 4]!;
    zz += both * grams[g + 5]!;
  }
  out[0] = xx;
  out[1] = xy;
  out[2] = xz;
  out[3] = yy;
  out[4] = yz;
  out[5] = zz;
  return out;
}

/** Σ_f w_f x_f. */
function sumTriples(out: Float64Array, x: Float64Array, w: Float64Array, at: number, count: number): void {
  let a = 0;
  let b = 0;
  let c = 0;
  for (let f = 0, i = 0; f < count; f++, i += 3) {
    const weight = w[at + f]!;
    a += weight * x[i]!;
    b += weight * x[i + 1]!;
    c += weight * x[i + 2]!;
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
}

/** out_f += w_f d. */
function addTriples(
  out: Float64Array,
  d: Float64Array,
  at: number,
  w: Float64Array,
  from: number,
  count: number,
): void {
  const x = d[at]!;
  const y = d[at + 1]!;
  const z = d[at + 2]!;
  for (let f = 0, i = 0; f < count; f++, i += 3) {
    const weight = w[from + f]!;
    out[i]! += weight * x;
    out[i + 1]! += weight * y;
    out[i + 2]! += weight * z;
  }
}

/** bᵀ M⁻¹ b of a symmetric positive 3×3 matrix, by its cofactors. */
function measureGain(m: Float64Array, b: Float64Array): number {
  const [xx, xy, xz, yy, yz, zz] = [m[0]!, m[1]!, m[2]!, m[3]!, m[4]!, m[5]!];
  const [x, y, z] = [b[0]!, b[1]!, b[2]!];
  const [p, q, r] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
  const [s, t, u] = [xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy];
  const square = x * x * p + y * y * s + z * z * u + 2 * (x * y * q + x * z * r + y * z * t);
  return square / (xx * p + xy * q + xz * r);
}
