/** B4. What regions get from vertices that several of them share, and from apexes: polygons of (region, vertex) pairs. */
import { BLOCK_ANCHOR, BLOCK_COUNT, BLOCK_HOME_ANCHOR, BLOCK_RINGS, FRAME_FIELD, FRAME_SURFACE } from '../src/layout';
import { addRow, addSlope, clearRow, storeVolume } from './sums';
import { measurePolygon, sum3 } from './vector';

/**
 * (region, vertex) pairs: records of polygon size, place, entries of φ; polygon; entries: column·16, f32. 3V is measured about the
 * region's o and about its home's, that it is taken back from.
 */
export function measurePairs(frame: usize, block: usize): void {
  const positions = load<usize>(frame, FRAME_SURFACE);
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const homeOrigin = v128.load(positions + load<usize>(block, BLOCK_HOME_ANCHOR));
  const field = load<usize>(frame, FRAME_FIELD);
  const row = clearRow(block);
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
    const slope = f32x4.extract_lane(sum3(f32x4.mul(v128.load(field + k), area)), 0);
    for (; phi < stop; phi += 8) addSlope(row + load<usize>(phi), slope * load<f32>(phi, 4));
  }
  storeVolume(block, 0, low, high);
  storeVolume(block, 8, homeLow, homeHigh);
  addRow(block);
}

/** (region, apex) pairs: records of polygon size, place, → ∂apex/∂λ, how many; polygon; columns·16. */
export function measureApexPairs(frame: usize, block: usize): void {
  const positions = load<usize>(frame, FRAME_SURFACE);
  const origin = v128.load(positions + load<usize>(block, BLOCK_ANCHOR));
  const row = clearRow(block);
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
    for (; column < stop; column += 4) {
      addSlope(row + load<usize>(column), f32x4.extract_lane(sum3(f32x4.mul(v128.load(derivative), area)), 0));
      derivative += 16;
    }
  }
  storeVolume(block, 0, low, high);
  addRow(block);
}
