/** Swinging flesh from the command line: the same frames whatever asks for them. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runJson, runRefused, writeDemo } from './run-isoskin.js';

let folder = '';
let tube = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-flesh-'));
  tube = join(folder, 'tube.glb');
  await writeDemo(tube, 'tube');
});
afterAll(() => rm(folder, { recursive: true }));

describe('--preset flesh', () => {
  it('bakes the same bytes on one thread and on three, and not those without it', () => {
    const bytes = (name: string, ...options: string[]) => {
      const output = join(folder, name);
      const facts = runJson('bake', tube, '-o', output, ...options);
      expect(Math.abs(facts.clips[0].worst.baked)).toBeLessThan(2e-3);
      return readFileSync(output);
    };
    const one = bytes('one.glb', '--preset', 'flesh', '--jobs', '1');
    expect(bytes('three.glb', '--preset', 'flesh', '--jobs', '3').equals(one)).toBe(true);
    expect(bytes('organic.glb', '--preset', 'organic').equals(one)).toBe(false);
  });

  it('with a memory and a swing that travels too, though a clip is cut into pieces then', async () => {
    const stack = join(folder, 'forgetful.json');
    await writeFile(stack, JSON.stringify({ skin: {}, flesh: { travel: 1, memory: 1, loop: false }, volume: {} }));
    const [one, three] = ['1', '3'].map((jobs) => {
      const output = join(folder, `forgetful-${jobs}.glb`);
      runJson('bake', tube, '-o', output, '--stack', stack, '--fps', '60', '--jobs', jobs);
      return readFileSync(output);
    });
    expect(one!.equals(three!)).toBe(true);
  });

  it('measures every region as exact', () => {
    const { clips } = runJson('measure', tube, '--preset', 'flesh', '--fps', '15');
    expect(clips[0].inexact).toEqual([]);
    expect(Math.abs(clips[0].worst.corrected)).toBeLessThan(1e-6);
  });

  it('a stack with an unknown region, or a spring that is none, is refused with advice', async () => {
    const stack = join(folder, 'stack.json');
    const refuse = async (flesh: object) => {
      await writeFile(stack, JSON.stringify({ skin: {}, flesh: { ...flesh } }));
      return runRefused('measure', tube, '--stack', stack);
    };
    expect(await refuse({ regions: { belly: { frequency: 2 } } })).toMatch(/“belly”.*upper/);
    expect(await refuse({ frequency: 0 })).toMatch(/frequency/);
  });
});
