/**
 * The default frame — shapes, skin, exact regions, normals (C15) — as WebGPU compute on a device that the caller owns.
 *
 *   const frame = createGpuFrame(device, planVolume(planBody(character)).framePlan(), { positions, normals });
 *   frame.encode(encoder, boneMatrices, targets);        // no submit, no read-back
 *
 * One plan serves `instances` characters in the same dispatches. Evaluations are encoded up to a fixed number, since the CPU does not
 * wait for the answer, and end at once for a character that is done. f32: totals to 1e−5, regions to 1e−4 (tests).
 *
 * Dispatches per frame: 5 · evaluations + 1. O(#V) each.
 */
import { IsoskinError } from '@isoskin/core';
import type { FramePlan } from '@isoskin/core/kernels';
import { JUMP, MARK_FIELDS, STATE_FIELDS, USAGE } from './constants.js';
import { createBufferPool } from './create-buffer-pool.js';
import { createStages, type Stage } from './create-stages.js';
import {
  type EncodeOptions,
  GPU_FRAME_DEFAULTS,
  type GpuFrame,
  type GpuFrameOptions,
  type GpuFrameReading,
} from './gpu-frame.js';
import { packGiven, packInputs } from './pack-inputs.js';
import { measureTraffic } from './plan/measure-traffic.js';
import { type GpuLists, planGpuLists, writeRest } from './plan/plan-gpu-lists.js';
import { readBuffers } from './read-buffers.js';

export function createGpuFrame(device: GPUDevice, plan: FramePlan, options: GpuFrameOptions = {}): GpuFrame {
  if ((plan.shapes.strength ?? 1) < 1) {
    throw new IsoskinError(
      'GPU_STRENGTH',
      'A strength below 1 runs on WASM or TypeScript: use these kernels, or strength 1.',
    );
  }
  const { instances, stride, packed, steps, coldSteps, ...others } = { ...GPU_FRAME_DEFAULTS, ...options };
  const welded = packed ? undefined : others.welded;
  const planned = planGpuLists(plan);
  const { shape, rest, order } = planned;
  const drawn = packed ? shape.vertexCount : (welded?.length ?? plan.vertexCount);
  const pool = createBufferPool(device);
  const { STORAGE, COPY_DST, COPY_SRC, VERTEX } = USAGE;
  const outputBytes = (packed ? 16 : stride) * instances * drawn;
  const normalBytes = packed ? outputBytes / 4 : outputBytes;
  const buffers = {
    rest: pool.upload('rest', rest),
    inputs: pool.create('inputs', 16 * instances * shape.inputStride, STORAGE | COPY_DST | COPY_SRC),
    state: pool.create('state', 4 * instances * shape.stateStride, STORAGE | COPY_SRC | COPY_DST),
    positions: options.positions ?? pool.create('positions', outputBytes, STORAGE | COPY_SRC | VERTEX),
    normals: options.normals ?? pool.create('normals', normalBytes, STORAGE | COPY_SRC | VERTEX),
  };
  const listStages = createStages(device, pool, plan, planned, buffers, {
    instances,
    stride,
    packed,
    ...(welded && { welded }),
  });
  const warmStages = listStages(steps);
  const coldStages = listStages(coldSteps);
  const givenCount = plan.shapes.shapeCount - plan.shapes.regionCount;
  const measureGiven = planGiven(plan);
  const staging = new Float32Array(4 * instances * shape.inputStride);
  let isKnown = false; // there is a last frame

  const positionBytes = packed || welded ? 16 : stride;
  const sizes = { positionBytes, normalBytes: packed ? 4 : positionBytes, words: planned.words };
  const traffic = { instances, vertices: shape.vertexCount, outputs: plan.vertexCount, ...sizes };
  return {
    inputs: buffers.inputs,
    positions: buffers.positions,
    normals: buffers.normals,
    vertexCount: drawn,
    places: order.place,
    instances,
    bytes: pool.countBytes(),
    measureTraffic: (evaluations) => measureTraffic(traffic, evaluations),
    encode(encoder, boneMatrices, targets, options = {}) {
      let isJump = options.jump === true;
      if (boneMatrices && targets) {
        isJump ||= packInputs(staging, boneMatrices, targets, shape, instances) > JUMP;
        packGiven(staging, options.given ?? measureGiven?.(boneMatrices), givenCount, shape, instances);
        device.queue.writeBuffer(buffers.inputs, 0, staging);
      }
      const isWarm = options.warm === true && isKnown;
      if (!isWarm) encoder.clearBuffer(buffers.state);
      isKnown = true;
      encodeStages(encoder, isWarm && !isJump ? warmStages : coldStages, options);
    },
    pack(boneMatrices, targets) {
      const count = boneMatrices.length / (12 * plan.boneCount);
      const out = new Float32Array(4 * count * shape.inputStride);
      packInputs(out, boneMatrices, targets, shape, count);
      packGiven(out, measureGiven?.(boneMatrices), givenCount, shape, count);
      return out;
    },
    setRest(positions) {
      writeRest(rest, order, positions);
      device.queue.writeBuffer(buffers.rest, 0, rest);
    },
    async read() {
      const [positions, normals, state] = await readBuffers(device, [
        [buffers.positions, outputBytes],
        [buffers.normals, normalBytes],
        [buffers.state, 4 * instances * shape.stateStride],
      ]);
      return { positions: positions!, normals: normals!, ...readState(state!, shape, instances) };
    },
    reset() {
      isKnown = false;
    },
    dispose: pool.dispose,
  };
}

