/** H5–H7 in f32: what tools lift, `PlannedTool.lift` and `FoldSum` in core; see there. Four vertices at a time. */
import {
  FOLD_BYTES,
  FOLD_COMBINE,
  FOLD_COUNT,
  FOLD_FADES,
  FOLD_NORMALS,
  FOLD_POSITIONS,
  FOLD_STATES,
  FOLD_TOOL_COUNT,
  RECT_NUMBERS,
  TOOL_ACROSS,
  TOOL_ATTENUATION,
  TOOL_BYTES,
  TOOL_CURVE,
  TOOL_DEPTH,
  TOOL_FADE,
  TOOL_LIFTED,
  TOOL_LIFTS,
  TOOL_QUAD_COUNT,
  TOOL_QUADS,
  TOOL_RECT_COUNT,
  TOOL_RECTS,
  TOOL_ROOM,
  TOOL_SCALE,
  TOOL_SLOPE,
  TOOL_SMOOTH,
  TOOL_SPAN,
  TOOL_STEPS,
  TOOL_STEPS_BY_LENGTH,
} from '../src/layout';
import { clearVectors, madd, sum3 } from './vector';

const RECT_BYTES: usize = 4 * RECT_NUMBERS;
const MAX = 1;
export const SMOOTH = 2;
/** As in core: ⟨n, N⟩ from which a normal faces the rectangle in full, and what makes one nearer. */
const FACING: f32 = 0.25;
const TIE: f32 = 1e-4;

/** s of every vertex: the largest fade of a tool times its mask. */
export function wakeFolds(fold: usize): void {
  const fades = load<usize>(fold, FOLD_FADES);
  clearVectors(fades, load<usize>(fold, FOLD_COUNT) >> 2);
  let tool = fold + FOLD_BYTES;
  for (const end = tool + load<usize>(fold, FOLD_TOOL_COUNT) * TOOL_BYTES; tool < end; tool += TOOL_BYTES) {
    const s = load<f32>(tool, TOOL_FADE);
    if (s === 0) continue;
    let quad = load<usize>(tool, TOOL_QUADS);
    for (const last = quad + 64 * load<usize>(tool, TOOL_QUAD_COUNT); quad < last; quad += 64) {
      const at = fades + (load<usize>(quad) >> 2);
      v128.store(at, f32x4.pmax(v128.load(at), f32x4.mul(f32x4.splat(s), v128.load(quad, 16))));
    }
  }
}

