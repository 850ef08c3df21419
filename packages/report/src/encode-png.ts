import { deflate } from './deflate.js';
import type { Picture } from './picture.js';

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

/** PNG file of a picture: 8 bits, RGB, or RGBA where something is transparent; needs CompressionStream (browsers, Node). */
export async function encodePng(picture: Picture): Promise<Uint8Array> {
  const { width, height, rgba } = picture;
  const opaque = isOpaque(rgba);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8;
  header[9] = opaque ? 2 : 6;
  const data = await deflate(filterRows(picture, opaque ? 3 : 4));
  const chunks = [wrapChunk('IHDR', header), wrapChunk('IDAT', data), wrapChunk('IEND', new Uint8Array(0))];
  const file = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, SIGNATURE.length));
  file.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const chunk of chunks) {
    file.set(chunk, at);
    at += chunk.length;
  }
  return file;
}

function isOpaque(rgba: Uint8ClampedArray): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false;
  return true;
}

/** Rows with a filter byte: per row none, left, up or Paeth, whichever leaves the smallest differences. */
function filterRows({ width, height, rgba }: Picture, channels: number): Uint8Array<ArrayBuffer> {
  const length = width * channels;
  const out = new Uint8Array(height * (length + 1));
  let above = new Uint8Array(length);
  let row = new Uint8Array(length);
  const tries = [0, 1, 2, 4].map((type) => ({ type, bytes: new Uint8Array(length) }));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < channels; c++) row[x * channels + c] = rgba[4 * (y * width + x) + c]!;
    }
    let best = tries[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (const one of tries) {
      let sum = 0;
      for (let i = 0; i < length; i++) {
        const left = i < channels ? 0 : row[i - channels]!;
        const up = above[i]!;
        const corner = i < channels ? 0 : above[i - channels]!;
        const guess = one.type === 0 ? 0 : one.type === 1 ? left : one.type === 2 ? up : predict(left, up, corner);
        const value = (row[i]! - guess) & 255;
        one.bytes[i] = value;
        sum += value < 128 ? value : 256 - value;
      }
      if (sum < least) {
        least = sum;
        best = one;
      }
    }
    out[y * (length + 1)] = best.type;
    out.set(best.bytes, y * (length + 1) + 1);
    [above, row] = [row, above];
  }
  return out;
}

/** Paeth's predictor. */
export function predict(left: number, up: number, corner: number): number {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}

function wrapChunk(name: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) chunk[4 + i] = name.charCodeAt(i);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, measureCrc(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function measureCrc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = CRC_TABLE[(c ^ byte) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
