/** Threads, order, memory and fallback of the WASM kernels. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createCharacter, createFrameSource, createPose, POSE_STRIDE, type Pose, planBody } from '@isoskin/core';
import type { FrameKernels } from '@isoskin/core/kernels';
import { chooseKernels, createWasmKernels, detectFeatures } from '@isoskin/wasm';
import { describe, expect, it } from 'vitest';
import { type OpenRunner, openRunner } from '../../core/test/kernels/open-runner.js';
import { tube } from '../../core/test/meshes.js';

const features = detectFeatures();

function bend(pose: Pose, degrees: number): Pose {
  const half = (degrees * Math.PI) / 360;
  pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], POSE_STRIDE + 3);
  return pose;
}

function play(stack: Pick<OpenRunner<FrameKernels>, 'character' | 'evaluate'>, frames: number): void {
  const pose = createPose(stack.character);
  for (let n = 0; n < frames; n++) stack.evaluate(bend(pose, 60 + 40 * Math.sin(0.1 * n)));
}

describe('createWasmKernels', () => {
  it('goes on with one thread after dispose, and refuses nonsense', async () => {
    const kernels = await createWasmKernels({ threads: 2 });
    const stack = openRunner(createCharacter(tube({ around: 80, along: 130 })), kernels);
    kernels.dispose();
    expect(kernels.threads).toBe(1);
    play(stack, 3);
    expect(stack.runner.positions.every(Number.isFinite)).toBe(true);
    await expect(createWasmKernels({ threads: 0 })).rejects.toMatchObject({ code: 'WASM_THREADS' });
  });

  it('gives back as much of the volume as the strength asks for, as TypeScript does', async () => {
    const body = planBody(createCharacter(tube({ around: 32, along: 64 })));
    const spec = { volume: { options: { strength: 0.6 } } };
    const wasm = createFrameSource(body, spec, { kernels: await createWasmKernels({ threads: 1 }), warm: true });
    const plain = createFrameSource(body, spec);
    expect([wasm.backend, plain.backend]).toEqual(['wasm', 'typescript']);
    for (const degrees of [40, 70, 72]) {
      const pose = bend(createPose(body.character), degrees);
      const [a, b] = [wasm.evaluate(pose).positions, plain.evaluate(pose).positions];
      expect(Math.max(...a.map((x, i) => Math.abs(x - b[i]!)))).toBeLessThan(2e-5);
      expect(wasm.volume!.shapes!.amounts.some((amount) => Math.abs(amount) > 1e-3)).toBe(true);
    }
  });

  it('holds no more memory after many characters have come and gone', async () => {
    const kernels = await createWasmKernels({ threads: 1 });
    const character = createCharacter(tube());
    const stay = openRunner(character, kernels);
    play(stay, 2);
    const before = stay.runner.positions.slice();
    const held = kernels.byteLength;
    for (let n = 0; n < 60; n++) {
      const some = [1, 2, 3].map(() => openRunner(character, kernels));
      for (const stack of some) play(stack, 1);
      // Not in the order in which they came.
      some[1]!.dispose();
      some[0]!.dispose();
      some[2]!.dispose();
      some[2]!.dispose();
    }
    expect(kernels.byteLength).toBe(held);
    expect(stay.runner.positions).toEqual(before); // what others did was done elsewhere
    stay.dispose();
    expect(kernels.byteLength).toBe(0);
  });

  it('allocates nothing per frame: 10 000 frames leave the heap as it was', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const kernels = await createWasmKernels({ threads: 1 });
    const { runner, report, bones, ...stack } = openRunner(createCharacter(tube()), kernels);
    const pose = createPose(stack.character);
    // The matrices of a pose are the stack's business: here the frame alone.
    const poses = [50, 52, 54, 56, 58, 56, 54, 52].map((degrees) => {
      stack.evaluate(bend(pose, degrees));
      return { bones: bones.slice(), targets: report.targets.slice() };
    });
    const run = (frames: number) => {
      for (let n = 0; n < frames; n++) runner.run(poses[n & 7]!.bones, poses[n & 7]!.targets, report, n % 8 > 0);
    };
    run(3000);
    // What is allocated per frame shows in every round; what the engine does once, while it compiles, in one.
    const rounds = [1, 2, 3].map(() => {
      collect();
      const before = process.memoryUsage();
      run(10_000);
      const grown = process.memoryUsage().heapUsed - before.heapUsed;
      collect();
      const after = process.memoryUsage();
      return { grown, kept: after.heapUsed - before.heapUsed, buffers: after.arrayBuffers - before.arrayBuffers };
    });
    const least = (key: 'grown' | 'kept' | 'buffers') => Math.min(...rounds.map((round) => round[key]));
    expect(least('grown')).toBeLessThan(400 * 10_000); // numbers that the engine boxes, but no array, object or closure
    expect(least('kept')).toBeLessThan(200_000);
    expect(least('buffers')).toBeLessThanOrEqual(0);
  });
});

describe('chooseKernels', () => {
  it('takes WASM where it can be had', async () => {
    const messages: string[] = [];
    const kernels = await chooseKernels({ threads: 1, log: (message) => messages.push(message) });
    expect(kernels?.name).toBe('wasm');
    expect(messages).toEqual([]);
  });

  it('falls back to TypeScript, and says why', async () => {
    const messages: string[] = [];
    const log = (message: string) => void messages.push(message);
    const kernels = await chooseKernels({ log, features: { ...features, simd: false } });
    expect(kernels).toBeUndefined();
    expect(messages).toEqual([expect.stringMatching(/^TypeScript kernels are used: .*no WebAssembly SIMD/)]);
    const body = planBody(createCharacter(tube()));
    const stack = createFrameSource(body, undefined, { kernels });
    expect([stack.backend, stack.reason]).toEqual(['typescript', '']);
    const wasm = createFrameSource(body, undefined, { kernels: await createWasmKernels({ threads: 1 }) });
    expect(wasm.backend).toBe('wasm');
    for (const degrees of [30, 60]) {
      const pose = bend(createPose(body.character), degrees);
      const [wanted, found] = [stack.evaluate(pose), wasm.evaluate(pose)];
      for (const [key, tolerance] of [
        ['positions', 5e-5],
        ['skinned', 5e-5],
        ['normals', 5e-4],
      ] as const) {
        for (const [n, x] of wanted[key].entries()) expect(Math.abs(x - found[key][n]!)).toBeLessThan(tolerance);
      }
      expect(found.report!.inexact.includes(1)).toBe(false);
    }
  });

  it('a stack that kernels cannot run goes to the layers, and says why', async () => {
    const kernels = await createWasmKernels({ threads: 1 });
    const body = planBody(createCharacter(tube()));
    const source = createFrameSource(body, { skin: { skinning: 'dual-quaternion' }, volume: {} }, { kernels });
    expect(source.backend).toBe('typescript');
    expect(source.reason).toMatch(/dual-quaternion/);
  });

  it('says when threads cannot be had', async () => {
    const messages: string[] = [];
    const log = (message: string) => void messages.push(message);
    await chooseKernels({ threads: 4, log, features: { ...features, sharedMemory: false } });
    expect(messages).toEqual([expect.stringContaining('cross-origin isolated')]);
  });
});
