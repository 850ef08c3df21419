import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIsoskin, runJson, runRefused } from './run-isoskin.js';

const folder = mkdtempSync(join(tmpdir(), 'isoskin-pieces-'));
const at = (name: string) => join(folder, name);
const options = ['--store', at('frames'), '--chunk', '30'];
beforeAll(() => void runIsoskin('demo', 'tube', '-o', at('tube.glb')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('shares by plain processes give the bytes of the local bake, in any order, and again', { timeout: 120_000 }, () => {
  const chunk = (index: number) =>
    runJson('bake-chunk', at('tube.glb'), ...options, '--index', `${index}`, '--count', '2', '--json');
  const merge = ['bake-merge', at('tube.glb'), ...options, '-o', at('merged.glb')];
  expect(runRefused(...merge)).toContain('run all shares of bake-chunk');
  const [second, first] = [chunk(1), chunk(0)];
  expect(first.chunks).toBeGreaterThan(2);
  expect(first.own + second.own).toBe(first.chunks);
  expect(first.computed + second.computed).toBe(first.chunks);
  expect(chunk(0).computed).toBe(0);
  expect(runJson(...merge, '--json').bytes).toBeGreaterThan(0);
  runIsoskin('bake', at('tube.glb'), '-o', at('baked.glb'));
  expect(readFileSync(at('merged.glb')).equals(readFileSync(at('baked.glb')))).toBe(true);
});

it('pieces are driven where that is asked for', { timeout: 120_000 }, () => {
  const drive = ['--drive', '--range', '30'];
  runIsoskin('bake-chunk', at('tube.glb'), ...options, ...drive);
  runIsoskin('bake-merge', at('tube.glb'), ...options, ...drive, '-o', at('driven.glb'));
  runIsoskin('bake', at('tube.glb'), ...drive, '-o', at('driven-here.glb'));
  const file = readFileSync(at('driven.glb'));
  expect(file.equals(readFileSync(at('driven-here.glb')))).toBe(true);
  expect(file.includes('certificate')).toBe(true);
});

it('a share that does not exist, and a merge over its own model, are refused with a sentence', () => {
  const share = ['--index', '2', '--count', '2'];
  expect(runRefused('bake-chunk', at('tube.glb'), ...options, ...share)).toContain('There is no share 2 of 2');
  expect(runRefused('bake-merge', at('tube.glb'), ...options, '-o', at('tube.glb'))).toContain('tube.glb');
});
