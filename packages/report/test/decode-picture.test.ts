import { deflateSync } from 'node:zlib';
import { decodePicture, encodePng, type Picture, renderPicture } from '@isoskin/report';
import jpeg from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { createSphere } from './shapes.js';

const WIDTH = 5;
/** A PNG of two rows by the book: rows come packed, without filters. */
function packPng(depth: number, type: number, rows: readonly (readonly number[])[], extra: [string, number[]][] = []) {
  const chunk = (name: string, body: Uint8Array | number[]) => {
    const out = Buffer.alloc(12 + body.length); // the sum of a chunk is nobody's business here
    out.writeUInt32BE(body.length, 0);
    out.write(name, 4, 'latin1');
    out.set(body, 8);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([depth, type], 8);
  const data = deflateSync(Buffer.from(rows.flatMap((row) => [0, ...row])));
  const chunks = [chunk('IHDR', header), ...extra.map(([name, body]) => chunk(name, body)), chunk('IDAT', data)];
  return new Uint8Array(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks, chunk('IEND', [])]));
}
const first = (picture: Picture | undefined) => [...picture!.rgba.slice(0, 20)];

describe('decodePicture', () => {
  it.each([
    ['opaque', undefined],
    ['transparent', null],
  ])('reads back what encodePng writes (%s), with its halves', async (_, background) => {
    const options = { width: 61, height: 43, meshes: [createSphere(1, 10)] };
    const picture = renderPicture(background === null ? { ...options, background } : options);
    const chain = await decodePicture('image/png', await encodePng(picture));
    expect(chain![0]).toEqual(picture);
    expect(chain!.map(({ width, height }) => [width, height]).slice(0, 3)).toEqual([
      [61, 43],
      [30, 21],
      [15, 10],
    ]);
    const middle = (one: Picture) => one.rgba[4 * ((one.height >> 1) * one.width + (one.width >> 1))]!;
    expect(Math.abs(middle(chain![2]!) - middle(chain![0]!))).toBeLessThan(20);
  });

  it.each<[string, Uint8Array, number[]]>([
    [
      'a palette of 2 bits with clear entries',
      packPng(
        2,
        3,
        [
          [0b00011011, 0b01000000],
          [0, 0],
        ],
        [
          ['PLTE', [1, 2, 3, 10, 20, 30, 40, 50, 60, 200, 210, 220]],
          ['tRNS', [255, 0]],
        ],
      ),
      [1, 2, 3, 255, 10, 20, 30, 0, 40, 50, 60, 255, 200, 210, 220, 255, 10, 20, 30, 0],
    ],
    ['grey of one bit', packPng(1, 0, [[0b10110000], [0]]), [255, 0, 255, 255, 0].flatMap((g) => [g, g, g, 255])],
    [
      'grey and alpha of 16 bits',
      packPng(16, 4, [[9, 1, 7, 1, ...Array(16).fill(0)], Array(20).fill(0)]),
      [9, 9, 9, 7, ...Array(16).fill(0)],
    ],
  ])('reads %s', async (_, file, expected) => {
    expect(first((await decodePicture('image/png', file))?.[0])).toEqual(expected);
  });

  it('reads JPEG, and keeps no more of a large picture than is seen', async () => {
    const rgba = new Uint8Array(4 * 2048 * 16).map((_, i) => [200, 60, 20, 255][i % 4]!);
    const { data } = jpeg.encode({ width: 2048, height: 16, data: rgba }, 90);
    const chain = await decodePicture('image/jpeg', new Uint8Array(data));
    expect(chain![0]!.width).toBe(1024);
    for (const [k, value] of [200, 60, 20].entries()) expect(Math.abs(chain![0]!.rgba[k]! - value)).toBeLessThan(4);
  });

  it.each([
    ['image/png', Uint8Array.of(1, 2, 3)],
    ['image/png', packPng(8, 2, [[1, 2, 3]])], // a row that is too short
    ['image/jpeg', Uint8Array.of(0xff, 0xd8, 0, 0)],
    ['image/webp', new Uint8Array(40)],
  ])('is undefined for a %s that cannot be read', async (type, bytes) => {
    expect(await decodePicture(type, bytes)).toBeUndefined();
  });
});
