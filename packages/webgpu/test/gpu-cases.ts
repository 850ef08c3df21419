/**
 * What is checked on a GPU, wherever one is found: bundled into one file, run in Node (Dawn) and in a browser page, answered
 * as plain numbers that gpu-frame.test.ts judges.
 */
import {
  type Character,
  createCharacter,
  createExtendedPositions,
  createPose,
  createRegionGradients,
  createStack,
  type FramePlan,
  frameTimes,
  measureRegionVolumes,
  type Pose,
  planFrame,
  presetStack,
  type StackSpec,
  samplePose,
  typescriptKernels,
} from '@isoskin/core';
import { readCharacterFromBytes } from '@isoskin/gltf';
import { createDemo } from '@isoskin/implicit';
import { createGpuFrame } from '@isoskin/webgpu';
import { createTorusInput } from '../../../benchmarks/gpu-torus.mjs';
import { openTube, tube } from '../../core/test/meshes.js';

/** Worst differences from the TypeScript stack, and worst errors of the volumes, over the frames of a case. */
export interface Parity {
  readonly name: string;
  readonly vertices: number;
  readonly regions: number;
  readonly frames: number;
  /** Relative to the diagonal of the box. */
  positions: number;
  normals: number;
  /** All components together, relative. */
  total: number;
  /** Every component and region, in units of its tolerance: 1e−5 and 1e−4, or what f32 coordinates can tell. */
  components: number;
  worstRegion: number;
  /** The correction, for scale: relative to the box. */
  moved: number;
}

export interface Answers {
  readonly adapter: string;
  readonly parity: Parity[];
  /** Largest difference between a character in a crowd of three and alone, relative to the box. */
  readonly crowd: number;
  /** Two characters with caller-owned buffers of 12 bytes per drawn vertex, in one submit. */
  readonly drawn: number;
  /** After `setRest` of a rest shape twice as large: difference from the stack. */
  readonly rest: number;
  /** Buffers that were made, and that are left after `dispose`. */
  readonly buffers: readonly [made: number, left: number];
  readonly errors: readonly string[];
}

export interface CaseOptions {
  /** Models as .glb bytes, by name. */
  readonly models: Readonly<Record<string, Uint8Array>>;
  readonly frames: number;
  /** Tube only: a second place to run needs no second proof. */
  readonly short: boolean;
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
  const parity: Parity[] = [];
  const bend = (character: Character, angle: number) => bendJoints(character, options.frames, angle);
  const tubes = createCharacter(tube({ around: 24, along: 30 }));
  parity.push(await compare(device, 'tube', tubes, bend(tubes, 1.2)));
  for (const [name, bytes] of Object.entries(options.models)) {
    const { character } = await readCharacterFromBytes(bytes);
    parity.push(await compare(device, name, character, playClip(character, options.frames)));
  }
  if (!options.short) {
    const open = createCharacter(openTube({ around: 12, along: 20 }));
    parity.push(await compare(device, 'open tube', open, bend(open, 1.2)));
    const torus = createCharacter(createTorusInput(12, 160, 16));
    parity.push(await compare(device, 'torus', torus, bend(torus, 0.4)));
    // More regions than workgroup memory holds.
    const long = createCharacter(createTorusInput(6, 360, 60));
    parity.push(await compare(device, 'torus of 60 regions', long, bend(long, 0.2).slice(0, 2), fine));
    const finger = createDemo('finger', { vertices: 1200 });
    parity.push(await compare(device, 'finger (demo)', finger, playClip(finger, options.frames)));
  }
  return {
    adapter: adapter.info.description || adapter.info.vendor,
    parity,
    crowd: await compareCrowd(device, tubes),
    drawn: await compareDrawn(device, tubes),
    rest: await compareRest(device, tubes),
    buffers: await countBuffers(device, tubes),
    errors,
  };
}

/** Every joint but the first turns by up to `angle`, each a little differently, more from frame to frame. */
function bendJoints(character: Character, frames: number, angle = 1.2): Pose[] {
  return Array.from({ length: frames }, (_, n) => {
    const pose = createPose(character);
    for (let node = 1; node < character.skeleton.nodeCount; node++) {
      const half = 0.5 * angle * (1 + 0.03 * n) * Math.cos(0.7 * (node - 1));
      pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], 10 * node + 3);
    }
    return pose;
  });
}

/** Neighbouring frames from the middle of the first clip. */
function playClip(character: Character, frames: number): Pose[] {
  const clip = character.clips[0]!;
  const times = frameTimes(clip, 60);
  const first = Math.max(0, Math.floor((times.length - frames) / 2));
  return Array.from({ length: frames }, (_, n) => {
    const pose = createPose(character);
    samplePose(pose, character, clip, times[Math.min(first + n, times.length - 1)]!);
    return pose;
  });
}

