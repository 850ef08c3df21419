import { IsoskinError } from '@isoskin/core';
import { appendAccessor } from './patch/append-accessor.js';
import { primitiveOf, setAttribute } from './patch/own-mesh.js';
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
    throw new IsoskinError(
      'PAINT_NAME',
      `"${attribute}" cannot name a painted attribute: use capitals after a leading _.`,
    );
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
