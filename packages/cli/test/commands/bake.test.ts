import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTimeLeft } from '../../src/time-left.js';
import { runIsoskin, runJson, runRefused, writeDemo } from '../run-isoskin.js';

const bin = fileURLToPath(new URL('../../bin/isoskin.js', import.meta.url));
let folder = '';
let tube = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-bake-'));
  tube = join(folder, 'tube.glb');
  await writeDemo(tube, 'tube');
});
afterAll(() => rm(folder, { recursive: true }));

const runOk = (...args: string[]) => {
  const { status, stdout, stderr } = runIsoskin(...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};

describe('bake', () => {
  it('puts the plan into the file, and says how large it is', async () => {
    const output = join(folder, 'planned.glb');
    expect(runOk('bake', tube, '-o', output, '--plan')).toMatch(/: \d+ vertices, a plan of \d+ kB/);
    const { plans, sizes } = runJson('bake', tube, '-o', output, '--plan');
    expect(sizes.output - sizes.input).toBeGreaterThan(plans[0].bytes);
    expect(runRefused('bake', tube, '-o', output, '--plan', '--drive')).toMatch(/--plan.*--drive/);
  });

  it('writes the file and the report, and prints a row per clip', async () => {
    const [output, report] = [join(folder, 'kept.glb'), join(folder, 'kept.html')];
    const stdout = runOk('bake', tube, '-o', output, '--report', report);
    expect(stdout).toMatch(/bend +[▁-█]+ +−1\d\.\d\d % +[+−](0\.0\d|\de−\d) %/);
    expect(stdout).toContain('3 morph targets');
    expect((await readFile(output)).subarray(0, 4).toString()).toBe('glTF');
    const page = await readFile(report, 'utf8');
    expect(page).toMatch(/Flesh in the worst frame: misplaced <span class="good">\d/);
    expect(page).toContain('<h1>tube</h1>');
    expect(page.match(/data:image\/png/g)).toHaveLength(3);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('gives the same bytes, and the same page, on one thread and on three', () => {
    const bake = (jobs: string) => {
      const [output, report] = [join(folder, 'out.glb'), join(folder, 'out.html')];
      runOk('bake', tube, '-o', output, '--jobs', jobs, '--report', report);
      return { bytes: readFileSync(output), page: readFileSync(report, 'utf8').replace(/baked in [\d.]+ s/, '') };
    };
    const [one, three] = [bake('1'), bake('3')];
    expect(three.bytes.equals(one.bytes)).toBe(true);
    expect(three.page.replace(/"seconds":[\d.]+/, '')).toBe(one.page.replace(/"seconds":[\d.]+/, ''));
  });

  it('has all options and says everything as JSON', () => {
    const output = join(folder, 'options.glb');
    const facts = runJson(
      'bake',
      tube,
      '-o',
      output,
      '--preset',
      'rubber',
      '--clip',
      'bend',
      '--fps',
      '15',
      '--as',
      'cache',
      '--tolerance',
      '0.002',
      '--compact',
    );
    expect(facts.clips).toHaveLength(1);
    expect(facts.targets[0]).toMatchObject({ node: 'tube', active: 2 });
    expect(facts.sizes.output).toBe(statSync(output).size);
    expect(facts.stack.volume.map.kind).toBe('rubber');
    expect(
      runJson('bake', tube, '-o', output, '--skinning', 'dual-quaternion', '--max-targets', '2').targets[0].extra,
    ).toBe(2);
    runJson('bake', tube, '-o', output, '--compress', 'meshopt');
    expect(statSync(output).size).toBeLessThan(facts.sizes.output);
  });

  it('does not write over what it reads, not even through a link', async () => {
    const link = join(folder, 'link.glb');
    await symlink(tube, link);
    const before = readFileSync(tube);
    expect(runRefused('bake', tube, '-o', tube)).toContain('not overwritten');
    expect(runRefused('bake', tube, '-o', link)).toContain('not overwritten');
    expect(runRefused('bake', tube, '-o', join(folder, 'new.glb'), '--report', tube)).toContain('not overwritten');
    expect(readFileSync(tube).equals(before)).toBe(true);
  });

  it('refuses what cannot be done, in one sentence', () => {
    const output = join(folder, 'never.glb');
    expect(runRefused('bake', tube, '-o', join(folder, 'never.gltf'))).toContain('.glb');
    expect(runRefused('bake', tube, '-o', output, '--clip', 'jump')).toContain('"bend"');
    expect(runRefused('bake', tube, '-o', output, '--fps', '0')).toContain('frames per second');
    expect(runRefused('bake', tube, '-o', output, '--tolerance', '2')).toContain('tolerance');
    expect(runRefused('bake', tube, '-o', output, '--jobs', '0')).toContain('--jobs');
    expect(runRefused('bake', join(folder, 'nothing.glb'), '-o', output)).toContain('does not exist');
    expect(runRefused('bake', tube, '-o', join(folder, 'no', 'such', 'folder.glb'))).toContain('cannot be written');
    expect(existsSync(output)).toBe(false);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const finger = join(folder, 'finger.glb');
    await writeDemo(finger, 'finger');
    const output = join(folder, 'stopped.glb');
    const child = spawn(process.execPath, [bin, 'bake', finger, '-o', output, '--fps', '240', '--jobs', '2']);
    await new Promise((resolve) => setTimeout(resolve, 700));
    child.kill('SIGINT');
    const signal = await new Promise((resolve) => child.on('exit', (_, by) => resolve(by)));
    expect(signal).toBe('SIGINT');
    expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
  });
});

describe('snapshot', () => {
  const take = (name: string) => {
    const output = join(folder, name);
    runOk('snapshot', tube, '--clip', 'bend', '--time', '1', '-o', output);
    return readFileSync(output);
  };

  it('writes a static .glb', () => {
    const bytes = take('pose.glb');
    const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
    expect(json.skins ?? json.animations).toBeUndefined();
    expect(json.meshes[0].primitives[0].targets).toBeUndefined();
  });

  it('writes .obj, .ply and .stl with the volume that the tube has at rest', () => {
    const obj = take('pose.obj').toString();
    const vertices = [...obj.matchAll(/^v (.*)$/gm)].map((m) => m[1]!.split(' ').map(Number));
    const faces = [...obj.matchAll(/^f (.*)$/gm)].map((m) => m[1]!.split(' ').map((w) => Number.parseInt(w, 10) - 1));
    const six = faces.reduce((sum, face) => {
      const [a, b, c] = face.map((v) => vertices[v]!) as [number[], number[], number[]];
      return (
        sum +
        a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) -
        a[1]! * (b[0]! * c[2]! - b[2]! * c[0]!) +
        a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!)
      );
    }, 0);
    expect(six / 6 / runJson('measure', tube).rest).toBeCloseTo(1, 5);
    const stl = take('pose.stl');
    expect(stl.readUInt32LE(80)).toBe(faces.length);
    expect(stl.length).toBe(84 + 50 * faces.length);
    const ply = take('pose.ply');
    const header = ply.subarray(0, ply.indexOf('end_header\n') + 11);
    expect(ply.length - header.length).toBe(24 * vertices.length + 13 * faces.length);
    expect(ply.readFloatLE(header.length)).toBeCloseTo(vertices[0]![0]!, 6);
  });

  it('refuses other formats, clips and times', () => {
    expect(runRefused('snapshot', tube, '-o', join(folder, 'pose.fbx'))).toContain('.stl');
    expect(runRefused('snapshot', tube, '-o', join(folder, 'p.obj'), '--clip', 'x')).toContain('"bend"');
    expect(runRefused('snapshot', tube, '-o', join(folder, 'p.obj'), '--clip', 'bend', '--time', '9')).toContain(
      '0 to 2',
    );
    expect(runRefused('snapshot', tube, '-o', tube)).toContain('not overwritten');
  });
});

describe('demo', () => {
  it('writes a character, as fine as asked for', () => {
    const output = join(folder, 'demo.glb');
    expect(runOk('demo', 'finger', '-o', output, '--vertices', '600')).toMatch(/finger, (5|6)\d\d vertices.*curl/);
    const found = runJson('inspect', output);
    expect(found).toMatchObject({ boundaryLoops: 0, nonManifoldEdges: 0, warnings: [] });
    expect(found.clips.map(({ name }: { name: string }) => name)).toEqual(['curl', 'wave']);
    expect(Math.abs(found.vertices.welded / 600 - 1)).toBeLessThan(0.03);
    expect(runRefused('demo', 'dragon')).toContain('elephant');
    expect(runRefused('demo', 'tube', '--vertices', 'many')).toContain('whole number');
  });
});

describe('start', () => {
  it('bakes the elephant into out/ and says how to look at it', async () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'start'], { encoding: 'utf8', cwd: folder });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/walk +[▁-█]+ +−2\.\d\d % +[+−](0\.0\d|\de−\d) %/);
    expect(stdout).toContain('open out/elephant-report.html');
    const [plain, baked] = ['elephant.glb', 'elephant-baked.glb'].map(
      (name) => statSync(join(folder, 'out', name)).size,
    );
    expect(baked! / plain!).toBeLessThan(2.5);
    await writeFile(join(folder, 'out', 'seen'), '');
  });
});

describe('createTimeLeft', () => {
  it('speaks when it knows', () => {
    let now = 0;
    const timeLeft = createTimeLeft(() => now);
    now = 100;
    expect(timeLeft(0.5)).toBe('');
    now = 10_000;
    expect(timeLeft(0.5)).toBe(', 10 s left');
    expect(timeLeft(0.01)).toBe('');
    now = 600_000;
    expect(timeLeft(0.5)).toBe(', 10 min left');
    expect(timeLeft(1)).toBe('');
  });
});
