import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, skinnedBox } from '../../gltf/test/model-builder.js';
import { runIsoskin, runRefused } from './run-isoskin.js';

let folder = '';
const inFolder = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-refusals-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function writeBroken(change: (json: Loose) => void): Promise<string> {
  const model = skinnedBox();
  change(model.json);
  await writeFile(inFolder('broken.glb'), model.glb());
  return inFolder('broken.glb');
}

describe('bad input: exit code 1, one sentence, nothing else', () => {
  it('a file that is not there, is a folder, is empty, is no glTF', async () => {
    expect(runRefused('inspect', inFolder('none.glb'))).toContain('does not exist');
    expect(runRefused('measure', folder)).toContain('folder');
    await writeFile(inFolder('empty.glb'), '');
    runRefused('measure', inFolder('empty.glb'));
    await writeFile(inFolder('text.glb'), 'hello, world');
    runRefused('measure', inFolder('text.glb'));
  });

  it('a truncated .glb', async () => {
    const glb = skinnedBox().glb();
    await writeFile(inFolder('cut.glb'), glb.subarray(0, glb.length >> 1));
    runRefused('measure', inFolder('cut.glb'), '--json');
  });

  it.each<[string, (json: Loose) => void]>([
    ['a 2 GB claim', (j) => (j.accessors[0].count = 2 ** 31)],
    ['a buffer outside the folder', (j) => (j.buffers[0].uri = '../../secret.bin')],
    ['a missing buffer', (j) => (j.buffers[0].uri = 'missing.bin')],
    ['a cyclic node graph', (j) => (j.nodes[0].children = [0])],
    ['an empty mesh', (j) => (j.meshes[0].primitives = [])],
    ['no skin and no morph targets', (j) => (j.nodes = j.nodes.map(({ skin: _, ...node }: Loose) => node))],
  ])('%s', async (_, change) => {
    runRefused('inspect', await writeBroken(change));
  });

  it('a stack that is missing, no JSON, or wrong, with the place', async () => {
    const model = await writeBroken(() => {});
    runRefused('measure', model, '--stack', inFolder('none.json'));
    await writeFile(inFolder('stack.json'), '{ layers: }');
    runRefused('measure', model, '--stack', inFolder('stack.json'));
    await writeFile(inFolder('stack.json'), JSON.stringify({ volume: { metod: 'laplacian' } }));
    expect(runRefused('measure', model, '--stack', inFolder('stack.json'))).toMatch(/“method”.*volume\.metod/);
  });

  it('options and commands that do not exist', () => {
    expect(runRefused('mesure', 'x.glb')).toContain('measure');
    expect(runRefused('measure', 'x.glb', '--jsn')).toContain('--json');
    expect(runRefused('measure', 'x.glb', '--preset', 'organi')).toContain('organic, rubber');
    expect(runRefused('measure', 'x.glb', '--skinning', 'cubic')).toContain('dual-quaternion');
    runRefused('measure', 'x.glb', '--preset', 'toy', '--stack', 'x.json');
    runRefused('inspect');
    for (const fps of ['0', '-3', 'many', 'Infinity', '']) runRefused('measure', 'x.glb', '--fps', fps);
  });

  it('--verbose adds where it happened', () => {
    const { status, stdout, stderr } = runIsoskin('inspect', inFolder('none.glb'), '--verbose');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/code FILE_MISSING[\s\S]*\.js:\d/);
  });

  it('names from a file cannot command the terminal', async () => {
    const model = await writeBroken((j) => (j.animations = undefined));
    expect(runRefused('measure', model, '--clip', '\x1b[2Jgone')).toContain('·[2Jgone');
  });
});

describe('help', () => {
  it('--version and --help end well; no command at all shows the help on stderr', () => {
    expect(runIsoskin('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(runIsoskin('measure', '--help').stdout).toContain('Examples:');
    expect(runIsoskin()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('Usage: isoskin') });
  });
});
