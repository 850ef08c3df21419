/** H1–H9 in f32: the passes of `FoldPasses` in core, in its order; see there. */
import {
  FOLD_AREAS,
  FOLD_COMBINE,
  FOLD_COUNT,
  FOLD_FADES,
  FOLD_FIRST,
  FOLD_NORMALS,
  FOLD_OLD,
  FOLD_ORIGIN,
  FOLD_OUT_NORMALS,
  FOLD_OUT_POSITIONS,
  FOLD_OWN_ROOMS,
  FOLD_PATCH_BYTES,
  FOLD_PATCH_COUNT,
  FOLD_PATCHES,
  FOLD_POSITIONS,
  FOLD_RIM,
  FOLD_RIM_COUNT,
  FOLD_RINGS,
  FOLD_ROOMS,
  FOLD_SOURCES,
  FOLD_STATES,
  FOLD_TARGETS,
} from '../src/layout';
import { holdBack } from './fold-lines';
import { SMOOTH } from './lifts';
import { first, fourth, madd, measurePolygon, second, sum3, sum3x4, third, turn } from './vector';

/** Old vertices from the outputs, about the origin. */
function gather(fold: usize): void {
  const origin = v128.load(fold, FOLD_ORIGIN);
  const originZ = v128.load64_zero(fold, FOLD_ORIGIN + 16);
  const fromPositions = load<usize>(fold, FOLD_OUT_POSITIONS);
  const fromNormals = load<usize>(fold, FOLD_OUT_NORMALS);
  let source = load<usize>(fold, FOLD_SOURCES);
  let position = load<usize>(fold, FOLD_POSITIONS);
  let normal = load<usize>(fold, FOLD_NORMALS);
  for (const end = position + 16 * load<usize>(fold, FOLD_OLD); position < end; position += 16) {
    const at = load<usize>(source);
    v128.store(position, readNarrow(fromPositions + at, origin, originZ));
    v128.store(normal, readNarrow(fromNormals + at, f64x2.splat(0), f64x2.splat(0)));
    source += 4;
    normal += 16;
  }
}

function readNarrow(from: usize, origin: v128, originZ: v128): v128 {
  const low = f32x4.demote_f64x2_zero(f64x2.sub(v128.load(from), origin));
  const high = f32x4.demote_f64x2_zero(f64x2.sub(v128.load64_zero(from, 16), originZ));
  return v128.shuffle<f32>(low, high, 0, 1, 4, 5);
}

