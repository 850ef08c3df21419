/**
 * “Add a method” of CONTRIBUTING.md, done: a file (fixture/plan-even-swell.ts), and one line where the others are registered. Core is bundled
 * with that line in it; the door, the frame source and `measure` then know the method.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tube } from '../meshes.js';

type Core = typeof import('@isoskin/core');
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'isoskin-method-'));
const spec = { skin: {}, volume: { method: 'even-swell', regions: { by: 'component' }, map: { kind: 'uniform' } } };

const register: Plugin = {
  name: 'register',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]correction[\\/]volume-methods\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replace(/^/, "import { evenSwell } from '../../test/correction/fixture/plan-even-swell.js';\n")
        .replace('export const VOLUME_METHODS = {\n', "export const VOLUME_METHODS = {\n  'even-swell': evenSwell,\n"),
    }));
  },
};

let core: Core;
beforeAll(async () => {
  const outfile = join(folder, 'core.mjs');
  const entryPoints = [join(here, '../../src/index.ts')];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'neutral', plugins: [register] });
  core = await import(pathToFileURL(outfile).href);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a method that was added', () => {
  it('is known at the door, with its options', () => {
    expect(() => core.checkStack(spec)).not.toThrow();
    const options = (more: object) => ({ ...spec, volume: { ...spec.volume, options: more } });
    expect(() => core.checkStack(options({ limit: 0.3 }))).not.toThrow();
    expect(() => core.checkStack(options({ limits: 0.3 }))).toThrow('limit');
  });

  it('keeps the volume in measure', () => {
    const character = core.createCharacter(tube());
    const bend = Float64Array.of(0, 0, 0, 1, 0, Math.SQRT1_2, 0, Math.SQRT1_2);
    const times = Float32Array.of(0, 1);
    const channel = { target: 1, path: 'rotation', interpolation: 'LINEAR', times, values: bend, width: 4 } as const;
    const source = core.createFrameSource(core.planBody(character), spec as never);
    const { worst } = core
      .planClipMeter(source)
      .measure({ name: 'bend', duration: 1, channels: [channel] }, { fps: 9 });
    expect(100 * worst.skinned).toBeCloseTo(-10.966, 3);
    expect(Math.abs(worst.corrected!)).toBeLessThan(1e-12);
  });

  it('is not known without the line', async () => {
    const { checkStack } = await import('@isoskin/core');
    expect(() => checkStack(spec)).toThrow('even-swell');
  });
});
