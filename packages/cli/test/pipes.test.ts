/** `-` is stdin and stdout: the bytes are those of the file, and what is told goes to stderr. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIsoskin, writeDemo } from './run-isoskin.js';

const bin = fileURLToPath(new URL('../bin/isoskin.js', import.meta.url));
let folder: string;
let tube: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-pipes-'));
  tube = join(folder, 'tube.glb');
  await writeDemo(tube, 'tube');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function runWith(input: Uint8Array | string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { input, maxBuffer: 2 ** 28 });
  return { status, stdout, stderr: stderr.toString() };
}

describe('pipes', () => {
  it('bake - -o -: the same bytes as from file to file, and the table on stderr', () => {
    const output = join(folder, 'kept.glb');
    expect(runIsoskin('bake', tube, '-o', output).status).toBe(0);
    const piped = runWith(readFileSync(tube), 'bake', '-', '-o', '-');
    expect(piped.status).toBe(0);
    expect(piped.stdout.equals(readFileSync(output))).toBe(true);
    expect(piped.stderr).toMatch(/bend .* −10\.97 %/);
    const json = runWith(readFileSync(tube), 'bake', '-', '-o', '-', '--json');
    expect(JSON.parse(json.stderr).written).toBe(true);
  });

  it('a pipeline of a shell, through real pipes and a redirected file', () => {
    const isoskin = `'${process.execPath}' '${bin}'`;
    const line = `${isoskin} demo tube -o - | ${isoskin} bake - -o - | ${isoskin} measure - --json; ${isoskin} inspect - < '${tube}'`;
    const { status, stdout } = spawnSync('bash', ['-o', 'pipefail', '-c', line], { encoding: 'utf8' });
    expect(status).toBe(0);
    const [measured, inspected] = stdout.split(/\n(?=-\n)/);
    expect(Math.abs(JSON.parse(measured!).clips[0].worst.skinned)).toBeLessThan(1e-3);
    expect(inspected).toContain('258 welded');
  });

  it('weights, snapshot and simulate write to stdout; a snapshot needs to know its format', () => {
    const bytes = readFileSync(tube);
    expect(runWith(bytes, 'weights', '-', '-o', '-').stdout.subarray(0, 4).toString()).toBe('glTF');
    expect(runWith(bytes, 'snapshot', '-', '-o', '-', '--format', 'obj').stdout.toString()).toMatch(/^# isoskin\nv /);
    expect(runWith('', 'simulate', 'merge', '--frames', '2', '-o', '-').stdout.subarray(0, 4).toString()).toBe('glTF');
    const unnamed = runWith(bytes, 'snapshot', '-', '-o', '-');
    expect({ status: unnamed.status, length: unnamed.stdout.length }).toEqual({ status: 1, length: 0 });
    expect(unnamed.stderr).toContain('--format');
  });

  it('nothing, half a file, too much and two files for one pipe are refused with a sentence', () => {
    const bytes = readFileSync(tube);
    const refuse = (input: Uint8Array | string, ...args: string[]) => {
      const { status, stdout, stderr } = runWith(input, ...args);
      expect({ status, length: stdout.length }).toEqual({ status: 1, length: 0 });
      expect(stderr).toMatch(/^isoskin: [^\n]{20,}\n$/);
      return stderr;
    };
    expect(refuse('', 'inspect', '-')).toContain('Nothing was piped in');
    expect(refuse(bytes.subarray(0, 2000), 'bake', '-', '-o', '-')).toContain('cut off');
    expect(refuse(bytes, 'bake', '-', '-o', '-', '--max-memory', '0.01')).toContain('--max-memory');
    expect(refuse(bytes, 'bake', '-', '-o', '-', '--report', '-')).toContain('asked for twice');
    const loose = JSON.stringify({ asset: { version: '2.0' }, buffers: [{ uri: 'beside.bin', byteLength: 4 }] });
    refuse(loose, 'inspect', '-');
  });
});
