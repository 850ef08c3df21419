import { type Picture, renderPicture } from '@isoskin/report';
import { describe, expect, it } from 'vitest';
import { createSphere, createSquare } from './shapes.js';

const front = { azimuth: 0, elevation: 0, fieldOfView: 0 };
const box = [-1, -1, -1, 1, 1, 1];
const pixel = ({ width, rgba }: Picture, x: number, y: number) => [
  ...rgba.slice(4 * (y * width + x), 4 * (y * width + x) + 4),
];
const brightness = (picture: Picture, x: number, y: number) =>
  pixel(picture, x, y)
    .slice(0, 3)
    .reduce((sum, c) => sum + c, 0);

function coveredPixels({ rgba }: Picture): number {
  let sum = 0;
  for (let i = 3; i < rgba.length; i += 4) sum += rgba[i]! / 255;
  return sum;
}

describe('renderPicture', () => {
  it.each([
    ['orthographic', 0],
    ['perspective', 40],
  ])('shows the silhouette of a sphere as a disc that fills the frame (%s)', (_, fieldOfView) => {
    const options = { width: 200, height: 200, meshes: [createSphere(1, 40)], background: null, samples: 3 } as const;
    const picture = renderPicture({ ...options, camera: { azimuth: 25, elevation: 40, fieldOfView, margin: 0.1 } });
    // Radius 90 pixels; the polygon and the samples lose less than 1 %.
    expect(coveredPixels(picture) / (Math.PI * 90 * 90)).toBeCloseTo(1, 2);
  });

  it('frames a given box whatever is in it', () => {
    const picture = renderPicture({
      width: 100,
      height: 100,
      meshes: [createSquare(0.5, 0)],
      background: null,
      camera: { ...front, box, margin: 0 },
    });
    expect(coveredPixels(picture)).toBe(50 * 50);
    expect(pixel(picture, 50, 50)[3]).toBe(255);
    expect(pixel(picture, 24, 50)[3]).toBe(0);
    expect(pixel(picture, 25, 50)[3]).toBe(255);
  });

  it('keeps points inside the frame in perspective', () => {
    const picture = renderPicture({
      width: 160,
      height: 90,
      meshes: [{ ...createSphere(1, 20, [3, 1, 2]) }, createSphere(0.4, 20, [-4, -2, 6])],
      background: null,
      camera: { azimuth: 70, elevation: 20, fieldOfView: 60, margin: 0.05 },
    });
    let border = 0;
    for (let x = 0; x < 160; x++) border += pixel(picture, x, 0)[3]! + pixel(picture, x, 89)[3]!;
    for (let y = 0; y < 90; y++) border += pixel(picture, 0, y)[3]! + pixel(picture, 159, y)[3]!;
    expect(border).toBe(0);
    expect(coveredPixels(picture)).toBeGreaterThan(300);
  });

  it('draws what is nearer, in any order and seen from either end', () => {
    const red = { ...createSquare(0.9, 0.5), color: [1, 0, 0] as const };
    const blue = { ...createSquare(0.5, -0.5), color: [0, 0, 1] as const };
    for (const fieldOfView of [0, 30]) {
      for (const meshes of [
        [red, blue],
        [blue, red],
      ]) {
        const camera = { ...front, fieldOfView, box };
        const [r, , b] = pixel(renderPicture({ width: 60, height: 60, meshes, camera }), 30, 30);
        expect(r).toBeGreaterThan(2 * b!);
        const behind = pixel(
          renderPicture({ width: 60, height: 60, meshes, camera: { ...camera, azimuth: 180 } }),
          30,
          30,
        );
        expect(behind[2]).toBeGreaterThan(2 * behind[0]!);
      }
    }
  });

  it('draws back faces darker', () => {
    const camera = { ...front, box };
    const square = createSquare(0.8, 0);
    const turned = { ...square, triangles: Uint32Array.of(0, 2, 1, 0, 3, 2) };
    const lit = brightness(renderPicture({ width: 40, height: 40, meshes: [square], camera }), 20, 20);
    const back = brightness(renderPicture({ width: 40, height: 40, meshes: [turned], camera }), 20, 20);
    expect(back).toBeLessThan(0.8 * lit);
    expect(back).toBeGreaterThan(0.2 * lit);
  });

  it("lights a sphere from the upper left and keeps the camera's up", () => {
    const picture = renderPicture({ width: 100, height: 100, meshes: [createSphere(1, 30)], camera: front });
    expect(brightness(picture, 35, 30)).toBeGreaterThan(brightness(picture, 70, 75) + 100);
    const right = renderPicture({
      width: 60,
      height: 60,
      background: null,
      camera: { ...front, box },
      meshes: [createSphere(0.2, 8, [0.7, 0.7, 0])],
    });
    expect(pixel(right, 48, 11)[3]).toBe(255);
    const side = renderPicture({
      width: 60,
      height: 60,
      background: null,
      camera: { direction: [-1, 0, 0], fieldOfView: 0, box },
      meshes: [createSphere(0.2, 8, [0, 0.7, 0.7])],
    });
    expect(pixel(side, 11, 11)[3]).toBe(255);
  });

  it('interpolates colours, right in perspective', () => {
    // A floor whose colour is its depth: its middle line is the mean colour though it is not in the middle of the picture.
    const floor = {
      positions: Float64Array.of(-1, 0, 4, 1, 0, 4, 1, 0, -4, -1, 0, -4),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
      colors: [1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1],
    };
    const picture = renderPicture({
      width: 301,
      height: 301,
      meshes: [floor],
      background: null,
      occlusion: false,
      camera: { azimuth: 0, elevation: 20, fieldOfView: 60, margin: 0 },
    });
    const column = Array.from({ length: 301 }, (_, y) => pixel(picture, 150, y)).filter((rgba) => rgba[3] === 255);
    const equal = column.findIndex(([r, , b]) => r! >= b!);
    expect(column.length).toBeGreaterThan(50);
    expect(equal / column.length).toBeLessThan(0.35);
    expect(equal / column.length).toBeGreaterThan(0.1);
  });

  it('keeps sharp edges sharp, unless told to smooth them', () => {
    // A roof: two slopes that meet at 90° along the middle of the picture.
    const roof = {
      positions: Float64Array.of(-1, -1, 0, 0, -1, 1, 0, 1, 1, -1, 1, 0, 1, -1, 0, 1, 1, 0),
      triangles: Uint32Array.of(0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2),
    };
    const shoot = (crease: number) =>
      renderPicture({
        width: 80,
        height: 80,
        meshes: [{ ...roof, crease }],
        camera: { ...front, margin: 0 },
        occlusion: false,
      });
    const sharp = shoot(60);
    expect(brightness(sharp, 38, 40)).toBe(brightness(sharp, 5, 40));
    expect(brightness(sharp, 38, 40) - brightness(sharp, 42, 40)).toBeGreaterThan(60);
    const smooth = shoot(120);
    expect(brightness(smooth, 38, 40) - brightness(smooth, 42, 40)).toBeLessThan(30);
  });

  it('draws lines on request', () => {
    const square = createSquare(0.9, 0);
    const camera = { ...front, box };
    const plain = renderPicture({ width: 50, height: 50, meshes: [square], camera });
    const lines = renderPicture({ width: 50, height: 50, meshes: [{ ...square, wireframe: true }], camera });
    expect(brightness(lines, 25, 24)).toBeLessThan(0.9 * brightness(plain, 25, 24));
    expect(brightness(lines, 35, 30)).toBe(brightness(plain, 35, 30));
  });

  it('is deterministic, survives empty and broken meshes, and refuses impossible sizes', () => {
    const options = { width: 120, height: 90, meshes: [createSphere(1, 12)] };
    expect(renderPicture(options).rgba).toEqual(renderPicture(options).rgba);
    expect(renderPicture({ width: 4, height: 4, meshes: [] }).rgba[3]).toBe(255);
    const broken = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, Number.NaN, 1, 0), triangles: [0, 1, 2, 0, 1, 7] };
    expect(renderPicture({ width: 4, height: 4, meshes: [broken], background: null }).rgba.every((c) => c === 0)).toBe(
      true,
    );
    expect(() => renderPicture({ width: 0, height: 4, meshes: [] })).toThrow('whole number');
  });
});
