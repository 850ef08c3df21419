/** Drives added targets of a node in a clip; what drove the others goes on, in the same channel. */
import { IsoskinError } from '@isoskin/core';
import { countTargets } from './add-targets.js';
import type { GltfFile } from './gltf-file.js';
import { mergeTracks } from './merge-tracks.js';
import { animationOf, readTrack, type Track, type TrackInterpolation, writeTrack } from './weight-track.js';

export interface WeightTrack {
  readonly animationIndex: number;
  readonly nodeIndex: number;
  /** First of the targets that are driven (see `addTargets`); they reach to the last of the mesh. */
  readonly firstTarget: number;
  /** Seconds, ascending. */
  readonly times: ArrayLike<number>;
  /** #times × #targets (CUBICSPLINE: in-tangents, values, out-tangents). */
  readonly weights: ArrayLike<number>;
  /** Default LINEAR. */
  readonly interpolation?: TrackInterpolation;
}

/** @param fps keys per second where curves of different kinds must be sampled to become one. */
export function setWeightTrack(file: GltfFile, input: WeightTrack, fps = 30): void {
  const { animationIndex, nodeIndex, firstTarget, interpolation = 'LINEAR' } = input;
  const { json } = file;
  const place = `animations[${animationIndex}], nodes[${nodeIndex}]`;
  const node = json.nodes?.[nodeIndex];
  const animation = animationOf(file, animationIndex);
  const mesh = json.meshes?.[node?.mesh ?? -1];
  const total = mesh ? countTargets(mesh) : 0;
  const width = total - firstTarget;
  const needed = input.times.length * width * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  if (!animation || !node || width <= 0 || input.times.length === 0 || input.weights.length !== needed) {
    const message = `${input.weights.length} weights at ${input.times.length} times do not drive ${width} targets: give one per time and target`;
    throw new IsoskinError('TRACK_SHAPE', message, place);
  }
  const added: Track = {
    interpolation,
    width,
    times: Float32Array.from(input.times),
    values: Float32Array.from(input.weights),
  };
  const isOurs = ({ target }: (typeof animation.channels)[number]) =>
    target.node === nodeIndex && target.path === 'weights';
  let channel = animation.channels.find(isOurs);
  const old = channel && readTrack(file, animation, channel, total);
  const defaults = node.weights?.length ? node.weights : (mesh!.weights ?? []);
  const kept = old
    ? firstColumns(old, firstTarget)
    : constantTrack(Array.from({ length: firstTarget }, (_, k) => defaults[k] ?? 0));
  if (!channel) {
    channel = { sampler: animation.samplers.length, target: { node: nodeIndex, path: 'weights' } };
    animation.channels.push(channel);
  }
  writeTrack(file, animation, channel, firstTarget === 0 ? added : mergeTracks(kept, added, fps));
}

function constantTrack(weights: readonly number[]): Track {
  return {
    interpolation: 'LINEAR',
    width: weights.length,
    times: Float32Array.of(0),
    values: Float32Array.from(weights),
  };
}

function firstColumns({ width, values, ...track }: Track, count: number): Track {
  const rows = values.length / width;
  const out = new Float32Array(rows * count);
  for (let r = 0; r < rows; r++) out.set(values.subarray(r * width, r * width + count), r * count);
  return { ...track, width: count, values: out };
}
