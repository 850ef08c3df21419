/** Numbers among the arguments: one reader, told what to accept. */
import { InvalidArgumentError } from 'commander';

export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
  /** More than this. */
  readonly above?: number;
  readonly whole?: boolean;
}

/** @param advice what to give instead, a sentence */
export function numberReader(advice: string, range: NumberRange = {}): (text: string) => number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.MAX_VALUE, above = Number.NEGATIVE_INFINITY, whole } = range;
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (value >= min && value <= max && value > above && (!whole || Number.isInteger(value))) return value;
    throw new InvalidArgumentError(advice);
  };
}

export const readNumber = numberReader('Give a number.');
export const readFps = numberReader('Give a number of frames per second above 0 and up to 1000.', {
  above: 0,
  max: 1000,
});

/** 5% or 0.05. */
export function readShare(text: string): number {
  const isPercent = text.trim().endsWith('%');
  const read = numberReader('Give a share such as 5% or 0.05.', { min: 0, max: isPercent ? Number.MAX_VALUE : 1 });
  return read(text.replace('%', '')) / (isPercent ? 100 : 1);
}
