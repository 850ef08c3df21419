import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createScene, sceneNames } from '@isoskin/soft';
import { validateBytes } from 'gltf-validator';
import { AnimationMixer, type Mesh } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIsoskin, runIsoskinWith, runJson, runRefused, writeDemo } from '../run-isoskin.js';

let folder = '';
const inFolder = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-simulate-'));
});
afterAll(() => rm(folder, { recursive: true }));

const writeScene = async (change: (scene: ReturnType<typeof createScene>) => unknown) => {
  await writeFile(inFolder('scene.json'), JSON.stringify(change(createScene('merge'))));
  return inFolder('scene.json');
};

/** The files that a run of the command loads, as V8 counts them. */
async function listLoaded(...args: string[]) {
  const coverage = await mkdtemp(join(folder, 'loaded-'));
  const { stdout } = runIsoskinWith({ NODE_V8_COVERAGE: coverage }, ...args);
  const reports = await Promise.all((await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8')));
  await rm(coverage, { recursive: true });
  const files = reports.flatMap((text) => JSON.parse(text).result.map(({ url }: { url: string }) => url) as string[]);
  return { stdout, files };
}

describe('isoskin simulate', () => {
  it('names the scenes in its help, and is the only command that loads soft bodies', async () => {
    const help = await listLoaded('simulate', '--help');
    expect(help.stdout.replace(/\s+/g, ' ')).toContain(`one of ${sceneNames.join(', ')}`);
    const model = join(await mkdtemp(join(tmpdir(), 'isoskin-finger-')), 'finger.glb');
    await writeDemo(model, 'finger');
    const measured = await listLoaded('measure', model);
    await rm(dirname(model), { recursive: true });
    for (const [name, { stdout, files }] of Object.entries({ simulate: help, measure: measured })) {
      expect(stdout).not.toBe('');
      const commands = files.filter((file) => /packages\/cli\/dist\/commands\//.test(file));
      expect(commands.map((file) => basename(file))).toEqual([`${name}.js`]); // what was asked for, and no other
      expect(files.filter((file) => /packages\/soft\/|rapier/.test(file))).toEqual([]);
    }
    const { files } = await listLoaded('simulate', 'fall', '--frames', '1');
    for (const loaded of [/packages\/soft\//, /rapier/]) expect(files.some((file) => loaded.test(file))).toBe(true);
  });

  it('--drop lets a character fall: a new clip in its file, which the validator accepts', async () => {
    await writeDemo(inFolder('toy.glb'), 'toy');
    const facts = runJson('simulate', '--drop', inFolder('toy.glb'), '-o', inFolder('dropped.glb'), '--frames', '13');
    expect(facts).toMatchObject({ clip: 'drop', duration: 0.2 });
    expect(facts.bodies).toBeGreaterThan(1);
    const bytes = await readFile(inFolder('dropped.glb'));
    const { messages } = (await validateBytes(bytes)).issues;
    expect(messages.filter(({ severity }) => severity === 0)).toEqual([]);
    const { clips } = runJson('inspect', inFolder('dropped.glb'));
    expect(clips.map(({ name }: { name: string }) => name)).toContain('drop');
    expect(runRefused('simulate')).toContain('--drop');
    expect(runRefused('simulate', 'merge', '--drop', inFolder('toy.glb'))).toContain('one of the two');
    for (const name of ['toy.glb', 'dropped.glb']) await rm(inFolder(name));
  });

  it('tells the volume of every frame and territory, and writes what the validator accepts and three.js plays', async () => {
    const scene = await writeScene((merge) => merge);
    const facts = runJson('simulate', scene, '-o', inFolder('merge.glb'), '--frames', '60');
    expect(facts).toMatchObject({ scene: 'merge', fps: 60, territories: ['drop.left', 'drop.right'], events: [] });
    expect(facts.frames).toHaveLength(60);
    expect(facts.frames[0]).toEqual({ time: 0, volume: 1, territories: [1, 1], contacts: 0, pieces: 1, fused: 0 });
    for (const { volume, territories } of facts.frames) {
      for (const v of [volume, ...territories]) expect(Math.abs(v - 1)).toBeLessThan(0.02);
    }
    const bytes = await readFile(inFolder('merge.glb'));
    const report = await validateBytes(new Uint8Array(bytes));
    expect(report.issues).toMatchObject({ numErrors: 0, numWarnings: 0, numInfos: 0, numHints: 0 });

    const { scene: root, animations } = await new GLTFLoader().parseAsync(new Uint8Array(bytes).buffer, '');
    expect(animations[0]!.duration).toBeCloseTo(1, 5);
    const mixer = new AnimationMixer(root);
    mixer.clipAction(animations[0]!).play();
    const widths = [0.01, 0.98].map((time) => {
      mixer.setTime(time);
      const shown = root.children.filter((node) => node.scale.x === 1) as Mesh[];
      expect(shown).toHaveLength(1);
      shown[0]!.geometry.computeBoundingBox();
      return shown[0]!.geometry.boundingBox!.max.x;
    });
    expect(widths[0]).toBeCloseTo(0.505 + 0.25, 2);
    expect(widths[1]).toBeLessThan(0.72);
    // Nothing beside the file asked for.
    expect((await readdir(folder)).sort()).toEqual(['merge.glb', 'scene.json']);
  });

  it('--no-volume-control measures without keeping', async () => {
    const scene = await writeScene((merge) => ({ ...merge, sampling: 3 }));
    const { frames, volumeControl } = runJson('simulate', scene, '--frames', '90', '--no-volume-control');
    expect(volumeControl).toBe(false);
    expect(frames.at(-1).volume).toBeGreaterThan(2);
  });

  it('obstacles that move are animated; the text tells pieces and contacts', async () => {
    const scene = { ...createScene('pinch'), sampling: 2 };
    await writeFile(inFolder('pinch.json'), JSON.stringify(scene));
    const { status, stdout } = runIsoskin('simulate', inFolder('pinch.json'), '-o', inFolder('p.glb'), '--frames', '3');
    expect(status).toBe(0);
    expect(stdout).toMatch(/pinch: 3 frames[\s\S]*pieces +1 at the start, 1 at the end[\s\S]*contacts/);
    const report = await validateBytes(new Uint8Array(await readFile(inFolder('p.glb'))));
    expect(report.issues.messages).toEqual([]);
    expect(report).toMatchObject({ info: { drawCallCount: 2 + 5 } });
  });

  it('refuses bad scenes with the field, and leaves no file', async () => {
    const refuse = async (change: (scene: ReturnType<typeof createScene>) => unknown) =>
      runRefused('simulate', await writeScene(change), '-o', inFolder('no.glb'));
    const bend = (part: object) => (merge: ReturnType<typeof createScene>) => {
      const [object] = merge.objects;
      const [left, right] = object!.primitives!;
      return { ...merge, objects: [{ ...object, primitives: [left, { ...right, ...part }] }] };
    };
    expect(await refuse(bend({ thickness: -1 }))).toContain('objects[0].primitives[1].thickness');
    expect(await refuse(bend({ points: [[-0.505, 0, 0]] }))).toContain('objects[0].primitives[1].points');
    expect(await refuse(bend({ name: 'other' }))).toContain('motions[1].primitives[0]');
    expect(await refuse((merge) => ({ ...merge, gravty: 3 }))).toContain('gravty');
    expect(existsSync(inFolder('no.glb'))).toBe(false);
    await writeFile(inFolder('text.json'), '{ objects }');
    expect(runRefused('simulate', inFolder('text.json'))).toContain('not JSON');
    expect(runRefused('simulate', 'mrge')).toContain(sceneNames.join(', '));
    expect(runRefused('simulate', 'merge', '-o', inFolder('x.gltf'))).toContain('.glb');
    for (const frames of ['0', '-1', '1.5', 'many']) runRefused('simulate', 'merge', '--frames', frames);
    const glb = inFolder('scene.glb');
    await writeFile(glb, JSON.stringify(createScene('merge')));
    expect(runRefused('simulate', glb, '-o', glb)).toContain('is one of the inputs');
  });
});
