/** Runs the built command as a user does, in a process of its own. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { expect } from 'vitest';

const bin = fileURLToPath(new URL('../bin/isoskin.js', import.meta.url));

export function runIsoskin(...args: string[]) {
  return runIsoskinWith({}, ...args);
}

/** The same in an environment of its own. */
export function runIsoskinWith(env: Record<string, string>, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

/** The same with its output piped into another command. */
export function runPiped(reader: string, ...args: string[]) {
  const command = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${command} | ${reader}`], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The JSON that a command prints, when it prints nothing else and ends well. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of the answer is what the tests look at
export function runJson(...args: string[]): any {
  const { status, stdout, stderr } = runIsoskin(...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** A refusal: exit code 1, nothing on stdout, one sentence on stderr. Returns the sentence. */
export function runRefused(...args: string[]): string {
  const { status, stdout, stderr } = runIsoskin(...args);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^isoskin: [^\n]{20,}\n$/);
  expect(stderr).not.toMatch(/\.[jt]s:\d|undefined|\[object/);
  return stderr;
}

export async function writeDemo(path: string, name: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await writeCharacter(createDemo(name)));
}

const shared = new URL('../../../../shared/', import.meta.url);
export const modelPath = (name: string) => fileURLToPath(new URL(`models/${name}`, shared));
export const meterPath = fileURLToPath(new URL('accept/glb.mjs', shared));
export const hasModels = existsSync(modelPath('Fox.glb')) && existsSync(meterPath);
export const modelsNote = hasModels ? '' : ' (skipped: ../shared/models and ../shared/accept are not here)';
