/** The captions of the documentation's pictures (scripts/pictures). */
import type { Picture } from '@isoskin/report';
import { describe, expect, it } from 'vitest';
import { composePictures } from '../../../scripts/pictures/compose-pictures.mjs';
import { drawText, measureText } from '../../../scripts/pictures/draw-text.mjs';

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
