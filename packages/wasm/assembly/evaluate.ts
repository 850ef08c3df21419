/**
 * B2, B4, C11. Area vectors of a block from the polygons around its vertices, and from them, four vertices at a time, its share
 * of 3V_s, of the row ∂V_s/∂λ and, on the last pass of a frame, normals and positions in the caller's order.
 *
 * Area vectors are six times too large until the end; they live in the thread's scratch and never reach memory.
 */
import {
  BLOCK_ANCHOR,
  BLOCK_BASES,
  BLOCK_COLUMNS,
  BLOCK_COUNT,
  BLOCK_FIRST,
  BLOCK_HOME_ANCHOR,
  BLOCK_RINGS,
  BLOCK_SUMS,
  FRAME_ORDER,
  FRAME_OUT_NORMALS,
  FRAME_OUT_POSITIONS,
  FRAME_SLOPES,
  INNER,
  WITH_NORMALS,
  WITH_POSITIONS,
  WITH_SLOPES,
} from '../src/layout';
import { sweptField } from './sweep';
import { clearVectors, madd, measurePolygon, sum3, sum3x4 } from './vector';

/** What EVALUATE does to a block of vertices. */
export function evaluateVertices(
  frame: usize,
  block: usize,
  kind: i32,
  positions: usize,
  flags: i32,
  areas: usize,
): void {
  if (kind !== INNER && !(flags & WITH_NORMALS)) return;
  measureAreas(block, positions, areas);
  if (flags & WITH_NORMALS) writeNormals(frame, block, areas);
  if (flags & WITH_POSITIONS) writePositions(frame, block, positions);
  if (kind !== INNER) return;
  measureVolume(block, positions, areas);
  if (flags & WITH_SLOPES) measureSlopes(frame, block, flags, areas);
}

function measureAreas(block: usize, positions: usize, areas: usize): void {
  const end = areas + load<usize>(block, BLOCK_COUNT) * 16;
  let ring = load<usize>(block, BLOCK_RINGS);
  for (; areas < end; areas += 16) {
    const bytes = load<u32>(ring) & ~7;
    v128.store(areas, measurePolygon(ring + 4, bytes, positions));
    ring += 12 + <usize>bytes;
  }
}

/** 3V: Σ (y_k − o)·a_k; sums of four in f32, the rest in f64. */
function measureVolume(block: usize, positions: usize, areas: usize): void {
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const end = areas + load<usize>(block, BLOCK_COUNT) * 16;
  let y = positions + load<usize>(block, BLOCK_FIRST) * 16;
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (; areas < end; areas += 64) {
    let part = f32x4.mul(f32x4.sub(v128.load(y), origin), v128.load(areas));
    part = madd(f32x4.sub(v128.load(y, 16), origin), v128.load(areas, 16), part);
    part = madd(f32x4.sub(v128.load(y, 32), origin), v128.load(areas, 32), part);
    part = madd(f32x4.sub(v128.load(y, 48), origin), v128.load(areas, 48), part);
    low = f64x2.add(low, f64x2.promote_low_f32x4(part));
    high = f64x2.add(high, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
    y += 64;
  }
  storeVolume(block, 0, low, high);
}

/** Σ_k slope_k ⟨n_k, a_k⟩ φ_tk for the block's columns t. */
function measureSlopes(frame: usize, block: usize, flags: i32, areas: usize): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const end = areas + load<usize>(block, BLOCK_COUNT) * 16;
  const row = clearRow(block);
  let n = sweptField(frame, flags) + first * 16;
  let slopes = load<usize>(frame, FRAME_SLOPES) + first * 4;
  let phi = load<usize>(block, BLOCK_BASES);
  for (; areas < end; areas += 64) {
    const dots = sum3x4(
      f32x4.mul(v128.load(n), v128.load(areas)),
      f32x4.mul(v128.load(n, 16), v128.load(areas, 16)),
      f32x4.mul(v128.load(n, 32), v128.load(areas, 32)),
      f32x4.mul(v128.load(n, 48), v128.load(areas, 48)),
    );
    const slope = f32x4.mul(v128.load(slopes), dots);
    const stop = phi + 4 + load<usize>(phi);
    for (phi += 4; phi < stop; phi += 20) {
      const at = row + <usize>load<u16>(phi, 2);
      v128.store(at, madd(slope, v128.load(phi, 4), v128.load(at)));
    }
    n += 64;
    slopes += 16;
  }
  addRow(block);
}

/** Unit normals in the caller's order; a zero area vector stays zero. */
function writeNormals(frame: usize, block: usize, areas: usize): void {
  const out = load<usize>(frame, FRAME_OUT_NORMALS);
  const end = areas + load<usize>(block, BLOCK_COUNT) * 16;
  let order = load<usize>(frame, FRAME_ORDER) + load<usize>(block, BLOCK_FIRST) * 4;
  for (; areas < end; areas += 64) {
    const a = v128.load(areas);
    const b = v128.load(areas, 16);
    const c = v128.load(areas, 32);
    const d = v128.load(areas, 48);
    const squares = sum3x4(f32x4.mul(a, a), f32x4.mul(b, b), f32x4.mul(c, c), f32x4.mul(d, d));
    const scale = f32x4.div(f32x4.splat(1), f32x4.sqrt(f32x4.max(squares, f32x4.splat(1e-37))));
    v128.store(out + load<usize>(order), f32x4.mul(a, v128.shuffle<f32>(scale, scale, 0, 0, 0, 0)));
    v128.store(out + load<usize>(order, 4), f32x4.mul(b, v128.shuffle<f32>(scale, scale, 1, 1, 1, 1)));
    v128.store(out + load<usize>(order, 8), f32x4.mul(c, v128.shuffle<f32>(scale, scale, 2, 2, 2, 2)));
    v128.store(out + load<usize>(order, 12), f32x4.mul(d, v128.shuffle<f32>(scale, scale, 3, 3, 3, 3)));
    order += 16;
  }
}

