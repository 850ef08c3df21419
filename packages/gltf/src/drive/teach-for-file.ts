import { type FrameSource, IsoskinError, presetStack, type StackSpec } from '@isoskin/core';
import type { BakeOptions } from '../bake/bake-options.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { type TaughtAmounts, TEACH_DEFAULTS, teachAmounts } from './teach-amounts.js';

/** Share of the file that a driver may add, bytes of a term as JSON, and the fewest terms that are worth having. */
const GROWTH = 0.18;
const TERM_BYTES = 20;
const FEWEST = 8;

/** The stack whose amounts can be driven: without the bends of the flesh (C16), unless they are asked for by name. */
export function driveStack(stack: StackSpec = presetStack('organic')): StackSpec {
  const { volume } = stack;
  const isShapes = volume && (volume.method ?? 'shapes') === 'shapes';
  return isShapes ? { ...stack, volume: { ...volume, options: { harmonics: 0, ...volume.options } } } : stack;
}

/** Teaches the amounts that a file will carry: only shapes can be driven, and a small file gets a small driver. */
export function teachForFile(
  { file }: ReadResult,
  stack: FrameSource,
  isShapes: boolean,
  { range, onTeach, signal }: BakeOptions,
): TaughtAmounts {
  if (!isShapes) {
    const message =
      'Only shapes under linear skinning can be driven: take a stack of skin and volume alone, like the preset organic';
    throw new IsoskinError('DRIVE_STACK', message, 'stack');
  }
  if (stack.volume!.shapes!.shapes.harmonics) {
    const message =
      'The bends of the flesh cannot be driven: set "harmonics" of the volume layer to 0, or leave it out';
    throw new IsoskinError('DRIVE_STACK', message, 'stack');
  }
  const shapes = stack.volume!.regions.count;
  if (shapes === 0) {
    const message =
      'The model has no region with a volume, so there are no shapes to drive: check that its mesh is closed and skinned';
    throw new IsoskinError('DRIVE_NO_SHAPES', message);
  }
  const buffers = file.buffers.reduce((sum, data) => sum + (data?.length ?? 0), 0);
  const images = [...file.images.values()].reduce((sum, data) => sum + data.length, 0);
  const fit = Math.floor((GROWTH * (buffers + images)) / (TERM_BYTES * shapes));
  const terms = Math.max(FEWEST, Math.min(TEACH_DEFAULTS.terms, fit));
  return teachAmounts(stack, { range, terms, onProgress: onTeach, signal });
}
