import type { Character } from '../character/character.js';
import { IsoskinError } from '../error.js';

/**
 * D7. A painted multiplier on the welded vertices, #V: the mean over the source vertices that were welded into each. Parts
 * that do not have the attribute keep 1; negative and non-finite values count as 0.
 *
 * @param paint attribute name as in `Part.paint`, or one number per welded vertex
 * @param missing value of parts that do not have the attribute
 */
export function gatherPaint(character: Character, paint: string | ArrayLike<number>, missing = 1): Float64Array {
  const { vertexCount } = character.surface;
  const out = new Float64Array(vertexCount);
  if (typeof paint !== 'string') {
    if (paint.length !== vertexCount) {
      throw new IsoskinError(
        'PAINT_LENGTH',
        `Give ${vertexCount} painted values, one per vertex, not ${paint.length}.`,
        'map.paint',
      );
    }
    for (let k = 0; k < vertexCount; k++) out[k] = paint[k]! > 0 && Number.isFinite(paint[k]!) ? paint[k]! : 0;
    return out;
  }
  const counts = new Uint32Array(vertexCount);
  let found = false;
  for (const part of character.parts) {
    const values = part.paint.get(paint);
    found ||= values !== undefined;
    for (let v = 0; v < part.vertexCount; v++) {
      const k = part.welded[v]!;
      if (k >= vertexCount) continue;
      const value = values ? values[v]! : missing;
      out[k]! += value > 0 && Number.isFinite(value) ? value : 0;
      counts[k]!++;
    }
  }
  if (!found) {
    const names = new Set(character.parts.flatMap((part) => [...part.paint.keys()]));
    throw new IsoskinError(
      'PAINT_NOT_FOUND',
      `No part carries the painted attribute “${paint}”; there is: ${[...names].join(', ') || 'none'}.`,
      'map.paint',
    );
  }
  for (let k = 0; k < vertexCount; k++) out[k] = counts[k]! > 0 ? out[k]! / counts[k]! : missing;
  return out;
}

/**
 * C4. Sets `map` (#V) to 0 where nothing may move.
 *
 * @param fixed welded vertices, or the name of a painted attribute: above ½ is fixed
 */
export function holdFixed(
  map: Float64Array,
  character: Character,
  fixed: string | ArrayLike<number> | undefined,
): void {
  if (typeof fixed !== 'string') {
    for (let n = 0; fixed && n < fixed.length; n++) map[fixed[n]!] = 0;
    return;
  }
  const painted = gatherPaint(character, fixed, 0);
  for (let k = 0; k < map.length; k++) if (painted[k]! > 0.5) map[k] = 0;
}
