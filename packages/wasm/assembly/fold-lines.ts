/** H7 in f32: how far lifts take a vertex, `FoldSum` in core, and how long the skin under a tool is then. */
import {
  FOLD_COMBINE,
  FOLD_NORMALS,
  FOLD_POSITIONS,
  LINE_COUNT,
  LINE_ENTRIES,
  LINE_LIFTS,
  LINE_POINT_COUNT,
  LINE_POINTS,
  LINE_ROOMS,
  LINE_STATES,
  LINE_TOOL_COUNT,
  LINE_TOOLS,
  LINE_VERTICES,
  TOOL_DEPTH,
  TOOL_SCALE,
} from '../src/layout';
import { combineLifts, SMOOTH } from './lifts';
import { first, fourth, madd, second, sum3x4, third } from './vector';

/** How far heights take four vertices: those of a hollow stay below half the room in which their normals meet. */
export function holdBack(h: v128, room: v128): v128 {
  const u = f32x4.div(f32x4.add(h, h), room);
  const square = f32x4.mul(u, u);
  const held = f32x4.div(h, f32x4.sqrt(f32x4.sqrt(madd(square, square, f32x4.splat(1)))));
  return v128.bitselect(held, h, f32x4.gt(u, f32x4.splat(0)));
}

/** What stays while scales are sought: rooms of the vertices of a line, and what tools do to them at scale 1. */
export function startLine(tool: usize): void {
  const count = load<usize>(tool, LINE_COUNT);
  let room = load<usize>(tool, LINE_ROOMS);
  let vertex = load<usize>(tool, LINE_VERTICES);
  for (const end = room + 4 * count; room < end; room += 4, vertex += 12) {
    const own = v128.load32_zero(load<usize>(vertex, 4));
    v128.store_lane<f32>(room, f32x4.pmin(own, v128.load32_zero(load<usize>(vertex, 8))), 0);
  }
  let entry = load<usize>(tool, LINE_ENTRIES);
  let lifts = load<usize>(tool, LINE_LIFTS);
  for (let n = load<usize>(tool, LINE_TOOL_COUNT); n > 0; n--, lifts += 8 * count) {
    const last = entry + 4 + 8 * load<usize>(entry);
    for (entry += 4; entry < last; entry += 8) {
      const lift = load<usize>(entry, 4);
      const out = lifts + load<usize>(entry);
      store<f32>(out, load<f32>(lift));
      store<f32>(out, load<f32>(lift, 16), 16);
    }
  }
}

/** Length of the skin under a tool, with what all tools do to it. */
export function measureLine(fold: usize, tool: usize): f64 {
  const positions = load<usize>(fold, FOLD_POSITIONS);
  const normals = load<usize>(fold, FOLD_NORMALS);
  const states = load<usize>(tool, LINE_STATES);
  const count = load<usize>(tool, LINE_COUNT);
  const combine = load<i32>(fold, FOLD_COMBINE);
  const tools = load<usize>(tool, LINE_TOOLS);
  const lastTool = tools + 4 * load<usize>(tool, LINE_TOOL_COUNT);
  let room = load<usize>(tool, LINE_ROOMS);
  let lifts = load<usize>(tool, LINE_LIFTS);
  let vertex = load<usize>(tool, LINE_VERTICES);
  for (let state = states; state < states + 16 * count; state += 64, vertex += 48, room += 16, lifts += 32) {
    let h = f32x4.splat(0);
    let given = f32x4.splat(0);
    let lift = lifts;
    for (let at = tools; at < lastTool; at += 4, lift += 8 * count) {
      const other = load<usize>(at);
      if (load<f32>(other, TOOL_SCALE) === 0) continue; // its lifts may be of another frame
      h = combineLifts(h, f32x4.mul(v128.load(lift), v128.load_splat<f32>(other, TOOL_SCALE)), combine);
      given = madd(v128.load(lift, 16), v128.load_splat<f32>(other, TOOL_DEPTH), given);
    }
    if (combine === SMOOTH) h = f32x4.sqrt(f32x4.sqrt(h));
    const ways = f32x4.sub(holdBack(h, v128.load(room)), given);
    const a = load<usize>(vertex);
    const b = load<usize>(vertex, 12);
    const c = load<usize>(vertex, 24);
    const d = load<usize>(vertex, 36);
    v128.store(state, madd(first(ways), v128.load(normals + a), v128.load(positions + a)));
    v128.store(state, madd(second(ways), v128.load(normals + b), v128.load(positions + b)), 16);
    v128.store(state, madd(third(ways), v128.load(normals + c), v128.load(positions + c)), 32);
    v128.store(state, madd(fourth(ways), v128.load(normals + d), v128.load(positions + d)), 48);
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

function measurePoint(states: usize, point: usize): v128 {
  let q = f32x4.mul(v128.load(states + load<usize>(point)), v128.load_splat<f32>(point, 12));
  q = madd(v128.load(states + load<usize>(point, 4)), v128.load_splat<f32>(point, 16), q);
  return madd(v128.load(states + load<usize>(point, 8)), v128.load_splat<f32>(point, 20), q);
}
