import type { SkinInput, SkinOutput } from './reference-kernels.js';

/** A3. `skinLinear` with dual quaternions; joint scale and shear are blended linearly before the rigid part. */
export function skinDualQuaternion(
  out: SkinOutput,
  skin: SkinInput,
  quaternions: Float64Array,
  stretches: Float64Array,
  start: number,
  end: number,
): void {
  const { positions, directions, offsets, bones, weights } = skin;
  const q = blendedQuaternion;
  const s = blendedStretch;
  for (let k = start; k < end; k++) {
    const first = bones[offsets[k]!]! * 8;
    q.fill(0);
    s.fill(0);
    for (let n = offsets[k]!; n < offsets[k + 1]!; n++) {
      const m = bones[n]! * 8;
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += quaternions[first + c]! * quaternions[m + c]!;
      const w = dot < 0 ? -weights[n]! : weights[n]!; // the shorter way round, seen from the strongest bone
      for (let c = 0; c < 8; c++) q[c]! += w * quaternions[m + c]!;
      for (let c = 0; c < 9; c++) s[c]! += weights[n]! * stretches[bones[n]! * 9 + c]!;
    }
    const length = Math.sqrt(q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]! + q[3]! * q[3]!);
    const inverse = length > 0 ? 1 / length : 0;
    for (let c = 0; c < 8; c++) q[c]! *= inverse;
    turn(out.positions, positions, k, q, s, true);
    turn(out.directions, directions, k, q, s, false);
  }
}

const blendedQuaternion = new Float64Array(8);
const blendedStretch = new Float64Array(9);

/** Stretches, rotates and (for a point) translates vector k. */
function turn(
  out: Float64Array,
  vectors: Float64Array,
  k: number,
  q: Float64Array,
  s: Float64Array,
  point: boolean,
): void {
  const u = vectors[3 * k]!;
  const v = vectors[3 * k + 1]!;
  const w = vectors[3 * k + 2]!;
  const x = s[0]! * u + s[3]! * v + s[6]! * w;
  const y = s[1]! * u + s[4]! * v + s[7]! * w;
  const z = s[2]! * u + s[5]! * v + s[8]! * w;
  const a = q[0]!;
  const b = q[1]!;
  const c = q[2]!;
  const d = q[3]!;
  const e = q[4]!;
  const f = q[5]!;
  const g = q[6]!;
  const h = q[7]!;
  // v + 2 r × (r × v + d v), r = (a, b, c)
  const cx = b * z - c * y + d * x;
  const cy = c * x - a * z + d * y;
  const cz = a * y - b * x + d * z;
  let rx = x + 2 * (b * cz - c * cy);
  let ry = y + 2 * (c * cx - a * cz);
  let rz = z + 2 * (a * cy - b * cx);
  if (point) {
    // translation = 2 (d t − h r + r × t), t = (e, f, g)
    rx += 2 * (d * e - h * a + b * g - c * f);
    ry += 2 * (d * f - h * b + c * e - a * g);
    rz += 2 * (d * g - h * c + a * f - b * e);
  }
  out[3 * k] = rx;
  out[3 * k + 1] = ry;
  out[3 * k + 2] = rz;
}
