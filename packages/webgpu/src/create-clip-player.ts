/**
 * Poses of a crowd from clips that lie on the GPU: what goes there per frame is a clip and a time for every character, 8 bytes.
 *
 *   const player = createClipPlayer(device, frame, [{ duration, bones, targets }]);
 *   player.encode(encoder, plays);              // #instances×2: number of the clip (below 0: leave the pose alone), seconds
 *   frame.encode(encoder, undefined, undefined, { warm: true });
 *
 * A clip is a row of poses at equal distances, first and last included; between two of them every number is interpolated. Clips repeat.
 */
import { IsoskinError } from '@isoskin/core';
import { USAGE } from './constants.js';
import { createBufferPool } from './create-buffer-pool.js';
import { createPipeline } from './create-pipelines.js';
import type { GpuFrame } from './gpu-frame.js';

export interface GpuClip {
  /** Seconds from the first pose to the last. */
  readonly duration: number;
  /** Bone matrices, #poses×#B×12, of two poses or more. */
  readonly bones: ArrayLike<number>;
  /** V̄_s, #poses×K. */
  readonly targets: ArrayLike<number>;
}

export interface ClipPlayer {
  /** Clip and time of every character, as `encode` uploads them. */
  readonly plays: GPUBuffer;
  /** Adds a pass that writes `frame.inputs`. `plays`: #instances×2, uploaded at once; without them, what the buffer holds. */
  encode(encoder: GPUCommandEncoder, plays?: Float32Array<ArrayBuffer>): void;
  readonly bytes: number;
  dispose(): void;
}

const LANES = 64;

const code = /* wgsl */ `
@group(0) @binding(0) var<uniform> stride: u32;
@group(0) @binding(1) var<storage, read> clips: array<vec4f>; // first pose, poses, poses per second, seconds
@group(0) @binding(2) var<storage, read> poses: array<vec4f>;
@group(0) @binding(3) var<storage, read> plays: array<vec2f>;
@group(0) @binding(4) var<storage, read_write> inputs: array<vec4f>;
@compute @workgroup_size(${LANES})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let n = group.x * ${LANES}u + lane;
  let play = plays[group.y];
  if (n >= stride || play.x < 0.0) { return; }
  let clip = clips[u32(play.x)];
  let at = max(0.0, play.y - floor(play.y / clip.w) * clip.w) * clip.z;
  let before = min(u32(at), u32(clip.y) - 2u);
  let first = (u32(clip.x) + before) * stride + n;
  inputs[group.y * stride + n] = mix(poses[first], poses[first + stride], min(1.0, at - f32(before)));
}
`;

export function createClipPlayer(device: GPUDevice, frame: GpuFrame, clips: readonly GpuClip[]): ClipPlayer {
  const packed = clips.map(({ bones, targets }) => frame.pack(bones, targets));
  const stride = frame.inputs.size / 16 / frame.instances;
  const table = new Float32Array(4 * clips.length);
  let count = 0;
  for (const [n, { duration }] of clips.entries()) {
    const poses = packed[n]!.length / 4 / stride;
    if (!(poses >= 2 && duration > 0)) {
      throw new IsoskinError(
        'SHORT_CLIP',
        'A clip takes two poses or more, some time apart: repeat the pose of a still',
      );
    }
    table.set([count, poses, (poses - 1) / duration, duration], 4 * n);
    count += poses;
  }
  const all = new Float32Array(4 * stride * count);
  let at = 0;
  for (const values of packed) {
    all.set(values, at);
    at += values.length;
  }
  const pool = createBufferPool(device);
  const playBuffer = pool.create('plays', 8 * frame.instances, USAGE.STORAGE | USAGE.COPY_DST | USAGE.COPY_SRC);
  const bound = [
    pool.upload('stride', Uint32Array.of(stride), USAGE.UNIFORM),
    pool.upload('clips', table),
    pool.upload('poses', all),
    playBuffer,
    frame.inputs,
  ];
  const pipeline = createPipeline(device, 'isoskin clips', code);
  const entries = bound.map((buffer, binding) => ({ binding, resource: { buffer } }));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  return {
    plays: playBuffer,
    encode(encoder, plays) {
      if (plays) device.queue.writeBuffer(playBuffer, 0, plays);
      const pass = encoder.beginComputePass({ label: 'isoskin clips' });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(Math.ceil(stride / LANES), frame.instances);
      pass.end();
    },
    bytes: pool.countBytes(),
    dispose: pool.dispose,
  };
}
