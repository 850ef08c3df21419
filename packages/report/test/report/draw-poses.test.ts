/** The still pictures of a report show the materials of the file. */
import { decodePicture, decodeTextures, drawStill, encodePng } from '@isoskin/report';
import { describe, expect, it } from 'vitest';
import { createSphere } from '../shapes.js';

const { positions, triangles } = createSphere(1, 12);
const pose = { time: 0, skinned: positions, baked: positions.map((x) => 1.01 * x) };
const count = positions.length / 3;
const welded = Uint32Array.from({ length: count }, (_, v) => v);
const part = { welded, triangles, color: [1, 1, 1, 1] };
const uv = Float32Array.from({ length: 2 * count }, (_, i) =>
  i % 2 ? 0.5 : 0.25 + 0.5 * Number(positions[3 * (i >> 1)]! > 0),
);
/** Left half red, right half blue. */
const halves = {
  width: 64,
  height: 64,
  rgba: new Uint8ClampedArray(4 * 64 * 64).map(
    (_, i) => [(i >> 2) % 64 < 32 ? 255 : 0, 0, (i >> 2) % 64 < 32 ? 0 : 255, 255][i % 4]!,
  ),
};

/** Share of what is drawn that is clearly red, green, blue. */
async function measureColours(picture: string): Promise<number[]> {
  const chain = await decodePicture('image/png', Buffer.from(picture.split(',')[1]!, 'base64'));
  const { rgba } = chain![0]!;
  const counts = [0, 0, 0];
  let drawn = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 3] !== 255) continue;
    drawn++;
    for (let k = 0; k < 3; k++)
      if (rgba[i + k]! > 60 + Math.max(rgba[i + ((k + 1) % 3)]!, rgba[i + ((k + 2) % 3)]!)) counts[k]!++;
  }
  return counts.map((n) => n / drawn);
}

async function drawPoses(
  parts?: Parameters<typeof drawStill>[2],
  pictures?: Parameters<typeof drawStill>[3],
): Promise<{ skinned: string; baked: string; moved: string }> {
  const draw = (kind: 'skinned' | 'baked' | 'moved') => drawStill(triangles, { pose, kind }, parts, pictures);
  return { skinned: await draw('skinned'), baked: await draw('baked'), moved: await draw('moved') };
}

describe('drawStill', () => {
  it('lays the picture of a part on it, in both poses', async () => {
    const textures = [{ type: 'image/png', bytes: await encodePng(halves) }];
    const parts = [{ ...part, texture: 0, uv }];
    const { skinned, baked, moved } = await drawPoses(parts, await decodeTextures({ textures }));
    for (const picture of [skinned, baked]) {
      const [red, green, blue] = await measureColours(picture);
      expect(red).toBeGreaterThan(0.2);
      expect(blue).toBeGreaterThan(0.2);
      expect(green).toBe(0);
    }
    expect(moved).not.toBe(baked);
  });

  it('multiplies base colours by the colours of vertices', async () => {
    const colors = new Float32Array(3 * count).map((_, i) => (i % 3 === 1 ? 1 : 0.05));
    const [, green] = await measureColours((await drawPoses([{ ...part, colors }])).skinned);
    expect(green).toBeGreaterThan(0.8);
    const [red] = await measureColours((await drawPoses([{ ...part, color: [0.8, 0.05, 0.05, 1] }])).skinned);
    expect(red).toBeGreaterThan(0.8);
  });

  it('shows all pictures of a pose in one frame, and nothing beside it', async () => {
    const drawn = Object.values(await drawPoses());
    const sizes = await Promise.all(
      drawn.map(async (picture) => {
        const chain = await decodePicture('image/png', Buffer.from(picture.split(',')[1]!, 'base64'));
        const { width, height, rgba } = chain![0]!;
        const columns = Array.from({ length: width }, (_, x) =>
          Array.from({ length: height }, (_, y) => rgba[4 * (y * width + x) + 3]!).some((alpha) => alpha > 0),
        );
        return { width, height, left: columns.indexOf(true), right: width - 1 - columns.lastIndexOf(true) };
      }),
    );
    const [skinned, baked, moved] = sizes;
    expect(moved).toEqual(baked);
    expect([skinned!.width, skinned!.height]).toEqual([baked!.width, baked!.height]);
    // A border of 24 about the larger of both.
    for (const side of ['left', 'right'] as const) {
      expect(baked![side]).toBeGreaterThanOrEqual(24);
      expect(baked![side]).toBeLessThanOrEqual(26);
    }
  });

  it('is clay where nothing is said, or a picture cannot be read', async () => {
    const clay = await drawPoses();
    expect(await drawPoses([part])).toEqual(clay);
    expect(await drawPoses([{ ...part, texture: 0, uv }], [undefined])).toEqual(clay);
  });
});
