/** What is read is never written over, by any command (A9); what is odd about a name is no reason to fail (A11). */
import { existsSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { createScene } from '@isoskin/soft';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseAllInputs, writeWhole } from '../src/write-whole.js';
import { runJson, runRefused } from './run-isoskin.js';

let folder = '';
const inFolder = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-inputs-'));
  const glb = Buffer.from(await writeCharacter(createDemo('tube')));
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.subarray(20, 20 + length).toString());
  const binary = glb.subarray(28 + length);
  const write = (name: string, uri: string, bom = '') => {
    json.buffers = [{ uri, byteLength: binary.length }];
    writeFileSync(inFolder(name), `${bom}${JSON.stringify(json)}`);
  };
  for (const name of ['data.glb', 'tube.bin', '100%.bin']) writeFileSync(inFolder(name), binary);
  write('model.gltf', 'tube.bin');
  write('glb-buffer.gltf', 'data.glb');
  write('bom.gltf', 'tube.bin', '\ufeff');
  write('percent.gltf', '100%.bin');
  writeFileSync(inFolder('isglb.gltf'), glb);
  writeFileSync(inFolder('stack.json'), JSON.stringify(presetStack('organic')));
  writeFileSync(inFolder('scene.glb'), JSON.stringify(createScene('merge')));
  symlinkSync(inFolder('tube.bin'), inFolder('link.glb'));
  linkSync(inFolder('tube.bin'), inFolder('same.glb'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('inputs are not overwritten', () => {
  it.each([
    ['the buffer of a .gltf, by bake', ['bake', 'glb-buffer.gltf', '-o', 'data.glb']],
    ['the buffer, by the report', ['bake', 'model.gltf', '-o', 'x.glb', '--report', 'tube.bin']],
    [
      'the stack, by the report',
      ['bake', 'model.gltf', '-o', 'x.glb', '--stack', 'stack.json', '--report', 'stack.json'],
    ],
    ['the buffer through a link', ['bake', 'model.gltf', '-o', 'link.glb']],
    ['the buffer by another name', ['weights', 'model.gltf', '-o', 'same.glb']],
    ['the buffer, by weights', ['weights', 'glb-buffer.gltf', '-o', 'data.glb']],
    ['the other model, by weights', ['weights', 'model.gltf', '--skeleton', 'glb-buffer.gltf', '-o', 'data.glb']],
    ['the buffer, by snapshot', ['snapshot', 'glb-buffer.gltf', '-o', 'data.glb']],
    ['the buffer, by wrinkle', ['wrinkle', 'model.gltf', '--from', '0,0,0', '--to', '0,1,0', '-o', 'tube.bin']],
    ['the scene, by simulate', ['simulate', 'scene.glb', '-o', 'scene.glb']],
  ])('%s', (_, args) => {
    const before = readdirSync(folder).map((name) => [name, readFileSync(inFolder(name), 'latin1')]);
    const files = args.map((arg) => (/\.\w+$/.test(arg) ? inFolder(arg) : arg));
    expect(runRefused(...files)).toContain('not overwritten');
    expect(readdirSync(folder).map((name) => [name, readFileSync(inFolder(name), 'latin1')])).toEqual(before);
  });

  it('nor is one output by the other; weights writes .glb only', () => {
    expect(
      runRefused('bake', inFolder('model.gltf'), '-o', inFolder('y.glb'), '--report', inFolder('y.glb')),
    ).toContain('twice');
    expect(runRefused('demo', 'hero', '-o', inFolder('y.glb'), '--wrinkles', inFolder('y.glb'))).toContain('twice');
    expect(runRefused('weights', inFolder('model.gltf'), '-o', inFolder('tube.bin'))).toContain('.glb');
    expect(runRefused('weights', inFolder('model.gltf'), '-o', inFolder('w.glb'), '--max-memory', '0.001')).toContain(
      '--max-memory',
    );
    expect(existsSync(inFolder('y.glb'))).toBe(false);
  });

  it('knows two names of a file that is not there yet', async () => {
    symlinkSync(folder, inFolder('loop'));
    await expect(refuseAllInputs([inFolder('new.glb'), inFolder('loop/new.glb')], [])).rejects.toThrow(/twice/);
    await refuseAllInputs([inFolder('new.glb'), inFolder('other.html')], [undefined]);
  });
});

describe('odd names', () => {
  it.each(['bom.gltf', 'percent.gltf', 'isglb.gltf'])('%s is baked, and measured once', (name) => {
    const output = inFolder(`${name}.glb`);
    const { sizes } = runJson('bake', inFolder(name), '-o', output, '--fps', '10');
    expect(sizes.input).toBeGreaterThan(10_000);
    expect(sizes.output).toBe(readFileSync(output).length);
  });
});

describe('writeWhole', () => {
  it('uses a name that no other process has, and leaves none', async () => {
    const path = inFolder('whole.txt');
    // What a process with the same number in another container would be writing.
    writeFileSync(`${path}.${process.pid}.tmp`, 'theirs');
    await Promise.all(Array.from({ length: 8 }, (_, i) => writeWhole(path, `text ${i}`)));
    expect(readFileSync(path, 'utf8')).toMatch(/^text \d$/);
    expect(readFileSync(`${path}.${process.pid}.tmp`, 'utf8')).toBe('theirs');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toHaveLength(1);
  });
});
