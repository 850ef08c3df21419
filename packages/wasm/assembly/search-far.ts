/** F7 in f32: pairs that are not near at rest, by balls around the samples: `measureBalls`, `visitNearLeaves` and `visitLeaves` of core; see there. */
import {
  PAIR_BYTES,
  SAMPLE_BYTES,
  SAMPLE_NORMAL,
  SAMPLE_REST,
  SEARCH_BALLS,
  SEARCH_CLOSER,
  SEARCH_FAR,
  SEARCH_FAR_COUNT,
  SEARCH_HIDDEN,
  SEARCH_NODE_COUNT,
  SEARCH_NODES,
  SEARCH_POINTS,
  SEARCH_REACH,
  SEARCH_SAMPLES,
  SEARCH_STACK,
  SEARCH_WIDER,
} from '../src/layout';
import { sum3 } from './vector';

/** Of `measureRestDistance` in core. */
const OBLIQUE: f32 = 0.6;

/** Appends the pairs at `out`, and returns where they end. */
export function findFar(search: usize, out: usize, most: usize): usize {
  measureBalls(search);
  const nodes = load<usize>(search, SEARCH_NODES);
  const balls = load<usize>(search, SEARCH_BALLS);
  const bottom = load<usize>(search, SEARCH_STACK);
  let pair = load<usize>(search, SEARCH_FAR);
  for (const end = pair + 8 * load<usize>(search, SEARCH_FAR_COUNT); pair < end; pair += 8) {
    let top = push(bottom, load<usize>(pair), load<usize>(pair, 4));
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
      else if (a === b) {
        top = push(top, a + 16, a + 16);
        top = push(top, secondA, secondA);
        top = push(top, a + 16, secondA);
      } else if (secondB === 0 || (secondA !== 0 && radiusA > radiusB)) {
        top = push(top, a + 16, b);
        top = push(top, secondA, b);
      } else {
        top = push(top, a, b + 16);
        top = push(top, a, secondB);
      }
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
    for (let j = load<usize>(b); j < endB; j += 16) {
      const square = measureSquare(p, v128.load(points + j));
      if (square >= reach * reach) continue;
      const r = measureRange(search, k >> 4, j >> 4);
      if (!(r > 0 && square < wider * r * (wider * r) && out < most)) continue;
      store<usize>(out, k);
      store<usize>(out, j, 4);
      store<f32>(out, 1 / (r * r), 8);
      out += PAIR_BYTES;
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
