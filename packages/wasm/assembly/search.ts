/** F7 in f32: pairs of samples that are near, `planNearPairs` in core, and look at each other, `planSampleNormals`; see there. */
import {
  LINK_BYTES,
  LIST_BYTES,
  PAIR_BYTES,
  QUAD_BYTES,
  QUAD_LIMITS,
  SAMPLE_BYTES,
  SAMPLE_INFLUENCES,
  SAMPLE_INFLUENCES_END,
  SAMPLE_NORMAL,
  SAMPLE_RING,
  SEARCH_COUNT,
  SEARCH_FOUND,
  SEARCH_LIST_COUNT,
  SEARCH_LISTS,
  SEARCH_MATRICES,
  SEARCH_MOST,
  SEARCH_NORMALS,
  SEARCH_OUT_INVERSES,
  SEARCH_OUT_PAIRS,
  SEARCH_POINTS,
  SEARCH_SAMPLES,
  SEARCH_SHIFTS,
  SEARCH_SIGN,
  SEARCH_TURNS,
  SEARCH_WIDE_NORMALS,
  SEARCH_WIDER,
} from '../src/layout';
import { findFar } from './search-far';
import { clearVectors, madd, measurePolygon, sum3, sum3x4 } from './vector';

/** Finds the pairs that are near, and returns how many. */
export function findNear(search: usize): i32 {
  const found = load<usize>(search, SEARCH_FOUND);
  const most = found + PAIR_BYTES * load<usize>(search, SEARCH_MOST);
  let out = found;
  let list = load<usize>(search, SEARCH_LISTS);
  for (const end = list + LIST_BYTES * load<usize>(search, SEARCH_LIST_COUNT); list < end; list += LIST_BYTES) {
    const motion = measureMotion(search, list);
    const keys = load<usize>(list, 8);
    if (load<f64>(keys) < motion)
      out = gatherNear(search, list, countBelow(keys, load<usize>(list, 16), motion), out, most);
  }
  out = findFar(search, out, most);
  return <i32>((out - found) / PAIR_BYTES);
}

/** m: how far the bones of a list can have moved its samples against each other. */
function measureMotion(search: usize, list: usize): f64 {
  const turns = load<usize>(search, SEARCH_TURNS);
  const shifts = load<usize>(search, SEARCH_SHIFTS);
  let motion: f64 = 0;
  for (let link = load<usize>(list), end = load<usize>(list, 4); link < end; link += LINK_BYTES) {
    const at = load<usize>(link);
    const own = load<f64>(turns + at) * load<f64>(link, 8) + load<f64>(shifts + at);
    if (own > motion) motion = own;
  }
  return motion;
}

