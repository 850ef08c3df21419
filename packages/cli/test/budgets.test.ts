/** Small files that ask for everything, and inputs without an end: a sentence, before the work is begun (A3, A15). */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { animate, IDENTITY, type ModelBuilder, packGlb, skinnedBox } from '../../gltf/test/model-builder.js';
import { runIsoskin, runJson, runRefused, writeDemo } from './run-isoskin.js';

vi.setConfig({ testTimeout: 300_000 }); // what is judged is the time of processors; the machine may be busy

const bin = fileURLToPath(new URL('../bin/isoskin.js', import.meta.url));
let folder = '';
const path = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-budgets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, model: ModelBuilder): Promise<string> {
  await writeFile(path(name), model.glb());
  return path(name);
}

/** The most memory that the command took, in MB, and the time of processors, in seconds: that of a busy machine is no other. */
function weigh(...args: string[]) {
  const figures = `const {maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();console.error('USED',maxRSS,userCPUTime+systemCPUTime)`;
  const script = `data:text/javascript,process.on('exit',()=>{${figures}})`;
  const { stderr, status } = spawnSync(process.execPath, ['--import', script, bin, ...args], { encoding: 'utf8' });
  const [, kilobytes, microseconds] = /USED (\d+) (\d+)/.exec(stderr) ?? [];
  return { status, stderr, megabytes: Number(kilobytes) / 1024, seconds: Number(microseconds) / 1e6 };
}

/** `count` large triangles that cross each other, half of them on each of two joints. */
function crossing(count: number): ModelBuilder {
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  const model = skinnedBox();
  const positions = Float32Array.from({ length: 9 * count }, random);
  const first = Array.from({ length: 3 * count }, (_, v) => (positions[3 * v]! > 0.5 ? 1 : 0));
  const primitive = model.json.meshes[0].primitives[0];
  primitive.attributes.POSITION = model.add('VEC3', positions, { min: [0, 0, 0], max: [1, 1, 1] });
  primitive.attributes.JOINTS_0 = model.add('VEC4', Uint8Array.from(first.flatMap((bone) => [bone, 0, 0, 0])));
  primitive.attributes.WEIGHTS_0 = model.add('VEC4', Float32Array.from(first.flatMap(() => [1, 0, 0, 0])));
  delete primitive.indices;
  return model;
}

