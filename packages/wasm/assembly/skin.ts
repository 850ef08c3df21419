/**
 * A2, C15. x_k = Σ ω T x̄_k, n_k = Σ ω A n̄_k, four influences a vertex (the few vertices with more get the rest afterwards), and
 * y_k = x_k + (Σ_s λ_s φ_sk) n_k in its place while the block is in the first cache.
 */
import {
  BLOCK_BASES,
  BLOCK_COUNT,
  BLOCK_FIRST,
  BLOCK_GIVEN,
  BLOCK_LARGE,
  BLOCK_LARGE_COUNT,
  FRAME_FIELD,
  FRAME_MATRICES,
  FRAME_ORDER,
  FRAME_OUT_SKINNED,
  FRAME_REST,
  FRAME_REST_DIRECTIONS,
  FRAME_SURFACE,
  REST_BONES,
  REST_BYTES,
  REST_WEIGHTS,
  WITH_AMOUNTS,
  WITH_DIRECTIONS,
  WITH_GIVEN,
  WITH_SKINNED,
} from '../src/layout';
import { displace } from './displace';
import { madd } from './vector';

export function skin(frame: usize, block: usize, flags: i32): void {
  const directions = (flags & WITH_DIRECTIONS) !== 0;
  if (directions) blendVertices<v128>(frame, block);
  else blendVertices<void>(frame, block);
  addLarge(frame, block, directions);
  if (flags & WITH_SKINNED) writeSkinned(frame, block);
  if (flags & WITH_AMOUNTS) displace(frame, block, load<usize>(block, BLOCK_BASES), 0);
  if (flags & WITH_GIVEN) displace(frame, block, load<usize>(block, BLOCK_GIVEN), 0);
}

/** x, and n unless Field is void: compiled twice, so that the choice costs nothing. */
function blendVertices<Field>(frame: usize, block: usize): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const matrices = load<usize>(frame, FRAME_MATRICES);
  let rest = load<usize>(frame, FRAME_REST) + first * REST_BYTES;
  let restField = load<usize>(frame, FRAME_REST_DIRECTIONS) + first * 12;
  let out = load<usize>(frame, FRAME_SURFACE) + first * 16;
  let field = load<usize>(frame, FRAME_FIELD) + first * 16;
  const end = out + load<usize>(block, BLOCK_COUNT) * 16;
  for (; out < end; out += 16) {
    const m0 = matrices + <usize>load<u16>(rest, REST_BONES) * 64;
    const m1 = matrices + <usize>load<u16>(rest, REST_BONES + 2) * 64;
    const m2 = matrices + <usize>load<u16>(rest, REST_BONES + 4) * 64;
    const m3 = matrices + <usize>load<u16>(rest, REST_BONES + 6) * 64;
    const w0 = v128.load_splat<f32>(rest, REST_WEIGHTS);
    const w1 = v128.load_splat<f32>(rest, REST_WEIGHTS + 4);
    const w2 = v128.load_splat<f32>(rest, REST_WEIGHTS + 8);
    const w3 = v128.load_splat<f32>(rest, REST_WEIGHTS + 12);
    let a = f32x4.mul(w0, v128.load(m0));
    let b = f32x4.mul(w0, v128.load(m0, 16));
    let c = f32x4.mul(w0, v128.load(m0, 32));
    let x = f32x4.mul(w0, v128.load(m0, 48));
    a = madd(w1, v128.load(m1), a);
    b = madd(w1, v128.load(m1, 16), b);
    c = madd(w1, v128.load(m1, 32), c);
    x = madd(w1, v128.load(m1, 48), x);
    a = madd(w2, v128.load(m2), a);
    b = madd(w2, v128.load(m2, 16), b);
    c = madd(w2, v128.load(m2, 32), c);
    x = madd(w2, v128.load(m2, 48), x);
    a = madd(w3, v128.load(m3), a);
    b = madd(w3, v128.load(m3, 16), b);
    c = madd(w3, v128.load(m3, 32), c);
    x = madd(w3, v128.load(m3, 48), x);
    x = madd(a, v128.load_splat<f32>(rest), x);
    x = madd(b, v128.load_splat<f32>(rest, 4), x);
    x = madd(c, v128.load_splat<f32>(rest, 8), x);
    v128.store(out, x);
    rest += REST_BYTES;
    if (isVoid<Field>()) continue;
    let n = f32x4.mul(a, v128.load_splat<f32>(restField));
    n = madd(b, v128.load_splat<f32>(restField, 4), n);
    n = madd(c, v128.load_splat<f32>(restField, 8), n);
    v128.store(field, n);
    restField += 12;
    field += 16;
  }
}

/** Influences beyond the fourth: records of vertex, bone, weight. */
function addLarge(frame: usize, block: usize, directions: bool): void {
  let record = load<usize>(block, BLOCK_LARGE);
  const end = record + load<usize>(block, BLOCK_LARGE_COUNT) * 12;
  const matrices = load<usize>(frame, FRAME_MATRICES);
  for (; record < end; record += 12) {
    const k = load<usize>(record);
    const matrix = matrices + load<usize>(record, 4) * 64;
    const weight = v128.load_splat<f32>(record, 8);
    const rest = load<usize>(frame, FRAME_REST) + k * REST_BYTES;
    let x = v128.load(matrix, 48);
    x = madd(v128.load(matrix), v128.load_splat<f32>(rest), x);
    x = madd(v128.load(matrix, 16), v128.load_splat<f32>(rest, 4), x);
    x = madd(v128.load(matrix, 32), v128.load_splat<f32>(rest, 8), x);
    const out = load<usize>(frame, FRAME_SURFACE) + k * 16;
    v128.store(out, madd(weight, x, v128.load(out)));
    if (!directions) continue;
    const restField = load<usize>(frame, FRAME_REST_DIRECTIONS) + k * 12;
    let n = f32x4.mul(v128.load(matrix), v128.load_splat<f32>(restField));
    n = madd(v128.load(matrix, 16), v128.load_splat<f32>(restField, 4), n);
    n = madd(v128.load(matrix, 32), v128.load_splat<f32>(restField, 8), n);
    const field = load<usize>(frame, FRAME_FIELD) + k * 16;
    v128.store(field, madd(weight, n, v128.load(field)));
  }
}

function writeSkinned(frame: usize, block: usize): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const out = load<usize>(frame, FRAME_OUT_SKINNED);
  let x = load<usize>(frame, FRAME_SURFACE) + first * 16;
  let order = load<usize>(frame, FRAME_ORDER) + first * 4;
  const end = order + load<usize>(block, BLOCK_COUNT) * 4;
  for (; order < end; order += 4) {
    v128.store(out + load<usize>(order), v128.load(x));
    x += 16;
  }
}
