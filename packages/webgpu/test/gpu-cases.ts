/**
 * What is checked on a GPU, wherever one is found: bundled into one file, run in Node (Dawn) and in a browser page, answered
 * as plain numbers that gpu-frame.test.ts judges.
 */
import {
  type Character,
  createCharacter,
  createPose,
  createStack,
  type FramePlan,
  POSE_STRIDE,
  planFrame,
  presetStack,
  type StackSpec,
} from '@isoskin/core';
import { readCharacterFromBytes } from '@isoskin/gltf';
import { createDemo } from '@isoskin/implicit';
import { createGpuFrame } from '@isoskin/webgpu';
import { createTorusInput } from '../../../benchmarks/gpu-torus.mjs';
import {
  bendJoints,
  compareFrames,
  FRAME_TOLERANCES,
  type FrameCase,
  type FrameDifference,
  listClipCases,
  listRandomCases,
  listTubeCases,
} from '../../core/test/kernels/frame-table.js';
import { tube } from '../../core/test/meshes.js';
import { CALM } from '../src/constants.js';

export interface Answers {
  readonly adapter: string;
  readonly parity: FrameDifference[];
  /** Largest difference between a character in a crowd of three and alone, relative to the box. */
  readonly crowd: number;
  /** Two characters with caller-owned buffers of 12 bytes per drawn vertex, in one submit. */
  readonly drawn: number;
  /** After `setRest` of a rest shape twice as large: difference from the stack. */
  readonly rest: number;
  /** A joint that speeds up by less and by more than CALM a frame. */
  readonly calm: { readonly below: CalmRun; readonly above: CalmRun };
  /** Buffers that were made, and that are left after `dispose`. */
  readonly buffers: readonly [made: number, left: number];
  readonly errors: readonly string[];
}

export interface CalmRun {
  readonly difference: FrameDifference;
  /** Dispatches of the last frame. */
  readonly dispatches: number;
}

export interface CaseOptions {
  /** Models as .glb bytes, by name. */
  readonly models: Readonly<Record<string, Uint8Array>>;
  readonly demos: readonly string[];
  readonly seeds: readonly number[];
  readonly frames: number;
}

const organic = presetStack('organic') as StackSpec;
const fine: StackSpec = {
  layers: [{ layer: 'skin' }, { layer: 'volume', regions: { by: 'bone', minShare: 1e-3, minTriangles: 10 } }],
};

export async function runCases(gpu: GPU, options: CaseOptions): Promise<Answers> {
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error('no adapter');
  const device = await adapter.requestDevice();
  const errors: string[] = [];
  device.addEventListener('uncapturederror', (event) => errors.push((event as GPUUncapturedErrorEvent).error.message));
  const parity: FrameDifference[] = [];
  for (const one of await listCases(options))
    parity.push(await compareFrames(one, openOn(device), FRAME_TOLERANCES.webgpu));
  const tubes = createCharacter(tube({ around: 24, along: 30 }));
  return {
    adapter: adapter.info.description || adapter.info.vendor,
    parity,
    crowd: await compareCrowd(device, tubes),
    drawn: await compareDrawn(device, tubes),
    rest: await compareRest(device, tubes),
    calm: { below: await speedUp(device, tubes, 0.95 * CALM), above: await speedUp(device, tubes, 1.5 * CALM) },
    buffers: await countBuffers(device, tubes),
    errors,
  };
}

/** The frame table, and a torus of more regions than workgroup memory holds. */
async function listCases({ frames, seeds, demos, models }: CaseOptions): Promise<FrameCase[]> {
  const torus = createCharacter(createTorusInput(12, 160, 16));
  const long = createCharacter(createTorusInput(6, 360, 60));
  const cases: FrameCase[] = [
    ...listTubeCases(frames),
    { name: 'torus', character: torus, poses: bendJoints(torus, frames, 0.4) },
    { name: 'torus of 60 regions', character: long, poses: bendJoints(long, 2, 0.2), spec: fine },
    ...listRandomCases(seeds, frames),
  ];
  for (const name of demos)
    cases.push(...listClipCases(name, createDemo(name, { vertices: 1000 }), frames).slice(0, 1));
  for (const [name, bytes] of Object.entries(models)) {
    const { character } = await readCharacterFromBytes(bytes);
    cases.push(...listClipCases(name, character, frames).slice(0, 1));
  }
  return cases;
}

