/** G2: a clip with swinging flesh is baked as it is scrubbed, in whatever pieces. */
import { createFrameSource, planBody, presetStack, type StackSpec } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import {
  bakeCharacter,
  createFrameBaker,
  joinBlocks,
  readCharacterFromBytes,
  snapshotCharacter,
  writeCharacter,
} from '@isoskin/gltf';
import { beforeAll, describe, expect, it } from 'vitest';
import { planSourceSkin } from '../../src/bake/plan-source-skin.js';
import { playFile } from './play-file.js';

const spec: StackSpec = {
  skin: {},
  flesh: { softness: 1, frequency: 2, damping: 0.1 },
  volume: {},
};
let tube: Uint8Array;
beforeAll(async () => {
  tube = await writeCharacter(createDemo('tube', { vertices: 600 }));
});

describe('a bake with flesh', () => {
  it('gives the same numbers in one piece, in many, and backwards', async () => {
    const read = await readCharacterFromBytes(tube);
    const make = () =>
      createFrameBaker(createFrameSource(planBody(read.character), spec), planSourceSkin(read), { world: false });
    const samples = Array.from({ length: 25 }, (_, n) => ({ clip: 0, time: n / 17 }));
    const [one, a, b] = [await make(), await make(), await make()];
    const whole = one(samples);
    const pieces = [0, 1, 2, 3, 4].map((p) => samples.slice(5 * p, 5 * p + 5));
    const blocks = [4, 2, 0, 3, 1].map((p) => [p, (p % 2 ? a : b)(pieces[p]!)] as const);
    const joined = joinBlocks(blocks.sort(([p], [q]) => p - q).map(([, block]) => block));
    expect(joined.deltas).toEqual(whole.deltas);
    expect(joined.measures).toEqual(whole.measures);
  });

  it('shows what seeking shows, within the tolerance, and keeps the volume', async () => {
    const read = await readCharacterFromBytes(tube);
    const rest = read.character.surface.components.reduce((sum, { volume }) => sum + volume, 0);
    const stack = createFrameSource(planBody(read.character), spec);
    const plain = createFrameSource(planBody(read.character), presetStack('organic'));
    const { glb } = await bakeCharacter(await readCharacterFromBytes(tube), { stack: spec, tolerance: 0.002 });
    const played = await playFile(glb);
    const clip = read.character.clips[0]!;
    let swung = 0;
    for (const time of [0, 0.3, 0.77, 1.2, clip.duration]) {
      const shown = played.pose(0, time);
      const { positions } = stack.seek(clip, time);
      const without = plain.seek(clip, time).positions;
      for (let i = 0; i < shown.length; i++) {
        expect(Math.abs(shown[i]! - positions[i]!)).toBeLessThan(0.002 * 7);
        swung = Math.max(swung, Math.abs(positions[i]! - without[i]!));
      }
    }
    expect(swung).toBeGreaterThan(0.1);
    expect(played.worst(0, rest, 60)).toBeLessThan(0.003);
  });

  it('a snapshot is the same moment', async () => {
    const read = await readCharacterFromBytes(tube);
    const clip = read.character.clips[0]!;
    const options = { stack: spec, clip: clip.name, time: 0.4, format: 'obj' } as const;
    const text = new TextDecoder().decode(await snapshotCharacter(read, options));
    const shown = [...text.matchAll(/^v (.*)$/gm)].flatMap((match) => match[1]!.split(' ').map(Number));
    const { positions } = createFrameSource(planBody(read.character), spec).seek(clip, 0.4);
    for (const [i, x] of shown.entries()) expect(x).toBeCloseTo(positions[i]!, 4);
  });
});
