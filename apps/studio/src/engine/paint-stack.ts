/** The stack with paint on it: the values themselves while the engine runs it, the names of the attributes in a file. */
import { presetStack, type StackSpec } from '@isoskin/core';
import { describeOption } from '@isoskin/core/stack';
import type { Paint, PaintChannel } from '../state/studio-document.js';

type PaintOnLayers = { readonly [Channel in PaintChannel]?: string | readonly number[] };

/** Attributes that hold the paint in a file. */
export const PAINT_ATTRIBUTES = {
  gamma: '_ISOSKIN_GAMMA',
  softness: '_ISOSKIN_SOFTNESS',
  fixed: '_ISOSKIN_FIXED',
} as const satisfies Record<PaintChannel, string>;
export const PAINT_CHANNELS = Object.keys(PAINT_ATTRIBUTES) as PaintChannel[];

/** For the engine: arrays of JSON are lists, and the door of the stack takes no other. */
export function paintStack(stack: StackSpec, { gamma, softness, fixed }: Paint): StackSpec {
  return putPaint(stack, {
    ...(gamma && { gamma: Array.from(gamma) }),
    ...(softness && { softness: Array.from(softness) }),
    ...(fixed && { fixed: [...fixed.keys()].filter((k) => fixed[k]! > 0.5) }),
  });
}

/** For a file that carries the paint as vertex attributes. */
export function namePaint(stack: StackSpec, paint: Paint): StackSpec {
  const used = PAINT_CHANNELS.filter((channel) => paint[channel]);
  return putPaint(stack, Object.fromEntries(used.map((channel) => [channel, PAINT_ATTRIBUTES[channel]])));
}

function putPaint(stack: StackSpec, { gamma, softness, fixed }: PaintOnLayers): StackSpec {
  const { volume, flesh } = stack;
  // What shapes take without a map.
  const { map: organic } = presetStack('organic').volume!;
  const map = typeof flesh?.softness === 'object' ? flesh.softness : {};
  // Soft flesh passes into stiff flesh as it does unpainted.
  const isPlain = flesh?.softness === undefined && !softness;
  const blend = flesh?.blend ?? (isPlain ? describeOption('flesh', 'blend').initial : undefined);
  const held = fixed && { fixed };
  return {
    ...stack,
    ...(volume &&
      (gamma || fixed) && {
        volume: { ...volume, map: { ...(volume.map ?? organic), ...(gamma && { paint: gamma }), ...held } },
      }),
    ...(flesh &&
      (softness || fixed) && {
        flesh: {
          ...flesh,
          ...(typeof blend === 'number' && { blend }),
          softness: { ...map, ...(softness && { paint: softness }), ...held },
        },
      }),
  };
}
