/**
 * How threads share a phase. The caller describes the phase, hands every thread a range of blocks and raises the epoch;
 * threads take blocks from their own range, then from the others'. A ticket is (epoch, next block) in one 64-bit word: a
 * thread that wakes late finds another epoch in it and takes nothing. Nobody waits for a thread that did not come.
 */
import {
  CONTROL,
  CONTROL_DONE,
  CONTROL_EPOCH,
  CONTROL_JOBS,
  CONTROL_TICKETS,
  JOB_BYTES,
  JOB_COUNT,
  TICKET_BYTES,
} from '../src/layout';
import { runBlock } from './frame';

/** Opens a phase on blocks `from` … `to` − 1 to `threads` threads; the caller then takes blocks like everybody. */
export function openPhase(frame: usize, phase: i32, flags: i32, from: u32, to: u32, threads: u32): void {
  const epoch = atomic.load<u32>(CONTROL + CONTROL_EPOCH) + 1;
  const job = CONTROL + CONTROL_JOBS + (epoch % JOB_COUNT) * JOB_BYTES;
  store<u32>(job, <u32>frame);
  store<i32>(job, phase, 4);
  store<i32>(job, flags, 8);
  store<u32>(job, from, 12);
  store<u32>(job, to, 16);
  store<u32>(job, threads, 20);
  atomic.store<u32>(CONTROL + CONTROL_DONE, 0);
  for (let i: u32 = 0; i < threads; i++) {
    const ticket = CONTROL + CONTROL_TICKETS + i * TICKET_BYTES;
    atomic.store<u64>(ticket, ((<u64>epoch) << 32) | <u64>rangeStart(from, to, threads, i));
  }
  atomic.store<u32>(CONTROL + CONTROL_EPOCH, epoch);
}

/** Takes and runs blocks of the current phase, until it has none left. `me`: number of this thread. */
export function takeBlocks(me: u32): void {
  const epoch = atomic.load<u32>(CONTROL + CONTROL_EPOCH);
  const job = CONTROL + CONTROL_JOBS + (epoch % JOB_COUNT) * JOB_BYTES;
  const frame = load<usize>(job);
  const phase = load<i32>(job, 4);
  const flags = load<i32>(job, 8);
  const from = load<u32>(job, 12);
  const to = load<u32>(job, 16);
  const threads = load<u32>(job, 20);
  if (me >= threads) return;
  let done: u32 = 0; // told once, so that threads do not hand the count to and fro after every block
  for (let i: u32 = 0; i < threads; i++) {
    const range = (me + i) % threads;
    const ticket = CONTROL + CONTROL_TICKETS + range * TICKET_BYTES;
    const end = rangeStart(from, to, threads, range + 1);
    for (;;) {
      const now = atomic.load<u64>(ticket);
      const b = <u32>now;
      if (<u32>(now >> 32) !== epoch || b >= end) break;
      if (atomic.cmpxchg<u64>(ticket, now, now + 1) !== now) continue;
      runBlock(frame, phase, flags, b, me);
      done++;
    }
  }
  if (done > 0 && atomic.add<u32>(CONTROL + CONTROL_DONE, done) + done === to - from)
    atomic.notify(CONTROL + CONTROL_DONE, 1);
}

/** Spins until `count` blocks are done; false when after `patience` looks they are not. */
export function awaitBlocks(count: u32, patience: u32): bool {
  for (let n: u32 = 0; n < patience; n++) if (atomic.load<u32>(CONTROL + CONTROL_DONE) === count) return true;
  return false;
}

/** What a worker does while awake: takes blocks phase after phase, and returns when after `patience` looks nothing has come. */
export function work(me: u32, patience: u32): void {
  for (;;) {
    const epoch = atomic.load<u32>(CONTROL + CONTROL_EPOCH);
    takeBlocks(me);
    let n: u32 = 0;
    while (atomic.load<u32>(CONTROL + CONTROL_EPOCH) === epoch) if (++n > patience) return;
  }
}

function rangeStart(from: u32, to: u32, threads: u32, i: u32): u32 {
  return from + ((to - from) * i) / threads;
}
