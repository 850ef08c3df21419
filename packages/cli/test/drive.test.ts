/** `isoskin bake --drive` as a user runs it. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIsoskin, runRefused, writeDemo } from './run-isoskin.js';

let folder = '';
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-drive-'));
  await writeDemo(at('tube.glb'), 'tube');
});
afterAll(() => rm(folder, { recursive: true }));

describe('bake --drive', () => {
  it('says what the driver is worth', { timeout: 120_000 }, () => {
    const { status, stdout } = runIsoskin('bake', at('tube.glb'), '-o', at('driven.glb'), '--drive', '--fps', '10');
    expect(status).toBe(0);
    expect(stdout).toMatch(/drive: \d+ amounts? of \d+ inputs?, \d+ terms/);
    expect(stdout).toMatch(
      /worst region of 250 poses that were not taught: [\d.]+ % \(median [\d.]+ %\); solver .*; linear/,
    );
  });

  it.for([
    [['--as', 'cache', '--drive'], /no shapes that could be driven/],
    [['--drive', '--range', '200'], /cannot turn by 200 degrees/],
    [['--range', '40'], /give --drive too/],
    [['--preset', 'flesh', '--drive'], /Only shapes under linear skinning can be driven/],
  ] as const)('%s: a sentence, and no file', ([options, sentence]) => {
    expect(runRefused('bake', at('tube.glb'), '-o', at('none.glb'), ...options)).toMatch(sentence);
    expect(existsSync(at('none.glb'))).toBe(false);
  });
});
