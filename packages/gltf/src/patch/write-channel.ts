/** Gives a node new keys for its translation, rotation or scale in a clip, in the place of what the clip had for it. */
import type { AccessorData, GltfFile } from './gltf-file.js';
import { animationOf, type TrackInterpolation, writeSampler } from './weight-track.js';

export function writeChannel(
  file: GltfFile,
  animationIndex: number,
  nodeIndex: number,
  path: 'translation' | 'rotation' | 'scale',
  times: Float32Array,
  values: ArrayLike<number>,
  interpolation: TrackInterpolation = 'LINEAR',
): void {
  const animation = animationOf(file, animationIndex)!;
  let channel = animation.channels.find(({ target }) => target.node === nodeIndex && target.path === path);
  if (!channel) {
    channel = { sampler: animation.samplers.length, target: { node: nodeIndex, path } };
    animation.channels.push(channel);
  }
  const type = path === 'rotation' ? 'VEC4' : 'VEC3';
  const output: AccessorData = { type, array: Float32Array.from(values), usage: 'values' };
  writeSampler(file, animation, channel, times, output, interpolation);
}
