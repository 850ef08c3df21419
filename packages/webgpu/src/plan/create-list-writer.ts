/** One u32 array that holds every static list of a plan, so that a pass binds one buffer; floats stand in it by their bits. */
import { SLICE } from '../constants.js';

export interface ListWriter {
  /** Appends a list and says where it starts. */
  add(values: Uint32Array | Float32Array): number;
  /** The same from a line of memory on (32 words): what a slice reads at once lies in one. */
  addAligned(values: Uint32Array): number;
  readonly length: number;
  finish(): Uint32Array<ArrayBuffer>;
}

export function createListWriter(): ListWriter {
  const parts: Uint32Array[] = [];
  let length = 0;
  function add(values: Uint32Array | Float32Array): number {
    const start = length;
    parts.push(new Uint32Array(values.buffer, values.byteOffset, values.length));
    length += values.length;
    return start;
  }
  return {
    add,
    addAligned(values) {
      add(new Uint32Array((SLICE - (length % SLICE)) % SLICE));
      return add(values);
    },
    get length() {
      return length;
    },
    finish() {
      const out = new Uint32Array(length);
      let at = 0;
      for (const part of parts) {
        out.set(part, at);
        at += part.length;
      }
      return out;
    },
  };
}

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** The bits of a number as f32. */
export function bitsOf(value: number): number {
  float[0] = value;
  return word[0]!;
}
