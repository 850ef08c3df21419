import type { AnimationChannel } from '@gltf-transform/core';
import type { ReadResult } from './read-character-from-bytes.js';

/**
 * Gives a node of the skeleton new rotations in a clip of the file: `values` (#×4, x y z w) at `times` (seconds, ascending),
 * in the place of what the clip had for it.
 */
export function writeRotations(
  read: ReadResult,
  clip: number,
  skeletonNode: number,
  times: Float32Array,
  values: Float32Array,
): void {
  const { document, nodes } = read;
  const animation = document.getRoot().listAnimations()[clip]!;
  const node = nodes[skeletonNode]!;
  const isOld = (channel: AnimationChannel) =>
    channel.getTargetNode() === node && channel.getTargetPath() === 'rotation';
  for (const channel of animation.listChannels().filter(isOld)) channel.dispose();
  const [buffer = document.createBuffer()] = document.getRoot().listBuffers();
  const accessor = (type: 'SCALAR' | 'VEC4', array: Float32Array) =>
    document.createAccessor('', buffer).setType(type).setArray(array);
  const sampler = document
    .createAnimationSampler()
    .setInput(accessor('SCALAR', times))
    .setOutput(accessor('VEC4', values))
    .setInterpolation('LINEAR');
  const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath('rotation').setSampler(sampler);
  animation.addSampler(sampler).addChannel(channel);
}
