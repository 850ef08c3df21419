import { crc32, inflateSync } from 'node:zlib';
import { encodePng, type Picture, renderPicture } from '@isoskin/report';
import { describe, expect, it } from 'vitest';
import { createSphere } from './shapes.js';

/** Reads back what encodePng writes, by the book. */
function decodePng(file: Uint8Array): Picture {
  const bytes = Buffer.from(file);
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const data: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (typeof crc32 === 'function') {
      expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)));
    }
    if (name === 'IHDR')
      [width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] === 6 ? 4 : 3];
    if (name === 'IDAT') data.push(body);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const rows = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) {
    for (let i = 0; i < stride; i++) {
      const left = i >= channels ? rows[y * stride + i - channels]! : 0;
      const up = y > 0 ? rows[(y - 1) * stride + i]! : 0;
      const corner = y > 0 && i >= channels ? rows[(y - 1) * stride + i - channels]! : 0;
      const p = left + up - corner;
      const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      const guess = [0, left, up, (left + up) >> 1, paeth][raw[y * (stride + 1)]!]!;
      rows[y * stride + i] = raw[y * (stride + 1) + 1 + i]! + guess;
    }
  }
  const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++) for (let c = 0; c < channels; c++) rgba[4 * i + c] = rows[channels * i + c]!;
  return { width, height, rgba };
}

describe('encodePng', () => {
  it.each([
    ['opaque', undefined],
    ['transparent', null],
  ])('is read back byte for byte (%s)', async (_, background) => {
    const options = { width: 61, height: 43, meshes: [createSphere(1, 10)] };
    const picture = renderPicture(background === null ? { ...options, background } : options);
    const decoded = decodePng(await encodePng(picture));
    expect([decoded.width, decoded.height]).toEqual([61, 43]);
    expect(decoded.rgba).toEqual(picture.rgba);
  });

  it('is smaller than the pixels', async () => {
    const file = await encodePng(renderPicture({ width: 200, height: 150, meshes: [createSphere(1, 10)] }));
    expect(file.length).toBeLessThan((200 * 150 * 3) / 3);
  });
});
