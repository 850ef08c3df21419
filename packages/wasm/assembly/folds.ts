/** H1–H9 in f32: the passes of `FoldPasses` in core, in its order; see there. */
import {
  FOLD_COMBINE,
  FOLD_COUNT,
  FOLD_FADES,
  FOLD_HOLDERS,
  FOLD_NEW_COUNT,
  FOLD_NORMALS,
  FOLD_OLD,
  FOLD_ORIGIN,
  FOLD_OUT_NORMALS,
  FOLD_OUT_POSITIONS,
  FOLD_PATCH_BYTES,
  FOLD_PATCH_COUNT,
  FOLD_PATCHES,
  FOLD_POSITIONS,
  FOLD_RIM_COUNT,
  FOLD_SOURCES,
  FOLD_STATES,
  FOLD_STENCILS,
  FOLD_TARGETS,
  FOLD_TRIANGLE_COUNT,
  FOLD_TRIANGLES,
  FOLD_VECTORS,
} from '../src/layout';
import { measureWay } from './lifts';
import { clearVectors, madd, sum3, sum3x4, turn } from './vector';

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

/** Areas and rooms of the patches, rooms of the vertices; returns six times the volume under them. */
export function startFolds(fold: usize): f64 {
  gather(fold);
  const positions = load<usize>(fold, FOLD_POSITIONS);
  const normals = load<usize>(fold, FOLD_NORMALS);
  const states = load<usize>(fold, FOLD_STATES);
  const count = load<usize>(fold, FOLD_COUNT);
  for (let at = states; at < states + 16 * count; at += 16) v128.store(at, f32x4(0, 0, 0, Infinity));
  clearVectors(load<usize>(fold, FOLD_VECTORS), count);
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
    const closing = sum3x4(
      f32x4.mul(u, f32x4.sub(na, nb)),
      f32x4.mul(v, f32x4.sub(nb, nc)),
      f32x4.mul(w, f32x4.sub(nc, na)),
      f32x4.splat(0),
    );
    const cross = turn(f32x4.sub(f32x4.mul(turn(u), w), f32x4.mul(u, turn(w))));
    const sums = sum3x4(f32x4.mul(u, u), f32x4.mul(v, v), f32x4.mul(w, w), f32x4.mul(cross, cross));
    const isClosing = f32x4.gt(closing, f32x4.splat(0));
    const rooms = v128.bitselect(f32x4.div(sums, closing), f32x4.splat(Infinity), isClosing);
    store<f32>(patch, Mathf.sqrt(f32x4.extract_lane(sums, 3)) / 2, 12);
    const ab = f32x4.extract_lane(rooms, 0);
    const bc = f32x4.extract_lane(rooms, 1);
    const ca = f32x4.extract_lane(rooms, 2);
    store<f32>(patch, min(min(ab, bc), ca), 16);
    lowerRoom(states + i, min(ab, ca));
    lowerRoom(states + j, min(ab, bc));
    lowerRoom(states + k, min(bc, ca));
    volume += <f64>f32x4.extract_lane(sum3(f32x4.mul(a, cross)), 0);
  }
  let holder = load<usize>(fold, FOLD_HOLDERS);
  let state = states + 16 * load<usize>(fold, FOLD_OLD);
  for (const last = holder + 8 * load<usize>(fold, FOLD_NEW_COUNT); holder < last; holder += 8) {
    store<f32>(state, min(load<f32>(load<usize>(holder), 16), load<f32>(load<usize>(holder, 4), 16)), 12);
    state += 16;
  }
  return volume;
}

function lowerRoom(state: usize, room: f32): void {
  if (room < load<f32>(state, 12)) store<f32>(state, room, 12);
}

