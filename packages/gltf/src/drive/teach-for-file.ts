import { createPose, type FrameSource, IsoskinError, type Pose } from '@isoskin/core';
import type { BakeJob } from '../bake/bake-job.js';
import type { BakeOptions } from '../bake/bake-options.js';
import { createPoseSampler } from './create-pose-sampler.js';
import { listDrivingInputs } from './list-driving-nodes.js';
import { type TaughtAmounts, TEACH_DEFAULTS, TEACH_SEEDS, teachAmounts } from './teach-amounts.js';

/** Share of the file that a driver may add, bytes of a term as JSON, and the fewest terms that are worth having. */
const GROWTH = 0.18;
const TERM_BYTES = 20;
const FEWEST = 8;
/** Poses beyond the clips that the targets of a driven file are chosen for, too. */
const BEYOND = 96;

/** Teaches the weights that a file will carry: only shapes can be driven, and a small file gets a small driver. */
export function teachForFile(job: BakeJob, isShapes: boolean, { range, onTeach, signal }: BakeOptions): TaughtAmounts {
  if (!isShapes) {
    const message =
      'Only shapes under linear skinning can be driven: take a stack of skin and volume alone, like the preset organic';
    throw new IsoskinError('DRIVE_STACK', message, 'stack');
  }
  const { shapes } = job.stack.volume!.shapes!;
  if (shapes.regionCount === 0) {
    const message =
      'The model has no region with a volume, so there are no shapes to drive: check that its mesh is closed and skinned';
    throw new IsoskinError('DRIVE_NO_SHAPES', message);
  }
  const { file } = job.read;
  const buffers = file.buffers.reduce((sum, data) => sum + (data?.length ?? 0), 0);
  const images = [...file.images.values()].reduce((sum, data) => sum + data.length, 0);
  const fit = Math.floor((GROWTH * (buffers + images)) / (TERM_BYTES * shapes.shapeCount));
  const terms = Math.max(FEWEST, Math.min(TEACH_DEFAULTS.terms, fit));
  return teachAmounts(job.stack, { range, terms, onProgress: onTeach, signal });
}

/** Poses beyond the clips of a character: what a driver will be taught is drawn by targets that were chosen for it. */
export function listDrivenPoses(stack: FrameSource, range: number | undefined): Pose[] {
  if (!stack.volume?.shapes) return [];
  const sampler = createPoseSampler(stack.character, { ...listDrivingInputs(stack), seed: TEACH_SEEDS.taught, range });
  return Array.from({ length: BEYOND }, () => {
    sampler.next();
    const pose = createPose(stack.character);
    pose.locals.set(sampler.pose.locals);
    pose.morphWeights.set(sampler.pose.morphWeights);
    return pose;
  });
}
