/**
 * B4. An apex is a mean of vertices: c = Σ_k w_k y_k, and ∂c/∂λ_t = Σ_k w_k φ_tk n_k, so that what the apexes add to ∂V/∂λ needs no
 * share of it handed down to the vertices.
 */
import {
  BLOCK_COLUMNS,
  BLOCK_COUNT,
  BLOCK_PLACE,
  BLOCK_RINGS,
  BLOCK_SUMS,
  FRAME_FIELD,
  FRAME_SURFACE,
} from '../src/layout';
import { clearVectors } from './vector';

/** Records: place, f32 weight, entries; entries: derivative·16, f32 φ. */
export function measureApex(frame: usize, block: usize): void {
  const derivatives = load<usize>(block, BLOCK_SUMS);
  const positions = load<usize>(frame, FRAME_SURFACE);
  const field = load<usize>(frame, FRAME_FIELD);
  clearVectors(derivatives, load<usize>(block, BLOCK_COLUMNS));
  let record = load<usize>(block, BLOCK_RINGS);
  let xy = f64x2.splat(0);
  let zw = f64x2.splat(0);
  for (let n = load<u32>(block, BLOCK_COUNT); n > 0; n--) {
    const k = load<usize>(record);
    const weight = load<f32>(record, 4);
    const wide = f64x2.splat(<f64>weight);
    const y = v128.load(positions + k);
    xy = f64x2.add(xy, f64x2.mul(wide, f64x2.promote_low_f32x4(y)));
    zw = f64x2.add(zw, f64x2.mul(wide, f64x2.promote_low_f32x4(v128.shuffle<f32>(y, y, 2, 2, 2, 2))));
    let entry = record + 12;
    record = entry + load<usize>(record, 8) * 8;
    const move = f32x4.mul(f32x4.splat(weight), v128.load(field + k));
    for (; entry < record; entry += 8) {
      const at = derivatives + load<usize>(entry);
      v128.store(at, f32x4.add(v128.load(at), f32x4.mul(v128.load_splat<f32>(entry, 4), move)));
    }
  }
  const low = f32x4.demote_f64x2_zero(xy);
  const high = f32x4.demote_f64x2_zero(zw);
  v128.store(positions + load<usize>(block, BLOCK_PLACE), v128.shuffle<f32>(low, high, 0, 1, 4, 2));
}
