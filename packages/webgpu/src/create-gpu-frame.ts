/**
 * The default frame — skin, regions with planned bases, normals — as WebGPU compute on a device that the caller owns.
 *
 *   const frame = createGpuFrame(device, planFrame(character), { positions, normals });
 *   frame.encode(encoder, boneMatrices, targets);        // no submit, no read-back
 *
 * One plan serves `instances` characters in the same dispatches. Gauss–Newton steps are encoded up to a fixed number, since
 * the CPU does not wait for the answer: one is enough where bones move evenly, warm-started from the last frames; others are added
 * where they do not, and end at once for a character that does not need them. f32: totals to 1e−5, regions to 1e−4 (tests).
 *
 * Dispatches per frame: 5 + 5 · steps (+ one per sweep after the first). O(#V) each.
 */
import { type FramePlan, IsoskinError } from '@isoskin/core';
import { CALM, JUMP, SHARED_REGIONS, SLICE, STATE_FIELDS, TILE, USAGE } from './constants.js';
import { createPipeline } from './create-pipelines.js';
import {
  type FrameTiming,
  GPU_FRAME_DEFAULTS,
  type GpuFrame,
  type GpuFrameOptions,
  type GpuFrameReading,
} from './gpu-frame.js';
import { measureExtent, packInputs } from './pack-inputs.js';
import { measureTraffic } from './plan/measure-traffic.js';
import { packShape, planGpuLists, writeRest } from './plan/plan-gpu-lists.js';
import { readBuffers } from './read-buffers.js';
import { apexes } from './wgsl/apexes.js';
import { displace, displaceLast } from './wgsl/displace.js';
import { emit } from './wgsl/emit.js';
import { type MeasureVariant, measure, measureBindings, sweep } from './wgsl/measure.js';
import { reduce } from './wgsl/reduce.js';
import { settle } from './wgsl/settle.js';
import { skin } from './wgsl/skin.js';
import { solve } from './wgsl/solve.js';

interface Stage {
  readonly name: string;
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  readonly x: number;
}

