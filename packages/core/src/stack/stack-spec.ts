import type { ContactOptions } from '../contact/plan-contact.js';
import { IsoskinError } from '../error.js';
import type { Skinning } from '../skinning/plan-skinning.js';
import type { WrinklesOptions } from '../wrinkles/wrinkle-tool.js';
import type { FleshLayerOptions } from './flesh-layer.js';
import type { VolumeLayerOptions } from './volume-layer.js';

/** What works on a character, in the order in which it does. */
export const LAYER_NAMES = ['skin', 'flesh', 'contact', 'volume', 'wrinkles'] as const;
/** `skin`, `flesh`, `contact`, `volume` or `wrinkles`. */
export type LayerName = (typeof LAYER_NAMES)[number];

export interface SkinOptions {
  readonly skinning?: Skinning;
}

/** What each layer can be told. */
export interface LayerOptions {
  readonly skin: SkinOptions;
  /** Flesh that lags and swings (G1–G2). */
  readonly flesh: FleshLayerOptions;
  /** Keeps the skin out of itself (F7). */
  readonly contact: ContactOptions;
  /** Restores the volume of every region (C1–C13, C15, C16). */
  readonly volume: VolumeLayerOptions;
  /** Folds where the skin is compressed (H1–H9). */
  readonly wrinkles: WrinklesOptions;
}

/**
 * A stack as plain JSON: the same file drives the command, the studio, the runtime and the cluster. A layer that is named works, in a
 * fixed order, whatever the order of the names; `"enabled": false` switches it off and keeps its settings.
 */
export type StackSpec = { readonly [Name in LayerName]?: LayerOptions[Name] & { readonly enabled?: boolean } };

/** The layers of a stack that work; there is always a skin. */
export type Stack = Pick<LayerOptions, 'skin'> & Partial<LayerOptions>;

/** A stack without what is switched off. */
export function listUsedLayers(spec: StackSpec): Stack {
  if ('layers' in spec) {
    const message =
      'A stack is a record of layers, { skin, volume, … }: pass a list of layers, the form of before, through checkStack';
    throw new IsoskinError('STACK', message);
  }
  const used = LAYER_NAMES.flatMap((name) => {
    const { enabled = true, ...options } = (spec[name] ?? { enabled: false }) as { enabled?: boolean };
    return enabled || (name === 'skin' && spec.skin) ? [[name, options]] : [];
  });
  return { skin: {}, ...Object.fromEntries(used) } as Stack;
}

/**
 * Whether a frame of this stack depends on the frames before it: flesh swings on. (A progressive volume layer does not: it
 * starts every frame from rest.) `FrameSource.seek` finds the state at any moment of a clip.
 */
export function isStateful(spec: StackSpec): boolean {
  return listUsedLayers(spec).flesh !== undefined;
}

/** Whether the frames of a clip are best one piece of work: flesh whose memory has no end swings since the clip began. */
export function needsWholeClips(spec: StackSpec): boolean {
  const { flesh } = listUsedLayers(spec);
  return flesh !== undefined && flesh.memory === undefined;
}

/** Why a stack cannot run whole on faster kernels (WASM, WebGPU), or '' when it can; wrinkles are folded on top of either. */
export function whyNotAccelerated({ skin, flesh, contact, volume }: Stack, takesMoves = false): string {
  if (skin.skinning && skin.skinning !== 'linear') return `${skin.skinning} skinning runs on the TypeScript kernels`;
  if (!volume || ((flesh || contact) && !takesMoves)) return 'only a stack of skin and volume is accelerated';
  if (flesh && contact) return 'flesh that swings and contact together run on the TypeScript kernels';
  if (volume.progressive) return 'progressive poses run on the TypeScript kernels';
  const { method = 'shapes' } = volume;
  return method === 'shapes' ? '' : `the method ${method} runs on the TypeScript kernels`;
}