/** C16: amounts of the given shapes of every pose from its bones, where the plan knows how. */
function planGiven({ shapes, boneCount }: FramePlan) {
  const { given } = shapes;
  if (!given) return undefined;
  const count = shapes.shapeCount - shapes.regionCount;
  return (boneMatrices: ArrayLike<number>): Float64Array => {
    const poses = boneMatrices.length / (12 * boneCount);
    const out = new Float64Array(poses * count);
    for (let i = 0; i < poses; i++) given.measure(out, i * count, boneMatrices, i * boneCount);
    return out;
  };
}

/** All stages in one pass, or each in its own. */
function encodeStages(encoder: GPUCommandEncoder, stages: readonly Stage[], { frame, stage }: EncodeOptions): void {
  const begin = (label: string, timestampWrites?: GPUComputePassTimestampWrites) =>
    encoder.beginComputePass({ label: `isoskin ${label}`, ...(timestampWrites && { timestampWrites }) });
  const dispatch = (pass: GPUComputePassEncoder, { pipeline, group, x, y }: Stage) => {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(x, y);
  };
  if (stage) {
    for (const one of stages) {
      const pass = begin(one.name, stage(one.name));
      dispatch(pass, one);
      pass.end();
    }
    return;
  }
  const pass = begin('frame', frame);
  for (const one of stages) dispatch(pass, one);
  pass.end();
}

function readState(
  state: Float32Array,
  { stateStride, regionCount, blockCount }: GpuLists['shape'],
  instances: number,
): Pick<GpuFrameReading, 'volumes' | 'lambda' | 'evaluations'> {
  const pick = (name: (typeof STATE_FIELDS)[number]) => {
    const out = new Float32Array(instances * regionCount);
    for (let i = 0; i < instances; i++) {
      const from = i * stateStride + STATE_FIELDS.indexOf(name) * regionCount;
      out.set(state.subarray(from, from + regionCount), i * regionCount);
    }
    return out;
  };
  const evaluations = Float32Array.from({ length: instances }, (_, i) => {
    const marks = i * stateStride + STATE_FIELDS.length * regionCount + MARK_FIELDS.indexOf('evaluations');
    let most = 0;
    for (let b = 0; b < blockCount; b++) most = Math.max(most, state[marks + b * MARK_FIELDS.length]!);
    return most;
  });
  return { volumes: pick('volumes'), lambda: pick('lambda'), evaluations };
}