/** Areas and rooms of the patches, rooms of their vertices; returns six times the volume under them and under the shares of the rim. */
export function startFolds(fold: usize): f64 {
  gather(fold);
  const positions = load<usize>(fold, FOLD_POSITIONS);
  const normals = load<usize>(fold, FOLD_NORMALS);
  const ownRooms = load<usize>(fold, FOLD_OWN_ROOMS);
  let own = ownRooms + 4 * load<usize>(fold, FOLD_FIRST);
  for (; own < ownRooms + 4 * load<usize>(fold, FOLD_OLD); own += 16) v128.store(own, f32x4.splat(Infinity));
  let volume: f64 = 0;
  let patch = load<usize>(fold, FOLD_PATCHES);
  const end = patch + load<usize>(fold, FOLD_PATCH_COUNT) * FOLD_PATCH_BYTES;
  for (; patch < end; patch += FOLD_PATCH_BYTES) {
    const i = load<usize>(patch);
    const j = load<usize>(patch, 4);
    const k = load<usize>(patch, 8);
    const a = v128.load(positions + i);
    const b = v128.load(positions + j);
    const c = v128.load(positions + k);
    const u = f32x4.sub(b, a);
    const v = f32x4.sub(c, b);
    const w = f32x4.sub(a, c);
    const na = v128.load(normals + i);
    const nb = v128.load(normals + j);
    const nc = v128.load(normals + k);
    const cross = turn(f32x4.sub(f32x4.mul(turn(u), w), f32x4.mul(u, turn(w))));
    const closing = sum3x4(
      f32x4.mul(u, f32x4.sub(na, nb)),
      f32x4.mul(v, f32x4.sub(nb, nc)),
      f32x4.mul(w, f32x4.sub(nc, na)),
      f32x4.mul(a, cross),
    );
    const sums = sum3x4(f32x4.mul(u, u), f32x4.mul(v, v), f32x4.mul(w, w), f32x4.mul(cross, cross));
    const isClosing = f32x4.gt(closing, f32x4.splat(0));
    const rooms = v128.bitselect(f32x4.div(sums, closing), f32x4.splat(Infinity), isClosing);
    // Of the edges before and behind a, b, c, and of all.
    const both = f32x4.pmin(rooms, v128.shuffle<f32>(rooms, rooms, 2, 0, 1, 3));
    const all = f32x4.pmin(both, turn(both));
    store<f32>(patch, Mathf.sqrt(f32x4.extract_lane(sums, 3)) / 2, 12);
    store<f32>(patch, f32x4.extract_lane(all, 0), 16);
    lowerRoom(ownRooms + (i >> 2), both);
    lowerRoom(ownRooms + (j >> 2), turn(both));
    lowerRoom(ownRooms + (k >> 2), third(both));
    volume += <f64>f32x4.extract_lane(closing, 3);
  }
  let rim = load<usize>(fold, FOLD_RIM);
  for (const last = rim + 16 * load<usize>(fold, FOLD_RIM_COUNT); rim < last; rim += 16) {
    const a = v128.load(positions + load<usize>(rim));
    const u = f32x4.sub(v128.load(positions + load<usize>(rim, 4)), a);
    const v = f32x4.sub(v128.load(positions + load<usize>(rim, 8)), a);
    const cross = turn(f32x4.sub(f32x4.mul(u, turn(v)), f32x4.mul(turn(u), v)));
    volume += <f64>(f32x4.extract_lane(sum3(f32x4.mul(a, cross)), 0) * load<f32>(rim, 12));
  }
  return volume;
}

/** @param room in the first lane */
function lowerRoom(at: usize, room: v128): void {
  v128.store_lane<f32>(at, f32x4.pmin(v128.load32_zero(at), room), 0);
}

/** Ways along the normals of four vertices. @param room → two rooms of each */
function measureWays(state: usize, room: usize, combine: i32): v128 {
  let own = v128.load32_zero(load<usize>(room));
  let other = v128.load32_zero(load<usize>(room, 4));
  own = v128.load_lane<f32>(load<usize>(room, 8), own, 1);
  other = v128.load_lane<f32>(load<usize>(room, 12), other, 1);
  own = v128.load_lane<f32>(load<usize>(room, 16), own, 2);
  other = v128.load_lane<f32>(load<usize>(room, 20), other, 2);
  own = v128.load_lane<f32>(load<usize>(room, 24), own, 3);
  other = v128.load_lane<f32>(load<usize>(room, 28), other, 3);
  let h = v128.load(state);
  if (combine === SMOOTH) h = f32x4.sqrt(f32x4.sqrt(h));
  return f32x4.sub(holdBack(h, f32x4.pmin(own, other)), v128.load(state, 16));
}

