/** Keys of morph weights in a file: found, read and put back; a sampler that something else uses too is never edited. */
import type { GLTF } from '@gltf-transform/core';
import { findKeyFault } from '../read-clips.js';
import { appendAccessor, replaceAccessor } from './append-accessor.js';
import type { AccessorData, GltfFile } from './gltf-file.js';
import { readAccessorNumbers } from './read-accessor.js';

export type TrackInterpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE';

/** Keys of `width` weights; CUBICSPLINE has three elements per key. */
export interface Track {
  readonly interpolation: TrackInterpolation;
  readonly width: number;
  readonly times: Float32Array;
  readonly values: Float32Array;
}

/** An animation of the file; lists that a careless writer left out are there. */
export function animationOf({ json }: GltfFile, index: number): GLTF.IAnimation | undefined {
  const animation = json.animations?.[index];
  if (!animation) return undefined;
  animation.channels ??= [];
  animation.samplers ??= [];
  return animation;
}

/** Every channel that drives all weights of a mesh, by node or by pointer. */
export function listWeightChannels(
  json: GLTF.IGLTF,
  mesh: number,
): { animation: GLTF.IAnimation; channel: GLTF.IAnimationChannel }[] {
  const nodes = new Set<number>();
  json.nodes?.forEach((node, n) => {
    if (node.mesh === mesh) nodes.add(n);
  });
  const pointers = new Set([`/meshes/${mesh}/weights`, ...[...nodes].map((n) => `/nodes/${n}/weights`)]);
  const drives = ({ target }: GLTF.IAnimationChannel): boolean => {
    if (target.path === 'weights') return target.node !== undefined && nodes.has(target.node);
    const pointer = Object(target.extensions?.KHR_animation_pointer) as { pointer?: unknown };
    return typeof pointer.pointer === 'string' && pointers.has(pointer.pointer);
  };
  return (json.animations ?? []).flatMap((animation) =>
    (animation.channels ?? []).filter(drives).map((channel) => ({ animation, channel })),
  );
}

/** Undefined where the channel makes no sense: it is left out in reading too. */
export function readTrack(
  file: GltfFile,
  animation: GLTF.IAnimation,
  channel: GLTF.IAnimationChannel,
  width: number,
): Track | undefined {
  const sampler = animation.samplers[channel.sampler];
  const times = sampler && readAccessorNumbers(file, sampler.input);
  const values = sampler && readAccessorNumbers(file, sampler.output);
  if (!times || !values) return undefined;
  const interpolation =
    sampler.interpolation === 'STEP' || sampler.interpolation === 'CUBICSPLINE' ? sampler.interpolation : 'LINEAR';
  const needed = times.length * width * (interpolation === 'CUBICSPLINE' ? 3 : 1);
  if (findKeyFault(times, values, needed)) return undefined;
  return {
    interpolation,
    width,
    times: Float32Array.from(times),
    values: Float32Array.from(values.subarray(0, needed)),
  };
}

/** The channel plays these keys from now on. */
export function writeTrack(
  file: GltfFile,
  animation: GLTF.IAnimation,
  channel: GLTF.IAnimationChannel,
  { times, values, interpolation }: Track,
): void {
  const output: AccessorData = { type: 'SCALAR', array: Float32Array.from(values), usage: 'values' };
  writeSampler(file, animation, channel, times, output, interpolation);
}

/** The same for any channel: its sampler is changed only if no other channel uses it. */
export function writeSampler(
  file: GltfFile,
  animation: GLTF.IAnimation,
  channel: GLTF.IAnimationChannel,
  times: Float32Array,
  output: AccessorData,
  interpolation: TrackInterpolation,
): void {
  const old = animation.samplers[channel.sampler];
  const isShared = animation.channels.some((other) => other !== channel && other.sampler === channel.sampler);
  const isOwn = !isShared && old && file.added.has(old.output) && countSamplers(file, old.output) === 1;
  const sampler: GLTF.IAnimationSampler = {
    ...(isShared ? undefined : old),
    input: appendTimes(file, times),
    output: isOwn ? old.output : appendAccessor(file, output),
    interpolation,
  };
  if (isOwn) replaceAccessor(file, old.output, output);
  if (old && !isShared) animation.samplers[channel.sampler] = sampler;
  else channel.sampler = animation.samplers.push(sampler) - 1;
}

function countSamplers({ json }: GltfFile, output: number): number {
  return json.animations!.flatMap(({ samplers }) => samplers ?? []).filter((one) => one.output === output).length;
}

/** The same times are stored once. */
export function appendTimes(file: GltfFile, times: Float32Array): number {
  for (const [index, { usage, array }] of file.added) {
    if (usage === 'times' && array.length === times.length && array.every((time, i) => time === times[i])) return index;
  }
  return appendAccessor(file, { type: 'SCALAR', array: Float32Array.from(times), usage: 'times', range: true });
}
