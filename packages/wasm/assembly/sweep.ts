/** n′ = ½ n + ½ mean of the neighbours' n; `measure` also takes the block's share of 3V on the way: same indices, one pass. */
import {
  BLOCK_ANCHOR,
  BLOCK_COUNT,
  BLOCK_FIRST,
  BLOCK_RINGS,
  BLOCK_SUMS,
  FRAME_FIELD,
  FRAME_FIELD_1,
  FRAME_FIELD_2,
  FRAME_SHARES,
  FRAME_SKIN,
  SECOND_FIELD,
} from '../src/layout';
import { madd, turn } from './vector';

/** A polygon starts with one word: eight times its quadrilaterals; bit 0: its last point stands twice; bit 1: it is no ring. */
export function measureAndSweep(frame: usize, block: usize): void {
  const offset = load<usize>(block, BLOCK_FIRST) * 16;
  const end = offset + load<usize>(block, BLOCK_COUNT) * 16;
  const positions = load<usize>(frame, FRAME_SKIN);
  const from = load<usize>(frame, FRAME_FIELD);
  const to = load<usize>(frame, FRAME_FIELD_1);
  const shares = load<usize>(frame, FRAME_SHARES);
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  let ring = load<usize>(block, BLOCK_RINGS);
  let sumXY = f64x2.splat(0);
  let sumZ = f64x2.splat(0);
  let part = f32x4.splat(0);
  for (let k = offset; k < end; k += 16) {
    const head = load<u32>(ring);
    const i = load<usize>(ring, 4);
    const j = load<usize>(ring, 8);
    const first = v128.load(positions + i);
    let last = v128.load(positions + j);
    let field = v128.load(from + i);
    let lastField = v128.load(from + j);
    let area = f32x4.splat(0);
    ring += 12;
    const stop = ring + <usize>(head & ~7);
    while (ring < stop) {
      const b = load<usize>(ring);
      const c = load<usize>(ring, 4);
      const u = f32x4.sub(v128.load(positions + b), first);
      const p = v128.load(positions + c);
      const v = f32x4.sub(p, last);
      area = f32x4.add(area, f32x4.sub(f32x4.mul(u, turn(v)), f32x4.mul(turn(u), v)));
      last = p;
      field = f32x4.add(field, f32x4.add(lastField, v128.load(from + b)));
      lastField = v128.load(from + c);
      ring += 8;
    }
    const padded = head & 1;
    const valence = ((head >> 2) & ~1) + 2 - padded;
    if (!(head & 2)) {
      const own = f32x4.mul(f32x4.splat(0.5), v128.load(from + k));
      const others = padded ? field : f32x4.add(field, lastField);
      v128.store(to + k, f32x4.add(own, f32x4.mul(v128.load_splat<f32>(shares + 4 * <usize>valence), others)));
    }
    part = madd(f32x4.sub(v128.load(positions + k), origin), turn(area), part);
    if ((k & 48) !== 48) continue; // four in f32, the rest in f64
    sumXY = f64x2.add(sumXY, f64x2.promote_low_f32x4(part));
    sumZ = f64x2.add(sumZ, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
    part = f32x4.splat(0);
  }
  const sum = f64x2.extract_lane(sumXY, 0) + f64x2.extract_lane(sumXY, 1) + f64x2.extract_lane(sumZ, 0);
  store<f64>(load<usize>(block, BLOCK_SUMS), sum / 6);
}

/** The sweep alone. From the second sweep on, fields are swapped: SECOND_FIELD says that the last sweep ended in the second. */
export function sweep(frame: usize, block: usize, from: usize, to: usize): void {
  const offset = load<usize>(block, BLOCK_FIRST) * 16;
  const end = offset + load<usize>(block, BLOCK_COUNT) * 16;
  const shares = load<usize>(frame, FRAME_SHARES);
  let ring = load<usize>(block, BLOCK_RINGS);
  for (let k = offset; k < end; k += 16) {
    const head = load<u32>(ring);
    let field = v128.load(from + load<usize>(ring, 4));
    let lastField = v128.load(from + load<usize>(ring, 8));
    ring += 12;
    const stop = ring + <usize>(head & ~7);
    while (ring < stop) {
      field = f32x4.add(field, f32x4.add(lastField, v128.load(from + load<usize>(ring))));
      lastField = v128.load(from + load<usize>(ring, 4));
      ring += 8;
    }
    if (head & 2) continue;
    const padded = head & 1;
    const valence = ((head >> 2) & ~1) + 2 - padded;
    const own = f32x4.mul(f32x4.splat(0.5), v128.load(from + k));
    const others = padded ? field : f32x4.add(field, lastField);
    v128.store(to + k, f32x4.add(own, f32x4.mul(v128.load_splat<f32>(shares + 4 * <usize>valence), others)));
  }
}

/** The sweep where the neighbours are listed: records of place, count, neighbours. */
export function sweepOdd(block: usize, from: usize, to: usize): void {
  let record = load<usize>(block, BLOCK_RINGS);
  for (let n = load<u32>(block, BLOCK_COUNT); n > 0; n--) {
    const k = load<usize>(record);
    const count = load<u32>(record, 4);
    record += 8;
    let sum = f32x4.splat(0);
    for (let i: u32 = 0; i < count; i++) {
      sum = f32x4.add(sum, v128.load(from + load<usize>(record)));
      record += 4;
    }
    const share = f32x4.splat(count > 0 ? <f32>0.5 / <f32>count : 0);
    const own = f32x4.mul(f32x4.splat(0.5), v128.load(from + k));
    v128.store(to + k, f32x4.add(own, f32x4.mul(share, sum)));
  }
}

/** Where the swept directions of a phase stand. */
export function sweptField(frame: usize, flags: i32): usize {
  return <usize>(flags & SECOND_FIELD ? load<u32>(frame, FRAME_FIELD_2) : load<u32>(frame, FRAME_FIELD_1));
}
