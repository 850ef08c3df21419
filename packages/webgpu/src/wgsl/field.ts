/**
 * Direction vectors in 8 bytes: one exponent and three mantissas of 18 bits, exact to 2⁻¹⁸ of the longest component.
 *
 * Frames are bound by memory, and a direction is read six times per frame; 12-byte floats would be no better visibly.
 */
const MANTISSA = 17; // bits beside the sign
const LOWEST = MANTISSA; // exponents are kept where the scales below are normal numbers
const HIGHEST = 250;

export const field = /* wgsl */ `
fn packField(v: vec3f) -> vec2u {
  let longest = max(max(abs(v.x), abs(v.y)), abs(v.z));
  let exponent = clamp(bitcast<u32>(longest) >> 23u, ${LOWEST}u, ${HIGHEST}u);
  let scale = bitcast<f32>((${253 + MANTISSA}u - exponent) << 23u);
  let q = bitcast<vec3u>(clamp(vec3i(round(v * scale)), vec3i(${1 - 2 ** MANTISSA}), vec3i(${2 ** MANTISSA - 1})));
  return vec2u((q.x & 0x3ffffu) | (q.y << 18u), ((q.y >> 14u) & 0xfu) | ((q.z & 0x3ffffu) << 4u) | (exponent << 22u));
}
fn unpackField(p: vec2u) -> vec3f {
  let q = vec3i(bitcast<i32>(p.x << 14u), bitcast<i32>(((p.x >> 18u) | ((p.y & 0xfu) << 14u)) << 14u), bitcast<i32>(p.y << 10u));
  return vec3f(q >> vec3u(14u)) * bitcast<f32>(((p.y >> 22u) - ${MANTISSA - 1}u) << 23u);
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
  const [a, b, c] = [quantise(x), quantise(y), quantise(z)];
  out[at] = (a & 0x3ffff) | (b << 18);
  out[at + 1] = ((b >> 14) & 0xf) | ((c & 0x3ffff) << 4) | (exponent << 22);
}
