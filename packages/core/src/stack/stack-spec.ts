import type { ContactOptions } from '../contact/plan-contact.js';
import type { Skinning } from '../skinning/plan-skinning.js';
import type { WrinklesOptions } from '../wrinkles/wrinkle-tool.js';
import type { FleshLayerOptions } from './flesh-layer.js';
import type { VolumeLayerOptions } from './volume-layer.js';

/** A modifier stack as plain JSON: the same file drives the command, the studio, the runtime and the cluster. */
export interface StackSpec {
  readonly layers: readonly LayerSpec[];
}

export type LayerSpec = SkinLayerSpec | FleshLayerSpec | ContactLayerSpec | VolumeLayerSpec | WrinklesLayerSpec;

export interface SkinLayerSpec {
  readonly layer: 'skin';
  readonly enabled?: boolean;
  readonly skinning?: Skinning;
}

/** Flesh that lags and swings (G1–G2); stands right after the skin. */
export interface FleshLayerSpec extends FleshLayerOptions {
  readonly layer: 'flesh';
  readonly enabled?: boolean;
}

/** Keeps the skin out of itself (F7); stands before the volume layer, which then restores the volume. */
export interface ContactLayerSpec extends ContactOptions {
  readonly layer: 'contact';
  readonly enabled?: boolean;
}

export interface VolumeLayerSpec extends VolumeLayerOptions {
  readonly layer: 'volume';
  readonly enabled?: boolean;
}

/** Folds where the skin is compressed (H1–H9); stands last. */
export interface WrinklesLayerSpec extends WrinklesOptions {
  readonly layer: 'wrinkles';
  readonly enabled?: boolean;
}
