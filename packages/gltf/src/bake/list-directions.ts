import { IsoskinError } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { readNumbers } from '../read-numbers.js';
import type { DirectionSource } from './create-normal-fit.js';
import type { SourceSkin } from './plan-source-skin.js';

export interface PartDirections extends DirectionSource {
  readonly part: number;
  readonly semantic: 'NORMAL' | 'TANGENT';
}

/** NORMAL and TANGENT of the parts of a group that have them. */
export function listDirections(read: ReadResult, source: SourceSkin, group: number): PartDirections[] {
  return read.character.parts.flatMap((part, p): PartDirections[] => {
    if (part.group !== group) return [];
    return (['NORMAL', 'TANGENT'] as const).flatMap((semantic) => {
      const accessor = read.sources[p]!.primitive.getAttribute(semantic);
      const width = semantic === 'NORMAL' ? 3 : 4;
      if (!accessor || accessor.getElementSize() !== width || accessor.getCount() !== part.vertexCount) return [];
      const directions = readNumbers(accessor, width, semantic);
      if (!directions.every(Number.isFinite)) {
        const message = `${semantic} holds something that is no number: export the model again without compression`;
        throw new IsoskinError('NOT_FINITE', message, part.name);
      }
      return [{ part: p, semantic, width, points: source.partPoints[p]!, directions }];
    });
  });
}
