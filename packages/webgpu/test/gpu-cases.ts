/**
 * What is checked on a GPU, wherever one is found: bundled into one file, run in Node (Dawn) and in a browser page, answered
 * as plain numbers that gpu-frame.test.ts judges.
 */
import {
  type Character,
  createCharacter,
  createFrameSource,
  createPose,
  frameTimes,
  type Pose,
  planBody,
  presetStack,
  type StackSpec,
  samplePose,
} from '@isoskin/core';
import { createSolverReport, type FramePlan, typescriptAmountKernels } from '@isoskin/core/kernels';
import { createDemo } from '@isoskin/demos';
import { readCharacterFromBytes } from '@isoskin/gltf';
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
import { placeSurface, planFrameOf } from '../../core/test/kernels/open-runner.js';
import { tube } from '../../core/test/meshes.js';
import { apexes } from '../src/wgsl/apexes.js';
import { displace } from '../src/wgsl/displace.js';
import { measure } from '../src/wgsl/measure.js';
import { skin } from '../src/wgsl/skin.js';

export interface Answers {
  readonly adapter: string;
  readonly parity: FrameDifference[];
  /** Largest difference between a character in a crowd of three and alone, relative to the box. */
  readonly crowd: number;
  /** Two characters with caller-owned buffers of 12 bytes per drawn vertex, in one submit. */
  readonly drawn: number;
  /** After `setRest` of a rest shape twice as large: difference from the stack. */
  readonly rest: number;
  /** Words of a cold frame that differ from those of the same frame on a fresh start, after another pose and after a warm one. */
  readonly stale: number;
  /** Smooth motion and a jump, warm against cold. */
  readonly smooth: WarmRun;
  readonly jump: WarmRun;
  /** The same of a fist that closes: regions reach their ceilings on the way. */
  readonly pressed: WarmRun;
  /** A strong bend under the default limit, in which regions pay: λ against the TypeScript solver, and the largest share of a ceiling. */
  readonly paying: { readonly difference: number; readonly push: number };
  /** A shape with a given amount beside those of the regions: difference from the TypeScript frame. */
  readonly given: number;
  /** Buffers that were made, and that are left after `dispose`. */
  readonly buffers: readonly [made: number, left: number];
  readonly errors: readonly string[];
  /** Complaints of the compiler about the shaders for subgroups of 32 threads, which software devices cannot run. */
  readonly complaints: readonly string[];
}

export interface WarmRun {
  /** Largest difference of a position from the cold frame, by the box. */
  readonly difference: number;
  /** Most evaluations of a warm and of a cold frame. */
  readonly warm: number;
  readonly cold: number;
}

export interface CaseOptions {
  /** Models as .glb bytes, by name. */
  readonly models: Readonly<Record<string, Uint8Array>>;
  readonly demos: readonly string[];
  readonly seeds: readonly number[];
  readonly frames: number;
  /** Tubes and tori as well. */
  readonly basics: boolean;
}

const organic = presetStack('organic') as StackSpec;
const anatomic = presetStack('anatomic') as StackSpec;
const plain: StackSpec = { skin: {}, volume: { options: { harmonics: 0 } } };
const fine: StackSpec = {
  skin: {},
  volume: { regions: { by: 'bone', minShare: 1e-3, minTriangles: 10 } },
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
  const hand = createDemo('hand', { vertices: 1000 });
  return {
    adapter: adapter.info.description || adapter.info.vendor,
    parity,
    crowd: await compareCrowd(device, tubes),
    drawn: await compareDrawn(device, tubes),
    rest: await compareRest(device, tubes),
    stale: await countStale(device, tubes),
    smooth: await compareWarm(device, tubes, bendJoints(tubes, 12, 0.9)),
    jump: await compareWarm(
      device,
      tubes,
      [-1, 1, 0, 1].flatMap((n) => bendJoints(tubes, 1, n)),
    ),
    pressed: await compareWarm(device, hand, closeFist(hand)),
    paying: await comparePaying(device, tubes),
    given: await compareGiven(device, tubes),
    buffers: await countBuffers(device, tubes),
    errors,
    complaints: await compileForSubgroups(gpu),
  };
}

async function compileForSubgroups(gpu: GPU): Promise<string[]> {
  const adapter = await gpu.requestAdapter(); // one that has given no device yet
  if (!adapter?.features.has('subgroups')) return [];
  const device = await adapter.requestDevice({ requiredFeatures: ['subgroups'] });
  const influences = { ahead: 2, most: 4 };
  const skins = [0, 32, 64].map((apexLanes) => skin({ hasSubgroups: true, influences, apexLanes }));
  const codes = [...skins, displace('packed', true), apexes(32, true), measure('packed', true), measure(12, true)];
  const infos = await Promise.all(codes.map((code) => device.createShaderModule({ code }).getCompilationInfo()));
  device.destroy();
  return infos.flatMap(({ messages }) => messages.map(({ message }) => message));
}

