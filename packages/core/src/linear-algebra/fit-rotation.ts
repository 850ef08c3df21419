/**
 * The rotation that best turns one point set into another: R = argmin Σ_k w_k |R(p_k − p̄) − (q_k − q̄)|².
 *
 * R comes from the largest eigenvector (a quaternion) of a symmetric 4×4 matrix, found by Jacobi rotations: never a
 * reflection, and defined for flat sets too. `out` is 3×3 by columns. O(count); allocation-free.
 *
 * Based on: Horn, "Closed-form solution of absolute orientation using unit quaternions", 1987.
 *
 * @param weights one per point, or null for 1
 * @param vertices the points that count, or null for all of the first `count`
 */
export function fitRotation(
  out: Float64Array,
  p: Float64Array,
  q: Float64Array,
  count: number,
  weights: Float64Array | null = null,
  vertices: Uint32Array | null = null,
): void {
  means.fill(0);
  let total = 0;
  for (let n = 0; n < count; n++) {
    const k = vertices ? vertices[n]! : n;
    const w = weights ? weights[k]! : 1;
    total += w;
    for (let r = 0; r < 3; r++) {
      means[r]! += w * p[3 * k + r]!;
      means[3 + r]! += w * q[3 * k + r]!;
    }
  }
  for (let r = 0; r < 6; r++) means[r] = total > 0 ? means[r]! / total : 0;
  const c = covariance.fill(0); // c[3i + j] = Σ w p_i q_j
  for (let n = 0; n < count; n++) {
    const k = vertices ? vertices[n]! : n;
    const w = weights ? weights[k]! : 1;
    for (let i = 0; i < 3; i++) {
      const a = w * (p[3 * k + i]! - means[i]!);
      for (let j = 0; j < 3; j++) c[3 * i + j]! += a * (q[3 * k + j]! - means[3 + j]!);
    }
  }
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = c as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Order w, x, y, z.
  // biome-ignore format: a matrix
  matrix.set([
    xx + yy + zz, yz - zy, zx - xz, xy - yx,
    yz - zy, xx - yy - zz, xy + yx, zx + xz,
    zx - xz, xy + yx, yy - xx - zz, yz + zy,
    xy - yx, zx + xz, yz + zy, zz - xx - yy,
  ]);
  diagonalise();
  let best = 0;
  for (let i = 1; i < 4; i++) if (matrix[5 * i]! > matrix[5 * best]!) best = i;
  const w = vectors[best]!;
  const x = vectors[4 + best]!;
  const y = vectors[8 + best]!;
  const z = vectors[12 + best]!;
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y + w * z);
  out[2] = 2 * (x * z - w * y);
  out[3] = 2 * (x * y - w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z + w * x);
  out[6] = 2 * (x * z + w * y);
  out[7] = 2 * (y * z - w * x);
  out[8] = 1 - 2 * (x * x + y * y);
}

const means = new Float64Array(6);
const covariance = new Float64Array(9);
const matrix = new Float64Array(16);
const vectors = new Float64Array(16);

/** Cyclic Jacobi: `matrix` becomes diagonal, the columns of `vectors` its eigenvectors. */
function diagonalise(): void {
  vectors.fill(0);
  for (let i = 0; i < 4; i++) vectors[5 * i] = 1;
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    let all = 0;
    for (let i = 0; i < 16; i++) {
      all += matrix[i]! * matrix[i]!;
      if (i % 5 !== 0) off += matrix[i]! * matrix[i]!;
    }
    if (!(off > 1e-32 * all)) return;
    for (let i = 0; i < 3; i++) for (let j = i + 1; j < 4; j++) rotate(i, j);
  }
}

function rotate(i: number, j: number): void {
  const a = matrix[4 * i + j]!;
  if (a === 0) return;
  const theta = (matrix[5 * j]! - matrix[5 * i]!) / (2 * a);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(t * t + 1);
  const sine = t * cosine;
  for (let k = 0; k < 4; k++) {
    const x = matrix[4 * k + i]!;
    const y = matrix[4 * k + j]!;
    matrix[4 * k + i] = cosine * x - sine * y;
    matrix[4 * k + j] = sine * x + cosine * y;
  }
  for (let k = 0; k < 4; k++) {
    const x = matrix[4 * i + k]!;
    const y = matrix[4 * j + k]!;
    matrix[4 * i + k] = cosine * x - sine * y;
    matrix[4 * j + k] = sine * x + cosine * y;
    const u = vectors[4 * k + i]!;
    const v = vectors[4 * k + j]!;
    vectors[4 * k + i] = cosine * u - sine * v;
    vectors[4 * k + j] = sine * u + cosine * v;
  }
}