describe('a small file that asks for much', () => {
  it.each([1e4, 1e5, 1e6, 1e9])('a clip of %d s', async (seconds) => {
    const model = skinnedBox();
    animate(model, 2, 'translation', [0, seconds], [0, 0, 1, 0, 0, 2]);
    const file = await write(`${seconds}.glb`, model);
    for (const args of [
      ['measure', file, '--fps', '60'],
      ['bake', file, '-o', path('x.glb')],
    ]) {
      const { status, stderr, megabytes, seconds: took } = weigh(...args);
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^isoskin: .*too much work.* of \S+ s.*milliseconds were taken for seconds.*--max-work \d+/,
      );
      expect(megabytes).toBeLessThan(300);
      expect(took).toBeLessThan(20);
    }
  });

  it('a short clip is played, and --max-work and --max-memory say how much of it', async () => {
    const model = skinnedBox();
    animate(model, 2, 'translation', [0, 20], [0, 0, 1, 0, 0, 2]);
    const file = await write('short.glb', model);
    expect(runJson('measure', file).clips).toHaveLength(1);
    expect(runRefused('measure', file, '--max-work', '0.1')).toContain('--max-work 1');
    const out = ['-o', path('short-out.glb')];
    expect(runRefused('bake', file, ...out, '--max-work', '0.1')).toContain('too much work');
    expect(runRefused('bake', file, ...out, '--max-memory', '0.05')).toContain('MB that are allowed');
    expect(runIsoskin('bake', file, ...out).status).toBe(0);
    expect(runRefused('weights', file, ...out, '--max-work', '0.00001')).toContain('8 vertices and 2 bones');
    expect(runRefused('weights', file, ...out, '--max-memory', '0.0001')).toContain('allowed');
    expect(runRefused('bake', file, ...out, '--max-work', 'much')).toContain('--max-work');
  });

  it('triangles that all cross each other', async () => {
    const file = await write('crossing.glb', crossing(20_000));
    for (const args of [
      ['measure', file, '--preset', 'organic'],
      ['snapshot', file, '-o', path('x.glb')],
      ['bake', file, '-o', path('x.glb')],
    ]) {
      const { status, stderr, seconds } = weigh(...args);
      expect({ status, stderr }).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/cross each other.*--max-work/),
      });
      expect(seconds).toBeLessThan(20);
    }
    expect(runIsoskin('snapshot', await write('few.glb', crossing(300)), '-o', path('few-out.glb')).status).toBe(0);
  });

  it('vertices without weights on many bones', async () => {
    const model = skinnedBox();
    const [vertices, bones] = [60_000, 60_000];
    const primitive = model.json.meshes[0].primitives[0];
    const positions = Float32Array.from({ length: 3 * vertices }, (_, i) => Math.sin(i * i));
    primitive.attributes.POSITION = model.add('VEC3', positions, { min: [-1, -1, -1], max: [1, 1, 1] });
    primitive.attributes.JOINTS_0 = model.add('VEC4', new Uint8Array(4 * vertices));
    primitive.attributes.WEIGHTS_0 = model.add('VEC4', new Float32Array(4 * vertices));
    delete primitive.indices;
    model.json.nodes = [{ mesh: 0, skin: 0 }, ...Array.from({ length: bones }, () => ({}))];
    model.json.scenes = [{ nodes: [0] }];
    const binds = Float32Array.from({ length: 16 * bones }, (_, i) =>
      i % 16 >= 12 && i % 16 < 15 ? Math.cos(i) : IDENTITY[i % 16]!,
    );
    model.json.skins = [
      { joints: Array.from({ length: bones }, (_, b) => b + 1), inverseBindMatrices: model.add('MAT4', binds) },
    ];
    const { status, stderr, seconds } = weigh('inspect', await write('unweighted.glb', model));
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(seconds).toBeLessThan(30);
  });

  it('a million nodes, and a million joints', async () => {
    const nodes = skinnedBox();
    for (let n = 0; n < 1e6; n++) nodes.json.nodes.push({});
    const file = await write('nodes.glb', nodes);
    const { stderr, megabytes } = weigh('inspect', file);
    expect(stderr).toMatch(/^isoskin: The model has 1000003 nodes, and 100000 are the most/);
    expect(megabytes).toBeLessThan(800);
    const joints = skinnedBox();
    joints.json.skins[0].joints = new Array(1e6).fill(1);
    expect(runRefused('inspect', await write('joints.glb', joints))).toContain('1000000 joints');
    const some = skinnedBox();
    for (let n = 0; n < 1e4; n++) some.json.nodes.push({});
    expect(runRefused('inspect', await write('some.glb', some), '--max-memory', '10')).toContain(
      '10 MB that are allowed',
    );
  });

  it('extras that are nested 5 000 deep', async () => {
    const model = skinnedBox();
    model.json.nodes[1].extras = 'DEEP';
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    const file = path('deep.glb');
    await writeFile(file, packGlb(JSON.stringify(model.json).replace('"DEEP"', deep), model.binary()));
    for (const args of [
      ['inspect', file],
      ['bake', file, '-o', path('x.glb')],
      ['weights', file, '-o', path('x.glb')],
    ]) {
      expect(runRefused(...args)).toContain('nested more than 200 deep');
    }
    // Brackets in texts are none.
    model.json.nodes[1].extras = { text: `${'{['.repeat(5000)}\\"{` };
    expect(runIsoskin('inspect', await write('text.glb', model)).status).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('what has no size', () => {
  it('a device', async () => {
    await writeDemo(path('tube.glb'), 'tube');
    for (const args of [['inspect'], ['measure'], ['bake', '-o', path('x.glb')], ['weights', '-o', path('x.glb')]]) {
      expect(runRefused(args[0]!, '/dev/zero', ...args.slice(1))).toContain('is a device');
    }
    expect(runRefused('measure', path('tube.glb'), '--stack', '/dev/zero')).toContain('is a device');
    expect(runRefused('simulate', '/dev/urandom')).toContain('is a device');
  });

  it('a pipe that nobody writes to, one that does not end, and a good one', async () => {
    spawnSync('mkfifo', [path('fifo')]);
    const silent = spawn(process.execPath, [bin, 'inspect', path('fifo')]);
    let said = '';
    silent.stderr.on('data', (text) => {
      said += text;
    });
    const left = new Promise((resolve) => silent.on('exit', resolve));
    const run = (command: string) =>
      spawnSync('bash', ['-c', command.replaceAll('CLI', `'${process.execPath}' '${bin}'`)], { encoding: 'utf8' });
    expect(run(`CLI inspect <(cat /dev/zero) --max-memory 20`).stderr).toContain('20 MB that are allowed');
    await writeDemo(path('tube.glb'), 'tube');
    const { stdout, status } = run(`CLI inspect <(sleep 1; cat '${path('tube.glb')}')`);
    expect({ stdout, status }).toMatchObject({ status: 0, stdout: expect.stringContaining('triangles') });
    expect(run(`cat '${path('tube.glb')}' | CLI inspect /dev/stdin`).status).toBe(0);
    expect(run(`CLI inspect <(true)`).stderr).toContain('Nothing was written into the pipe');
    expect(await left).toBe(1);
    expect(said).toMatch(/^isoskin: Nothing has come from the pipe .* for 30 s/);
  });
});

describe('snapshot', () => {
  it('wants a clip for a time', async () => {
    await writeDemo(path('tube.glb'), 'tube');
    expect(runRefused('snapshot', path('tube.glb'), '--time', '99', '-o', path('s.glb'))).toContain('--clip');
  });
});