const openOn =
  (device: GPUDevice, onDispatch = () => {}) =>
  (plan: FramePlan) => {
    const frame = createGpuFrame(device, plan);
    return {
      run(bones: Float64Array, targets: Float64Array) {
        submit(device, (encoder) => frame.encode(watchDispatches(encoder, onDispatch), bones, targets));
        return frame.read();
      },
      dispose: () => frame.dispose(),
    };
  };

function watchDispatches(encoder: GPUCommandEncoder, onDispatch: () => void): GPUCommandEncoder {
  const begin = encoder.beginComputePass.bind(encoder);
  encoder.beginComputePass = (descriptor) => {
    const pass = begin(descriptor);
    const dispatch = pass.dispatchWorkgroups.bind(pass);
    pass.dispatchWorkgroups = (...counts: Parameters<typeof dispatch>) => {
      onDispatch();
      return dispatch(...counts);
    };
    return pass;
  };
  return encoder;
}

/** A joint whose angle has the second difference `bend` in every frame. */
async function speedUp(device: GPUDevice, character: Character, bend: number): Promise<CalmRun> {
  const poses = Array.from({ length: 12 }, (_, n) => {
    const pose = createPose(character);
    const half = 0.5 * (0.5 + 0.01 * n + 0.5 * bend * n * n);
    pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], POSE_STRIDE + 3);
    return pose;
  });
  let count = 0;
  const open = openOn(device, () => count++);
  const counted = (plan: FramePlan) => {
    const subject = open(plan);
    return {
      ...subject,
      run(bones: Float64Array, targets: Float64Array) {
        count = 0;
        return subject.run(bones, targets);
      },
    };
  };
  const one = { name: `bend ${bend}`, character, poses };
  const difference = await compareFrames(one, counted, FRAME_TOLERANCES.webgpu);
  return { difference, dispatches: count };
}

/** Largest |a − b| over vertices with different strides. */
function largestDifference(
  a: ArrayLike<number>,
  aStride: number,
  b: ArrayLike<number>,
  bStride: number,
  count: number,
) {
  let worst = 0;
  for (let k = 0; k < count; k++) {
    for (let r = 0; r < 3; r++) worst = Math.max(worst, Math.abs(a[aStride * k + r]! - b[bStride * k + r]!));
  }
  return worst;
}

function measureDiagonal(positions: Float64Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
    high[i % 3] = Math.max(high[i % 3]!, positions[i]!);
  }
  return Math.hypot(...high.map((h, r) => h - low[r]!));
}

function submit(device: GPUDevice, encode: (encoder: GPUCommandEncoder) => void): void {
  const encoder = device.createCommandEncoder();
  encode(encoder);
  device.queue.submit([encoder.finish()]);
}

async function compareCrowd(device: GPUDevice, character: Character): Promise<number> {
  const plan = planFrame(character, organic);
  const stack = createStack(character, organic);
  const K = plan.volumes.regionCount;
  const poses = bendJoints(character, 9, 1.2).filter((_, n) => n % 4 === 0);
  const bones = new Float64Array(poses.length * 12 * plan.boneCount);
  const targets = new Float64Array(poses.length * K);
  const crowd = createGpuFrame(device, plan, { instances: poses.length });
  const alone: Float32Array[] = [];
  for (const [i, pose] of poses.entries()) {
    const wanted = stack.evaluate(pose);
    bones.set(wanted.bones, 12 * i * plan.boneCount);
    targets.set(wanted.reports[0]!.targets, i * K);
    const single = createGpuFrame(device, plan);
    submit(device, (encoder) => single.encode(encoder, wanted.bones, wanted.reports[0]!.targets));
    alone.push((await single.read()).positions);
    single.dispose();
  }
  submit(device, (encoder) => crowd.encode(encoder, bones, targets));
  const { positions } = await crowd.read();
  crowd.dispose();
  const diagonal = measureDiagonal(plan.positions);
  const worst = alone.map((one, i) =>
    largestDifference(positions.subarray(4 * i * plan.vertexCount), 4, one, 4, plan.vertexCount),
  );
  return Math.max(...worst) / diagonal;
}

