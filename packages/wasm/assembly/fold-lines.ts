/** H7 in f32: how far lifts take a vertex, `FoldSum.measure` in core, and how long the skin under a tool is then. */
import {
  FOLD_BYTES,
  FOLD_COMBINE,
  FOLD_NORMALS,
  FOLD_POSITIONS,
  FOLD_TOOL_COUNT,
  LINE_COUNT,
  LINE_ENTRIES,
  LINE_POINT_COUNT,
  LINE_POINTS,
  LINE_STATES,
  LINE_VERTICES,
  TOOL_BYTES,
  TOOL_DEPTH,
  TOOL_SCALE,
} from '../src/layout';
import { addLift, firstOf, SMOOTH, secondOf } from './lifts';
import { clearVectors, madd, sum3x4 } from './vector';

/** Ways along the normals of four vertices. @param room → two rooms of the first, and bytes to the next */
export function measureWays(state: usize, room: usize, stride: usize, combine: i32): v128 {
  const a = v128.load(state);
  const b = v128.load(state, 16);
  const c = v128.load(state, 32);
  const d = v128.load(state, 48);
  let own = v128.load32_zero(load<usize>(room));
  let other = v128.load32_zero(load<usize>(room, 4));
  room += stride;
  own = v128.load_lane<f32>(load<usize>(room), own, 1);
  other = v128.load_lane<f32>(load<usize>(room, 4), other, 1);
  room += stride;
  own = v128.load_lane<f32>(load<usize>(room), own, 2);
  other = v128.load_lane<f32>(load<usize>(room, 4), other, 2);
  room += stride;
  own = v128.load_lane<f32>(load<usize>(room), own, 3);
  other = v128.load_lane<f32>(load<usize>(room, 4), other, 3);
  let h = firstOf(a, b, c, d);
  if (combine === SMOOTH) h = f32x4.sqrt(f32x4.sqrt(h));
  const u = f32x4.div(f32x4.add(h, h), f32x4.pmin(own, other));
  const square = f32x4.mul(u, u);
  const held = f32x4.div(h, f32x4.sqrt(f32x4.sqrt(madd(square, square, f32x4.splat(1)))));
  const way = v128.bitselect(held, h, f32x4.gt(u, f32x4.splat(0)));
  return f32x4.sub(way, secondOf(a, b, c, d));
}

/** Length of the skin under a tool, with what all tools do to it. */
export function measureLine(fold: usize, tool: usize): f64 {
  const positions = load<usize>(fold, FOLD_POSITIONS);
  const normals = load<usize>(fold, FOLD_NORMALS);
  const states = load<usize>(tool, LINE_STATES);
  const count = load<usize>(tool, LINE_COUNT);
  const combine = load<i32>(fold, FOLD_COMBINE);
  clearVectors(states, count);
  let entry = load<usize>(tool, LINE_ENTRIES);
  let other = fold + FOLD_BYTES;
  for (const end = other + load<usize>(fold, FOLD_TOOL_COUNT) * TOOL_BYTES; other < end; other += TOOL_BYTES) {
    const last = entry + 4 + 8 * load<usize>(entry);
    const scale = load<f32>(other, TOOL_SCALE);
    const factors = f32x4(scale, load<f32>(other, TOOL_DEPTH), 1, 0);
    if (scale === 0) entry = last;
    else
      for (entry += 4; entry < last; entry += 8)
        addLift(states + load<usize>(entry), load<usize>(entry, 4), factors, combine);
  }
  let vertex = load<usize>(tool, LINE_VERTICES);
  for (let state = states; state < states + 16 * count; ) {
    let ways = measureWays(state, vertex + 4, 12, combine);
    for (const next = state + 64; state < next; state += 16, vertex += 12) {
      const v = load<usize>(vertex);
      const way = v128.shuffle<f32>(ways, ways, 0, 0, 0, 0);
      v128.store(state, madd(way, v128.load(normals + v), v128.load(positions + v)));
      ways = turn4(ways);
    }
  }
  let length = f64x2.splat(0);
  let point = load<usize>(tool, LINE_POINTS);
  let before = measurePoint(states, point);
  for (const end = point + 24 * load<usize>(tool, LINE_POINT_COUNT); point < end; point += 96) {
    const a = measurePoint(states, point);
    const b = measurePoint(states, point + 24);
    const c = measurePoint(states, point + 48);
    const d = measurePoint(states, point + 72);
    const u = f32x4.sub(a, before);
    const v = f32x4.sub(b, a);
    const w = f32x4.sub(c, b);
    before = f32x4.sub(d, c);
    const steps = f32x4.sqrt(sum3x4(f32x4.mul(u, u), f32x4.mul(v, v), f32x4.mul(w, w), f32x4.mul(before, before)));
    length = f64x2.add(length, f64x2.promote_low_f32x4(f32x4.add(steps, v128.shuffle<f32>(steps, steps, 2, 3, 2, 3))));
    before = d;
  }
  return f64x2.extract_lane(length, 0) + f64x2.extract_lane(length, 1);
}

/** The next lane first. */
function turn4(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 2, 3, 0);
}

function measurePoint(states: usize, point: usize): v128 {
  let q = f32x4.mul(v128.load(states + load<usize>(point)), v128.load_splat<f32>(point, 12));
  q = madd(v128.load(states + load<usize>(point, 4)), v128.load_splat<f32>(point, 16), q);
  return madd(v128.load(states + load<usize>(point, 8)), v128.load_splat<f32>(point, 20), q);
}
