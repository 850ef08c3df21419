import type { Skinning } from '../skinning/plan-skinning.js';
import type { VolumeLayerOptions } from './volume-layer.js';

/** A modifier stack as plain JSON: the same file drives the command, the studio, the runtime and the cluster. */
export interface StackSpec {
  readonly layers: readonly LayerSpec[];
}

export type LayerSpec = SkinLayerSpec | VolumeLayerSpec;

export interface SkinLayerSpec {
  readonly layer: 'skin';
  readonly enabled?: boolean;
  readonly skinning?: Skinning;
}

export interface VolumeLayerSpec extends VolumeLayerOptions {
  readonly layer: 'volume';
  readonly enabled?: boolean;
}