function countBelow(keys: usize, count: usize, limit: f64): usize {
  let high = count;
  let low: usize = load<f64>(keys + 8 * (high - 1)) < limit ? high : 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<f64>(keys + 8 * middle) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The pairs of a list that motion may have brought near, four at a time: appends those that it has. */
function gatherNear(search: usize, list: usize, count: usize, out: usize, most: usize): usize {
  const points = load<usize>(search, SEARCH_POINTS);
  const wider = load<f32>(search, SEARCH_WIDER);
  let quad = load<usize>(list, 12);
  for (const end = quad + QUAD_BYTES * ((count + 3) >> 2); quad < end; quad += QUAD_BYTES) {
    const a = f32x4.sub(v128.load(load<usize>(quad)), v128.load(load<usize>(quad, 4)));
    const b = f32x4.sub(v128.load(load<usize>(quad, 8)), v128.load(load<usize>(quad, 12)));
    const c = f32x4.sub(v128.load(load<usize>(quad, 16)), v128.load(load<usize>(quad, 20)));
    const d = f32x4.sub(v128.load(load<usize>(quad, 24)), v128.load(load<usize>(quad, 28)));
    const squares = sum3x4(f32x4.mul(a, a), f32x4.mul(b, b), f32x4.mul(c, c), f32x4.mul(d, d));
    let bits = i32x4.bitmask(f32x4.lt(squares, v128.load(quad, QUAD_LIMITS)));
    for (let at = quad, limit = quad + QUAD_LIMITS; bits !== 0; at += 8, limit += 4, bits >>= 1) {
      if ((bits & 1) === 0 || out >= most) continue;
      store<usize>(out, load<usize>(at) - points);
      store<usize>(out, load<usize>(at, 4) - points, 4);
      store<f32>(out, (wider * wider) / load<f32>(limit), 8);
      out += PAIR_BYTES;
    }
  }
  return out;
}

/** Of `count` near pairs those that look at each other, into the outputs; returns how many. */
export function keepFacing(search: usize, count: i32): i32 {
  const normals = load<usize>(search, SEARCH_NORMALS);
  clearVectors(normals, load<usize>(search, SEARCH_COUNT));
  const outPairs = load<usize>(search, SEARCH_OUT_PAIRS);
  let pair = load<usize>(search, SEARCH_FOUND);
  let out = outPairs;
  let inverse = load<usize>(search, SEARCH_OUT_INVERSES);
  for (const end = pair + PAIR_BYTES * <usize>count; pair < end; pair += PAIR_BYTES) {
    const a = load<usize>(pair);
    const b = load<usize>(pair, 4);
    if (load<f32>(normals + a, 12) === 0) measureNormal(search, a);
    if (load<f32>(normals + b, 12) === 0) measureNormal(search, b);
    const along = sum3(f32x4.mul(v128.load(normals + a), v128.load(normals + b)));
    if (f32x4.extract_lane(along, 0) >= 0) continue;
    store<u32>(out, 3 * (<u32>a >> 4));
    store<u32>(out, 3 * (<u32>b >> 4), 4);
    store<f64>(inverse, <f64>load<f32>(pair, 8));
    out += 8;
    inverse += 8;
  }
  return <i32>((out - outPairs) >> 3);
}

/** n = normalise(± a/|ā| + M n̄) of the sample at a place. */
function measureNormal(search: usize, place: usize): void {
  const matrices = load<usize>(search, SEARCH_MATRICES);
  const sample = load<usize>(search, SEARCH_SAMPLES) + (place >> 4) * SAMPLE_BYTES;
  const ring = load<usize>(sample, SAMPLE_RING);
  const x = v128.load_splat<f32>(sample, SAMPLE_NORMAL);
  const y = v128.load_splat<f32>(sample, SAMPLE_NORMAL + 4);
  const z = v128.load_splat<f32>(sample, SAMPLE_NORMAL + 8);
  const scale = load<f32>(search, SEARCH_SIGN) * load<f32>(sample, SAMPLE_NORMAL + 12);
  let n = f32x4.mul(f32x4.splat(scale), measurePolygon(ring + 4, load<u32>(ring), 0));
  let influence = load<usize>(sample, SAMPLE_INFLUENCES);
  for (const end = load<usize>(sample, SAMPLE_INFLUENCES_END); influence < end; influence += 8) {
    const m = matrices + load<usize>(influence);
    const turned = madd(z, v128.load(m, 32), madd(y, v128.load(m, 16), f32x4.mul(x, v128.load(m))));
    n = madd(v128.load_splat<f32>(influence, 4), turned, n);
  }
  const square = sum3(f32x4.mul(n, n));
  n = f32x4.div(n, f32x4.sqrt(f32x4.max(square, f32x4.splat(1e-37))));
  v128.store(load<usize>(search, SEARCH_NORMALS) + place, f32x4.replace_lane(n, 3, 1));
  const wide = load<usize>(search, SEARCH_WIDE_NORMALS) + 24 * (place >> 4);
  v128.store(wide, f64x2.promote_low_f32x4(n));
  store<f64>(wide, <f64>f32x4.extract_lane(n, 2), 16);
}