export function liftFold(fold: usize, tool: usize): void {
  const positions = load<usize>(fold, FOLD_POSITIONS);
  const normals = load<usize>(fold, FOLD_NORMALS);
  const rects = load<usize>(tool, TOOL_RECTS);
  const lastRect = rects + RECT_BYTES * (load<usize>(tool, TOOL_RECT_COUNT) - 1);
  const span = v128.load_splat<f32>(tool, TOOL_SPAN);
  const across2 = v128.load_splat<f32>(tool, TOOL_ACROSS);
  const isStraight = rects === lastRect;
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  let nx = v128.load_splat<f32>(rects, 36);
  let ny = v128.load_splat<f32>(rects, 40);
  let nz = v128.load_splat<f32>(rects, 44);
  let lifted = zero;
  let room = zero;
  let out = load<usize>(tool, TOOL_LIFTS);
  let quad = load<usize>(tool, TOOL_QUADS);
  for (const end = quad + 64 * load<usize>(tool, TOOL_QUAD_COUNT); quad < end; quad += 64, out += 32) {
    v128.store(out, zero);
    v128.store(out, zero, 16);
    const position = positions + load<usize>(quad);
    let a = v128.load(position);
    let b = v128.load(position, 16);
    let c = v128.load(position, 32);
    let d = v128.load(position, 48);
    const px = firstOf(a, b, c, d);
    const py = secondOf(a, b, c, d);
    const pz = thirdOf(a, b, c, d);
    let nearest = f32x4.splat(Infinity);
    let x = zero;
    let t = zero;
    if (isStraight) {
      const qx = f32x4.sub(px, v128.load_splat<f32>(rects));
      const qy = f32x4.sub(py, v128.load_splat<f32>(rects, 4));
      const qz = f32x4.sub(pz, v128.load_splat<f32>(rects, 8));
      x = dot(qx, qy, qz, rects + 12);
      t = f32x4.mul(across2, dot(qx, qy, qz, rects + 24));
    } else
      for (let r = rects; r <= lastRect; r += RECT_BYTES) {
        const qx = f32x4.sub(px, v128.load_splat<f32>(r));
        const qy = f32x4.sub(py, v128.load_splat<f32>(r, 4));
        const qz = f32x4.sub(pz, v128.load_splat<f32>(r, 8));
        const along = dot(qx, qy, qz, r + 12);
        const across = dot(qx, qy, qz, r + 24);
        const up = dot(qx, qy, qz, r + 36);
        // Beyond the joint of two rectangles the joint itself is nearest; beyond A and B nothing is.
        const before = f32x4.lt(along, zero);
        const on = f32x4.pmin(f32x4.pmax(along, zero), v128.load_splat<f32>(r, 48));
        const over = f32x4.sub(along, on);
        const open = v128.bitselect(i32x4.splat(r === rects ? -1 : 0), i32x4.splat(r === lastRect ? -1 : 0), before);
        const flat = madd(across, across, f32x4.mul(over, over));
        const square = madd(up, up, flat);
        const isNearer = f32x4.lt(square, nearest);
        nearest = v128.bitselect(f32x4.mul(square, f32x4.splat(1 - TIE)), nearest, isNearer);
        const own = f32x4.add(v128.load_splat<f32>(r, 52), v128.bitselect(along, on, open));
        const sign = v128.and(across, i32x4.splat(i32.MIN_VALUE));
        const ownT = v128.bitselect(across, v128.or(f32x4.sqrt(flat), sign), open);
        x = v128.bitselect(own, x, isNearer);
        t = v128.bitselect(f32x4.mul(across2, ownT), t, isNearer);
        nx = v128.bitselect(v128.load_splat<f32>(r, 36), nx, isNearer);
        ny = v128.bitselect(v128.load_splat<f32>(r, 40), ny, isNearer);
        nz = v128.bitselect(v128.load_splat<f32>(r, 44), nz, isNearer);
      }
    let isOver = v128.and(f32x4.gt(x, zero), f32x4.lt(x, span));
    isOver = v128.and(isOver, f32x4.lt(f32x4.abs(t), one));
    if (!v128.any_true(isOver)) continue;
    const normal = normals + load<usize>(quad);
    a = v128.load(normal);
    b = v128.load(normal, 16);
    c = v128.load(normal, 32);
    d = v128.load(normal, 48);
    let facing = f32x4.mul(firstOf(a, b, c, d), nx);
    facing = madd(secondOf(a, b, c, d), ny, facing);
    facing = madd(thirdOf(a, b, c, d), nz, facing);
    let share = f32x4.mul(attenuate(t, load<i32>(tool, TOOL_ATTENUATION)), v128.load(quad, 16));
    share = v128.and(f32x4.mul(smoothStep(f32x4.mul(facing, f32x4.splat(1 / FACING))), share), isOver);
    const end = f32x4.mul(f32x4.pmin(x, f32x4.sub(span, x)), v128.load_splat<f32>(tool, TOOL_SLOPE));
    const height = f32x4.mul(measureHeight(tool, x), share);
    const sink = f32x4.mul(smoothStep(end), share);
    v128.store(out, height);
    v128.store(out, sink, 16);
    let area = v128.load32_zero(load<usize>(quad, 48) + 12);
    area = v128.load_lane<f32>(load<usize>(quad, 52) + 12, area, 1);
    area = v128.load_lane<f32>(load<usize>(quad, 56) + 12, area, 2);
    area = v128.load_lane<f32>(load<usize>(quad, 60) + 12, area, 3);
    area = f32x4.mul(area, v128.load(quad, 32));
    lifted = madd(area, height, lifted);
    room = madd(area, sink, room);
  }
  store<f32>(tool, sum4(lifted), TOOL_LIFTED);
  store<f32>(tool, sum4(room), TOOL_ROOM);
}

function sum4(a: v128): f32 {
  return f32x4.extract_lane(sum3(a), 0) + f32x4.extract_lane(a, 3);
}