function writePositions(frame: usize, block: usize, positions: usize): void {
  const out = load<usize>(frame, FRAME_OUT_POSITIONS);
  const first = load<usize>(block, BLOCK_FIRST);
  let order = load<usize>(frame, FRAME_ORDER) + first * 4;
  const end = order + load<usize>(block, BLOCK_COUNT) * 4;
  for (let y = positions + first * 16; order < end; y += 16) {
    v128.store(out + load<usize>(order), v128.load(y));
    order += 4;
  }
}

/**
 * (region, vertex) pairs: records of polygon size, place, entries of φ; polygon; entries: column·16, f32. 3V is measured about the
 * region's o and about its home's, that it is taken back from.
 */
export function measurePairs(frame: usize, block: usize, positions: usize, flags: i32): void {
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const homeOrigin = v128.load(positions + load<usize>(block, BLOCK_HOME_ANCHOR));
  const field = sweptField(frame, flags);
  const slopes = load<usize>(frame, FRAME_SLOPES);
  const withSlopes = (flags & WITH_SLOPES) !== 0;
  const row = withSlopes ? clearRow(block) : 0;
  let record = load<usize>(block, BLOCK_RINGS);
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  let homeLow = f64x2.splat(0);
  let homeHigh = f64x2.splat(0);
  for (let n = load<u32>(block, BLOCK_COUNT); n > 0; n--) {
    const bytes = load<u32>(record);
    const k = load<usize>(record, 4);
    const area = measurePolygon(record + 12, bytes, positions);
    const y = v128.load(positions + k);
    const part = f32x4.mul(f32x4.sub(y, origin), area);
    const homePart = f32x4.mul(f32x4.sub(y, homeOrigin), area);
    low = f64x2.add(low, f64x2.promote_low_f32x4(part));
    high = f64x2.add(high, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
    homeLow = f64x2.add(homeLow, f64x2.promote_low_f32x4(homePart));
    homeHigh = f64x2.add(homeHigh, f64x2.promote_low_f32x4(v128.shuffle<f32>(homePart, homePart, 2, 2, 2, 2)));
    let phi = record + 20 + <usize>bytes;
    const stop = phi + load<usize>(record, 8) * 8;
    record = stop;
    if (!withSlopes) continue;
    const slope = load<f32>(slopes + (k >> 2)) * f32x4.extract_lane(sum3(f32x4.mul(v128.load(field + k), area)), 0);
    for (; phi < stop; phi += 8) addSlope(row + load<usize>(phi), slope * load<f32>(phi, 4));
  }
  storeVolume(block, 0, low, high);
  storeVolume(block, 8, homeLow, homeHigh);
  if (withSlopes) addRow(block);
}

/** (region, apex) pairs: records of polygon size, place, → ∂apex/∂λ, how many; polygon; columns·16. */
export function measureApexPairs(block: usize, positions: usize, flags: i32): void {
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const withSlopes = (flags & WITH_SLOPES) !== 0;
  const row = withSlopes ? clearRow(block) : 0;
  let record = load<usize>(block, BLOCK_RINGS);
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (let n = load<u32>(block, BLOCK_COUNT); n > 0; n--) {
    const bytes = load<u32>(record);
    const area = measurePolygon(record + 16, bytes, positions);
    const part = f32x4.mul(f32x4.sub(v128.load(positions + load<usize>(record, 4)), origin), area);
    low = f64x2.add(low, f64x2.promote_low_f32x4(part));
    high = f64x2.add(high, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
    let column = record + 24 + <usize>bytes;
    const stop = column + load<usize>(record, 12) * 4;
    let derivative = load<usize>(record, 8);
    record = stop;
    if (!withSlopes) continue;
    for (; column < stop; column += 4) {
      addSlope(row + load<usize>(column), f32x4.extract_lane(sum3(f32x4.mul(v128.load(derivative), area)), 0));
      derivative += 16;
    }
  }
  storeVolume(block, 0, low, high);
  if (withSlopes) addRow(block);
}

function storeVolume(block: usize, offset: usize, low: v128, high: v128): void {
  const sum = f64x2.extract_lane(low, 0) + f64x2.extract_lane(low, 1) + f64x2.extract_lane(high, 0);
  store<f64>(load<usize>(block, BLOCK_SUMS) + offset, sum / 6);
}

/** Four f32 sums for each column. */
function clearRow(block: usize): usize {
  const row = load<usize>(block, BLOCK_SUMS) + 16;
  clearVectors(row, load<usize>(block, BLOCK_COLUMNS));
  return row;
}

function addSlope(at: usize, value: f32): void {
  store<f32>(at, load<f32>(at) + value);
}

/** The four sums of each column as one f64. */
function addRow(block: usize): void {
  let at = load<usize>(block, BLOCK_SUMS) + 16;
  const end = at + load<usize>(block, BLOCK_COLUMNS) * 16;
  for (; at < end; at += 16) {
    const sum = <f64>load<f32>(at) + <f64>load<f32>(at, 4) + <f64>load<f32>(at, 8) + <f64>load<f32>(at, 12);
    store<f64>(at, sum / 6);
  }
}
