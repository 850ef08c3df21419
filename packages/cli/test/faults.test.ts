/** Bad weather: the command is killed, the disk is full, files change under its hands. Nothing is lost or half-written. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runIsoskin, runRefused, writeDemo } from './run-isoskin.js';

const bin = fileURLToPath(new URL('../bin/isoskin.js', import.meta.url));
let folder: string;
let model: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'isoskin-faults-'));
  model = join(folder, 'finger.glb');
  await writeDemo(model, 'finger');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const startBake = (output: string): ChildProcess =>
  spawn(process.execPath, [bin, 'bake', model, '-o', output], { stdio: ['ignore', 'pipe', 'pipe'] });
const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const isGlb = (path: string) => {
  const bytes = readFileSync(path);
  return bytes.toString('latin1', 0, 4) === 'glTF' && bytes.readUInt32LE(8) === bytes.length;
};

describe('a bake that is killed', { timeout: 120_000 }, () => {
  it('leaves the file that was there, whenever the blow falls', async () => {
    const output = join(folder, 'out.glb');
    for (const [n, signal] of (['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const).entries()) {
      writeFileSync(output, 'the file before');
      const child = startBake(output);
      const over = ended(child);
      await wait(150 + 250 * n);
      child.kill(signal);
      await over;
      const after = readFileSync(output);
      // Either it was too late, and the whole new file is there, or the old one is untouched.
      if (after.toString() !== 'the file before') expect(isGlb(output)).toBe(true);
    }
    expect(runIsoskin('bake', model, '-o', output).status).toBe(0);
    expect(isGlb(output)).toBe(true);
    const left = readdirSync(folder).filter((name) => name.endsWith('.tmp'));
    expect(left).toEqual([]);
  });
});

describe('two bakes to one file', { timeout: 120_000 }, () => {
  it('end with a whole file', async () => {
    const output = join(folder, 'same.glb');
    const children = [startBake(output), startBake(output)];
    expect(await Promise.all(children.map(ended))).toEqual([0, 0]);
    expect(isGlb(output)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['finger.glb', 'same.glb']);
  });
});

describe('an input that is replaced while it is baked', { timeout: 120_000 }, () => {
  it('does not mix into the result', async () => {
    const plain = join(folder, 'plain.glb');
    expect(runIsoskin('bake', model, '-o', plain, '--jobs', '2').status).toBe(0);
    const output = join(folder, 'out.glb');
    const child = spawn(process.execPath, [bin, 'bake', model, '-o', output, '--jobs', '2']);
    const over = ended(child);
    await wait(600); // it has been read, and the thread beside is being started
    writeFileSync(model, 'something else');
    const status = await over;
    // Too early a blow is refused with a sentence; a result is the result of what was read.
    if (status === 0) expect(readFileSync(output).equals(readFileSync(plain))).toBe(true);
    else expect(readdirSync(folder)).not.toContain('out.glb');
  });
});

describe('nowhere to write', { timeout: 120_000 }, () => {
  it('a folder that takes no files', () => {
    expect(runRefused('bake', model, '-o', '/proc/out.glb')).toMatch(/cannot be written.*folder/);
  });

  it('a folder that does not exist', () => {
    expect(runRefused('bake', model, '-o', join(folder, 'no/where.glb'))).toMatch(/cannot be written/);
  });

  // A disk of a few kilobytes, in a namespace of its own; needs Linux that lets a user have one.
  const unshare = spawnSync('unshare', ['-rm', 'true']).status === 0;
  it.skipIf(!unshare)(`a full disk${unshare ? '' : ' (skipped: no user namespaces here)'}`, () => {
    const disk = join(folder, 'disk');
    const script = [
      `mkdir ${disk}`,
      `mount -t tmpfs -o size=64k none ${disk}`,
      `echo before > ${disk}/out.glb`,
      `${process.execPath} ${bin} bake ${model} -o ${disk}/out.glb`,
      'echo "status $?"',
      `cat ${disk}/out.glb`,
      `ls ${disk}`,
    ];
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script.join('\n')], { encoding: 'utf8' });
    expect(stderr).toMatch(/^isoskin: .*cannot be written.*full/);
    expect(stdout).toBe('status 1\nbefore\nout.glb\n');
  });
});