/** Lifts the vertices, turns their normals, which go to the output; returns six times the volume under the patches and the shares of the rim. */
export function raiseFolds(fold: usize): f64 {
  const combine = load<i32>(fold, FOLD_COMBINE);
  const still = load<usize>(fold, FOLD_FIRST);
  const start = load<usize>(fold, FOLD_POSITIONS) + 16 * still;
  const end = start + 16 * (load<usize>(fold, FOLD_COUNT) - still);
  let state = load<usize>(fold, FOLD_STATES) + 12 * still;
  let room = load<usize>(fold, FOLD_ROOMS) + 8 * still;
  let normal = load<usize>(fold, FOLD_NORMALS) + 16 * still;
  for (let position = start; position < end; position += 64) {
    if (v128.any_true(v128.or(v128.load(state), v128.load(state, 16)))) {
      const ways = measureWays(state, room, combine);
      v128.store(position, madd(first(ways), v128.load(normal), v128.load(position)));
      v128.store(position, madd(second(ways), v128.load(normal, 16), v128.load(position, 16)), 16);
      v128.store(position, madd(third(ways), v128.load(normal, 32), v128.load(position, 32)), 32);
      v128.store(position, madd(fourth(ways), v128.load(normal, 48), v128.load(position, 48)), 48);
    }
    state += 48;
    normal += 64;
    room += 32;
  }
  const normals = load<usize>(fold, FOLD_OUT_NORMALS);
  const areaVectors = fold + FOLD_AREAS;
  let fade = load<usize>(fold, FOLD_FADES) + 4 * still;
  let target = load<usize>(fold, FOLD_TARGETS) + 4 * still;
  let ring = load<usize>(fold, FOLD_RINGS);
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  normal = load<usize>(fold, FOLD_NORMALS) + 16 * still;
  for (let position = start; position < end; position += 64, normal += 64, fade += 16, target += 16) {
    let part = f32x4.splat(0);
    const areSix = load<u32>(ring);
    ring += 4;
    if (areSix) {
      for (let lane: usize = 0; lane < 64; lane += 16, ring += 24) {
        const first = v128.load(load<usize>(ring));
        const last = v128.load(load<usize>(ring, 12));
        const t = f32x4.sub(v128.load(load<usize>(ring, 8)), first);
        const u = f32x4.sub(last, v128.load(load<usize>(ring, 4)));
        const v = f32x4.sub(v128.load(load<usize>(ring, 16)), first);
        const w = f32x4.sub(v128.load(load<usize>(ring, 20)), last);
        const minus = madd(turn(v), w, f32x4.mul(turn(t), u));
        const area = turn(f32x4.sub(madd(v, turn(w), f32x4.mul(t, turn(u))), minus));
        part = madd(area, v128.load(position + lane), part);
        v128.store(areaVectors + lane, area);
      }
    } else {
      for (let lane: usize = 0; lane < 64; lane += 16) {
        const bytes = load<u32>(ring);
        const area = measurePolygon(ring + 4, bytes, 0);
        part = madd(area, v128.load(position + lane), part);
        v128.store(areaVectors + lane, area);
        ring += 12 + bytes;
      }
    }
    const a = v128.load(areaVectors);
    const b = v128.load(areaVectors, 16);
    const c = v128.load(areaVectors, 32);
    const d = v128.load(areaVectors, 48);
    low = f64x2.add(low, f64x2.promote_low_f32x4(part));
    high = f64x2.add(high, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
    const s = v128.load(fade);
    const squares = sum3x4(f32x4.mul(a, a), f32x4.mul(b, b), f32x4.mul(c, c), f32x4.mul(d, d));
    const areas = f32x4.sqrt(squares);
    // Vertices without area, or that do not fold, keep their normals; opposite ones leave none.
    const isWide = f32x4.gt(areas, f32x4.splat(0));
    if (i32x4.all_true(v128.and(isWide, f32x4.ge(s, f32x4.splat(1))))) {
      const units = f32x4.div(f32x4.splat(1), areas);
      writeNormal(normals + load<usize>(target), f32x4.mul(a, first(units)));
      writeNormal(normals + load<usize>(target, 4), f32x4.mul(b, second(units)));
      writeNormal(normals + load<usize>(target, 8), f32x4.mul(c, third(units)));
      writeNormal(normals + load<usize>(target, 12), f32x4.mul(d, fourth(units)));
      continue;
    }
    // s a/|a| + (1 − s) n, times |a|.
    const share = v128.and(s, isWide);
    const rest = f32x4.mul(f32x4.sub(f32x4.splat(1), share), v128.bitselect(areas, f32x4.splat(1), isWide));
    const na = madd(first(share), a, f32x4.mul(first(rest), v128.load(normal)));
    const nb = madd(second(share), b, f32x4.mul(second(rest), v128.load(normal, 16)));
    const nc = madd(third(share), c, f32x4.mul(third(rest), v128.load(normal, 32)));
    const nd = madd(fourth(share), d, f32x4.mul(fourth(rest), v128.load(normal, 48)));
    const lengths = f32x4.sqrt(sum3x4(f32x4.mul(na, na), f32x4.mul(nb, nb), f32x4.mul(nc, nc), f32x4.mul(nd, nd)));
    const isTurned = f32x4.gt(lengths, f32x4.mul(f32x4.splat(1e-6), areas));
    const units = v128.and(f32x4.div(f32x4.splat(1), lengths), isTurned);
    writeNormal(normals + load<usize>(target), f32x4.mul(na, first(units)));
    writeNormal(normals + load<usize>(target, 4), f32x4.mul(nb, second(units)));
    writeNormal(normals + load<usize>(target, 8), f32x4.mul(nc, third(units)));
    writeNormal(normals + load<usize>(target, 12), f32x4.mul(nd, fourth(units)));
  }
  return (f64x2.extract_lane(low, 0) + f64x2.extract_lane(low, 1) + f64x2.extract_lane(high, 0)) / 3;
}

/** Lowers the vertices by `depth` where the skin gives way, writes them in f64 and forgets what lifted them. */
export function settleFolds(fold: usize, depth: f32): void {
  const positions = load<usize>(fold, FOLD_OUT_POSITIONS);
  const origin = v128.load(fold, FOLD_ORIGIN);
  const originZ = f64x2.splat(load<f64>(fold, FOLD_ORIGIN + 16));
  const still = load<usize>(fold, FOLD_FIRST);
  let state = load<usize>(fold, FOLD_STATES) + 12 * still;
  let target = load<usize>(fold, FOLD_TARGETS) + 4 * still;
  let normal = load<usize>(fold, FOLD_NORMALS) + 16 * still;
  let position = load<usize>(fold, FOLD_POSITIONS) + 16 * still;
  const none = f32x4.splat(0);
  for (const end = position + 16 * (load<usize>(fold, FOLD_COUNT) - still); position < end; position += 64) {
    const ways = f32x4.mul(f32x4.splat(-depth), v128.load(state, 32));
    const a = madd(first(ways), v128.load(normal), v128.load(position));
    const b = madd(second(ways), v128.load(normal, 16), v128.load(position, 16));
    const c = madd(third(ways), v128.load(normal, 32), v128.load(position, 32));
    const d = madd(fourth(ways), v128.load(normal, 48), v128.load(position, 48));
    writeWide(positions + load<usize>(target), a, origin, originZ);
    writeWide(positions + load<usize>(target, 4), b, origin, originZ);
    writeWide(positions + load<usize>(target, 8), c, origin, originZ);
    writeWide(positions + load<usize>(target, 12), d, origin, originZ);
    v128.store(state, none);
    v128.store(state, none, 16);
    v128.store(state, none, 32);
    state += 48;
    target += 16;
    normal += 64;
  }
}

/** Three f64. */
function writeWide(out: usize, a: v128, origin: v128, originZ: v128): void {
  v128.store(out, f64x2.add(f64x2.promote_low_f32x4(a), origin));
  const z = f64x2.add(f64x2.promote_low_f32x4(v128.shuffle<f32>(a, a, 2, 2, 2, 2)), originZ);
  store<f64>(out, f64x2.extract_lane(z, 0), 16);
}

function writeNormal(out: usize, a: v128): void {
  v128.store(out, f64x2.promote_low_f32x4(a));
  store<f64>(out, <f64>f32x4.extract_lane(a, 2), 16);
}