export function createGpuFrame(device: GPUDevice, plan: FramePlan, options: GpuFrameOptions = {}): GpuFrame {
  const { instances, stride, steps, coldSteps } = { ...GPU_FRAME_DEFAULTS, ...options };
  const { lists, rest, restFields, shape, order, pairTileCount, largestBlock, words: listWords } = planGpuLists(plan);
  const owned: GPUBuffer[] = [];
  const { STORAGE, COPY_DST, COPY_SRC, UNIFORM, VERTEX } = USAGE;

  function createBuffer(label: string, bytes: number, usage: number = STORAGE): GPUBuffer {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    if (usage & STORAGE && size > device.limits.maxStorageBufferBindingSize) {
      throw new IsoskinError(
        'GPU_BUFFER_TOO_LARGE',
        `The buffer "${label}" needs ${size} bytes and the device binds ${device.limits.maxStorageBufferBindingSize}: ` +
          'request a device with a larger maxStorageBufferBindingSize and maxBufferSize, or use fewer instances',
      );
    }
    const buffer = device.createBuffer({ label: `isoskin ${label}`, size, usage });
    owned.push(buffer);
    return buffer;
  }
  function upload(
    label: string,
    values: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>,
    usage: number = STORAGE,
  ): GPUBuffer {
    const buffer = createBuffer(label, values.byteLength, usage | COPY_DST);
    device.queue.writeBuffer(buffer, 0, values);
    return buffer;
  }

  const apexJobs = shape.apexCount + shape.apexPairCount;
  const members = Math.max(1, (shape.apexEdges - shape.members) / 2 / Math.max(1, shape.apexCount));
  const drawn = options.welded?.length ?? plan.vertexCount;
  const words = 4 * instances;
  const buffers = {
    rest: upload('rest', rest),
    restFields: upload('rest directions', restFields),
    inputs: createBuffer('inputs', 16 * instances * shape.inputStride, STORAGE | COPY_DST | COPY_SRC),
    skinned: createBuffer('skinned', 16 * instances * shape.pointStride),
    points: createBuffer('points', 16 * instances * shape.pointStride),
    fields: [0, 1].map((n) => createBuffer(`directions ${n}`, 8 * instances * shape.vertexCount)),
    partials: createBuffer('partial sums', words * shape.partialStride),
    sums: createBuffer('sums', words * shape.entryCount),
    state: createBuffer('state', words * shape.stateStride, STORAGE | COPY_SRC | COPY_DST),
    scratch: createBuffer('scratch', words * shape.scratchStride),
    positions: options.positions ?? createBuffer('positions', stride * instances * drawn, STORAGE | COPY_SRC | VERTEX),
    normals: options.normals ?? createBuffer('normals', stride * instances * drawn, STORAGE | COPY_SRC | VERTEX),
  };
  const shapeBuffer = (name: string, marks: Partial<typeof shape> = {}) =>
    upload(name, packShape({ ...shape, ...marks }), UNIFORM);
  const listBuffer = upload('lists', lists);
  const shared = [shapeBuffer('shape'), listBuffer];
  // Welded outputs are kept apart when they are drawn several times.
  const weldedBytes = 16 * instances * plan.vertexCount;
  const output = options.welded
    ? { positions: createBuffer('welded positions', weldedBytes), normals: createBuffer('welded normals', weldedBytes) }
    : buffers;
  const weldedStride = options.welded ? 16 : stride;

  function createStage(name: string, code: string, x: number, bound: readonly GPUBuffer[], front = shared): Stage {
    const pipeline = createPipeline(device, `isoskin ${name}`, code);
    const entries = [...front, ...bound].map((buffer, binding) => ({ binding, resource: { buffer } }));
    return { name, pipeline, group: device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }), x };
  }

  const subgroup = device.features.has('subgroups') ? (device.adapterInfo?.subgroupMinSize ?? 0) : 0;
  const measuring = shape.tileCount + pairTileCount;
  const { sweeps } = plan.smooth;
  const field = buffers.fields[sweeps % 2]!;
  function createMeasure(
    name: string,
    points: GPUBuffer,
    fields: GPUBuffer,
    variant: MeasureVariant,
    front = shared,
  ): Stage {
    const named: Record<string, GPUBuffer> = {
      points,
      partials: buffers.partials,
      state: buffers.state,
      fields,
      smoothed: buffers.fields[1]!,
      output: output.normals,
    };
    const bound = Object.keys(measureBindings(variant)).map((key) => named[key]!);
    return createStage(name, measure({ ...variant, subgroup }), measuring, bound, front);
  }
  const { skinned, points, state, inputs, partials, sums, scratch } = buffers;
  const isLarge = largestBlock > SHARED_REGIONS;
  const createApexes = (moved: GPUBuffer, front = shared) =>
    createStage('apexes', apexes(chooseLanes(members, TILE)), apexJobs, [moved, state], front);
  const reduceLanes = chooseLanes(shape.partialStride / Math.max(1, shape.entryCount), SLICE);
  const reduceGroups = Math.ceil((shape.entryCount * reduceLanes) / TILE);
  /** Move, measure (and write normals), solve. */
  function createStep(marks: Partial<typeof shape>): Stage[] {
    const front = [shapeBuffer('step', marks), listBuffer];
    return [
      createStage('displace', displace, shape.tileCount, [skinned, field, state, points], front),
      createApexes(points, front),
      createMeasure('measure', points, field, { slopes: true, normals: weldedStride }, front),
      createStage('reduce', reduce(reduceLanes), reduceGroups, [partials, state, sums], front),
      createStage(
        'solve',
        solve(largestBlock),
        shape.blockCount,
        [inputs, sums, state, ...(isLarge ? [scratch] : [])],
        front,
      ),
    ];
  }

  const start: Stage[] = [
    createStage('skin', skin, shape.tileCount, [inputs, buffers.rest, buffers.restFields, skinned, buffers.fields[0]!]),
    createApexes(skinned),
    createMeasure('measure skin', skinned, buffers.fields[0]!, { sweep: sweeps > 0 }),
    ...Array.from({ length: Math.max(0, sweeps - 1) }, (_, n) =>
      createStage('sweep', sweep, shape.tileCount, [buffers.fields[(n + 1) % 2]!, buffers.fields[n % 2]!]),
    ),
    createStage('settle', settle, shape.blockCount, [inputs, partials, state]),
  ];
  const firstStep = createStep({ isFirst: 1 });
  const optionalStep = createStep({ isOptional: 1 });
  const finish: Stage[] = [
    createStage('displace last', displaceLast(weldedStride), shape.tileCount, [
      skinned,
      field,
      state,
      output.positions,
    ]),
  ];
  if (options.welded) {
    const front = [
      upload('drawn', Uint32Array.of(drawn, plan.vertexCount), UNIFORM),
      upload('welded', Uint32Array.from(options.welded)),
    ];
    const x = Math.ceil(drawn / TILE);
    finish.push(
      createStage('emit positions', emit(stride, '1.0'), x, [output.positions, buffers.positions], front),
      createStage('emit normals', emit(stride, '0.0'), x, [output.normals, buffers.normals], front),
    );
  }
  const listStages = (count: number): Stage[] => [
    ...start,
    ...firstStep,
    ...new Array<Stage[]>(Math.max(0, count - 1)).fill(optionalStep).flat(),
    ...finish,
  ];
  const calm = listStages(1);
  const warm = listStages(steps);
  const cold = listStages(coldSteps);

  const staging = new Float32Array(4 * instances * shape.inputStride);
  const before = new Float32Array(staging.length);
  const extent = measureExtent(plan.positions);
  let isCold = true;

  function encode(
    encoder: GPUCommandEncoder,
    boneMatrices: ArrayLike<number>,
    targets: ArrayLike<number>,
    timing?: FrameTiming,
  ): void {
    const { jump, surprise } = packInputs(staging, before, boneMatrices, targets, extent, shape, instances);
    device.queue.writeBuffer(inputs, 0, staging);
    if (isCold) encoder.clearBuffer(state);
    const stages = isCold || jump > JUMP ? cold : surprise > CALM ? warm : calm;
    isCold = false;
    const begin = (label: string, timestampWrites?: GPUComputePassTimestampWrites) =>
      encoder.beginComputePass({ label: `isoskin ${label}`, ...(timestampWrites && { timestampWrites }) });
    let pass = timing?.stage ? undefined : begin('frame', timing?.frame);
    for (const { name, pipeline, group, x } of stages) {
      if (timing?.stage) pass = begin(name, timing.stage(name));
      pass!.setPipeline(pipeline);
      pass!.setBindGroup(0, group);
      pass!.dispatchWorkgroups(x, instances);
      if (timing?.stage) pass!.end();
    }
    if (!timing?.stage) pass!.end();
  }

  async function read(): Promise<GpuFrameReading> {
    const [positions, normals, states] = await readBuffers(device, [
      [buffers.positions, stride * instances * drawn],
      [buffers.normals, stride * instances * drawn],
      [state, words * shape.stateStride],
    ]);
    const pick = (name: (typeof STATE_FIELDS)[number]) => {
      const out = new Float32Array(instances * shape.regionCount);
      for (let i = 0; i < instances; i++) {
        const from = i * shape.stateStride + STATE_FIELDS.indexOf(name) * shape.regionCount;
        out.set(states!.subarray(from, from + shape.regionCount), i * shape.regionCount);
      }
      return out;
    };
    return { positions: positions!, normals: normals!, volumes: pick('volumes'), lambda: pick('lambda') };
  }

  return {
    inputs,
    positions: buffers.positions,
    normals: buffers.normals,
    vertexCount: drawn,
    instances,
    bytes: owned.reduce((sum, buffer) => sum + buffer.size, 0),
    trafficBytes: measureTraffic(
      {
        ...listWords,
        instances,
        vertices: shape.vertexCount,
        outputs: plan.vertexCount,
        outputStride: weldedStride,
        sweeps,
      },
      1,
    ),
    encode,
    setRest(positions) {
      writeRest(rest, order, positions);
      device.queue.writeBuffer(buffers.rest, 0, rest);
    },
    read,
    reset() {
      isCold = true;
    },
    dispose() {
      for (const buffer of owned) buffer.destroy();
      owned.length = 0;
    },
  };
}

/** The power of two from `count` up, between 4 and `most`. */
function chooseLanes(count: number, most: number): number {
  let lanes = 4;
  while (lanes < most && lanes < count) lanes *= 2;
  return lanes;
}
