import type { Clip } from '../skeleton/clip.js';
import type { Frame } from './frame.js';

/** A step of the stack: planned once, applied to every frame. It knows the frame, never its neighbours. */
export interface Layer {
  apply(frame: Frame): void;
  /** Apexes that it needs behind the positions. */
  readonly apexCount?: number;
  /** Rest field (#V×3) that the layer wants turned with the skin as `frame.directions`. */
  readonly directions?: Float64Array;
  /** Area vectors of the surface that the layer leaves, if it knows them: the normals need no pass of their own. */
  readonly areas?: Float64Array;
  /** Forget the past (warm starts, swinging flesh): the next frame starts cold. */
  reset?(): void;
  /** After a reset: remember what `clip` would have left at `time`; always the same for the same moment. */
  seek?(clip: Clip, time: number): void;
  dispose?(): void;
}
