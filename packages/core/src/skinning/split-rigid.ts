/**
 * Splits bone matrix i = R·S + t into a unit dual quaternion of (R, t), #B×8 (rotation x y z w, then dual part), and the
 * remaining stretch S = Rᵀ·A, #B×9 by columns.
 *
 * R is the rotation nearest to A (polar decomposition by Newton's iteration R ← ½(R + R⁻ᵀ), quadratic); a mirrored joint
 * keeps its reflection in S, a singular one falls back to the identity.
 */
export function splitRigid(quaternions: Float64Array, stretches: Float64Array, bones: Float64Array, i: number): void {
  const a = 12 * i;
  // Scaled to the size of a rotation, so that “singular” does not depend on the size of the joint.
  let square = 0;
  for (let c = 0; c < 9; c++) square += bones[a + c]! * bones[a + c]!;
  const scale = 1 / (Math.sqrt(square / 3) || 1);
  for (let c = 0; c < 9; c++) r[c] = scale * bones[a + c]!;
  if (determinant(r) < 0) for (let c = 0; c < 9; c++) r[c] = -r[c]!;
  for (let n = 0; n < MAX_STEPS && r[9]! === 0; n++) if (!stepPolar()) break;
  r[9] = 0;
  for (let c = 0; c < 3; c++) {
    for (let row = 0; row < 3; row++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += r[row * 3 + k]! * bones[a + c * 3 + k]!;
      stretches[9 * i + c * 3 + row] = sum;
    }
  }
  const q = 8 * i;
  rotationToQuaternion(quaternions, q);
  const x = quaternions[q]!;
  const y = quaternions[q + 1]!;
  const z = quaternions[q + 2]!;
  const w = quaternions[q + 3]!;
  const tx = bones[12 * i + 9]!;
  const ty = bones[12 * i + 10]!;
  const tz = bones[12 * i + 11]!;
  // ½ t q
  quaternions[q + 4] = 0.5 * (tx * w + ty * z - tz * y);
  quaternions[q + 5] = 0.5 * (ty * w + tz * x - tx * z);
  quaternions[q + 6] = 0.5 * (tz * w + tx * y - ty * x);
  quaternions[q + 7] = -0.5 * (tx * x + ty * y + tz * z);
}

/** Steps of the iteration: it halves the largest stretch until it converges quadratically. */
const MAX_STEPS = 40;

/** Nine numbers of the rotation by columns, then a flag "converged". */
const r = new Float64Array(10);
const inverse = new Float64Array(9);

/** One Newton step of the polar decomposition; false when the matrix is singular. */
function stepPolar(): boolean {
  const det = determinant(r);
  if (!(Math.abs(det) > 1e-12)) {
    r.fill(0);
    r[0] = r[4] = r[8] = 1;
    return false;
  }
  // R⁻ᵀ is the cofactor matrix divided by the determinant.
  for (let c = 0; c < 3; c++) {
    const p = 3 * ((c + 1) % 3);
    const q = 3 * ((c + 2) % 3);
    inverse[3 * c] = (r[p + 1]! * r[q + 2]! - r[p + 2]! * r[q + 1]!) / det;
    inverse[3 * c + 1] = (r[p + 2]! * r[q]! - r[p]! * r[q + 2]!) / det;
    inverse[3 * c + 2] = (r[p]! * r[q + 1]! - r[p + 1]! * r[q]!) / det;
  }
  let change = 0;
  for (let k = 0; k < 9; k++) {
    const next = 0.5 * (r[k]! + inverse[k]!);
    change = Math.max(change, Math.abs(next - r[k]!));
    r[k] = next;
  }
  r[9] = change < 1e-15 ? 1 : 0;
  return true;
}

function determinant(m: Float64Array): number {
  return (
    m[0]! * (m[4]! * m[8]! - m[7]! * m[5]!) -
    m[3]! * (m[1]! * m[8]! - m[7]! * m[2]!) +
    m[6]! * (m[1]! * m[5]! - m[4]! * m[2]!)
  );
}

/** Quaternion of `r`, from its largest diagonal combination (no division by a small number). */
function rotationToQuaternion(out: Float64Array, at: number): void {
  const m = r;
  const trace = m[0]! + m[4]! + m[8]!;
  let x: number;
  let y: number;
  let z: number;
  let w: number;
  if (trace > 0) {
    const s = 2 * Math.sqrt(1 + trace);
    w = s / 4;
    x = (m[5]! - m[7]!) / s;
    y = (m[6]! - m[2]!) / s;
    z = (m[1]! - m[3]!) / s;
  } else if (m[0]! >= m[4]! && m[0]! >= m[8]!) {
    const s = 2 * Math.sqrt(1 + m[0]! - m[4]! - m[8]!);
    x = s / 4;
    w = (m[5]! - m[7]!) / s;
    y = (m[1]! + m[3]!) / s;
    z = (m[6]! + m[2]!) / s;
  } else if (m[4]! >= m[8]!) {
    const s = 2 * Math.sqrt(1 + m[4]! - m[0]! - m[8]!);
    y = s / 4;
    w = (m[6]! - m[2]!) / s;
    x = (m[1]! + m[3]!) / s;
    z = (m[5]! + m[7]!) / s;
  } else {
    const s = 2 * Math.sqrt(1 + m[8]! - m[0]! - m[4]!);
    z = s / 4;
    w = (m[1]! - m[3]!) / s;
    x = (m[6]! + m[2]!) / s;
    y = (m[5]! + m[7]!) / s;
  }
  const length = Math.hypot(x, y, z, w);
  out[at] = x / length;
  out[at + 1] = y / length;
  out[at + 2] = z / length;
  out[at + 3] = w / length;
}
