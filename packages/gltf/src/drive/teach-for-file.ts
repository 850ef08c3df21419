import { IsoskinError } from '@isoskin/core';
import type { BakeJob } from '../bake/bake-job.js';
import type { BakeOptions } from '../bake/bake-options.js';
import { GIVEN_SHARE, type TaughtAmounts, TEACH_DEFAULTS, teachAmounts } from './teach-amounts.js';

/** Share of the file that a driver may add, bytes of a term as JSON, and the fewest terms that are worth having. */
const GROWTH = 0.18;
const TERM_BYTES = 20;
const FEWEST = 8;

/** Teaches the amounts that a file will carry: only shapes can be driven, and a small file gets a small driver. */
export function teachForFile(job: BakeJob, isShapes: boolean, { range, onTeach, signal }: BakeOptions): TaughtAmounts {
  if (!isShapes) {
    const message =
      'Only shapes under linear skinning can be driven: take a stack of skin and volume alone, like the preset organic';
    throw new IsoskinError('DRIVE_STACK', message, 'stack');
  }
  const source = job.shapes!;
  const { regionCount, shapeCount } = source.shapes;
  if (regionCount === 0) {
    const message =
      'The model has no region with a volume, so there are no shapes to drive: check that its mesh is closed and skinned';
    throw new IsoskinError('DRIVE_NO_SHAPES', message);
  }
  const { file } = job.read;
  const buffers = file.buffers.reduce((sum, data) => sum + (data?.length ?? 0), 0);
  const images = [...file.images.values()].reduce((sum, data) => sum + data.length, 0);
  const fit = Math.floor(
    (GROWTH * (buffers + images)) / (TERM_BYTES * (regionCount + GIVEN_SHARE * (shapeCount - regionCount))),
  );
  const terms = Math.max(FEWEST, Math.min(TEACH_DEFAULTS.terms, fit));
  return teachAmounts(job.stack, { range, terms, source, onProgress: onTeach, signal });
}