export function refineFolds(fold: usize): void {
  const positions = load<usize>(fold, FOLD_POSITIONS);
  const normals = load<usize>(fold, FOLD_NORMALS);
  const old = load<usize>(fold, FOLD_OLD);
  let fade = load<usize>(fold, FOLD_FADES) + 4 * old;
  let at = load<usize>(fold, FOLD_STENCILS);
  const end = (old + load<usize>(fold, FOLD_NEW_COUNT)) * 16;
  for (let out = old * 16; out < end; out += 16) {
    const entries = load<u32>(at);
    const a = load<usize>(at, 4);
    const b = load<usize>(at, 8);
    at += 12;
    const middle = f32x4.mul(f32x4.splat(0.5), f32x4.add(v128.load(positions + a), v128.load(positions + b)));
    let y = middle;
    if (entries === 0) {
      const wing = f32x4.add(v128.load(positions + load<usize>(at)), v128.load(positions + load<usize>(at, 4)));
      const near = f32x4.add(v128.load(positions + load<usize>(at, 8)), v128.load(positions + load<usize>(at, 12)));
      const far = f32x4.add(v128.load(positions + load<usize>(at, 16)), v128.load(positions + load<usize>(at, 20)));
      y = madd(f32x4.splat(0.125), wing, y);
      y = madd(f32x4.splat(-0.0625), f32x4.add(near, far), y);
      at += 24;
    } else {
      y = f32x4.splat(0);
      for (const stop = at + 8 * entries; at < stop; at += 8) {
        y = madd(v128.load_splat<f32>(at, 4), v128.load(positions + load<usize>(at)), y);
      }
    }
    v128.store(positions + out, madd(v128.load_splat<f32>(fade), f32x4.sub(y, middle), middle));
    fade += 4;
    const n = f32x4.add(v128.load(normals + a), v128.load(normals + b));
    const square = f32x4.max(sum3(f32x4.mul(n, n)), f32x4.splat(1e-37));
    v128.store(normals + out, f32x4.div(n, f32x4.sqrt(square)));
  }
}

/** Lifts the vertices; returns six times the volume under the patches. */
export function raiseFolds(fold: usize): f64 {
  const combine = load<i32>(fold, FOLD_COMBINE);
  let state = load<usize>(fold, FOLD_STATES);
  let position = load<usize>(fold, FOLD_POSITIONS);
  let normal = load<usize>(fold, FOLD_NORMALS);
  for (const end = position + 16 * load<usize>(fold, FOLD_COUNT); position < end; position += 16) {
    if (load<u64>(state) !== 0) {
      const way = f32x4.splat(measureWay(state, load<f32>(state, 12), combine));
      v128.store(position, madd(way, v128.load(normal), v128.load(position)));
    }
    state += 16;
    normal += 16;
  }
  const rim = load<usize>(fold, FOLD_RIM_COUNT);
  sumVectors(fold, 0, rim);
  return sumVectors(fold, rim, load<usize>(fold, FOLD_TRIANGLE_COUNT));
}

