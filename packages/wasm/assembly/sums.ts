/** What a block adds to volumes and to ∂V/∂λ, at BLOCK_SUMS; area vectors are six times too large until here. */
import { BLOCK_COLUMNS, BLOCK_SUMS } from '../src/layout';
import { clearVectors } from './vector';

/** 3V, from x y in `low` and z in `high`. */
export function storeVolume(block: usize, offset: usize, low: v128, high: v128): void {
  const sum = f64x2.extract_lane(low, 0) + f64x2.extract_lane(low, 1) + f64x2.extract_lane(high, 0);
  store<f64>(load<usize>(block, BLOCK_SUMS) + offset, sum / 6);
}

/** Four f32 sums for each column. */
export function clearRow(block: usize): usize {
  const row = load<usize>(block, BLOCK_SUMS) + 16;
  clearVectors(row, load<usize>(block, BLOCK_COLUMNS));
  return row;
}

export function addSlope(at: usize, value: f32): void {
  store<f32>(at, load<f32>(at) + value);
}

/** The four sums of each column as one f64. */
export function addRow(block: usize): void {
  let at = load<usize>(block, BLOCK_SUMS) + 16;
  const end = at + load<usize>(block, BLOCK_COLUMNS) * 16;
  for (; at < end; at += 16) {
    const sum = <f64>load<f32>(at) + <f64>load<f32>(at, 4) + <f64>load<f32>(at, 8) + <f64>load<f32>(at, 12);
    store<f64>(at, sum / 6);
  }
}
