import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkStack } from '@isoskin/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIsoskin, runRefused, writeDemo } from '../run-isoskin.js';

let folder = '';
let tube = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-wrinkle-'));
  tube = join(folder, 'tube.glb');
  await writeDemo(tube, 'tube');
});
afterAll(() => rm(folder, { recursive: true }));

const inside = ['--from', '-0.9,1,0', '--to', '0.9,1,0'];

describe('wrinkle', () => {
  it('writes a stack, adds a tool to it, and bakes it', () => {
    const stack = join(folder, 'tube.json');
    const { stdout, status } = runIsoskin('wrinkle', tube, ...inside, '--kind', 'knee-back', '-o', stack);
    expect(status).toBe(0);
    expect(stdout).toMatch(/knee-back 1, 1\.\d+ long; knee-back 2/);
    expect(runIsoskin('wrinkle', tube, ...inside, '--points', '9', '--stack', stack, '-o', stack).status).toBe(0);
    const written = checkStack(JSON.parse(readFileSync(stack, 'utf8')));
    expect(Object.keys(written)).toEqual(['skin', 'volume', 'wrinkles']);
    expect(written.wrinkles).toMatchObject({
      tools: [{ name: 'knee-back 1' }, { name: 'knee-back 2' }, { points: 9 }],
    });
    const baked = join(folder, 'folded.glb');
    const { status: done, stderr } = runIsoskin('bake', tube, '--stack', stack, '-o', baked, '--fps', '10');
    expect({ done, stderr }).toEqual({ done: 0, stderr: '' });
    const bytes = readFileSync(baked);
    const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
    const before = readFileSync(tube);
    const old = JSON.parse(before.subarray(20, 20 + before.readUInt32LE(12)).toString());
    const count = (file: typeof json) => file.accessors[file.meshes[0].primitives[0].attributes.POSITION].count;
    expect(count(json)).toBeGreaterThan(count(old));
  });

  it('takes every parameter of a tool and of the layer as a flag', () => {
    const flags =
      '--strategy from-a --max-height 0.05 --spacing 1 --crest 2 --levels 0.2:0.01,0.1 --attenuation linear --profile linear --rest-length 2 ' +
      '--combine smooth --refine 1 --no-volume --strength 0.8 --points 17 --width 1 --name fold --curved';
    const { wrinkles } = JSON.parse(runIsoskin('wrinkle', tube, ...inside, ...flags.split(' ')).stdout);
    expect(wrinkles).toMatchObject({ combine: 'smooth', refine: 1, keepVolume: false });
    expect(wrinkles.tools[0]).toMatchObject({
      name: 'fold',
      strategy: 'from-a',
      maxHeight: 0.05,
      spacing: 1,
      crest: 2,
      levels: [{ share: 0.2, maxHeight: 0.01 }, { share: 0.1 }],
      attenuation: 'linear',
      profile: 'linear',
      restLength: 2,
      strength: 0.8,
      points: 17,
      width: 1,
      via: expect.any(Array),
    });
  });

  it('draws in a pose of a clip: the length is the one there', () => {
    const draw = (...more: string[]) =>
      JSON.parse(runIsoskin('wrinkle', tube, '--from', '-0.9,0,1', '--to', '0.4,0,1', ...more).stdout).wrinkles
        .tools[0];
    expect(draw().restLength).toBeUndefined();
    const drawn = draw('--clip', 'bend', '--time', '0.5');
    expect(drawn.restLength).toBeGreaterThan(1.05 * drawn.length);
    expect(runRefused('wrinkle', tube, ...inside, '--time', '1')).toContain('--clip');
  });

  it('refuses what makes no sense, and says why', () => {
    expect(runRefused('wrinkle', tube, ...inside, '--levels', '2')).toContain('give 0 to 1');
    expect(runRefused('wrinkle', tube, ...inside, '--refine', '9')).toContain('4');
    expect(runRefused('wrinkle', tube, '--from', '2,9,0', '--to', '3,1,0')).toContain('off the surface');
    expect(runRefused('wrinkle', tube, '--from', '2,1,0', '--to', '2,1,0')).toContain('move them apart');
    expect(runRefused('wrinkle', tube, '--from', '2,1', '--to', '2,1,0')).toContain('x,y,z');
    expect(runRefused('wrinkle', tube, ...inside, '--width', '0')).toContain('above 0');
    expect(runRefused('wrinkle', tube, ...inside, '--points', '2')).toContain('at least 3');
    expect(runRefused('wrinkle', tube, ...inside, '--kind', 'nose')).toContain('forehead');
  });
});
