/**
 * A character made in code has its vertices in another order in its file: what was painted on k is written for σ(k).
 *
 *   part p, vertex v of the file:   σ(split_p[v]) = welded_p[v]
 */
import type { Character } from '@isoskin/core';
import { splitByPart } from '@isoskin/gltf';
import { PAINT_CHANNELS } from '../engine/paint-stack.js';
import type { Paint } from '../state/studio-document.js';

/** @param written what `writeCharacter(character)` reads back as */
export function renumberPaint(paint: Paint, character: Character, written: Character): Paint {
  const { vertexCount } = character.surface;
  const place = new Uint32Array(vertexCount);
  const split = splitByPart(character).filter(({ vertices }) => vertices.length > 0);
  for (const [p, { vertices }] of split.entries()) {
    const { welded } = written.parts[p]!;
    for (const [v, k] of vertices.entries()) place[k] = welded[v]!;
  }
  const move = <Values extends Float32Array | Uint32Array>(values: Values): Values => {
    const out = values.slice() as Values;
    const width = values.length / vertexCount;
    for (const [k, to] of place.entries()) out.set(values.subarray(k * width, (k + 1) * width), to * width);
    return out;
  };
  const { weights } = paint;
  return {
    ...Object.fromEntries(PAINT_CHANNELS.flatMap((name) => (paint[name] ? [[name, move(paint[name])]] : []))),
    ...(weights && { weights: { ...weights, bones: move(weights.bones), weights: move(weights.weights) } }),
  };
}
