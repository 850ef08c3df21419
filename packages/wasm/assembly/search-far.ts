/** F7 in f32: pairs that are not near at rest, by balls around the samples: `measureBalls`, `visitNearLeaves` and `visitLeaves` of core; see there. */
import {
  PAIR_BYTES,
  QUAD_BYTES,
  QUAD_LIMITS,
  SAMPLE_BYTES,
  SAMPLE_NORMAL,
  SAMPLE_REST,
  SEARCH_BALLS,
  SEARCH_CLOSER,
  SEARCH_FAR,
  SEARCH_FAR_COUNT,
  SEARCH_HIDDEN,
  SEARCH_HITS,
  SEARCH_NODE_COUNT,
  SEARCH_NODES,
  SEARCH_POINTS,
  SEARCH_REACH,
  SEARCH_SAMPLES,
  SEARCH_STACK,
  SEARCH_WIDER,
} from '../src/layout';
import { sum3, sum3x4 } from './vector';

/** Of `measureRestDistance` in core. */
const OBLIQUE: f32 = 0.6;

/** Appends the pairs at `out`, and returns where they end. */
export function findFar(search: usize, out: usize, most: usize): usize {
  measureBalls(search);
  const balls = load<usize>(search, SEARCH_BALLS);
  let hit = load<usize>(search, SEARCH_HITS);
  for (const end = markFar(search, hit); hit < end; hit += 4) {
    const quad = load<usize>(hit) & ~15;
    for (let bits = load<usize>(hit) & 15; bits !== 0; bits &= bits - 1) {
      const pair = quad + (ctz(bits) << 3);
      out = descend(search, load<usize>(pair) - balls, load<usize>(pair, 4) - balls, out, most);
    }
  }
  return out;
}

/** The quads of nodes of which some meet. */
function markFar(search: usize, hit: usize): usize {
  let quad = load<usize>(search, SEARCH_FAR);
  for (const end = quad + QUAD_BYTES * load<usize>(search, SEARCH_FAR_COUNT); quad < end; quad += QUAD_BYTES) {
    const a0 = v128.load(load<usize>(quad));
    const b0 = v128.load(load<usize>(quad, 4));
    const a1 = v128.load(load<usize>(quad, 8));
    const b1 = v128.load(load<usize>(quad, 12));
    const a2 = v128.load(load<usize>(quad, 16));
    const b2 = v128.load(load<usize>(quad, 20));
    const a3 = v128.load(load<usize>(quad, 24));
    const b3 = v128.load(load<usize>(quad, 28));
    const radii01 = v128.shuffle<f32>(f32x4.add(a0, b0), f32x4.add(a1, b1), 2, 6, 3, 7);
    const radii23 = v128.shuffle<f32>(f32x4.add(a2, b2), f32x4.add(a3, b3), 2, 6, 3, 7);
    const reach = f32x4.add(v128.shuffle<f32>(radii01, radii23, 2, 3, 6, 7), v128.load(quad, QUAD_LIMITS));
    const d0 = f32x4.sub(a0, b0);
    const d1 = f32x4.sub(a1, b1);
    const d2 = f32x4.sub(a2, b2);
    const d3 = f32x4.sub(a3, b3);
    const squares = sum3x4(f32x4.mul(d0, d0), f32x4.mul(d1, d1), f32x4.mul(d2, d2), f32x4.mul(d3, d3));
    const bits = i32x4.bitmask(f32x4.le(squares, f32x4.mul(reach, reach)));
    store<usize>(hit, quad | bits);
    hit += (<usize>(bits !== 0)) << 2;
  }
  return hit;
}

/** From two nodes to the leaves that meet. */
function descend(search: usize, from: usize, to: usize, out: usize, most: usize): usize {
  const nodes = load<usize>(search, SEARCH_NODES);
  const balls = load<usize>(search, SEARCH_BALLS);
  const bottom = load<usize>(search, SEARCH_STACK);
  let top = push(bottom, from, to);
  while (top > bottom) {
    top -= 8;
    const a = load<usize>(top);
    const b = load<usize>(top, 4);
    const ballA = v128.load(balls + a);
    const ballB = v128.load(balls + b);
    const radiusA = f32x4.extract_lane(ballA, 3);
    const radiusB = f32x4.extract_lane(ballB, 3);
    const reach = radiusA + radiusB + min(load<f32>(nodes + a, 12), load<f32>(nodes + b, 12));
    if (!(measureSquare(ballA, ballB) <= reach * reach)) continue;
    const secondA = load<usize>(nodes + a, 8);
    const secondB = load<usize>(nodes + b, 8);
    if (secondA === 0 && secondB === 0) out = visitLeaves(search, nodes + a, nodes + b, ballB, out, most);
    else if (secondB === 0 || (secondA !== 0 && radiusA > radiusB)) {
      top = push(top, a + 16, b);
      top = push(top, secondA, b);
    } else {
      top = push(top, a, b + 16);
      top = push(top, a, secondB);
    }
  }
  return out;
}

