/** The phases of a frame (A2, B2, B4, C15) on blocks of vertices, in f32 with sums in f64. */
import {
  APEX,
  APEX_PAIRS,
  BLOCK_BASES,
  BLOCK_BYTES,
  BLOCK_GIVEN,
  BLOCK_KIND,
  BLOCK_SKIPPED,
  BORDER,
  DISPLACE,
  EVALUATE,
  FRAME_BLOCKS,
  NORMALS,
  PAIRS,
  SCRATCH,
  SCRATCH_BYTES,
  SKIN,
  WITH_GIVEN,
  WITHOUT_NORMALS,
} from '../src/layout';
import { measureApex } from './apexes';
import { displace } from './displace';
import { evaluateVertices, measureNormals } from './evaluate';
import { measureApexPairs, measurePairs } from './pairs';
import { skin } from './skin';

/** One phase on blocks `from` … `to` − 1, on this thread. */
export function runBlocks(frame: usize, phase: i32, flags: i32, from: u32, to: u32): void {
  for (let b = from; b < to; b++) runBlock(frame, phase, flags, b, 0);
}

/** @param me number of this thread. */
export function runBlock(frame: usize, phase: i32, flags: i32, b: u32, me: u32): void {
  const block = load<usize>(frame, FRAME_BLOCKS) + <usize>b * BLOCK_BYTES;
  if (load<i32>(block, BLOCK_SKIPPED)) return;
  const scratch = SCRATCH + <usize>me * SCRATCH_BYTES;
  if (phase === SKIN) return skin(frame, block, flags);
  const values = flags & WITH_GIVEN ? BLOCK_GIVEN : BLOCK_BASES;
  if (phase === DISPLACE) return displace(frame, block, load<usize>(block + values), flags);
  const kind = load<i32>(block, BLOCK_KIND);
  const normals = phase === NORMALS || !(flags & WITHOUT_NORMALS);
  if (kind <= BORDER) {
    if (phase === EVALUATE && kind < BORDER) evaluateVertices(frame, block, normals, scratch);
    else if (normals) measureNormals(frame, block, phase === NORMALS, scratch);
  } else if (kind === PAIRS) measurePairs(frame, block);
  else if (kind === APEX_PAIRS) measureApexPairs(frame, block);
  else if (kind === APEX) measureApex(frame, block);
}
