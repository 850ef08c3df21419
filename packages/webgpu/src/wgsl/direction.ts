/**
 * Directions in one word each.
 *
 * At rest, n̄ = |n̄|₁ v with |v|₁ = 1: v by two numbers of 16 bits (octahedron), the length goes into φ. Exact to 3e−5, and what moves
 * along it is a few percent of the body.
 * Turned, A v: a shared exponent and three mantissas of 9 bits. Only J is made of it, sums over many vertices.
 */
const MANTISSA = 8; // bits beside the sign
const LARGEST = 2 ** MANTISSA - 1;
const LOWEST = 107; // exponents (of f32) 2⁻²⁰ … 2¹¹
const LEVELS = 32767;

export const direction = /* wgsl */ `
fn unpackRest(word: u32) -> vec3f {
  let e = unpack2x16snorm(word);
  let z = 1.0 - abs(e.x) - abs(e.y);
  let fold = max(-z, 0.0);
  return vec3f(e + select(vec2f(fold), vec2f(-fold), e >= vec2f()), z);
}
fn packTurned(v: vec3f) -> u32 {
  let longest = max(max(abs(v.x), abs(v.y)), abs(v.z));
  let exponent = clamp(bitcast<u32>(longest) >> 23u, ${LOWEST}u, ${LOWEST + 31}u);
  let scale = bitcast<f32>((${253 + MANTISSA}u - exponent) << 23u);
  let q = bitcast<vec3u>(vec3i(round(clamp(v * scale, vec3f(-${LARGEST}.0), vec3f(${LARGEST}.0))))) & vec3u(0x1ffu);
  return q.x | (q.y << 9u) | (q.z << 18u) | ((exponent - ${LOWEST}u) << 27u);
}
fn unpackTurned(word: u32) -> vec3f {
  let bits = bitcast<i32>(word);
  let q = vec3f(vec3i(extractBits(bits, 0u, 9u), extractBits(bits, 9u, 9u), extractBits(bits, 18u, 9u)));
  return q * bitcast<f32>(((word >> 27u) + ${LOWEST + 1 - MANTISSA}u) << 23u);
}
`;

/** The word of a direction at rest; whatever its length. */
export function packRest(x: number, y: number, z: number): number {
  const length = Math.abs(x) + Math.abs(y) + Math.abs(z) || 1;
  let [u, v] = [x / length, y / length];
  if (z < 0) [u, v] = [(1 - Math.abs(v)) * (u < 0 ? -1 : 1), (1 - Math.abs(u)) * (v < 0 ? -1 : 1)];
  const quantise = (value: number) => Math.round(LEVELS * value) & 0xffff;
  return (quantise(u) | (quantise(v) << 16)) >>> 0;
}
