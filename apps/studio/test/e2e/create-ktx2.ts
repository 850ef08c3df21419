/**
 * A KTX2 picture of one colour, as Basis Universal (UASTC) has it: what the transcoder of a viewer must understand.
 *
 * Blocks of 4 × 4 pixels, 128 bits each, lowest bit first; mode 8 is one colour: its code 10111, then red, green, blue, alpha. Hints for other formats follow.
 */
const BLOCK = 16;
const IDENTIFIER = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER = 80;
const LEVEL = 24;
const DESCRIPTOR = 44;

/** @param size of a side in pixels, of four */
export function createKtx2(size: number, [red, green, blue]: readonly [number, number, number]): Uint8Array {
  const blocks = (size / 4) ** 2;
  const start = Math.ceil((HEADER + LEVEL + DESCRIPTOR) / BLOCK) * BLOCK;
  const bytes = new Uint8Array(start + BLOCK * blocks);
  const view = new DataView(bytes.buffer);
  const words = (at: number, ...values: number[]): void => {
    for (const [i, value] of values.entries()) view.setUint32(at + 4 * i, value, true);
  };
  bytes.set(IDENTIFIER);
  // No format of a GPU, one byte each, width, height, no depth, layers, one face, one level, no supercompression.
  words(12, 0, 1, size, size, 0, 0, 1, 1, 0);
  words(48, HEADER + LEVEL, DESCRIPTOR, 0, 0); // no keys, no global data
  words(HEADER, start, 0, BLOCK * blocks, 0, BLOCK * blocks, 0);
  // Model UASTC, primaries BT.709, transfer sRGB; texels of 4 × 4, 16 bytes; one sample of 128 bits, RGB.
  words(HEADER + LEVEL, DESCRIPTOR, 0, 2 | (40 << 16), 166 | (1 << 8) | (2 << 16), 3 | (3 << 8), BLOCK, 0);
  words(HEADER + LEVEL + 28, 127 << 16, 0, 0, 0xffffffff);
  const low = 0x17 | (red << 5) | (green << 13) | (blue << 21) | (255 << 29);
  for (let n = 0; n < blocks; n++) words(start + BLOCK * n, low, 255 >> 3);
  return bytes;
}
