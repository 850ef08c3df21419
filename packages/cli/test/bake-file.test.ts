/** A result that is wrong, or worse than none, is not put in place. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { editGlb, type GlbEdit } from '../../gltf/test/edit-glb.js';
import { bakeFile } from '../src/bake-file.js';
import { addBake } from '../src/commands/bake.js';
import { writeDemo } from './run-isoskin.js';

let spoil: ((edit: GlbEdit) => void) | undefined;
vi.mock('../../gltf/src/patch/write-glb.js', async (importOriginal) => {
  const actual = await importOriginal<typeof import('../../gltf/src/patch/write-glb.js')>();
  return {
    writeGlb: async (...args: Parameters<typeof actual.writeGlb>) => {
      const glb = await actual.writeGlb(...args);
      return spoil ? editGlb(glb, spoil) : glb;
    },
  };
});
let folder = '';
let tube = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-judged-'));
  tube = join(folder, 'tube.glb');
  await writeDemo(tube, 'tube');
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => {
  [spoil, process.exitCode] = [undefined, undefined];
});

const OPTIONS = { fps: 10, as: 'morph', tolerance: 0.001, maxTargets: 8, compact: false, jobs: 1 } as const;

describe('bakeFile', () => {
  it('writes nothing when the bytes are not what they should be', async () => {
    const output = join(folder, 'wrong.glb');
    spoil = ({ json }) => {
      json.nodes[0].name = 'somebody else';
    };
    await expect(bakeFile(tube, { ...OPTIONS, output })).rejects.toMatchObject({ code: 'RESULT_WRONG' });
    expect(existsSync(output)).toBe(false);
  });

  it('tells the worst region of the bytes', async () => {
    const { worstRegion, fault, written } = await bakeFile(tube, { ...OPTIONS, output: join(folder, 'fine.glb') });
    expect({ fault, written }).toEqual({ fault: undefined, written: true });
    const { skinned, baked } = worstRegion!;
    expect(Math.abs(skinned.change)).toBeGreaterThan(0.1);
    expect(Math.abs(baked.change)).toBeLessThan(0.05);
    expect(baked.clip).toBe('bend');
  });
});

describe('bake, a region worse than plain skinning leaves it', () => {
  const run = async (...args: string[]) => {
    const text: string[] = [];
    const listen = (stream: NodeJS.WriteStream) =>
      vi.spyOn(stream, 'write').mockImplementation((words) => text.push(String(words)) > 0);
    const spies = [listen(process.stdout), listen(process.stderr)];
    const program = new Command().exitOverride();
    addBake(program);
    await program.parseAsync(['node', 'isoskin', 'bake', tube, '--fps', '10', '--jobs', '1', ...args]);
    for (const spy of spies) spy.mockRestore();
    return text.join('');
  };

  /** The bytes play other amounts of the shapes than were asked for: shares of the largest one are added. */
  const push =
    (by: readonly number[]) =>
    ({ json, floats }: GlbEdit): void => {
      for (const { channels, samplers } of json.animations) {
        const own = channels.find((channel: { target: { path: string } }) => channel.target.path === 'weights');
        if (!own) continue;
        const { input, output } = samplers[own.sampler];
        const weights = floats(output);
        const stride = weights.length / json.accessors[input].count;
        const largest = by.map((_, k) =>
          weights.reduce((most, w, i) => (i % stride === k ? Math.max(most, Math.abs(w)) : most), 0),
        );
        for (let i = 0; i < weights.length; i++) weights[i]! += by[i % stride]! * largest[i % stride]!;
      }
    };

  it.each([
    ['a region other than the worst', [5, 0, 0], [], true],
    ['one worse than the worst of plain skinning', [10, 0, -10], [], false],
    ['the same, forced', [10, 0, -10], ['--force'], true],
  ])('%s: exit code 3', async (name, by, flags, isWritten) => {
    const output = join(folder, `${name}.glb`);
    spoil = push(by);
    // Regions alone are judged: the gate leaves a stack alone that names its volume, and the tolerance lets the whole, off by 7 %, pass.
    const stack = join(folder, 'stack.json');
    await writeFile(stack, JSON.stringify({ skin: {}, volume: { target: { all: 1 } } }));
    const text = await run('-o', output, '--tolerance', '0.02', '--stack', stack, ...flags);
    expect(process.exitCode).toBe(3);
    expect(existsSync(output)).toBe(isWritten);
    expect(text).toMatch(/The region ".*" changes by .*plain skinning changes it by .* at most there/s);
    expect(text).toContain(isWritten ? 'The file was written.' : 'Nothing was written; --force');
  });

  it('all regions better: no exit code', async () => {
    await run('-o', join(folder, 'better.glb'));
    expect(process.exitCode).toBe(undefined);
  });
});
