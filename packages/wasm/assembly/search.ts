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
  SEARCH_ASKED,
  SEARCH_COUNT,
  SEARCH_FOUND,
  SEARCH_HITS,
  SEARCH_LIST_COUNT,
  SEARCH_LISTS,
  SEARCH_MARKS,
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
  const hits = load<usize>(search, SEARCH_HITS);
  let hit = hits;
  let list = load<usize>(search, SEARCH_LISTS);
  for (const end = list + LIST_BYTES * load<usize>(search, SEARCH_LIST_COUNT); list < end; list += LIST_BYTES) {
    const motion = measureMotion(search, list);
    const keys = load<usize>(list, 8);
    if (load<f64>(keys) < motion) hit = markNear(list, countBelow(keys, load<usize>(list, 16), motion), hit);
  }
  const out = findFar(search, gatherNear(search, hits, hit, found, most), most);
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

/** How many of ascending keys are below a limit; without a branch, as all that nobody could foretell. */
function countBelow(keys: usize, count: usize, limit: f64): usize {
  let at = keys;
  while (count > 1) {
    const half = count >> 1;
    at += (half << 3) * <usize>(load<f64>(at + (half << 3) - 8) < limit);
    count -= half;
  }
  return ((at - keys) >> 3) + <usize>(load<f64>(at) < limit);
}

/** The first `count` quads of a list of which some pairs are near. */
function markNear(list: usize, count: usize, hit: usize): usize {
  let quad = load<usize>(list, 12);
  for (const end = quad + QUAD_BYTES * count; quad < end; quad += QUAD_BYTES) {
    const a = f32x4.sub(v128.load(load<usize>(quad)), v128.load(load<usize>(quad, 4)));
    const b = f32x4.sub(v128.load(load<usize>(quad, 8)), v128.load(load<usize>(quad, 12)));
    const c = f32x4.sub(v128.load(load<usize>(quad, 16)), v128.load(load<usize>(quad, 20)));
    const d = f32x4.sub(v128.load(load<usize>(quad, 24)), v128.load(load<usize>(quad, 28)));
    const squares = sum3x4(f32x4.mul(a, a), f32x4.mul(b, b), f32x4.mul(c, c), f32x4.mul(d, d));
    const bits = i32x4.bitmask(f32x4.lt(squares, v128.load(quad, QUAD_LIMITS)));
    store<usize>(hit, quad | bits);
    hit += (<usize>(bits !== 0)) << 2;
  }
  return hit;
}

/** The near pairs of the quads at `hit` … `end`. */
function gatherNear(search: usize, hit: usize, end: usize, out: usize, most: usize): usize {
  const points = load<usize>(search, SEARCH_POINTS);
  const wider = load<f32>(search, SEARCH_WIDER);
  for (; hit < end; hit += 4) {
    const quad = load<usize>(hit) & ~15;
    for (let bits = load<usize>(hit) & 15; bits !== 0 && out < most; bits &= bits - 1) {
      const lane = ctz(bits);
      const pair = quad + (lane << 3);
      store<usize>(out, load<usize>(pair) - points);
      store<usize>(out, load<usize>(pair, 4) - points, 4);
      store<f32>(out, (wider * wider) / load<f32>(quad + (lane << 2), QUAD_LIMITS), 8);
      out += PAIR_BYTES;
    }
  }
  return out;
}

/** Of `count` near pairs those that look at each other, into the outputs; returns how many. */
export function keepFacing(search: usize, count: i32): i32 {
  const normals = load<usize>(search, SEARCH_NORMALS);
  const first = load<usize>(search, SEARCH_FOUND);
  const end = first + PAIR_BYTES * <usize>count;
  measureNormals(search, first, end);
  const outPairs = load<usize>(search, SEARCH_OUT_PAIRS);
  let out = outPairs;
  let inverse = load<usize>(search, SEARCH_OUT_INVERSES);
  for (let pair = first; pair < end; pair += PAIR_BYTES) {
    const a = load<usize>(pair);
    const b = load<usize>(pair, 4);
    const along = sum3(f32x4.mul(v128.load(normals + a), v128.load(normals + b)));
    store<u32>(out, 3 * (<u32>a >> 4));
    store<u32>(out, 3 * (<u32>b >> 4), 4);
    store<f64>(inverse, <f64>load<f32>(pair, 8));
    const isFacing = <usize>(f32x4.extract_lane(along, 0) < 0);
    out += 8 * isFacing;
    inverse += 8 * isFacing;
  }
  return <i32>((out - outPairs) >> 3);
}

/** Of the samples of pairs. */
function measureNormals(search: usize, pair: usize, end: usize): void {
  const marks = load<usize>(search, SEARCH_MARKS);
  const asked = load<usize>(search, SEARCH_ASKED);
  clearVectors(marks, (load<usize>(search, SEARCH_COUNT) + 15) >> 4);
  let last = asked;
  for (; pair < end; pair += PAIR_BYTES) last = ask(marks, load<usize>(pair, 4), ask(marks, load<usize>(pair), last));
  for (let at = asked; at < last; at += 4) measureNormal(search, load<usize>(at));
}

/** Appends a place that is not asked for yet. */
function ask(marks: usize, place: usize, last: usize): usize {
  const mark = marks + (place >> 4);
  store<usize>(last, place);
  last += 4 * (1 - <usize>load<u8>(mark));
  store<u8>(mark, 1);
  return last;
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
  v128.store(load<usize>(search, SEARCH_NORMALS) + place, n);
  const wide = load<usize>(search, SEARCH_WIDE_NORMALS) + 24 * (place >> 4);
  v128.store(wide, f64x2.promote_low_f32x4(n));
  store<f64>(wide, <f64>f32x4.extract_lane(n, 2), 16);
}
