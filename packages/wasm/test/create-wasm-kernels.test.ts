/** Threads, order, memory and fallback of the WASM kernels. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type Character,
  createCharacter,
  createFastStack,
  createPose,
  type FastStack,
  POSE_STRIDE,
  type Pose,
  presetStack,
} from '@isoskin/core';
import { chooseKernels, createWasmKernels, detectFeatures } from '@isoskin/wasm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tube } from '../../core/test/meshes.js';

const SEED = 20273;
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

const fine = () => createCharacter(tube({ around: 80, along: 100 }));

describe('createWasmKernels', () => {
  it.skipIf(!features.sharedMemory)('gives the same bits on one, two and three threads', async () => {
    const character = fine();
    const outputs: Float32Array[][] = [];
    for (const threads of [1, 2, 3]) {
      const kernels = await createWasmKernels({ threads });
      expect(kernels.threads).toBe(threads);
      const stack = createFastStack(character, presetStack('organic'), kernels);
      await new Promise((resolve) => setTimeout(resolve, 200)); // the workers start
      play(stack, 40);
      outputs.push([stack.runner.positions.slice(), stack.runner.normals.slice()]);
      stack.dispose();
      kernels.dispose();
    }
    expect(outputs[1]).toEqual(outputs[0]);
    expect(outputs[2]).toEqual(outputs[0]);
  });

  it('goes on with one thread after dispose, and refuses nonsense', async () => {
    const kernels = await createWasmKernels({ threads: 2 });
    const stack = createFastStack(fine(), presetStack('organic'), kernels);
    kernels.dispose();
    expect(kernels.threads).toBe(1);
    play(stack, 3);
    expect(stack.runner.positions.every(Number.isFinite)).toBe(true);
    await expect(createWasmKernels({ threads: 0 })).rejects.toMatchObject({ code: 'WASM_THREADS' });
  });

  it(`gives the same surface whatever the order of the vertices (seed ${SEED})`, async () => {
    const kernels = await createWasmKernels({ threads: 1 });
    const input = tube();
    const count = input.parts[0]!.positions.length / 3;
    const expected = evaluateBent(createCharacter(input), kernels);
    const orders = fc.shuffledSubarray(
      Array.from({ length: count }, (_, k) => k),
      { minLength: count },
    );
    fc.assert(
      fc.property(orders, (order) => {
        const shuffled = createCharacter({ ...input, parts: [shufflePart(input.parts[0]!, order)] });
        const found = evaluateBent(shuffled, kernels);
        // Bases are planned to 1e−5, in the order of the vertices; the tube is 7 long.
        order.forEach((from, to) => {
          for (let r = 0; r < 3; r++) expect(Math.abs(found[4 * to + r]! - expected[4 * from + r]!)).toBeLessThan(5e-4);
        });
      }),
      { seed: SEED, numRuns: 5 },
    );
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
      for (const stack of some) stack.runner.reset();
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
      for (let n = 0; n < frames; n++) runner.run(poses[n & 7]!.bones, poses[n & 7]!.targets, report);
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
    expect(least('grown')).toBeLessThan(250 * 10_000); // numbers that the engine boxes, but no array, object or closure
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

function evaluateBent(character: Character, kernels: Parameters<typeof createFastStack>[2]): Float32Array {
  const stack = createFastStack(character, presetStack('organic'), kernels);
  const pose = createPose(character);
  for (let degrees = 0; degrees <= 60; degrees += 5) stack.evaluate(bend(pose, degrees));
  const positions = stack.runner.positions.slice();
  stack.dispose();
  return positions;
}

type Part = Parameters<typeof createCharacter>[0]['parts'][number];

/** Vertex order[n] becomes vertex n. */
function shufflePart(part: Part, order: readonly number[]): Part {
  const { influences } = part;
  const place = new Map(order.map((from, to) => [from, to]));
  const pick = (list: ArrayLike<number>, width: number) =>
    order.flatMap((k) => Array.from({ length: width }, (_, i) => list[width * k + i]!));
  return {
    ...part,
    positions: Float64Array.from(pick(part.positions, 3)),
    bones: pick(part.bones, influences),
    weights: Float64Array.from(pick(part.weights, influences)),
    triangles: Array.from(part.triangles!, (k) => place.get(k)!),
  };
}
