/** C15. y_k + (Σ_s λ_s φ_sk) n_k, four vertices at a time: in place, or into the output in the caller's order. */
import {
  BLOCK_COUNT,
  BLOCK_FIRST,
  FRAME_FIELD,
  FRAME_LAMBDA,
  FRAME_ORDER,
  FRAME_OUT_POSITIONS,
  FRAME_SURFACE,
  WITH_POSITIONS,
} from '../src/layout';
import { madd } from './vector';

/** @param values φ, or those of the given shapes. Those of four vertices start with a word: 20 times the number of entries, u16 shape·4, u16 column·16, four f32. */
export function displace(frame: usize, block: usize, values: usize, flags: i32): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const lambda = load<usize>(frame, FRAME_LAMBDA);
  const out = load<usize>(frame, FRAME_OUT_POSITIONS);
  let y = load<usize>(frame, FRAME_SURFACE) + first * 16;
  let n = load<usize>(frame, FRAME_FIELD) + first * 16;
  let order = load<usize>(frame, FRAME_ORDER) + first * 4;
  let phi = values;
  const end = y + load<usize>(block, BLOCK_COUNT) * 16;
  for (; y < end; y += 64) {
    let sums = f32x4.splat(0);
    const stop = phi + 4 + load<usize>(phi);
    for (phi += 4; phi < stop; phi += 20) {
      sums = madd(v128.load_splat<f32>(lambda + <usize>load<u16>(phi)), v128.load(phi, 4), sums);
    }
    const y0 = madd(v128.shuffle<f32>(sums, sums, 0, 0, 0, 0), v128.load(n), v128.load(y));
    const y1 = madd(v128.shuffle<f32>(sums, sums, 1, 1, 1, 1), v128.load(n, 16), v128.load(y, 16));
    const y2 = madd(v128.shuffle<f32>(sums, sums, 2, 2, 2, 2), v128.load(n, 32), v128.load(y, 32));
    const y3 = madd(v128.shuffle<f32>(sums, sums, 3, 3, 3, 3), v128.load(n, 48), v128.load(y, 48));
    n += 64;
    if (flags & WITH_POSITIONS) {
      v128.store(out + load<usize>(order), y0);
      v128.store(out + load<usize>(order, 4), y1);
      v128.store(out + load<usize>(order, 8), y2);
      v128.store(out + load<usize>(order, 12), y3);
      order += 16;
    } else {
      v128.store(y, y0);
      v128.store(y, y1, 16);
      v128.store(y, y2, 32);
      v128.store(y, y3, 48);
    }
  }
}
