/** A result that is wrong, or worse than none, is not put in place. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { editGlb, type GlbEdit } from '../../gltf/test/edit-glb.js';
import { bakeFile } from '../src/bake-file.js';
import { addBake } from '../src/commands/bake.js';
import { writeDemo } from './run-isoskin.js';

let spoil: ((edit: GlbEdit) => void) | undefined;
let region: number | undefined;
vi.mock('../../gltf/src/patch/write-glb.js', async (importOriginal) => {
  const actual = await importOriginal<typeof import('../../gltf/src/patch/write-glb.js')>();
  return {
    writeGlb: async (...args: Parameters<typeof actual.writeGlb>) => {
      const glb = await actual.writeGlb(...args);
      return spoil ? editGlb(glb, spoil) : glb;
    },
  };
});
vi.mock('@isoskin/gltf', async (importOriginal) => {
  const actual = await importOriginal<typeof import('@isoskin/gltf')>();
  return {
    ...actual,
    bakeCharacter: async (...args: Parameters<typeof actual.bakeCharacter>) => {
      const result = await actual.bakeCharacter(...args);
      if (region === undefined || !result.worstRegion) return result;
      const { skinned, baked } = result.worstRegion;
      return { ...result, worstRegion: { skinned, baked: { ...baked, change: region } } };
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
  [spoil, region, process.exitCode] = [undefined, undefined, undefined];
});

const OPTIONS = { fps: 10, as: 'morph', tolerance: 0.001, maxTargets: 8, quantise: true, jobs: 1 } as const;

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

  it.each([
    [0.9, [], false, 3],
    [0.9, ['--force'], true, 3],
    [Number.NaN, [], false, 3],
    [0.001, [], true, undefined],
  ])('%d %j: written %s, exit code %s', async (change, flags, isWritten, code) => {
    const output = join(folder, `region${change}${flags.length}.glb`);
    region = change;
    const text = await run('-o', output, ...flags);
    expect(existsSync(output)).toBe(isWritten);
    expect(process.exitCode).toBe(code);
    if (code === 3) expect(text).toMatch(/The region ".*" changes by .*(Nothing was written; --force|all the same)/s);
  });
});
