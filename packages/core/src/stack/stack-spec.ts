import type { ContactOptions } from '../contact/plan-contact.js';
import type { Skinning } from '../skinning/plan-skinning.js';
import type { VolumeLayerOptions } from './volume-layer.js';

/** A modifier stack as plain JSON: the same file drives the command, the studio, the runtime and the cluster. */
export interface StackSpec {
  readonly layers: readonly LayerSpec[];
}

export type LayerSpec = SkinLayerSpec | ContactLayerSpec | VolumeLayerSpec;

export interface SkinLayerSpec {
  readonly layer: 'skin';
  readonly enabled?: boolean;
  readonly skinning?: Skinning;
}

/** Keeps parts of the body out of each other (F1–F5); stands before the volume layer, which then works around it. */
export interface ContactLayerSpec extends ContactOptions {
  readonly layer: 'contact';
  readonly enabled?: boolean;
}

export interface VolumeLayerSpec extends VolumeLayerOptions {
  readonly layer: 'volume';
  readonly enabled?: boolean;
}
