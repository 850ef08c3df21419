/**
 * A plain object with typed arrays inside ↔ one buffer: the arrays, each on a multiple of 8 bytes, then the rest as JSON, then
 * where the JSON starts. For demo characters that are made when the studio is built.
 */
const TYPES = { Float32Array, Float64Array, Uint8Array, Uint16Array, Uint32Array, Int32Array } as const;
type TypeName = keyof typeof TYPES;

interface PackedArray {
  readonly $array: TypeName;
  readonly at: number;
  readonly length: number;
}

export function packArrays(value: unknown): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const add = (bytes: Uint8Array) => {
    const at = size;
    const padded = new Uint8Array(Math.ceil(bytes.length / 8) * 8);
    padded.set(bytes);
    chunks.push(padded);
    size += padded.length;
    return at;
  };
  const json = JSON.stringify(value, (_, item: unknown) => {
    if (!ArrayBuffer.isView(item)) return item;
    const at = add(new Uint8Array(item.buffer, item.byteOffset, item.byteLength));
    return { $array: item.constructor.name, at, length: (item as Uint8Array).length };
  });
  const start = add(new TextEncoder().encode(json));
  add(new Uint8Array(Float64Array.of(start).buffer));
  const packed = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    packed.set(chunk, at);
    at += chunk.length;
  }
  return packed;
}

export function unpackArrays(packed: Uint8Array): unknown {
  const buffer = packed.slice().buffer;
  const start = new Float64Array(buffer, buffer.byteLength - 8)[0]!;
  const json = new TextDecoder().decode(new Uint8Array(buffer, start, buffer.byteLength - 8 - start));
  return JSON.parse(json.replace(/\0+$/, ''), (_, item: unknown) => {
    if (typeof item !== 'object' || item === null || !('$array' in item)) return item;
    const { $array, at, length } = item as PackedArray;
    return new TYPES[$array](buffer, at, length);
  });
}
