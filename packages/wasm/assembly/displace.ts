/**
 * C11. y_k = x_k + ρ_k n_k, ρ_k = m_k r_k S(z), z = Σ_s λ_s φ_sk / r_k, S(z) = z/(1+z⁴)^¼, four vertices at a time; the slopes
 * dρ_k/d(Σλφ) beside it. The fade m_k = Π_s (1 − (1 − activity_s) ψ_sk) is measured once a frame.
 */
import {
  BLOCK_BASES,
  BLOCK_COUNT,
  BLOCK_FIRST,
  BLOCK_HALO,
  BLOCK_HOME,
  FRAME_ACTIVITY,
  FRAME_FADE,
  FRAME_LAMBDA,
  FRAME_ORDER,
  FRAME_OUT_POSITIONS,
  FRAME_SKIN,
  FRAME_SLOPES,
  FRAME_SURFACE,
  FRAME_TIGHTNESS,
  WITH_FADE,
  WITH_POSITIONS,
} from '../src/layout';
import { sweptField } from './sweep';
import { madd } from './vector';

/**
 * ψ of four vertices starts with a word: 20 times the number of entries, u16 region·4, u16 0, four f32. Bit 0 stands for the
 * most common entry, ψ = 1 of the block's own region at all four.
 */
function measureFade(frame: usize, block: usize): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const activity = load<usize>(frame, FRAME_ACTIVITY);
  const one = f32x4.splat(1);
  const home = v128.load_splat<f32>(activity + load<usize>(block, BLOCK_HOME));
  let fade = load<usize>(frame, FRAME_FADE) + first * 4;
  const end = fade + load<usize>(block, BLOCK_COUNT) * 4;
  let halo = load<usize>(block, BLOCK_HALO);
  for (; fade < end; fade += 16) {
    const head = load<usize>(halo);
    let product = head & 1 ? home : one;
    halo += 4;
    const stop = halo + (head & ~1);
    for (; halo < stop; halo += 20) {
      const still = f32x4.sub(one, v128.load_splat<f32>(activity + <usize>load<u16>(halo)));
      product = f32x4.mul(product, f32x4.sub(one, f32x4.mul(still, v128.load(halo, 4))));
    }
    v128.store(fade, product);
  }
}

/** φ of four vertices starts with a word: 20 times the number of entries, u16 region·4, u16 column·16, four f32. */
export function displace(frame: usize, block: usize, flags: i32): void {
  if (flags & WITH_FADE) measureFade(frame, block);
  const first = load<usize>(block, BLOCK_FIRST);
  const lambda = load<usize>(frame, FRAME_LAMBDA);
  const fades = load<usize>(frame, FRAME_FADE);
  const tightness = load<usize>(frame, FRAME_TIGHTNESS);
  const slopes = load<usize>(frame, FRAME_SLOPES);
  const positions = load<usize>(frame, FRAME_SKIN);
  const field = sweptField(frame, flags);
  const surface = load<usize>(frame, FRAME_SURFACE);
  const order = load<usize>(frame, FRAME_ORDER);
  const out = load<usize>(frame, FRAME_OUT_POSITIONS);
  const one = f32x4.splat(1);
  let phi = load<usize>(block, BLOCK_BASES);
  let k = first * 4;
  const end = k + load<usize>(block, BLOCK_COUNT) * 4;
  while (k < end) {
    let sums = f32x4.splat(0);
    const stop = phi + 4 + load<usize>(phi);
    for (phi += 4; phi < stop; phi += 20) {
      sums = madd(v128.load_splat<f32>(lambda + <usize>load<u16>(phi)), v128.load(phi, 4), sums);
    }
    const square = f32x4.mul(f32x4.mul(sums, sums), v128.load(tightness + k));
    const q = madd(square, square, one);
    const root = f32x4.div(v128.load(fades + k), f32x4.sqrt(f32x4.sqrt(q)));
    const amounts = f32x4.mul(root, sums);

    const at = k * 4;
    const y0 = madd(v128.shuffle<f32>(amounts, amounts, 0, 0, 0, 0), v128.load(field + at), v128.load(positions + at));
    const y1 = madd(
      v128.shuffle<f32>(amounts, amounts, 1, 1, 1, 1),
      v128.load(field + at, 16),
      v128.load(positions + at, 16),
    );
    const y2 = madd(
      v128.shuffle<f32>(amounts, amounts, 2, 2, 2, 2),
      v128.load(field + at, 32),
      v128.load(positions + at, 32),
    );
    const y3 = madd(
      v128.shuffle<f32>(amounts, amounts, 3, 3, 3, 3),
      v128.load(field + at, 48),
      v128.load(positions + at, 48),
    );
    if (flags & WITH_POSITIONS) {
      v128.store(out + load<usize>(order + k), y0);
      v128.store(out + load<usize>(order + k, 4), y1);
      v128.store(out + load<usize>(order + k, 8), y2);
      v128.store(out + load<usize>(order + k, 12), y3);
    } else {
      v128.store(slopes + k, f32x4.div(root, q));
      v128.store(surface + at, y0);
      v128.store(surface + at, y1, 16);
      v128.store(surface + at, y2, 32);
      v128.store(surface + at, y3, 48);
    }
    k += 16;
  }
}
