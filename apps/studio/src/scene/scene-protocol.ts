/** What the page and the worker that runs a simulation say to each other: `open` once, then `next` for every recorded frame. */
import type { SurfaceMesh } from '@isoskin/soft';
import type { SceneSettings } from '../state/studio-document.js';

export type SceneMessage = { readonly call: 'open'; readonly settings: SceneSettings } | { readonly call: 'next' };

export type SceneAnswer =
  | { readonly kind: 'opened'; readonly facts: SceneFacts }
  | { readonly kind: 'frame'; readonly frame: SceneFrame }
  | { readonly kind: 'failed'; readonly message: string };

export interface SceneFacts {
  readonly duration: number;
  /** Recorded frames of the whole story. */
  readonly total: number;
  /** min, max of what to look at; degrees round it and above the horizon. */
  readonly box: readonly number[];
  readonly azimuth: number;
  readonly elevation: number;
  readonly objects: readonly {
    readonly name: string;
    readonly color: readonly number[];
    readonly territories: number;
  }[];
  readonly obstacles: readonly {
    readonly name: string;
    readonly color: readonly number[];
    readonly mesh: SurfaceMesh;
  }[];
}

export interface SceneFrame extends SurfaceMesh {
  readonly time: number;
  /** #V×3, sRGB as bytes. */
  readonly colors: Uint8Array;
  /** Position and quaternion of every obstacle, ×7. */
  readonly places: Float32Array;
  /** Volume of all soft objects over that at the start. */
  readonly volume: number;
  /** Worst territory: volume over its own start. */
  readonly worst: number;
  readonly contacts: number;
  readonly pieces: number;
  readonly milliseconds: number;
}
