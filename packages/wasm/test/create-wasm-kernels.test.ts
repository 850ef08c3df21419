/** Threads, order, memory and fallback of the WASM kernels. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  createCharacter,
  createFastStack,
  createPose,
  type FastStack,
  POSE_STRIDE,
  type Pose,
  presetStack,
} from '@isoskin/core';
import { chooseKernels, createWasmKernels, detectFeatures } from '@isoskin/wasm';
import { describe, expect, it } from 'vitest';
import { tube } from '../../core/test/meshes.js';

const features = detectFeatures();

function bend(pose: Pose, degrees: number): Pose {
  const half = (degrees * Math.PI) / 360;
  pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], POSE_STRIDE + 3);
  return pose;
}

function play(stack: FastStack, frames: number): void {
  const pose = createPose(stack.character);
  for (let n = 0; n < frames; n++) stack.evaluate(bend(pose, 60 + 40 * Math.sin(0.1 * n)), n / 60);
}

describe('createWasmKernels', () => {
  it('goes on with one thread after dispose, and refuses nonsense', async () => {
    const kernels = await createWasmKernels({ threads: 2 });
    const stack = createFastStack(createCharacter(tube({ around: 80, along: 130 })), presetStack('organic'), kernels);
    kernels.dispose();
    expect(kernels.threads).toBe(1);
    play(stack, 3);
    expect(stack.runner.positions.every(Number.isFinite)).toBe(true);
    await expect(createWasmKernels({ threads: 0 })).rejects.toMatchObject({ code: 'WASM_THREADS' });
  });

  it('holds no more memory after many characters have come and gone', async () => {
    const kernels = await createWasmKernels({ threads: 1 });
    const character = createCharacter(tube());
    const stay = createFastStack(character, presetStack('organic'), kernels);
    play(stay, 2);
    const before = stay.runner.positions.slice();
    const held = kernels.byteLength;
    for (let n = 0; n < 60; n++) {
      const some = [1, 2, 3].map(() => createFastStack(character, presetStack('organic'), kernels));
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
    const { runner, report, bones, ...stack } = createFastStack(
      createCharacter(tube()),
      presetStack('organic'),
      kernels,
    );
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
    expect(kernels.name).toBe('wasm');
    expect(messages).toEqual([]);
  });

  it('falls back to TypeScript, and says why', async () => {
    const messages: string[] = [];
    const log = (message: string) => void messages.push(message);
    const kernels = await chooseKernels({ log, features: { ...features, simd: false } });
    expect(kernels.name).toBe('typescript');
    expect(messages).toEqual([expect.stringMatching(/^TypeScript kernels are used: .*no WebAssembly SIMD/)]);
    const stack = createFastStack(createCharacter(tube()), presetStack('organic'), kernels);
    play(stack, 2);
    const wasm = createFastStack(stack.character, presetStack('organic'), await createWasmKernels({ threads: 1 }));
    play(wasm, 2);
    for (const [n, x] of stack.runner.positions.entries()) {
      if (n % 4 < 3) expect(Math.abs(x - wasm.runner.positions[n]!)).toBeLessThan(5e-5);
    }
  });

  it('says when threads cannot be had', async () => {
    const messages: string[] = [];
    const log = (message: string) => void messages.push(message);
    await chooseKernels({ threads: 4, log, features: { ...features, sharedMemory: false } });
    expect(messages).toEqual([expect.stringContaining('cross-origin isolated')]);
  });
});
