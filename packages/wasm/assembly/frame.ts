/** The phases of a frame (METHODS A2, B2, B4, C11) on blocks of vertices, in f32 with sums in f64. */
import {
  APEX,
  APEX_PAIRS,
  BLOCK_BYTES,
  BLOCK_KIND,
  BORDER,
  DISPLACE,
  FRAME_BLOCKS,
  FRAME_FIELD,
  FRAME_FIELD_1,
  FRAME_FIELD_2,
  FRAME_SKIN,
  FRAME_SURFACE,
  INNER,
  MEASURE,
  ODD_FANS,
  OF_SKIN,
  PAIRS,
  SCRATCH,
  SCRATCH_BYTES,
  SECOND_FIELD,
  SKIN,
  SWEEP,
} from '../src/layout';
import { measureApex } from './apexes';
import { displace } from './displace';
import { evaluateVertices, measureApexPairs, measurePairs } from './evaluate';
import { skin } from './skin';
import { measureAndSweep, sweep, sweepOdd } from './sweep';

/** One phase on blocks `from` … `to` − 1, on this thread. */
export function runBlocks(frame: usize, phase: i32, flags: i32, from: u32, to: u32): void {
  for (let b = from; b < to; b++) runBlock(frame, phase, flags, b, 0);
}

export function runBlock(frame: usize, phase: i32, flags: i32, b: u32, me: u32): void {
  const block = load<usize>(frame, FRAME_BLOCKS) + <usize>b * BLOCK_BYTES;
  const kind = load<i32>(block, BLOCK_KIND);
  if (phase === SKIN) return skin(frame, block, flags);
  if (phase === DISPLACE) return displace(frame, block, flags);
  const x = load<usize>(frame, FRAME_SKIN);
  const field = load<usize>(frame, FRAME_FIELD);
  const first = load<usize>(frame, FRAME_FIELD_1);
  if (phase === MEASURE) {
    if (kind === INNER) measureAndSweep(frame, block);
    else if (kind === BORDER) sweep(frame, block, field, first);
    else if (kind === PAIRS) measurePairs(frame, block, x, flags);
    else if (kind === APEX_PAIRS) measureApexPairs(block, x, flags);
    else sweepOdd(block, field, first);
    return;
  }
  if (phase === SWEEP) {
    const second = load<usize>(frame, FRAME_FIELD_2);
    const to = flags & SECOND_FIELD ? second : first;
    const from = flags & SECOND_FIELD ? first : second;
    if (kind <= BORDER) sweep(frame, block, from, to);
    else if (kind === ODD_FANS) sweepOdd(block, from, to);
    return;
  }
  const positions = flags & OF_SKIN ? x : load<usize>(frame, FRAME_SURFACE);
  if (kind <= BORDER) evaluateVertices(frame, block, kind, positions, flags, SCRATCH + <usize>me * SCRATCH_BYTES);
  else if (kind === PAIRS) measurePairs(frame, block, positions, flags);
  else if (kind === APEX_PAIRS) measureApexPairs(block, positions, flags);
  else if (kind === APEX) measureApex(frame, block, positions, flags);
}
