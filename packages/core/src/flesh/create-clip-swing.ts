/**
 * G2. The springs at any moment of a clip, always with the same bits: the clip is cut into equal cells of about 1/240 s, every
 * cell is one exact step, and a moment inside a cell is a part of that step. Frame rate and the order of questions do not
 * matter; the states of some cells are kept, so that going back is quick.
 *
 * A clip that loops has swung for ever: with s the state (e, e′) where it begins, one round is s ↦ M(T) s + c, so that
 *   s = (I − M(T))⁻¹ c,   c  what one round from rest leaves,  M(T)  `measureSpringStep` over the whole clip.
 * A clip that does not loop begins without lag, the flesh moving as the skin does. O(bones) per cell.
 *
 * With a memory of W seconds the state is a function of the cells from t − W on alone, round the seam of a clip that loops,
 *   e(t) = −∫ k(t − τ) x″(τ) dτ over [t − W, t],   k  the free spring's answer to a push (M₀₁),
 * which is what the same steps give that begin at rest there: no cell before it is played, whatever was asked before.
 */
import type { Character } from '../character/character.js';
import type { Clip } from '../skeleton/clip.js';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from '../skeleton/matrices.js';
import { createPose, samplePose } from '../skeleton/pose.js';
import { measureSpringStep } from './measure-spring-step.js';
import type { FleshModes } from './plan-flesh-modes.js';
import { createSpringDrive, createSpringState, type Spring, type SpringState, stepSprings } from './step-springs.js';

/** Cells per second, at least, and of a whole clip, at most. */
const RATE = 240;
const MOST_CELLS = 100_000;
/** Seconds: a shorter clip is a pose. */
const SHORTEST = 1e-3;
/** A clip whose last pose is this close to its first (share of the size) loops. */
const CLOSED = 1e-3;
/** Cells between two kept states, and how many are kept at most. */
const SPACING = 60;
const MOST_KEPT = 256;

export interface ClipSwing {
  /** State at `time` (seconds, clamped to the clip) into `out`. */
  seek(out: SpringState, clip: Clip, time: number): void;
}

export interface ClipSwingOptions {
  /** Whether clips loop; undefined: those that end as they begin. */
  readonly loop?: boolean | undefined;
  /** Seconds of the past that count; undefined: all since the clip began. */
  readonly memory?: number | undefined;
  readonly modes?: FleshModes | undefined;
}

