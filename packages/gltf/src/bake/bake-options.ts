import { type Clip, type FrameSource, IsoskinError, type StackSpec } from '@isoskin/core';
import type { BakeThreads } from '../threads/bake-threads.js';
import type { FrameBlock } from './create-frame-baker.js';
import type { Sample } from './list-samples.js';

/** Evaluates samples, in any order but answered in theirs; `here` evaluates some on this thread. */
export type EvaluateSamples = (
  samples: readonly Sample[],
  here: (samples: readonly Sample[]) => FrameBlock,
  onDone: (count: number) => void,
) => Promise<FrameBlock>;

export interface BakeOptions {
  /** The stack that corrects the character. Default: preset `natural`. */
  readonly stack?: StackSpec;
  /** Frames per second that the result is judged at. Default 30. */
  readonly fps?: number;
  /** morph: targets on top of the skin. cache: no skin, one target per key pose. Default morph. */
  readonly as?: 'morph' | 'cache';
  /** Largest position error relative to the diagonal of the box, and largest relative volume error. Default 0.001. */
  readonly tolerance?: number;
  /** Most morph targets of a mesh beside the shapes, for what shapes cannot say. Default 48. */
  readonly maxTargets?: number;
  /** Names of the clips to correct. Default: all. */
  readonly clips?: readonly string[];
  /** Store deltas as normalised integers (KHR_mesh_quantization): smaller, and undone by several tools (docs/pipelines.md). Default false. */
  readonly compact?: boolean;
  readonly compress?: 'meshopt';
  /** Evaluates samples elsewhere, for example on other machines. Default: here, and on `threads`. */
  readonly evaluate?: EvaluateSamples;
  /** Threads that work beside this one; the result is the same on any number of them. */
  readonly threads?: BakeThreads | undefined;
  readonly onProgress?: (done: number, total: number) => void;
  /** Also teach the amounts as a function of the pose, for motions that are not in the clips (docs/drive.md). Default false. */
  readonly drive?: boolean;
  /** Degrees that every joint may turn in what is taught. Default: from the clips, widened; 45 without clips. */
  readonly range?: number;
  /** The same of the poses that are taught. */
  readonly onTeach?: (done: number, total: number) => void;
  /** Also measure the regions of the baked file and keep the worst poses, for a report. Default false. */
  readonly details?: boolean;
  readonly signal?: AbortSignal;
  /** A stack that is already planned for this character with the same spec. */
  readonly planned?: FrameSource;
  /** Vertices × moments that are too much work. Default: `LIMITS.work`. */
  readonly maxWork?: number | undefined;
  /** Bytes that the frames may take. Default: as many as `maxWork` allows. */
  readonly maxMemory?: number | undefined;
}

export const BAKE_DEFAULTS = { fps: 30, as: 'morph', tolerance: 0.001, maxTargets: 48, compact: false } as const;

/** The clips that a name means: as written, else whatever the case. */
export function findClips(clips: readonly Clip[], name: string): readonly Clip[] {
  const exact = clips.filter((clip) => clip.name === name);
  const found = exact.length > 0 ? exact : clips.filter((clip) => clip.name.toLowerCase() === name.toLowerCase());
  if (found.length > 0) return found;
  const known = clips.length > 0 ? `choose among ${clips.map((c) => `"${c.name}"`).join(', ')}` : 'the model has none';
  throw new IsoskinError('CLIP_UNKNOWN', `There is no clip "${name}" in this file: ${known}`, 'clips');
}

export function checkBakeOptions(options: BakeOptions): void {
  const { fps, tolerance, maxTargets, as, compress } = { ...BAKE_DEFAULTS, ...options };
  const refuse = (code: string, message: string, place: string): never => {
    throw new IsoskinError(code, message, place);
  };
  if (!(fps >= 1 && fps <= 480)) refuse('BAKE_FPS', `${fps} frames per second cannot be baked: give 1 to 480`, 'fps');
  if (!(tolerance >= 1e-6 && tolerance <= 0.1)) {
    refuse(
      'BAKE_TOLERANCE',
      `A tolerance of ${tolerance} makes no sense: give 0.000001 to 0.1 of the size`,
      'tolerance',
    );
  }
  if (!(Number.isInteger(maxTargets) && maxTargets >= 1 && maxTargets <= 256)) {
    refuse(
      'BAKE_MAX_TARGETS',
      `${maxTargets} extra morph targets cannot be had: give a whole number from 1 to 256`,
      'maxTargets',
    );
  }
  if (as !== 'morph' && as !== 'cache') refuse('BAKE_AS', `"${as}" is no way to bake: choose morph or cache`, 'as');
  if (compress !== undefined && compress !== 'meshopt') {
    refuse('BAKE_COMPRESS', `"${compress}" is no compression that is known here: choose meshopt or none`, 'compress');
  }
  const { range, drive } = options;
  if (range !== undefined && !(range > 0 && range <= 180)) {
    refuse('DRIVE_RANGE', `Joints cannot turn by ${range} degrees: give more than 0 and at most 180`, 'range');
  }
  if (range !== undefined && !drive) {
    refuse('DRIVE_RANGE', 'The range is that of taught poses: give --drive too', 'range');
  }
  if (drive && as === 'cache') {
    refuse('DRIVE_CACHE', 'A cache has no shapes that could be driven: bake without --as cache', 'drive');
  }
}
