/**
 * Direction vectors in 8 bytes: one exponent and three mantissas of 18 bits, exact to 2⁻¹⁸ of the longest component.
 *
 * Frames are bound by memory, and a direction is read six times per frame; 12-byte floats would be no better visibly.
 */
const MANTISSA = 17; // bits beside the sign
const LOWEST = MANTISSA; // exponents are kept where the scales below are normal numbers
const HIGHEST = 250;

/** Mantissas are stored as unsigned numbers around this, and turned into floats by their bits: conversions are slow on GPUs. */
const MIDDLE = 2 ** MANTISSA;
const LAST_PLACE = 2 ** 23; // a float from here on counts in ones
const FLOAT_BITS = 0x4b000000; // of LAST_PLACE

export const field = /* wgsl */ `
fn packField(v: vec3f) -> vec2u {
  let longest = max(max(abs(v.x), abs(v.y)), abs(v.z));
  let exponent = clamp(bitcast<u32>(longest) >> 23u, ${LOWEST}u, ${HIGHEST}u);
  let scale = bitcast<f32>((${253 + MANTISSA}u - exponent) << 23u);
  let q = bitcast<vec3u>(min(v * scale, vec3f(${MIDDLE - 1}.0)) + ${LAST_PLACE + MIDDLE}.0) & vec3u(0x3ffffu);
  return vec2u(q.x | (q.y << 18u), (q.y >> 14u) | (q.z << 4u) | (exponent << 22u));
}
/** The vector by its scale: (q, s), v = s (q − FIELD_MIDDLE). */
fn openField(p: vec2u) -> vec4f {
  let q = (vec3u(p.x, (p.x >> 18u) | (p.y << 14u), p.y >> 4u) & vec3u(0x3ffffu)) | vec3u(${FLOAT_BITS}u);
  return vec4f(bitcast<vec3f>(q), bitcast<f32>(((p.y >> 22u) - ${MANTISSA - 1}u) << 23u));
}
const FIELD_MIDDLE: f32 = ${LAST_PLACE + MIDDLE}.0;
fn unpackField(p: vec2u) -> vec3f {
  let open = openField(p);
  return (open.xyz - FIELD_MIDDLE) * open.w;
}
`;

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/** The same on the CPU: writes two words at `out[at]`. */
export function packField(out: Uint32Array, at: number, x: number, y: number, z: number): void {
  float[0] = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  const exponent = Math.min(HIGHEST, Math.max(LOWEST, bits[0]! >>> 23));
  const scale = 2 ** (126 + MANTISSA - exponent);
  const quantise = (v: number) => Math.max(1 - 2 ** MANTISSA, Math.min(2 ** MANTISSA - 1, Math.round(v * scale)));
  const [a, b, c] = [x, y, z].map((v) => MIDDLE + quantise(v)) as [number, number, number];
  out[at] = a | (b << 18);
  out[at + 1] = (b >> 14) | (c << 4) | (exponent << 22);
}