function dot(x: v128, y: v128, z: v128, row: usize): v128 {
  const xy = madd(y, v128.load_splat<f32>(row, 4), f32x4.mul(x, v128.load_splat<f32>(row)));
  return madd(z, v128.load_splat<f32>(row, 8), xy);
}

export function firstOf(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.shuffle<f32>(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 0, 4, 1, 5), 0, 1, 4, 5);
}

export function secondOf(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.shuffle<f32>(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 0, 4, 1, 5), 2, 3, 6, 7);
}

function thirdOf(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.shuffle<f32>(v128.shuffle<f32>(a, b, 2, 6, 3, 7), v128.shuffle<f32>(c, d, 2, 6, 3, 7), 0, 1, 4, 5);
}

function smoothStep(u: v128): v128 {
  const s = f32x4.pmin(f32x4.pmax(u, f32x4.splat(0)), f32x4.splat(1));
  return f32x4.mul(f32x4.mul(s, s), madd(f32x4.splat(-2), s, f32x4.splat(3)));
}

function attenuate(t: v128, kind: i32): v128 {
  if (kind === 0) return f32x4.splat(1);
  if (kind === 1) return f32x4.sub(f32x4.splat(1), f32x4.abs(t));
  const s = f32x4.mul(t, t);
  const inner = madd(s, madd(f32x4.splat(-4), s, f32x4.splat(17)), f32x4.splat(-22));
  return madd(f32x4.mul(s, f32x4.splat(1.0 / 9)), inner, f32x4.splat(1));
}

/** Height of the curve at x. */
function measureHeight(tool: usize, x: v128): v128 {
  const curve = load<usize>(tool, TOOL_CURVE);
  const last = v128.load_splat<f32>(tool, TOOL_STEPS);
  const at = f32x4.mul(x, v128.load_splat<f32>(tool, TOOL_STEPS_BY_LENGTH));
  const floor = f32x4.floor(f32x4.pmin(f32x4.pmax(at, f32x4.splat(0)), f32x4.sub(last, f32x4.splat(1))));
  const i = i32x4.trunc_sat_f32x4_s(floor);
  // Two heights each: low and high.
  const a = v128.load64_zero(curve + 4 * <usize>i32x4.extract_lane(i, 0));
  const b = v128.load64_zero(curve + 4 * <usize>i32x4.extract_lane(i, 1));
  const c = v128.load64_zero(curve + 4 * <usize>i32x4.extract_lane(i, 2));
  const d = v128.load64_zero(curve + 4 * <usize>i32x4.extract_lane(i, 3));
  const low = firstOf(a, b, c, d);
  let u = f32x4.sub(at, floor);
  if (load<i32>(tool, TOOL_SMOOTH)) u = smoothStep(u);
  return madd(u, f32x4.sub(secondOf(a, b, c, d), low), low);
}

/** What a tool does, at TOOL_SCALE and TOOL_DEPTH, to all its vertices. */
export function addLifts(fold: usize, tool: usize): void {
  const states = load<usize>(fold, FOLD_STATES);
  const combine = load<i32>(fold, FOLD_COMBINE);
  const scale = v128.load_splat<f32>(tool, TOOL_SCALE);
  const depth = v128.load_splat<f32>(tool, TOOL_DEPTH);
  let lift = load<usize>(tool, TOOL_LIFTS);
  let quad = load<usize>(tool, TOOL_QUADS);
  for (const end = quad + 64 * load<usize>(tool, TOOL_QUAD_COUNT); quad < end; quad += 64, lift += 32) {
    const sinks = v128.load(lift, 16);
    if (!v128.any_true(v128.or(v128.load(lift), sinks))) continue;
    const state = states + (load<usize>(quad) >> 2) * 3;
    v128.store(state, combineLifts(v128.load(state), f32x4.mul(v128.load(lift), scale), combine));
    v128.store(state, madd(sinks, depth, v128.load(state, 16)), 16);
    v128.store(state, f32x4.add(sinks, v128.load(state, 32)), 32);
  }
}

/** Heights of a tool onto those of others. */
export function combineLifts(before: v128, own: v128, combine: i32): v128 {
  if (combine === MAX) return f32x4.pmax(before, own);
  if (combine === SMOOTH) {
    own = f32x4.mul(own, own);
    own = f32x4.mul(own, own);
  }
  return f32x4.add(before, own);
}
