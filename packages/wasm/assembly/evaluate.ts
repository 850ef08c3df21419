/**
 * B2, B4, C11. One pass over the polygons around the vertices of a block: its share of 3V_s, of the row ∂V_s/∂λ and, on the
 * last pass of a frame, normals and positions in the caller's order. Area vectors are never stored.
 */
import {
  BLOCK_ANCHOR,
  BLOCK_BASES,
  BLOCK_COLUMNS,
  BLOCK_COUNT,
  BLOCK_FIRST,
  BLOCK_RINGS,
  BLOCK_SUMS,
  FRAME_ORDER,
  FRAME_OUT_NORMALS,
  FRAME_OUT_POSITIONS,
  FRAME_SLOPES,
  WITH_OUTPUT,
  WITH_SLOPES,
} from '../src/layout';
import { sweptField } from './sweep';
import { measurePolygon, sum3 } from './vector';

/** 3V: Σ (y_k − o)·a_k, in f64. */
export function measureVolume(block: usize, positions: usize): void {
  const offset = load<usize>(block, BLOCK_FIRST) * 16;
  const end = offset + load<usize>(block, BLOCK_COUNT) * 16;
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  let ring = load<usize>(block, BLOCK_RINGS);
  let sumXY = f64x2.splat(0);
  let sumZ = f64x2.splat(0);
  for (let k = offset; k < end; k += 16) {
    const bytes = load<u32>(ring) & ~7;
    const area = measurePolygon(ring + 4, bytes, positions);
    ring += 12 + <usize>bytes;
    const part = f32x4.mul(f32x4.sub(v128.load(positions + k), origin), area);
    sumXY = f64x2.add(sumXY, f64x2.promote_low_f32x4(part));
    sumZ = f64x2.add(sumZ, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
  }
  storeVolume(block, sumXY, sumZ);
}

/** The same, and the row of slopes: Σ_k slope_k ⟨n_k, a_k⟩ φ_tk for the block's columns t. */
export function measureVolumeAndSlopes(frame: usize, block: usize, positions: usize, flags: i32): void {
  const offset = load<usize>(block, BLOCK_FIRST) * 16;
  const end = offset + load<usize>(block, BLOCK_COUNT) * 16;
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const field = sweptField(frame, flags);
  let slopes = load<usize>(frame, FRAME_SLOPES) + (offset >> 2);
  let ring = load<usize>(block, BLOCK_RINGS);
  let phi = load<usize>(block, BLOCK_BASES);
  const row = clearRow(block);
  let sumXY = f64x2.splat(0);
  let sumZ = f64x2.splat(0);
  for (let k = offset; k < end; k += 16) {
    const bytes = load<u32>(ring) & ~7;
    const area = measurePolygon(ring + 4, bytes, positions);
    ring += 12 + <usize>bytes;
    const part = f32x4.mul(f32x4.sub(v128.load(positions + k), origin), area);
    sumXY = f64x2.add(sumXY, f64x2.promote_low_f32x4(part));
    sumZ = f64x2.add(sumZ, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
    const slope = load<f32>(slopes) * f32x4.extract_lane(sum3(f32x4.mul(v128.load(field + k), area)), 0);
    slopes += 4;
    const stop = phi + 4 + load<usize>(phi) * 8;
    for (phi += 4; phi < stop; phi += 8) addSlope(row + <usize>load<u16>(phi, 2), slope * load<f32>(phi, 4));
  }
  storeVolume(block, sumXY, sumZ);
  scaleRow(block);
}

/** The same as measureVolume, with normals and positions in the caller's order. */
export function measureVolumeAndWrite(frame: usize, block: usize, positions: usize): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const offset = first * 16;
  const end = offset + load<usize>(block, BLOCK_COUNT) * 16;
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const outPositions = load<usize>(frame, FRAME_OUT_POSITIONS);
  const outNormals = load<usize>(frame, FRAME_OUT_NORMALS);
  let order = load<usize>(frame, FRAME_ORDER) + first * 4;
  let ring = load<usize>(block, BLOCK_RINGS);
  let sumXY = f64x2.splat(0);
  let sumZ = f64x2.splat(0);
  for (let k = offset; k < end; k += 16) {
    const bytes = load<u32>(ring) & ~7;
    const area = measurePolygon(ring + 4, bytes, positions);
    ring += 12 + <usize>bytes;
    const y = v128.load(positions + k);
    const part = f32x4.mul(f32x4.sub(y, origin), area);
    sumXY = f64x2.add(sumXY, f64x2.promote_low_f32x4(part));
    sumZ = f64x2.add(sumZ, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
    const length = f32x4.sqrt(sum3(f32x4.mul(area, area)));
    const to = load<usize>(order);
    v128.store(outPositions + to, y);
    v128.store(outNormals + to, f32x4.div(area, f32x4.max(length, f32x4.splat(1e-37)))); // a zero vector stays zero
    order += 4;
  }
  storeVolume(block, sumXY, sumZ);
}

/** (region, vertex) pairs: records of polygon size, place, entries of φ; polygon; φ. */
export function measurePairs(frame: usize, block: usize, positions: usize, flags: i32): void {
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const field = sweptField(frame, flags);
  const slopes = load<usize>(frame, FRAME_SLOPES);
  const withSlopes = (flags & WITH_SLOPES) != 0;
  const row = withSlopes ? clearRow(block) : 0;
  let record = load<usize>(block, BLOCK_RINGS);
  let sumXY = f64x2.splat(0);
  let sumZ = f64x2.splat(0);
  for (let n = load<u32>(block, BLOCK_COUNT); n > 0; n--) {
    const bytes = load<u32>(record);
    const k = load<usize>(record, 4);
    const area = measurePolygon(record + 12, bytes, positions);
    const part = f32x4.mul(f32x4.sub(v128.load(positions + k), origin), area);
    sumXY = f64x2.add(sumXY, f64x2.promote_low_f32x4(part));
    sumZ = f64x2.add(sumZ, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
    let phi = record + 20 + <usize>bytes;
    const stop = phi + load<usize>(record, 8) * 8;
    record = stop;
    if (!withSlopes) continue;
    const slope = load<f32>(slopes + (k >> 2)) * f32x4.extract_lane(sum3(f32x4.mul(v128.load(field + k), area)), 0);
    for (; phi < stop; phi += 8) addSlope(row + <usize>load<u16>(phi, 2), slope * load<f32>(phi, 4));
  }
  storeVolume(block, sumXY, sumZ);
  if (withSlopes) scaleRow(block);
}

/** (region, apex) pairs: records of polygon size, place, → ∂apex/∂λ, how many; polygon; columns·8. */
export function measureApexPairs(block: usize, positions: usize, flags: i32): void {
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const withSlopes = (flags & WITH_SLOPES) != 0;
  const row = withSlopes ? clearRow(block) : 0;
  let record = load<usize>(block, BLOCK_RINGS);
  let sumXY = f64x2.splat(0);
  let sumZ = f64x2.splat(0);
  for (let n = load<u32>(block, BLOCK_COUNT); n > 0; n--) {
    const bytes = load<u32>(record);
    const area = measurePolygon(record + 16, bytes, positions);
    const part = f32x4.mul(f32x4.sub(v128.load(positions + load<usize>(record, 4)), origin), area);
    sumXY = f64x2.add(sumXY, f64x2.promote_low_f32x4(part));
    sumZ = f64x2.add(sumZ, f64x2.promote_low_f32x4(v128.shuffle<f32>(part, part, 2, 2, 2, 2)));
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
  storeVolume(block, sumXY, sumZ);
  if (withSlopes) scaleRow(block);
}

/** Normals and positions alone. */
export function writeOutput(frame: usize, block: usize, positions: usize): void {
  const first = load<usize>(block, BLOCK_FIRST);
  const end = (first + load<usize>(block, BLOCK_COUNT)) * 16;
  const outPositions = load<usize>(frame, FRAME_OUT_POSITIONS);
  const outNormals = load<usize>(frame, FRAME_OUT_NORMALS);
  let order = load<usize>(frame, FRAME_ORDER) + first * 4;
  let ring = load<usize>(block, BLOCK_RINGS);
  for (let k = first * 16; k < end; k += 16) {
    const bytes = load<u32>(ring) & ~7;
    const area = measurePolygon(ring + 4, bytes, positions);
    ring += 12 + <usize>bytes;
    const length = f32x4.sqrt(sum3(f32x4.mul(area, area)));
    const to = load<usize>(order);
    v128.store(outPositions + to, v128.load(positions + k));
    v128.store(outNormals + to, f32x4.div(area, f32x4.max(length, f32x4.splat(1e-37))));
    order += 4;
  }
}

/** What EVALUATE does to a block of vertices. */
export function evaluateVertices(frame: usize, block: usize, positions: usize, flags: i32, inner: bool): void {
  if (!inner) {
    if (flags & WITH_OUTPUT) writeOutput(frame, block, positions);
  } else if (flags & WITH_OUTPUT) {
    measureVolumeAndWrite(frame, block, positions);
    if (flags & WITH_SLOPES) measureVolumeAndSlopes(frame, block, positions, flags);
  } else if (flags & WITH_SLOPES) measureVolumeAndSlopes(frame, block, positions, flags);
  else measureVolume(block, positions);
}

function storeVolume(block: usize, xy: v128, z: v128): void {
  const sum = f64x2.extract_lane(xy, 0) + f64x2.extract_lane(xy, 1) + f64x2.extract_lane(z, 0);
  store<f64>(load<usize>(block, BLOCK_SUMS), sum / 6);
}

function clearRow(block: usize): usize {
  const row = load<usize>(block, BLOCK_SUMS) + 8;
  memory.fill(row, 0, load<usize>(block, BLOCK_COLUMNS) * 8);
  return row;
}

function addSlope(at: usize, value: f32): void {
  store<f64>(at, load<f64>(at) + <f64>value);
}

/** Area vectors were taken six times too large. */
function scaleRow(block: usize): void {
  let at = load<usize>(block, BLOCK_SUMS) + 8;
  const end = at + load<usize>(block, BLOCK_COLUMNS) * 8;
  for (; at < end; at += 8) store<f64>(at, load<f64>(at) / 6);
}
