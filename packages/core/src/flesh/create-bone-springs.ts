/**
 * G1. Springs on the bone matrices, stepped frame by frame. Linear skinning is linear in the matrices, so a vertex that hangs
 * on springs is the same as a vertex skinned with matrices that hang on springs: the inertia of every vertex, rotation
 * included, for 12 numbers per bone instead of six per vertex.
 *
 * The target of a step is the cubic through the last four frames. After a start the polynomial goes through all frames since
 * then, so that the first frames are as accurate as the rest. Where frames are of very different length the target is linear.
 */
import { BONE_STRIDE } from '../skeleton/matrices.js';
import type { FleshModes } from './plan-flesh-modes.js';
import { createSpringDrive, createSpringState, type Spring, type SpringState, stepSprings } from './step-springs.js';

export interface BoneSprings {
  /** What a bone matrix is behind by, #springs × #B×12; with modes: of the one spring of the bones, and then each mode's, #M×3. */
  readonly state: SpringState;
  /** Nothing lags: the surface is the skinned one. */
  readonly isStill: boolean;
  /**
   * The bones `dt` seconds later. Without time (dt not above 0) and at a cut (the body is suddenly elsewhere) the lag rides
   * along unfelt.
   */
  step(bones: Float64Array, dt: number): void;
  /** The next step starts from `state` as it was set from outside. */
  restart(): void;
  /** All at rest. */
  reset(): void;
}

/** Steps whose lengths differ by more are not put on one polynomial. */
const UNEVEN = 8;
/** Seconds after which no flesh swings any more (and sines of ω·dt mean nothing). */
const FOREVER = 1e6;
/** A cut: the body moves by this share of its size in one step, at this speed (sizes/s), and so much faster than before. */
const CUT = { move: 0.25, speed: 12, gain: 4 } as const;
/** Lags below this are rounding, and their numbers slow to compute with. */
const NOTHING = 1e-15;

/** @param centre middle of the body at rest. @param size its diagonal. @param modes of the skin, whose springs stand behind the bones' */
export function createBoneSprings(
  boneCount: number,
  springs: readonly Spring[],
  centre: ArrayLike<number>,
  size: number,
  modes?: FleshModes,
): BoneSprings {
  const width = BONE_STRIDE * boneCount + 3 * (modes?.count ?? 0);
  const follow = createFollower(boneCount, modes);
  const now = createSpringState(springs, width);
  const base = createSpringState(springs, width);
  const drive = createSpringDrive(width);
  /** Newest first. */
  const past = Array.from({ length: 4 }, () => new Float64Array(width));
  const gaps = new Float64Array(3);
  let count = 0;
  let isStarting = true;
  let isStill = true;
  let speed = 0;

  const begin = (bones: Float64Array): void => {
    past[0]!.set(bones);
    count = 1;
    isStarting = true;
    base.lag.set(now.lag);
    base.rate.set(now.rate);
  };
  const reset = (): void => {
    now.lag.fill(0);
    now.rate.fill(0);
    now.slope.fill(0);
    count = 0;
    speed = 0;
    isStill = true;
  };
  const remember = (bones: Float64Array, dt: number): void => {
    const oldest = past[3]!;
    for (let n = 3; n > 0; n--) past[n] = past[n - 1]!;
    past[0] = oldest;
    oldest.set(bones);
    gaps[2] = gaps[1]!;
    gaps[1] = gaps[0]!;
    gaps[0] = dt;
    count = Math.min(4, count + 1);
  };
  const put = (n: number, place: number, time: number): void => {
    drive.places[n] = past[place]!;
    drive.times[n] = time;
  };
  const isCut = (bones: Float64Array, dt: number): boolean => {
    const move = measureMove(past[0]!, bones, BONE_STRIDE * boneCount, centre) / size;
    const before = speed;
    speed = move / dt;
    if (!(move > CUT.move && speed > CUT.speed && speed > CUT.gain * before)) return false;
    if (count > 1) speed = before; // else nothing is known of how it moves: if it goes on so, it is no cut
    return true;
  };
  const settle = (): void => {
    let largest = 0;
    let sum = 0;
    for (let i = 0; i < now.lag.length; i++) {
      const size = Math.max(Math.abs(now.lag[i]!), Math.abs(now.rate[i]!));
      if (size > largest) largest = size;
      sum += size;
    }
    if (!Number.isFinite(sum)) return reset(); // a pose that is no pose
    isStill = largest < NOTHING;
    if (!isStill) return;
    now.lag.fill(0);
    now.rate.fill(0);
  };

  return {
    state: now,
    get isStill() {
      return isStill;
    },
    reset,
    restart() {
      count = 0;
      speed = 0;
      settle();
    },
    step(matrices, dt) {
      const bones = follow(matrices);
      if (count === 0) return begin(bones);
      if (!(dt > 0)) {
        if (!isSame(bones, past[0]!)) begin(bones);
        return;
      }
      if (dt > FOREVER) {
        reset();
        return begin(bones);
      }
      if (isCut(bones, dt)) {
        drive.order = 0;
        stepSprings(now, now, springs, drive, dt, true);
        settle();
        return begin(bones);
      }
      if (count > 1 && (dt > UNEVEN * gaps[0]! || gaps[0]! > UNEVEN * dt)) {
        count = 1;
        isStarting = false;
      }
      remember(bones, dt);
      drive.order = count - 1;
      if (isStarting) {
        let time = 0;
        for (let n = 0; n < count; n++) {
          put(n, count - 1 - n, time);
          time += n + 1 < count ? gaps[count - 2 - n]! : 0;
        }
        stepSprings(now, base, springs, drive, time, true);
        isStarting = count < 4;
      } else {
        put(0, 1, 0);
        put(1, 0, dt);
        put(2, 2, -gaps[1]!);
        put(3, 3, -gaps[1]! - gaps[2]!);
        stepSprings(now, now, springs, drive, dt, false);
      }
      settle();
    },
  };
}

/** The target of the springs: bone matrices and, behind them, what the modes make of these. */
function createFollower(boneCount: number, modes: FleshModes | undefined): (matrices: Float64Array) => Float64Array {
  if (!modes) return (matrices) => matrices;
  const target = new Float64Array(BONE_STRIDE * boneCount + 3 * modes.count);
  const behind = target.subarray(BONE_STRIDE * boneCount);
  return (matrices) => {
    target.set(matrices);
    modes.measure(behind, matrices);
    return target;
  };
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let m = 0; m < a.length; m++) if (a[m] !== b[m]) return false;
  return true;
}

/** Mean way of the body's centre on all bones. */
function measureMove(before: Float64Array, bones: Float64Array, width: number, centre: ArrayLike<number>): number {
  let sum = 0;
  for (let m = 0; m < width; m += BONE_STRIDE) {
    let square = 0;
    for (let r = m; r < m + 3; r++) {
      let move = bones[r + 9]! - before[r + 9]!;
      for (let c = 0; c < 3; c++) move += (bones[r + 3 * c]! - before[r + 3 * c]!) * centre[c]!;
      square += move * move;
    }
    sum += Math.sqrt(square);
  }
  return sum / (width / BONE_STRIDE);
}
