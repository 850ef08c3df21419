/** A2. x_k = Σ ω T x̄_k and n_k = Σ ω A n̄_k, four influences a vertex; the few vertices with more get the rest afterwards. */
import {
  BLOCK_COUNT,
  BLOCK_FIRST,
  BLOCK_LARGE,
  BLOCK_LARGE_COUNT,
  FRAME_BONES,
  FRAME_FIELD,
  FRAME_MATRICES,
  FRAME_ORDER,
  FRAME_OUT_SKINNED,
  FRAME_REST,
  FRAME_REST_DIRECTIONS,
  FRAME_SKIN,
  FRAME_WEIGHTS,
  WITH_DIRECTIONS,
  WITH_SKINNED,
} from '../src/layout';
import { madd } from './vector';

export function skin(frame: usize, block: usize, flags: i32): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const count = load<usize>(block, BLOCK_COUNT);
  const matrices = load<usize>(frame, FRAME_MATRICES);
  let bones = load<usize>(frame, FRAME_BONES) + first * 8;
  let weights = load<usize>(frame, FRAME_WEIGHTS) + first * 16;
  let rest = load<usize>(frame, FRAME_REST) + first * 16;
  let out = load<usize>(frame, FRAME_SKIN) + first * 16;
  let field = load<usize>(frame, FRAME_REST_DIRECTIONS) + first * 16;
  let outField = load<usize>(frame, FRAME_FIELD) + first * 16;
  const end = rest + 16 * count;
  const directions = (flags & WITH_DIRECTIONS) !== 0;
  while (rest < end) {
    const m0 = matrices + <usize>load<u16>(bones) * 64;
    const m1 = matrices + <usize>load<u16>(bones, 2) * 64;
    const m2 = matrices + <usize>load<u16>(bones, 4) * 64;
    const m3 = matrices + <usize>load<u16>(bones, 6) * 64;
    const w0 = v128.load_splat<f32>(weights);
    const w1 = v128.load_splat<f32>(weights, 4);
    const w2 = v128.load_splat<f32>(weights, 8);
    const w3 = v128.load_splat<f32>(weights, 12);
    let a = f32x4.mul(w0, v128.load(m0));
    let b = f32x4.mul(w0, v128.load(m0, 16));
    let c = f32x4.mul(w0, v128.load(m0, 32));
    let t = f32x4.mul(w0, v128.load(m0, 48));
    a = madd(w1, v128.load(m1), a);
    b = madd(w1, v128.load(m1, 16), b);
    c = madd(w1, v128.load(m1, 32), c);
    t = madd(w1, v128.load(m1, 48), t);
    a = madd(w2, v128.load(m2), a);
    b = madd(w2, v128.load(m2, 16), b);
    c = madd(w2, v128.load(m2, 32), c);
    t = madd(w2, v128.load(m2, 48), t);
    a = madd(w3, v128.load(m3), a);
    b = madd(w3, v128.load(m3, 16), b);
    c = madd(w3, v128.load(m3, 32), c);
    t = madd(w3, v128.load(m3, 48), t);
    t = madd(a, v128.load_splat<f32>(rest), t);
    t = madd(b, v128.load_splat<f32>(rest, 4), t);
    t = madd(c, v128.load_splat<f32>(rest, 8), t);
    v128.store(out, t);
    if (directions) {
      let n = f32x4.mul(a, v128.load_splat<f32>(field));
      n = madd(b, v128.load_splat<f32>(field, 4), n);
      n = madd(c, v128.load_splat<f32>(field, 8), n);
      v128.store(outField, n);
      field += 16;
      outField += 16;
    }
    bones += 8;
    weights += 16;
    rest += 16;
    out += 16;
  }
  addLarge(frame, block, directions);
  if (flags & WITH_SKINNED) writeSkinned(frame, first, count);
}

/** Influences beyond the fourth: records of place, bone, weight. */
function addLarge(frame: usize, block: usize, directions: bool): void {
  let record = load<usize>(block, BLOCK_LARGE);
  const end = record + load<usize>(block, BLOCK_LARGE_COUNT) * 12;
  const matrices = load<usize>(frame, FRAME_MATRICES);
  while (record < end) {
    const place = load<usize>(record);
    const matrix = matrices + load<usize>(record, 4) * 64;
    const weight = v128.load_splat<f32>(record, 8);
    const rest = load<usize>(frame, FRAME_REST) + place;
    let x = v128.load(matrix, 48);
    x = madd(v128.load(matrix), v128.load_splat<f32>(rest), x);
    x = madd(v128.load(matrix, 16), v128.load_splat<f32>(rest, 4), x);
    x = madd(v128.load(matrix, 32), v128.load_splat<f32>(rest, 8), x);
    const out = load<usize>(frame, FRAME_SKIN) + place;
    v128.store(out, madd(weight, x, v128.load(out)));
    if (directions) {
      const field = load<usize>(frame, FRAME_REST_DIRECTIONS) + place;
      let n = f32x4.mul(v128.load(matrix), v128.load_splat<f32>(field));
      n = madd(v128.load(matrix, 16), v128.load_splat<f32>(field, 4), n);
      n = madd(v128.load(matrix, 32), v128.load_splat<f32>(field, 8), n);
      const outField = load<usize>(frame, FRAME_FIELD) + place;
      v128.store(outField, madd(weight, n, v128.load(outField)));
    }
    record += 12;
  }
}

function writeSkinned(frame: usize, first: usize, count: usize): void {
  let from = load<usize>(frame, FRAME_SKIN) + first * 16;
  let order = load<usize>(frame, FRAME_ORDER) + first * 4;
  const out = load<usize>(frame, FRAME_OUT_SKINNED);
  const end = order + 4 * count;
  while (order < end) {
    v128.store(out + load<usize>(order), v128.load(from));
    from += 16;
    order += 4;
  }
}
