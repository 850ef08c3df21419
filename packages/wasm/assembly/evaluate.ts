/**
 * B2, B4, C15. One walk over the polygons of a block: area vectors a, and from them, four vertices at a time, normals and the block's
 * share of the volume and of its row of the Jacobian.
 *
 *   3V_s = Σ_k (y_k − o)·a_k        ∂V_s/∂λ_t = Σ_k ⟨n_k, a_k⟩ φ_tk
 *
 * Area vectors are six times too large until the end, and never reach memory.
 */
import {
  BLOCK_ANCHOR,
  BLOCK_BASES,
  BLOCK_COUNT,
  BLOCK_FIRST,
  BLOCK_RINGS,
  FRAME_FIELD,
  FRAME_ORDER,
  FRAME_OUT_NORMALS,
  FRAME_OUT_POSITIONS,
  FRAME_SURFACE,
} from '../src/layout';
import { addRow, clearRow, storeVolume } from './sums';
import { madd, sum3x4, turn } from './vector';

/** V and ∂V/∂λ of a block. @param normals also these. @param areas room for a block. */
export function evaluateVertices(frame: usize, block: usize, normals: bool, areas: usize): void {
  measureAreas(frame, block, normals, false, areas);
  measureSums(frame, block, areas);
}

/** @param written also y, in the caller's order. */
export function measureNormals(frame: usize, block: usize, written: bool, areas: usize): void {
  measureAreas(frame, block, true, written, areas);
}

/** Area vectors, and normals in the caller's order; a zero area vector stays zero. */
function measureAreas(frame: usize, block: usize, turned: bool, written: bool, areas: usize): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const positions = load<usize>(frame, FRAME_SURFACE);
  const normals = load<usize>(frame, FRAME_OUT_NORMALS);
  let order = load<usize>(frame, FRAME_ORDER) + first * 4;
  let ring = load<usize>(block, BLOCK_RINGS);
  let y = positions + first * 16;
  const end = areas + load<usize>(block, BLOCK_COUNT) * 16;
  while (areas < end) {
    for (const four = areas + 64; areas < four; areas += 16) {
      // measurePolygon, here: a call would cost a tenth of the pass.
      const r0 = v128.load(positions + load<usize>(ring, 4));
      let last = v128.load(positions + load<usize>(ring, 8));
      let area = f32x4.splat(0);
      const stop = ring + 12 + load<usize>(ring);
      for (ring += 12; ring < stop; ring += 8) {
        const c = v128.load(positions + load<usize>(ring, 4));
        const u = f32x4.sub(v128.load(positions + load<usize>(ring)), r0);
        const v = f32x4.sub(c, last);
        area = f32x4.add(area, f32x4.sub(f32x4.mul(u, turn(v)), f32x4.mul(turn(u), v)));
        last = c;
      }
      v128.store(areas, turn(area));
    }
    if (!turned) continue;
    const a = v128.load(areas - 64);
    const b = v128.load(areas - 48);
    const c = v128.load(areas - 32);
    const d = v128.load(areas - 16);
    const squares = sum3x4(f32x4.mul(a, a), f32x4.mul(b, b), f32x4.mul(c, c), f32x4.mul(d, d));
    const scale = f32x4.div(f32x4.splat(1), f32x4.sqrt(f32x4.max(squares, f32x4.splat(1e-37))));
    v128.store(normals + load<usize>(order), f32x4.mul(a, v128.shuffle<f32>(scale, scale, 0, 0, 0, 0)));
    v128.store(normals + load<usize>(order, 4), f32x4.mul(b, v128.shuffle<f32>(scale, scale, 1, 1, 1, 1)));
    v128.store(normals + load<usize>(order, 8), f32x4.mul(c, v128.shuffle<f32>(scale, scale, 2, 2, 2, 2)));
    v128.store(normals + load<usize>(order, 12), f32x4.mul(d, v128.shuffle<f32>(scale, scale, 3, 3, 3, 3)));
    if (written) writePositions(load<usize>(frame, FRAME_OUT_POSITIONS), y, order);
    order += 16;
    y += 64;
  }
}

/** 3V and ∂V/∂λ; sums of four vertices in f32, 3V beyond in f64. */
function measureSums(frame: usize, block: usize, areas: usize): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const positions = load<usize>(frame, FRAME_SURFACE);
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const row = clearRow(block);
  const end = areas + load<usize>(block, BLOCK_COUNT) * 16;
  let n = load<usize>(frame, FRAME_FIELD) + first * 16;
  let y = positions + first * 16;
  let phi = load<usize>(block, BLOCK_BASES);
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (; areas < end; areas += 64) {
    const a = v128.load(areas);
    const b = v128.load(areas, 16);
    const c = v128.load(areas, 32);
    const d = v128.load(areas, 48);
    let part = f32x4.mul(f32x4.sub(v128.load(y), origin), a);
    part = madd(f32x4.sub(v128.load(y, 16), origin), b, part);
    part = madd(f32x4.sub(v128.load(y, 32), origin), c, part);
    part = madd(f32x4.sub(v128.load(y, 48), origin), d, part);
    low = f64x2.add(low, f64x2.promote_low_f32x4(part));
    high = f64x2.add(high, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
    const slopes = sum3x4(
      f32x4.mul(v128.load(n), a),
      f32x4.mul(v128.load(n, 16), b),
      f32x4.mul(v128.load(n, 32), c),
      f32x4.mul(v128.load(n, 48), d),
    );
    n += 64;
    y += 64;
    const stop = phi + 4 + load<usize>(phi);
    for (phi += 4; phi < stop; phi += 20) {
      const at = row + <usize>load<u16>(phi, 2);
      v128.store(at, madd(slopes, v128.load(phi, 4), v128.load(at)));
    }
  }
  storeVolume(block, 0, low, high);
  addRow(block);
}

function writePositions(out: usize, y: usize, order: usize): void {
  v128.store(out + load<usize>(order), v128.load(y));
  v128.store(out + load<usize>(order, 4), v128.load(y, 16));
  v128.store(out + load<usize>(order, 8), v128.load(y, 32));
  v128.store(out + load<usize>(order, 12), v128.load(y, 48));
}
