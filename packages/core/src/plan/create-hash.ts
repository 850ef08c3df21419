/**
 * 128 bits of anything, for content keys and checksums; at once, as a page's own hashes are not. Not for secrets.
 *
 *   h_i ← rotate((h_i xor word) · p_i)        four lanes that take turns, each with a prime of its own, mixed at the end
 */
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

export interface Hash {
  words(values: Uint32Array): Hash;
  /** As f64, so that the same numbers give the same key in any array. */
  numbers(values: ArrayLike<number>): Hash;
  text(value: string): Hash;
  /** 16 bytes. */
  finish(): Uint8Array;
}

const CHUNK = 1024;

export function createHash(): Hash {
  const state = Int32Array.from(PRIMES);
  const numbers = new Float64Array(CHUNK);
  const view = new Uint32Array(numbers.buffer);
  const hash: Hash = {
    words(values) {
      let [a = 0, b = 0, c = 0, d = 0] = state;
      const whole = values.length & ~3;
      for (let i = 0; i < whole; i += 4) {
        a = Math.imul(a ^ values[i]!, PRIMES[0]);
        a = (a << 13) | (a >>> 19);
        b = Math.imul(b ^ values[i + 1]!, PRIMES[1]);
        b = (b << 13) | (b >>> 19);
        c = Math.imul(c ^ values[i + 2]!, PRIMES[2]);
        c = (c << 13) | (c >>> 19);
        d = Math.imul(d ^ values[i + 3]!, PRIMES[3]);
        d = (d << 13) | (d >>> 19);
      }
      for (let i = whole; i < values.length; i++) {
        a = Math.imul(a ^ values[i]!, PRIMES[0]);
        [a, b, c, d] = [b, c, d, (a << 13) | (a >>> 19)];
      }
      state.set([a, b, c, d]);
      return hash;
    },
    numbers(values) {
      hash.words(Uint32Array.of(values.length));
      for (let from = 0; from < values.length; from += CHUNK) {
        const count = Math.min(CHUNK, values.length - from);
        for (let i = 0; i < count; i++) numbers[i] = values[from + i]! + 0; // −0 is 0
        hash.words(view.subarray(0, 2 * count));
      }
      return hash;
    },
    text: (value) => hash.numbers(Array.from(value, (letter) => letter.codePointAt(0)!)),
    finish() {
      const [a = 0, b = 0, c = 0, d = 0] = state;
      const out = Uint32Array.of(a + b + c + d, b + c + d, c + d, d);
      for (let i = 0; i < 4; i++) {
        let h = out[i]! ^ (out[(i + 3) % 4]! >>> 1);
        h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
        h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
        out[i] = h ^ (h >>> 16);
      }
      return new Uint8Array(out.buffer);
    },
  };
  return hash;
}
