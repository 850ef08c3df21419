/** What a person changes in a character, put into the file that it was read from. */
import { type Clip, IsoskinError, POSE_STRIDE } from '@isoskin/core';
import { addClips } from './patch/add-rig.js';
import { appendAccessor } from './patch/append-accessor.js';
import { primitiveOf, setAttribute } from './patch/own-mesh.js';
import { animationOf, writeSampler } from './patch/weight-track.js';
import type { ReadResult } from './read-character-from-bytes.js';

/**
 * Puts one painted value per welded vertex (#V) into the file as a vertex attribute, for example `_ISOSKIN_GAMMA`.
 *
 * Source vertices that were welded get the same value, so reading the file again gives the same paint.
 */
export function writePaint(read: ReadResult, attribute: string, values: ArrayLike<number>): void {
  const { character, file, sources } = read;
  const { vertexCount } = character.surface;
  if (!/^_[A-Z\d_]+$/.test(attribute)) {
    const message = `"${attribute}" cannot name a painted attribute: use capitals after a leading _.`;
    throw new IsoskinError('PAINT_NAME', message);
  }
  if (values.length !== vertexCount) {
    const message = `${values.length} painted values do not fit a surface of ${vertexCount} vertices: give one per vertex.`;
    throw new IsoskinError('PAINT_LENGTH', message);
  }
  character.parts.forEach((part, p) => {
    // A vertex that belongs to no triangle is not part of the surface: 1 leaves it as it is.
    const array = Float32Array.from(part.welded, (vertex) => (vertex < vertexCount ? values[vertex]! : 1));
    const { meshIndex, primitiveIndex } = sources[p]!;
    const accessor = appendAccessor(file, { type: 'SCALAR', array, usage: 'vertex' });
    setAttribute(primitiveOf(file, meshIndex, primitiveIndex), attribute, accessor);
  });
}

/**
 * Gives a node of the skeleton new rotations in a clip of the file: `values` (#×4, x y z w) at `times` (seconds, ascending),
 * in the place of what the clip had for it.
 */
export function writeRotations(
  { file, nodeIndices }: ReadResult,
  clip: number,
  skeletonNode: number,
  times: Float32Array,
  values: Float32Array,
): void {
  const node = nodeIndices[skeletonNode]!;
  const animation = animationOf(file, clip)!;
  let channel = animation.channels.find(({ target }) => target.node === node && target.path === 'rotation');
  if (!channel) {
    channel = { sampler: animation.samplers.length, target: { node, path: 'rotation' } };
    animation.channels.push(channel);
  }
  const output = { type: 'VEC4', array: Float32Array.from(values), usage: 'values' } as const;
  writeSampler(file, animation, channel, times, output, 'LINEAR');
}

/** Adds a clip of the skeleton to the file, after those that it has. What it moves is given by translation, rotation and scale, as glTF demands. */
export function writeClip({ file, nodeIndices, character }: ReadResult, clip: Clip): void {
  const { locals } = character.skeleton;
  for (const { target } of clip.channels) {
    const node = file.json.nodes![nodeIndices[target]!]!;
    if (!node.matrix) continue;
    const local = Array.from(locals.subarray(POSE_STRIDE * target, POSE_STRIDE * (target + 1)));
    delete node.matrix;
    Object.assign(node, { translation: local.slice(0, 3), rotation: local.slice(3, 7), scale: local.slice(7) });
  }
  addClips(file, [clip], ({ target }) => nodeIndices[target]);
}