function measureBox(positions: Float64Array): { diagonal: number; extent: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let extent = 0;
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
    high[i % 3] = Math.max(high[i % 3]!, positions[i]!);
    extent = Math.max(extent, Math.abs(positions[i]!));
  }
  return { diagonal: Math.hypot(...high.map((h, r) => h - low[r]!)), extent };
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

function submit(device: GPUDevice, encode: (encoder: GPUCommandEncoder) => void): void {
  const encoder = device.createCommandEncoder();
  encode(encoder);
  device.queue.submit([encoder.finish()]);
}

async function compare(
  device: GPUDevice,
  name: string,
  character: Character,
  poses: readonly Pose[],
  spec = organic,
): Promise<Parity> {
  const stack = createStack(character, spec);
  const plan = planFrame(character, spec);
  const frame = createGpuFrame(device, plan);
  const { vertexCount } = plan;
  const { diagonal } = measureBox(plan.positions);
  const worst: Parity = {
    name,
    vertices: vertexCount,
    regions: plan.volumes.regionCount,
    frames: poses.length,
    positions: 0,
    normals: 0,
    total: 0,
    components: 0,
    worstRegion: 0,
    moved: 0,
  };
  for (const pose of poses) {
    const wanted = stack.evaluate(pose);
    const { targets } = wanted.reports[0]!;
    submit(device, (encoder) => frame.encode(encoder, wanted.bones, targets));
    const found = await frame.read();
    const differ = (a: ArrayLike<number>, b: Float64Array) => largestDifference(a, 4, b, 3, vertexCount);
    worst.positions = Math.max(worst.positions, differ(found.positions, wanted.positions) / diagonal);
    worst.normals = Math.max(worst.normals, differ(found.normals, wanted.normals));
    const moved = largestDifference(wanted.positions, 3, wanted.skinned, 3, vertexCount) / diagonal;
    worst.moved = Math.max(worst.moved, moved);
    judgeVolumes(worst, plan, found.positions, targets, wanted.reports[0]!.volumes);
  }
  frame.dispose();
  return worst;
}

/** Volumes of what the GPU wrote, measured in f64. A region counts as far as the f64 solver could meet it. */
function judgeVolumes(
  worst: Parity,
  plan: FramePlan,
  positions: Float32Array,
  targets: Float64Array,
  reachable: Float64Array,
): void {
  const extended = createExtendedPositions(plan.volumes);
  const gradients = createRegionGradients(plan.volumes);
  for (let k = 0; k < plan.vertexCount; k++) for (let r = 0; r < 3; r++) extended[3 * k + r] = positions[4 * k + r]!;
  measureRegionVolumes(gradients, plan.volumes, extended, typescriptKernels);
  const { volumes } = gradients;
  const { extent } = measureBox(extended.subarray(0, 3 * plan.vertexCount));
  // Coordinates are rounded to 2⁻²⁴ of their size: a part of size d cannot be told better than this.
  const rounding = (volume: number) => (4 * 2 ** -24 * extent) / Math.cbrt(volume);
  let missing = 0;
  let whole = 0;
  for (const block of plan.smooth.blocks) {
    let off = 0;
    let size = 0;
    for (const s of block) {
      off += volumes[s]! - targets[s]!;
      size += Math.abs(targets[s]!);
      const scale = Math.max(Math.abs(targets[s]!), 1e-3 * Math.abs(plan.wholes[s]!));
      const error = Math.abs(volumes[s]! - targets[s]!) / scale - Math.abs(reachable[s]! - targets[s]!) / scale;
      worst.worstRegion = Math.max(worst.worstRegion, error / Math.max(1e-4, rounding(scale)));
    }
    missing += off;
    whole += size;
    worst.components = Math.max(worst.components, Math.abs(off) / size / Math.max(1e-5, rounding(size)));
  }
  worst.total = Math.max(worst.total, Math.abs(missing) / whole);
}

async function compareCrowd(device: GPUDevice, character: Character): Promise<number> {
  const plan = planFrame(character, organic);
  const stack = createStack(character, organic);
  const K = plan.volumes.regionCount;
  const poses = bendJoints(character, 9).filter((_, n) => n % 4 === 0);
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
  const { diagonal } = measureBox(plan.positions);
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
  const poses = bendJoints(character, 2);
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
  return worst / measureBox(plan.positions).diagonal;
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
  return largestDifference(positions, 4, large, 3, plan.vertexCount) / measureBox(large).diagonal;
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