async function compareDrawn(device: GPUDevice, character: Character): Promise<number> {
  const plan = planFrame(character, organic);
  const stack = createStack(character, organic);
  const welded = Uint32Array.from({ length: plan.vertexCount + 7 }, (_, n) => (n * 5) % plan.vertexCount);
  const usage = 128 | 32 | 4; // storage, vertex, copy source
  const createOwn = () => device.createBuffer({ size: 12 * welded.length, usage });
  const own = [0, 1].map(() => ({ positions: createOwn(), normals: createOwn() }));
  const frames = own.map((buffers) => createGpuFrame(device, plan, { ...buffers, stride: 12, welded }));
  const poses = bendJoints(character, 2, 1.2);
  const wanted = poses.map((pose) => {
    stack.reset();
    const { positions, bones, reports } = stack.evaluate(pose);
    return { positions: positions.slice(), bones: bones.slice(), targets: reports[0]!.targets.slice() };
  });
  submit(device, (encoder) => {
    for (const [i, frame] of frames.entries()) frame.encode(encoder, wanted[i]!.bones, wanted[i]!.targets);
  });
  let worst = 0;
  for (const [i, frame] of frames.entries()) {
    const { positions } = await frame.read();
    for (const [n, k] of welded.entries()) {
      for (let r = 0; r < 3; r++) {
        worst = Math.max(worst, Math.abs(positions[3 * n + r]! - wanted[i]!.positions[3 * k + r]!));
      }
    }
    frame.dispose();
  }
  for (const { positions, normals } of own) {
    positions.destroy();
    normals.destroy();
  }
  return worst / measureDiagonal(plan.positions);
}

/** At rest (identity bones, targets = volumes of the new shape) the frame must give the new shape back. */
async function compareRest(device: GPUDevice, character: Character): Promise<number> {
  const plan = planFrame(character, organic);
  const frame = createGpuFrame(device, plan);
  const large = plan.positions.map((v) => 2 * v);
  frame.setRest(large);
  const { reports, bones } = createStack(character, organic).evaluate(createPose(character));
  const targets = reports[0]!.targets.map((v) => 8 * v);
  submit(device, (encoder) => frame.encode(encoder, bones, targets));
  const { positions } = await frame.read();
  frame.dispose();
  return largestDifference(positions, 4, large, 3, plan.vertexCount) / measureDiagonal(large);
}

async function countBuffers(device: GPUDevice, character: Character): Promise<[number, number]> {
  const plan = planFrame(character, organic);
  const live = new Set<GPUBuffer>();
  let made = 0;
  const watched = new Proxy(device, {
    get(target, key) {
      const value = Reflect.get(target, key, target) as unknown;
      if (key !== 'createBuffer') return typeof value === 'function' ? value.bind(target) : value;
      return (descriptor: GPUBufferDescriptor) => {
        const buffer = target.createBuffer(descriptor);
        const destroy = buffer.destroy.bind(buffer);
        buffer.destroy = () => {
          live.delete(buffer);
          return destroy();
        };
        live.add(buffer);
        made++;
        return buffer;
      };
    },
  });
  const frame = createGpuFrame(watched, plan);
  await frame.read();
  frame.dispose();
  return [made, live.size];
}