/** @param size diagonal of the body */
export function createClipSwing(
  character: Character,
  springs: readonly Spring[],
  size: number,
  { loop, memory, modes }: ClipSwingOptions,
): ClipSwing {
  const boneWidth = BONE_STRIDE * character.skeleton.boneCount;
  const width = boneWidth + 3 * (modes?.count ?? 0);
  const sampleAt = createSampler(character, modes);
  const drive = createSpringDrive(width);
  const state = createSpringState(springs, width);
  /** Bones one and two cells before the clip, and where the last cells begin that were asked for, by number modulo their count. */
  const before = [new Float64Array(width), new Float64Array(width)] as const;
  const recent = Array.from({ length: Math.ceil((memory ?? 0) * RATE) + 4 }, () => new Float64Array(width));
  const numbers = new Int32Array(recent.length);
  const kept = new Map<number, SpringState>();
  let clip: Clip | undefined;
  let cells = 0;
  let h = 0;
  let past = 0; // cells that are remembered
  let spacing = SPACING;
  let cursor = 0;
  let isRound = false; // the places before the clip are those at its end

  const sample = (out: Float64Array, time: number): void => sampleAt(out, clip!, time);
  function placeOf(n: number): Float64Array {
    if (n < 0) return before[-n - 1]!;
    const i = n % recent.length;
    if (numbers[i] !== n) sample(recent[i]!, n === cells ? clip!.duration : n * h);
    numbers[i] = n;
    return recent[i]!;
  }
  /** Part `span` of cell n. */
  function stepCell(out: SpringState, from: SpringState, n: number, span: number, isRiding = false): void {
    drive.order = 3;
    for (let k = 0; k < 4; k++) {
      const offset = k === 0 ? 0 : k === 1 ? 1 : 1 - k; // n, n + 1, n − 1, n − 2
      drive.places[k] = placeOf(n + offset);
      drive.times[k] = offset * h;
    }
    stepSprings(out, from, springs, drive, span, isRiding || (n === 0 && !isRound));
  }
  function keep(): void {
    if (cursor % spacing !== 0 || kept.has(cursor)) return;
    kept.set(cursor, { lag: state.lag.slice(), rate: state.rate.slice(), slope: state.slope.slice() });
  }
  function walkTo(n: number): void {
    let nearest = Math.floor(n / spacing) * spacing;
    while (!kept.has(nearest)) nearest -= spacing;
    if (cursor > n || cursor < nearest) {
      copyState(state, kept.get(nearest)!);
      cursor = nearest;
    }
    for (; cursor < n; keep()) stepCell(state, state, cursor++, h);
  }
  function open(next: Clip): void {
    clip = next;
    cells = Math.min(MOST_CELLS, Math.max(4, Math.ceil(next.duration * RATE - 1e-6)));
    h = next.duration / cells;
    past = Math.ceil((memory ?? 0) / h);
    spacing = Math.max(SPACING, Math.ceil(cells / MOST_KEPT));
    numbers.fill(-1);
    kept.clear();
    clear(state);
    sample(before[0], 0);
    sample(before[1], next.duration);
    isRound = loop !== false && measureGap(before[0], before[1], boneWidth, size) < CLOSED;
    if (isRound) {
      sample(before[0], next.duration - h);
      sample(before[1], next.duration - 2 * h);
    } else {
      // On with the cubic through the first four places.
      extend(before[0], placeOf(0), placeOf(1), placeOf(2), placeOf(3));
      extend(before[1], before[0], placeOf(0), placeOf(1), placeOf(2));
    }
    cursor = 0;
    if (memory !== undefined) return;
    if (isRound) {
      stepCell(state, state, cells - 1, h); // only for the slope that the clip ends with
      state.lag.fill(0);
      state.rate.fill(0);
    }
    if (isRound || loop) findRound();
    keep();
  }
  /** The state where cell n begins, from rest so many cells before it as are remembered. */
  function recall(n: number): void {
    clear(state);
    const isLooping = isRound || loop === true;
    const first = isLooping ? n - past : Math.max(0, n - past);
    for (let c = first; c < n; c++) stepCell(state, state, c - cells * Math.floor(c / cells), h, c === first);
  }
  /** The state that comes back after one round. */
  function findRound(): void {
    const M = new Float64Array(4);
    for (let n = 0; n < cells; n++) stepCell(state, state, n, h);
    const { lag, rate } = state;
    let i = 0;
    for (const { frequency, damping, count = width } of springs) {
      measureSpringStep(M, 2 * Math.PI * frequency, damping, clip!.duration);
      const [a, b, c, d] = [1 - M[0]!, -M[1]!, -M[2]!, 1 - M[3]!];
      const det = a * d - b * c;
      for (const end = i + count; i < end; i++) {
        const e = (d * lag[i]! - b * rate[i]!) / det;
        rate[i] = (a * rate[i]! - c * lag[i]!) / det;
        lag[i] = e;
      }
    }
  }

  return {
    seek(out, next, time) {
      if (!(next.duration >= SHORTEST && next.duration < Number.POSITIVE_INFINITY)) return clear(out);
      if (next !== clip) open(next);
      const t = time > 0 ? Math.min(time, next.duration) : 0;
      const n = Math.min(cells - 1, Math.floor(t / h));
      if (memory === undefined) walkTo(n);
      else recall(n);
      stepCell(out, state, n, Math.max(0, t - n * h));
    },
  };
}

/** The target of the springs at a moment of a clip: bone matrices and what the modes make of them. */
function createSampler(character: Character, modes: FleshModes | undefined) {
  const { skeleton } = character;
  const pose = createPose(character);
  const world = new Float64Array(16 * skeleton.nodeCount);
  return (out: Float64Array, clip: Clip, time: number): void => {
    samplePose(pose, character, clip, time);
    measureWorldMatrices(world, skeleton, pose.locals);
    measureBoneMatrices(out, skeleton, world);
    modes?.measure(out.subarray(BONE_STRIDE * skeleton.boneCount), out);
  };
}

function clear({ lag, rate, slope }: SpringState): void {
  lag.fill(0);
  rate.fill(0);
  slope.fill(0);
}

function copyState(to: SpringState, from: SpringState): void {
  to.lag.set(from.lag);
  to.rate.set(from.rate);
  to.slope.set(from.slope);
}

/** out = 4a − 6b + 4c − d: the place one cell before a on the cubic through a, b, c, d. */
function extend(out: Float64Array, a: Float64Array, b: Float64Array, c: Float64Array, d: Float64Array): void {
  for (let m = 0; m < out.length; m++) out[m] = 4 * (a[m]! + c[m]!) - 6 * b[m]! - d[m]!;
}

/** Largest difference of two poses: turns as they are, ways relative to the size. */
function measureGap(a: Float64Array, b: Float64Array, width: number, size: number): number {
  let most = 0;
  for (let m = 0; m < width; m++) {
    most = Math.max(most, Math.abs(a[m]! - b[m]!) / (m % BONE_STRIDE < 9 ? 1 : size));
  }
  return most;
}
