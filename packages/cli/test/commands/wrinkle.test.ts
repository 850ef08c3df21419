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

  it('refuses what makes no sense, and says why', () => {
    expect(runRefused('wrinkle', tube, '--from', '2,9,0', '--to', '3,1,0')).toContain('off the surface');
    expect(runRefused('wrinkle', tube, '--from', '2,1,0', '--to', '2,1,0')).toContain('move them apart');
    expect(runRefused('wrinkle', tube, '--from', '2,1', '--to', '2,1,0')).toContain('x,y,z');
    expect(runRefused('wrinkle', tube, ...inside, '--width', '0')).toContain('above 0');
    expect(runRefused('wrinkle', tube, ...inside, '--points', '2')).toContain('at least 3');
    expect(runRefused('wrinkle', tube, ...inside, '--kind', 'nose')).toContain('forehead');
  });
});
