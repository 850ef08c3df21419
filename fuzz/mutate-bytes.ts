/** Damage to the binary side of a file: numbers that are no numbers, lengths that lie, bytes flipped or cut off. */
import fc from 'fast-check';

export interface ByteDamage {
  readonly at: number;
  readonly kind: (typeof BYTE_KINDS)[number];
  readonly value: number;
}

export const BYTE_KINDS = ['byte', 'float', 'float', 'integer', 'cut', 'zero', 'chunk'] as const;
export const NUMBERS = [
  Number.NaN,
  Infinity,
  -Infinity,
  1e38,
  -1e38,
  1e-45,
  0,
  -1,
  1e19,
  2 ** 31,
  2 ** 32 - 1,
  65535,
  255,
  3,
];

export const byteDamages = fc.array(
  fc.record({
    at: fc.nat(),
    kind: fc.constantFrom(...BYTE_KINDS),
    value: fc.oneof(fc.constantFrom(...NUMBERS), fc.nat()),
  }),
  { maxLength: 3 },
);

/** A damaged copy. */
export function applyByteDamages(bytes: Uint8Array, list: readonly ByteDamage[]): Uint8Array {
  let out = bytes.slice();
  for (const { at, kind, value } of list) {
    if (out.length < 32) return out;
    const view = new DataView(out.buffer, out.byteOffset, out.length);
    const word = 4 * (at % Math.trunc(out.length / 4));
    if (kind === 'byte') out[at % out.length] = value;
    if (kind === 'float') view.setFloat32(word, value, true);
    if (kind === 'integer') view.setUint32(word, value, true);
    if (kind === 'zero') out.fill(0, word, Math.min(out.length, word + (value % 256 || 16)));
    if (kind === 'chunk') view.setUint32(4 * (at % 5), value, true); // header and first chunk
    if (kind === 'cut') out = out.slice(0, at % out.length);
  }
  return out;
}
