/** The stack with paint on it: the values themselves while the engine runs it, the names of the attributes in a file. */
import { presetStack, type StackSpec } from '@isoskin/core';
import type { Paint } from '../state/studio-document.js';

interface PaintOnLayers {
  readonly gamma?: string | readonly number[];
  readonly softness?: string | readonly number[];
}

/** Attributes that hold the paint in a file. */
export const PAINT_ATTRIBUTES = { gamma: '_ISOSKIN_GAMMA', softness: '_ISOSKIN_SOFTNESS' } as const;

/** For the engine: arrays of JSON are lists, and the door of the stack takes no other. */
export function paintStack(stack: StackSpec, { gamma, softness }: Paint): StackSpec {
  return putPaint(stack, {
    ...(gamma && { gamma: Array.from(gamma) }),
    ...(softness && { softness: Array.from(softness) }),
  });
}

/** For a file that carries the paint as vertex attributes. */
export function namePaint(stack: StackSpec, { gamma, softness }: Paint): StackSpec {
  return putPaint(stack, {
    ...(gamma && { gamma: PAINT_ATTRIBUTES.gamma }),
    ...(softness && { softness: PAINT_ATTRIBUTES.softness }),
  });
}

function putPaint(stack: StackSpec, { gamma, softness }: PaintOnLayers): StackSpec {
  const { volume, flesh } = stack;
  // What shapes take without a map.
  const { map: organic } = presetStack('organic').volume!;
  const map = typeof flesh?.softness === 'object' ? flesh.softness : {};
  return {
    ...stack,
    ...(volume && gamma && { volume: { ...volume, map: { ...(volume.map ?? organic), paint: gamma } } }),
    ...(flesh && softness && { flesh: { ...flesh, softness: { ...map, paint: softness } } }),
  };
}
