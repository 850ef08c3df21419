import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { presetStack } from '@isoskin/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasModels,
  meterPath,
  modelPath,
  modelsNote,
  runIsoskin,
  runJson,
  runPiped,
  runRefused,
  writeDemo,
} from '../run-isoskin.js';

let folder = '';
let tube = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-measure-'));
  tube = join(folder, 'tube.glb');
  await writeDemo(tube, 'tube');
});
afterAll(() => rm(folder, { recursive: true }));

interface FrameJson {
  time: number;
  skinned: number;
  corrected?: number;
  target: number;
}

describe('measure', () => {
  it('without a stack measures skinning only', () => {
    const { model, rest, clips } = runJson('measure', tube);
    expect(model).toBe(tube);
    expect(rest).toBeCloseTo(20.2, 0);
    const [clip] = clips;
    expect(clip.name).toBe('bend');
    expect(clip.fps).toBe(30);
    expect(clip.frames).toHaveLength(61);
    expect(clip.frames[60].time).toBe(2);
    expect(clip.worst.skinned).toBeCloseTo(-0.1097, 3);
    expect(clip.frames.every((frame: FrameJson) => !('corrected' in frame))).toBe(true);
    expect(clip.worst).not.toHaveProperty('corrected');
    expect(clip.regions.map(({ name }: { name: string }) => name)).toEqual(['lower', 'upper', 'upper.tip']);
    const sum = clip.regions.reduce((total: number, region: { rest: number }) => total + region.rest, 0);
    expect(sum / rest).toBeCloseTo(1, 12);
  });

  it.each([
    ['--preset', 'natural'],
    ['--preset', 'organic'],
    ['--preset', 'global'],
    ['--stack', 'stack.json'],
  ])('%s %s adds the corrected column', async (option, value) => {
    const stack = { volume: { method: 'normal-exact', map: { kind: 'uniform' } } };
    await writeFile(join(folder, 'stack.json'), JSON.stringify(stack));
    const choice = option === '--stack' ? join(folder, value) : value;
    const [clip] = runJson('measure', tube, option, choice, '--fps', '5').clips;
    expect(clip.frames).toHaveLength(11);
    for (const { corrected, target } of clip.frames as FrameJson[]) {
      expect(Math.abs(corrected! / target - 1)).toBeLessThan(1e-9);
    }
    expect(clip.worst.skinned).toBeLessThan(-0.1);
    expect(Math.abs(clip.worst.corrected)).toBeLessThan(1e-9);
    for (const { worst } of clip.regions) expect(worst).toHaveProperty('corrected');
  });

  it('--skinning goes into the skin layer of a stack', async () => {
    const path = join(folder, 'linear.json');
    await writeFile(path, JSON.stringify({ skin: { skinning: 'linear' }, volume: {} }));
    const measured = runJson('measure', tube, '--stack', path, '--skinning', 'dual-quaternion', '--fps', '5');
    expect(measured.stack).toEqual({ skin: { skinning: 'dual-quaternion' }, volume: {} });
    const plain = runJson('measure', tube, '--skinning', 'dual-quaternion', '--fps', '5');
    expect(measured.clips[0].worst.skinned).toBeCloseTo(plain.clips[0].worst.skinned, 12);
    expect(plain.clips[0].worst.skinned).not.toBeCloseTo(-0.1097, 3);
  });

  it('--quality judges the preset natural unless another stack is named; --intersections counts', () => {
    const { clips, stack } = runJson('measure', tube, '--quality', '--intersections', '--fps', '2');
    expect(stack).toEqual(presetStack('natural'));
    for (const key of ['flipped', 'stretch99', 'stretchMax', 'roughness', 'temporal', 'locality']) {
      expect(clips[0].quality[key]).toBeTypeOf('number');
    }
    expect(clips[0].frames[2].intersections.skinned).toBeTypeOf('number');
  });

  it('prints a table with a sparkline and the regions, and no progress when stderr is no terminal', () => {
    const { status, stdout, stderr } = runIsoskin('measure', tube, '--preset', 'organic');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/bend +61 +[▁-█]{32} +−10\.97 % +\d\.\d\d s/);
    expect(stdout).toMatch(/upper +9\.\d+ +46\.67 % +−26\.74 %/);
  });

  it('is not upset by a reader that has seen enough', () => {
    const { status, stdout, stderr } = runPiped('head -c 9', 'measure', tube, '--fps', '1000', '--json');
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '{\n  "mode', stderr: '' });
  });

  it('names the clips when one is unknown', () => {
    expect(runRefused('measure', tube, '--clip', 'jump')).toContain('"bend"');
    expect(runJson('measure', tube, '--clip', 'BEND').clips).toHaveLength(1);
  });
});

describe.skipIf(!hasModels)(`measure agrees with the independent meter${modelsNote}`, () => {
  it.each([
    'Fox.glb',
    'RiggedFigure.glb',
    'CesiumMan.glb',
    'aframe_leftHand.glb',
    'webxr_hand_left.glb',
    'Ghost.glb',
    'RobotExpressive.glb',
    'Manny/kaykit_Manny.gltf',
  ])('%s', async (name) => {
    const { loadGlb, clips: listClips, clipVolumes } = await import(meterPath);
    const document = loadGlb(modelPath(name));
    const { rest, clips } = runJson('measure', modelPath(name), '--fps', '10');
    const expected = listClips(document);
    if (expected.length === 0) expected.push({ index: -1, name: 'default pose' });
    expect(clips.map((clip: { name: string }) => clip.name)).toEqual(expected.map((c: { name: string }) => c.name));
    for (const [c, { index }] of expected.entries()) {
      const found = clipVolumes(document, index, 10);
      expect(Math.abs(rest / found.rest) - 1).toBeCloseTo(0, 5);
      const ratios = found.frames.map(
        (frame: { volume: number }, n: number) => clips[c].frames[n].skinned / Math.abs(frame.volume) - 1,
      );
      expect(clips[c].frames).toHaveLength(ratios.length);
      for (const ratio of ratios) expect(Math.abs(ratio)).toBeLessThan(1e-5);
    }
  });
});