/** The frame table, and a torus of more regions than workgroup memory holds. */
async function listCases({ frames, seeds, demos, models, basics }: CaseOptions): Promise<FrameCase[]> {
  const torus = createCharacter(createTorusInput(12, 160, 16));
  const long = createCharacter(createTorusInput(6, 360, 60));
  const cases: FrameCase[] = [
    ...(basics ? listTubeCases(frames) : []),
    ...(basics
      ? [{ name: 'torus, anatomic', character: torus, poses: bendJoints(torus, frames, 0.6), spec: anatomic }]
      : []),
    ...(basics ? [{ name: 'torus', character: torus, poses: bendJoints(torus, frames, 0.4) }] : []),
    ...(basics ? [{ name: 'torus of 60 regions', character: long, poses: bendJoints(long, 2, 0.2), spec: fine }] : []),
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

const openOn = (device: GPUDevice) => (plan: FramePlan) => {
  const frame = createGpuFrame(device, plan);
  return {
    run(bones: Float64Array, targets: Float64Array) {
      submit(device, (encoder) => frame.encode(encoder, bones, targets));
      return frame.read();
    },
    dispose: () => frame.dispose(),
  };
};

/** Bones and targets of poses. */
function listInputs(character: Character, poses: readonly Pose[]) {
  const stack = createFrameSource(planBody(character), organic);
  return poses.map((pose) => {
    const { bones, report } = stack.evaluate(pose);
    return { bones: bones.slice(), targets: report!.targets.slice() };
  });
}

/** The frames of a fist in which the first regions reach their ceilings. */
function closeFist(hand: Character): Pose[] {
  const fist = hand.clips.find(({ name }) => name === 'fist')!;
  return Array.from(frameTimes(fist, 60).slice(30, 40), (time) => {
    const pose = createPose(hand);
    samplePose(pose, hand, fist, time);
    return pose;
  });
}

async function countStale(device: GPUDevice, character: Character): Promise<number> {
  const [one, other] = listInputs(character, [bendJoints(character, 1, 1)[0]!, bendJoints(character, 1, -0.6)[0]!]);
  const frame = createGpuFrame(device, planFrameOf(character));
  const run = async ({ bones, targets }: typeof one & object, warm: boolean) => {
    submit(device, (encoder) => frame.encode(encoder, bones, targets, { warm }));
    const { positions, normals, lambda } = await frame.read();
    return [positions, normals, lambda].map((values) => new Uint32Array(values.buffer));
  };
  const fresh = await run(one!, false);
  await run(other!, false);
  const second = await run(one!, false);
  await run(other!, true);
  await run(one!, true);
  const third = await run(one!, false);
  frame.dispose();
  let count = 0;
  for (const again of [second, third]) {
    for (const [n, values] of again.entries()) count += values.filter((word, i) => word !== fresh[n]![i]).length;
  }
  return count;
}

async function compareWarm(device: GPUDevice, character: Character, poses: readonly Pose[]): Promise<WarmRun> {
  const plan = planFrameOf(character);
  const frames = [true, false].map((warm) => ({ warm, frame: createGpuFrame(device, plan) }));
  const most = { difference: 0, warm: 0, cold: 0 };
  for (const [n, { bones, targets }] of listInputs(character, poses).entries()) {
    const found: Float32Array[] = [];
    for (const { warm, frame } of frames) {
      submit(device, (encoder) => frame.encode(encoder, bones, targets, { warm }));
      const { positions, evaluations } = await frame.read();
      found.push(positions);
      if (n > 0) most[warm ? 'warm' : 'cold'] = Math.max(most[warm ? 'warm' : 'cold'], evaluations[0]!);
    }
    const off = largestDifference(found[0]!, 4, found[1]!, 4, plan.vertexCount) / measureDiagonal(plan.positions);
    most.difference = Math.max(most.difference, off);
  }
  for (const { frame } of frames) frame.dispose();
  return most;
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
  const plan = planFrameOf(character);
  const stack = createFrameSource(planBody(character), organic);
  const K = plan.volumes.regionCount;
  const poses = bendJoints(character, 9, 1.2).filter((_, n) => n % 4 === 0);
  const bones = new Float64Array(poses.length * 12 * plan.boneCount);
  const targets = new Float64Array(poses.length * K);
  const crowd = createGpuFrame(device, plan, { instances: poses.length });
  const alone: Float32Array[] = [];
  for (const [i, pose] of poses.entries()) {
    const wanted = stack.evaluate(pose);
    bones.set(wanted.bones, 12 * i * plan.boneCount);
    targets.set(wanted.report!.targets, i * K);
    const single = createGpuFrame(device, plan);
    submit(device, (encoder) => single.encode(encoder, wanted.bones, wanted.report!.targets));
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
  const plan = planFrameOf(character);
  const stack = createFrameSource(planBody(character), organic);
  const welded = Uint32Array.from({ length: plan.vertexCount + 7 }, (_, n) => (n * 5) % plan.vertexCount);
  const usage = 128 | 32 | 4; // storage, vertex, copy source
  const createOwn = () => device.createBuffer({ size: 12 * welded.length, usage });
  const own = [0, 1].map(() => ({ positions: createOwn(), normals: createOwn() }));
  const frames = own.map((buffers) => createGpuFrame(device, plan, { ...buffers, stride: 12, welded }));
  const poses = bendJoints(character, 2, 1.2);
  const wanted = poses.map((pose) => {
    stack.reset();
    const { positions, bones, report } = stack.evaluate(pose);
    return { positions: positions.slice(), bones: bones.slice(), targets: report!.targets.slice() };
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
  const plan = planFrameOf(character);
  const frame = createGpuFrame(device, plan);
  const large = plan.positions.map((v) => 2 * v);
  frame.setRest(large);
  const { report, bones } = createFrameSource(planBody(character), organic).evaluate(createPose(character));
  const targets = report!.targets.map((v) => 8 * v);
  submit(device, (encoder) => frame.encode(encoder, bones, targets));
  const { positions } = await frame.read();
  frame.dispose();
  return largestDifference(positions, 4, large, 3, plan.vertexCount) / measureDiagonal(large);
}

/** All vertices pushed by a shape that is no unknown, and the regions solved for on top. */
async function compareGiven(device: GPUDevice, character: Character): Promise<number> {
  const own = planFrameOf(character, plain);
  const { offsets, shapes, values, regionCount: K } = own.shapes;
  const count = own.vertexCount;
  const wider = { offsets: offsets.map((o, k) => o + k), shapes: [] as number[], values: [] as number[] };
  for (let k = 0; k < count; k++) {
    wider.shapes.push(...shapes.subarray(offsets[k], offsets[k + 1]), K);
    wider.values.push(...values.subarray(offsets[k], offsets[k + 1]), 0.02 * Math.sin(k));
  }
  const more = { shapes: Uint32Array.from(wider.shapes), values: Float64Array.from(wider.values), shapeCount: K + 1 };
  const plan: FramePlan = { ...own, shapes: { ...own.shapes, offsets: wider.offsets, ...more } };
  const [{ bones, targets }] = listInputs(character, bendJoints(character, 1, 0.8)) as [
    ReturnType<typeof listInputs>[0],
  ];
  const frame = createGpuFrame(device, plan);
  submit(device, (encoder) => frame.encode(encoder, bones, targets, { given: [1.5] }));
  const { positions } = await frame.read();
  frame.dispose();
  const runner = typescriptAmountKernels.createRunner(plan);
  runner.amounts[K] = 1.5;
  runner.solve(bones, targets, createSolverReport(K));
  const wanted = placeSurface(plan, bones, runner.amounts);
  return largestDifference(positions, 4, wanted, 3, count) / measureDiagonal(plan.positions);
}

export async function comparePaying(device: GPUDevice, character: Character): Promise<Answers['paying']> {
  const plan = planFrameOf(character, plain);
  const { outward, inward, regionCount: K } = plan.shapes;
  const frame = createGpuFrame(device, plan);
  const most = { difference: 0, push: 0 };
  for (const { bones, targets } of listInputs(character, bendJoints(character, 3, 2.2))) {
    submit(device, (encoder) => frame.encode(encoder, bones, targets));
    const { lambda } = await frame.read();
    const runner = typescriptAmountKernels.createRunner(plan);
    runner.solve(bones, targets, createSolverReport(K));
    for (let s = 0; s < K; s++) {
      const wanted = runner.amounts[s]!;
      most.difference = Math.max(most.difference, Math.abs(lambda[s]! - wanted));
      most.push = Math.max(most.push, wanted / outward[s]!, -wanted / inward[s]!);
    }
  }
  frame.dispose();
  return most;
}

async function countBuffers(device: GPUDevice, character: Character): Promise<[number, number]> {
  const plan = planFrameOf(character);
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
