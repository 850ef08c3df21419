import type { ImplicitSurface } from '../field/implicit-surface.js';

/**
 * Samples of f − iso on a regular grid, evaluated the first time they are asked for and kept in blocks of 4³.
 *
 * Sample (i, j, k) sits at ((i, j, k) + origin + ½)·step with an integer origin: a shape that is symmetric about a coordinate
 * plane is sampled symmetrically. Memory and time follow the samples touched, not the box (the table of blocks is box/64).
 */
export interface SparseGrid {
  readonly step: number;
  readonly origin: Int32Array;
  /** Samples along each axis. */
  readonly size: Int32Array;
  /** f − iso at a sample. */
  sample(i: number, j: number, k: number): number;
  /** Overrides a sample. */
  assign(i: number, j: number, k: number, value: number): void;
  /** Number kept for the cell whose lowest corner is (i, j, k); −1 at first. */
  cell(i: number, j: number, k: number): number;
  mark(i: number, j: number, k: number, value: number): void;
}

/** Samples of margin around the box, so that every cell on the surface has all its neighbours. */
const MARGIN = 3;

export function createSparseGrid(surface: ImplicitSurface, step: number): SparseGrid {
  const { bounds, iso } = surface;
  const origin = new Int32Array(3);
  const size = new Int32Array(3);
  for (let axis = 0; axis < 3; axis++) {
    origin[axis] = Math.floor(bounds[axis]! / step) - MARGIN;
    size[axis] = Math.ceil(bounds[3 + axis]! / step) + MARGIN - origin[axis]!;
  }
  const [ox, oy, oz] = [origin[0]! + 0.5, origin[1]! + 0.5, origin[2]! + 0.5];
  const wide = (size[0]! + 3) >> 2;
  const high = (size[1]! + 3) >> 2;
  const deep = (size[2]! + 3) >> 2;
  const table = new Int32Array(wide * high * deep).fill(-1);
  let blocks = 0;
  let capacity = 256;
  let samples = new Float64Array(capacity * 64).fill(NaN);
  let cells = new Int32Array(capacity * 64).fill(-1);

  const grow = (): void => {
    const used = capacity * 64;
    capacity *= 2;
    const moreSamples = new Float64Array(capacity * 64).fill(NaN, used);
    moreSamples.set(samples);
    samples = moreSamples;
    const moreCells = new Int32Array(capacity * 64).fill(-1, used);
    moreCells.set(cells);
    cells = moreCells;
  };

  const locate = (i: number, j: number, k: number): number => {
    const entry = (i >> 2) + wide * ((j >> 2) + high * (k >> 2));
    let block = table[entry]!;
    if (block < 0) {
      if (blocks === capacity) grow();
      block = table[entry] = blocks++;
    }
    return (block << 6) | (i & 3) | ((j & 3) << 2) | ((k & 3) << 4);
  };

  return {
    step,
    origin,
    size,
    sample(i, j, k) {
      const at = locate(i, j, k);
      let value = samples[at]!;
      if (Number.isNaN(value)) {
        value = surface.value((i + ox) * step, (j + oy) * step, (k + oz) * step) - iso;
        samples[at] = value;
      }
      return value;
    },
    assign(i, j, k, value) {
      samples[locate(i, j, k)] = value;
    },
    cell: (i, j, k) => cells[locate(i, j, k)]!,
    mark(i, j, k, value) {
      cells[locate(i, j, k)] = value;
    },
  };
}