function push(top: usize, a: usize, b: usize): usize {
  store<usize>(top, a);
  store<usize>(top, b, 4);
  return top + 8;
}

function measureSquare(a: v128, b: v128): f32 {
  const d = f32x4.sub(a, b);
  return f32x4.extract_lane(sum3(f32x4.mul(d, d)), 0);
}

/** A node's children stand behind it. */
function measureBalls(search: usize): void {
  const points = load<usize>(search, SEARCH_POINTS);
  const nodes = load<usize>(search, SEARCH_NODES);
  const balls = load<usize>(search, SEARCH_BALLS);
  for (let n = 16 * load<usize>(search, SEARCH_NODE_COUNT); n > 0; ) {
    n -= 16;
    const second = load<usize>(nodes + n, 8);
    let centre: v128;
    let radius: f32;
    if (second === 0) {
      const from = points + load<usize>(nodes + n);
      const to = points + load<usize>(nodes + n, 4);
      let sum = f32x4.splat(0);
      for (let at = from; at < to; at += 16) sum = f32x4.add(sum, v128.load(at));
      centre = f32x4.mul(sum, f32x4.splat(16 / <f32>(to - from)));
      let far: f32 = 0;
      for (let at = from; at < to; at += 16) far = max(far, measureSquare(v128.load(at), centre));
      radius = Mathf.sqrt(far);
    } else {
      const a = v128.load(balls + n, 16);
      const b = v128.load(balls + second);
      centre = f32x4.mul(f32x4.splat(0.5), f32x4.add(a, b));
      radius = Mathf.sqrt(measureSquare(a, centre)) + max(f32x4.extract_lane(a, 3), f32x4.extract_lane(b, 3));
    }
    v128.store(balls + n, f32x4.replace_lane(centre, 3, radius));
  }
}

function visitLeaves(search: usize, a: usize, b: usize, ballB: v128, out: usize, most: usize): usize {
  const points = load<usize>(search, SEARCH_POINTS);
  const wider = load<f32>(search, SEARCH_WIDER);
  const reach = wider * min(load<f32>(a, 12), load<f32>(b, 12));
  const ball = f32x4.extract_lane(ballB, 3) + reach;
  const endA = load<usize>(a, 4);
  const endB = load<usize>(b, 4);
  for (let k = load<usize>(a); k < endA; k += 16) {
    const p = v128.load(points + k);
    if (measureSquare(p, ballB) > ball * ball) continue;
    for (let j = load<usize>(b); j < endB; j += 64) {
      const d0 = f32x4.sub(p, v128.load(points + j));
      const d1 = f32x4.sub(p, v128.load(points + j, 16));
      const d2 = f32x4.sub(p, v128.load(points + j, 32));
      const d3 = f32x4.sub(p, v128.load(points + j, 48));
      const squares = sum3x4(f32x4.mul(d0, d0), f32x4.mul(d1, d1), f32x4.mul(d2, d2), f32x4.mul(d3, d3));
      let bits = i32x4.bitmask(f32x4.lt(squares, f32x4.splat(reach * reach)));
      if (endB - j < 64) bits &= (1 << ((endB - j) >> 4)) - 1; // behind the leaf
      for (; bits !== 0; bits &= bits - 1) {
        const other = j + ((<usize>ctz(bits)) << 4);
        const r = measureRange(search, k >> 4, other >> 4);
        const square = measureSquare(p, v128.load(points + other));
        if (!(r > 0 && square < wider * r * (wider * r) && out < most)) continue;
        store<usize>(out, k);
        store<usize>(out, other, 4);
        store<f32>(out, 1 / (r * r), 8);
        out += PAIR_BYTES;
      }
    }
  }
  return out;
}

/** r of two samples. */
function measureRange(search: usize, k: usize, j: usize): f32 {
  const samples = load<usize>(search, SEARCH_SAMPLES);
  const a = samples + SAMPLE_BYTES * k;
  const b = samples + SAMPLE_BYTES * j;
  const thickness = min(load<f32>(a, SAMPLE_REST + 12), load<f32>(b, SAMPLE_REST + 12));
  const e = f32x4.sub(v128.load(a, SAMPLE_REST), v128.load(b, SAMPLE_REST));
  const na = v128.load(a, SAMPLE_NORMAL);
  const nb = v128.load(b, SAMPLE_NORMAL);
  let apart = Mathf.sqrt(f32x4.extract_lane(sum3(f32x4.mul(e, e)), 0));
  if (f32x4.extract_lane(sum3(f32x4.mul(e, f32x4.sub(nb, na))), 0) < 0) {
    const along = f32x4.extract_lane(sum3(f32x4.mul(na, nb)), 0);
    const s = min(max(<f32>0.5 - along / OBLIQUE, <f32>0), <f32>1);
    apart -= s * s * (3 - 2 * s) * load<f32>(search, SEARCH_HIDDEN) * thickness;
  }
  return min(load<f32>(search, SEARCH_REACH) * thickness, load<f32>(search, SEARCH_CLOSER) * apart);
}