function sumVectors(fold: usize, from: usize, to: usize): f64 {
  const positions = load<usize>(fold, FOLD_POSITIONS);
  const vectors = load<usize>(fold, FOLD_VECTORS);
  let at = load<usize>(fold, FOLD_TRIANGLES) + 12 * from;
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (const end = at + 12 * (to - from); at < end; at += 12) {
    const i = load<usize>(at);
    const j = load<usize>(at, 4);
    const k = load<usize>(at, 8);
    const a = v128.load(positions + i);
    const u = f32x4.sub(v128.load(positions + j), a);
    const v = f32x4.sub(v128.load(positions + k), a);
    const area = turn(f32x4.sub(f32x4.mul(u, turn(v)), f32x4.mul(turn(u), v)));
    v128.store(vectors + i, f32x4.add(v128.load(vectors + i), area));
    v128.store(vectors + j, f32x4.add(v128.load(vectors + j), area));
    v128.store(vectors + k, f32x4.add(v128.load(vectors + k), area));
    const part = f32x4.mul(a, area);
    low = f64x2.add(low, f64x2.promote_low_f32x4(part));
    high = f64x2.add(high, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
  }
  return f64x2.extract_lane(low, 0) + f64x2.extract_lane(low, 1) + f64x2.extract_lane(high, 0);
}

/** Lowers the vertices by `depth` where the skin gives way, turns the normals, and writes both in f64. */
export function settleFolds(fold: usize, depth: f32): void {
  const positions = load<usize>(fold, FOLD_OUT_POSITIONS);
  const normals = load<usize>(fold, FOLD_OUT_NORMALS);
  const origin = v128.load(fold, FOLD_ORIGIN);
  const originZ = f64x2.splat(load<f64>(fold, FOLD_ORIGIN + 16));
  const zero = f64x2.splat(0);
  let state = load<usize>(fold, FOLD_STATES);
  let fade = load<usize>(fold, FOLD_FADES);
  let target = load<usize>(fold, FOLD_TARGETS);
  let position = load<usize>(fold, FOLD_POSITIONS);
  let normal = load<usize>(fold, FOLD_NORMALS);
  let vector = load<usize>(fold, FOLD_VECTORS);
  for (const end = position + 16 * load<usize>(fold, FOLD_COUNT); position < end; ) {
    const s = v128.load(fade);
    const a = v128.load(vector);
    const b = v128.load(vector, 16);
    const c = v128.load(vector, 32);
    const d = v128.load(vector, 48);
    const areas = sum3x4(f32x4.mul(a, a), f32x4.mul(b, b), f32x4.mul(c, c), f32x4.mul(d, d));
    // Vertices without area, or that do not fold, keep their normals; opposite ones leave none.
    const share = v128.and(f32x4.div(s, f32x4.sqrt(areas)), f32x4.gt(areas, f32x4.splat(0)));
    const rest = v128.bitselect(f32x4.sub(f32x4.splat(1), s), f32x4.splat(1), f32x4.gt(areas, f32x4.splat(0)));
    const na = madd(first(share), a, f32x4.mul(first(rest), v128.load(normal)));
    const nb = madd(second(share), b, f32x4.mul(second(rest), v128.load(normal, 16)));
    const nc = madd(third(share), c, f32x4.mul(third(rest), v128.load(normal, 32)));
    const nd = madd(fourth(share), d, f32x4.mul(fourth(rest), v128.load(normal, 48)));
    const squares = sum3x4(f32x4.mul(na, na), f32x4.mul(nb, nb), f32x4.mul(nc, nc), f32x4.mul(nd, nd));
    const isTurned = f32x4.gt(squares, f32x4.splat(1e-12));
    const units = v128.and(f32x4.div(f32x4.splat(1), f32x4.sqrt(squares)), isTurned);
    writeWide(normals + load<usize>(target), f32x4.mul(na, first(units)), zero, zero);
    writeWide(normals + load<usize>(target, 4), f32x4.mul(nb, second(units)), zero, zero);
    writeWide(normals + load<usize>(target, 8), f32x4.mul(nc, third(units)), zero, zero);
    writeWide(normals + load<usize>(target, 12), f32x4.mul(nd, fourth(units)), zero, zero);
    for (const next = normal + 64; normal < next; normal += 16) {
      const way = f32x4.splat(-depth * load<f32>(state, 8));
      writeWide(positions + load<usize>(target), madd(way, v128.load(normal), v128.load(position)), origin, originZ);
      state += 16;
      target += 4;
      position += 16;
    }
    fade += 16;
    vector += 64;
  }
}

/** Lanes, splat. */
function first(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 0, 0, 0, 0);
}
function second(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 1, 1, 1, 1);
}
function third(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 2, 2, 2, 2);
}
function fourth(a: v128): v128 {
  return v128.shuffle<f32>(a, a, 3, 3, 3, 3);
}

/** Three f64. */
function writeWide(out: usize, a: v128, origin: v128, originZ: v128): void {
  v128.store(out, f64x2.add(f64x2.promote_low_f32x4(a), origin));
  const z = f64x2.add(f64x2.promote_low_f32x4(v128.shuffle<f32>(a, a, 2, 2, 2, 2)), originZ);
  store<f64>(out, f64x2.extract_lane(z, 0), 16);
}
