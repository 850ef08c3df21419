import { predict } from './encode-png.js';
import type { Picture } from './picture.js';

/** Values per pixel of the colour types: grey, RGB, palette, grey and alpha, RGBA. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Picture of a PNG file of any depth and colour; undefined where it is broken, or woven (Adam7). Needs DecompressionStream. */
export async function decodePng(file: Uint8Array): Promise<Picture | undefined> {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  if (file.length < 33 || view.getUint32(0) !== 0x89504e47) return undefined;
  const [width, height, depth, type] = [view.getUint32(16), view.getUint32(20), file[24]!, file[25]!];
  const channels = CHANNELS[type];
  if (!channels || file[28] !== 0 || !(width * height > 0 && width * height <= 2 ** 26)) return undefined;
  const data: Uint8Array<ArrayBuffer>[] = [];
  let palette: Uint8Array = new Uint8Array(0);
  let clear: Uint8Array = new Uint8Array(0);
  for (let at = 8; at + 12 <= file.length; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const body = file.slice(at + 8, at + 8 + length);
    if (name === 'IDAT') data.push(body);
    else if (name === 'PLTE') palette = body;
    else if (name === 'tRNS') clear = body;
    at += 12 + length;
  }
  const stream = new Blob(data).stream().pipeThrough(new DecompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = Math.ceil((width * channels * depth) / 8);
  if (bytes.length < height * (length + 1)) return undefined;
  const rgba = new Uint8ClampedArray(4 * width * height);
  const scale = depth < 8 ? 255 / ((1 << depth) - 1) : 1;
  let above: Uint8Array = new Uint8Array(length);
  for (let y = 0; y < height; y++) {
    const from = y * (length + 1);
    const row = bytes.subarray(from + 1, from + 1 + length);
    unfilter(row, above, bytes[from]!, Math.max(1, (channels * depth) >> 3));
    above = row;
    for (let x = 0; x < width; x++) {
      const to = 4 * (y * width + x);
      const value = (c: number) => readValue(row, x * channels + c, depth);
      for (let c = 0; c < 3; c++) {
        if (type === 3) rgba[to + c] = palette[3 * value(0) + c] ?? 0;
        else rgba[to + c] = scale * value(channels < 3 ? 0 : c);
      }
      rgba[to + 3] = type === 3 ? (clear[value(0)] ?? 255) : channels % 2 === 0 ? value(channels - 1) : 255;
    }
  }
  return { width, height, rgba };
}

/** @param step bytes from a value to the one of the pixel before */
function unfilter(row: Uint8Array, above: Uint8Array, type: number, step: number): void {
  for (let i = 0; i < row.length; i++) {
    const left = i < step ? 0 : row[i - step]!;
    const up = above[i]!;
    const corner = i < step ? 0 : above[i - step]!;
    if (type === 1) row[i]! += left;
    else if (type === 2) row[i]! += up;
    else if (type === 3) row[i]! += (left + up) >> 1;
    else if (type === 4) row[i]! += predict(left, up, corner);
  }
}

/** Sixteen bits as their upper eight, fewer as they are. */
function readValue(row: Uint8Array, index: number, depth: number): number {
  if (depth === 16) return row[2 * index]!;
  if (depth === 8) return row[index]!;
  const bit = index * depth;
  return (row[bit >> 3]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}
