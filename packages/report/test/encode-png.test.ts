import { crc32, inflateSync } from 'node:zlib';
import { composePictures, drawText, encodePng, measureText, type Picture, renderPicture } from '@isoskin/report';
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

describe('composePictures', () => {
  const flat = (width: number, height: number, value: number): Picture => ({
    width,
    height,
    rgba: new Uint8ClampedArray(4 * width * height).fill(value).map((c, i) => (i % 4 === 3 ? 255 : c)),
  });

  it('sets pictures row by row and captions below', () => {
    const plain = composePictures([flat(100, 80, 10), flat(100, 80, 20), flat(100, 80, 30)], 2);
    expect([plain.width, plain.height]).toEqual([2 * 112 + 12, 2 * 92 + 12]);
    const red = (x: number, y: number) => plain.rgba[4 * (y * plain.width + x)];
    expect([red(50, 50), red(150, 50), red(50, 150), red(150, 150), red(5, 5)]).toEqual([10, 20, 30, 255, 255]);
    const named = composePictures([flat(100, 80, 200)], 1, ['−12.5 % at 90°']);
    expect(named.height).toBeGreaterThan(92 + 12);
    let ink = 0;
    for (let i = 4 * named.width * 92; i < named.rgba.length; i += 4) ink += named.rgba[i]! < 128 ? 1 : 0;
    expect(ink).toBeGreaterThan(50);
  });
});

describe('drawText', () => {
  it('has a glyph of its own for every printable ASCII character and % ° −', () => {
    const drawn = new Map<string, string>();
    const characters = [...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)), '°', '−', '×', '±', 'Δ'];
    for (const character of characters) {
      const picture: Picture = { width: 40, height: 48, rgba: new Uint8ClampedArray(4 * 40 * 48) };
      drawText(picture, character, 4, 4, 30, [0, 0, 0]);
      const alpha = picture.rgba.filter((_, i) => i % 4 === 3).join();
      // I, l and | are one stroke in this face, as in many.
      if (!'Il'.includes(character)) expect(drawn.get(alpha), `${character} looks like another`).toBeUndefined();
      drawn.set(alpha, character);
    }
  });

  it('takes the width that it says', () => {
    const picture: Picture = { width: 300, height: 40, rgba: new Uint8ClampedArray(4 * 300 * 40) };
    drawText(picture, 'Ham 8', 10, 10, 20, [0, 0, 0]);
    let right = 0;
    for (let i = 3; i < picture.rgba.length; i += 4)
      if (picture.rgba[i]! > 128) right = Math.max(right, ((i - 3) / 4) % 300);
    expect(Math.abs(right - (10 + measureText('Ham 8', 20)))).toBeLessThan(4);
  });
});
