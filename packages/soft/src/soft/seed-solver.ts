import type { RayProbe } from './ray-probe.js';
import { FIELD, OTHER, OWN, RIVAL, TOP } from './territory-share.js';
import type { WorldParts } from './world-parts.js';

/** Why a seed stopped. */
export const STOP_NONE = 0;
export const STOP_SURFACE = 1;
export const STOP_BORDER = 2;
export const STOP_CONTACT = 3;
/** STOP_OBSTACLE + index of the obstacle. */
export const STOP_OBSTACLE = 4;

/** η, width of the fade in thicknesses. */
export const FADE = 0.25;
/** Tolerance of a seed's place in thicknesses. */
const TOLERANCE = 2e-6;
const LOOSE = 4e-3;

/**
 * I3. Finds the place where a seed stops on its ray, and where the share of its primitive begins to fade. Both are zeros along the
 * ray: bracketed from where they were the step before, then closed by regula falsi (Illinois) with bisection.
 */
export class SeedSolver {
  /** Why the seed would stop at the place last measured. */
  stop = STOP_NONE;
  /** OWN − OTHER − fade at the place last measured: negative where the share has begun to fade. */
  border = 0;
  readonly #parts: WorldParts;
  readonly #probe: RayProbe;
  /** Obstacles that the current seeds can meet. */
  readonly #walls: Int32Array;
  #wallCount = 0;
  #owner = 0;
  /** The current ray (×3). */
  #ray = 0;

  constructor(parts: WorldParts, probe: RayProbe) {
    this.#parts = parts;
    this.#probe = probe;
    this.#walls = new Int32Array(parts.obstacles.count);
  }

  /** The primitive whose seeds are solved from now on, and the ball that they stay in. */
  begin(i: number, x: number, y: number, z: number, radius: number): void {
    this.#owner = i;
    this.#wallCount = 0;
    for (let o = 0; o < this.#parts.obstacles.count; o++) {
      if (this.#parts.obstacles.distance(o, x, y, z) < radius) this.#walls[this.#wallCount++] = o;
    }
  }

  aim(ray: number): void {
    this.#ray = 3 * ray;
  }

  /** Positive inside the territory, a length; also says what the nearest limit is. */
  #measureMargin(t: number): number {
    const { result } = this.#probe;
    const { origins, directions } = this.#parts.rays;
    const inverseK = 1 / this.#parts.primitives.stiffness[this.#owner]!;
    const width = this.#parts.primitives.width[this.#owner]!;
    this.#probe.measure(t);
    const field = result[FIELD]! - 1;
    const rival = result[RIVAL]!;
    let margin = (field >= 0 ? field * inverseK : field * width) - (rival > 1 ? (rival - 1) * inverseK : 0);
    let stop = rival > 1 ? STOP_CONTACT : STOP_SURFACE;
    const border = result[OWN]! - result[OTHER]!;
    const fade = FADE * result[TOP]!;
    this.border = border - fade;
    if (border + fade < margin) {
      margin = border + fade;
      stop = STOP_BORDER;
    }
    for (let n = 0; n < this.#wallCount; n++) {
      const x = origins[this.#ray]! + t * directions[this.#ray]!;
      const y = origins[this.#ray + 1]! + t * directions[this.#ray + 1]!;
      const z = origins[this.#ray + 2]! + t * directions[this.#ray + 2]!;
      const phi = this.#parts.obstacles.distance(this.#walls[n]!, x, y, z);
      if (phi < margin) {
        margin = phi;
        stop = STOP_OBSTACLE + this.#walls[n]!;
      }
    }
    this.stop = stop;
    return margin;
  }

  /** First zero of the margin, from `guess`. */
  solveEnd(guess: number, limit: number): number {
    const e = this.#parts.primitives.thickness[this.#owner]!;
    const tolerance = TOLERANCE * e;
    let low = 0;
    let high = limit;
    let atLow = NaN;
    let atHigh = NaN;
    let t = Math.min(limit, Math.max(0, guess));
    let side = 0;
    let stride = tolerance;
    for (let n = 0; n < 60; n++) {
      const margin = this.#measureMargin(t);
      // At a border the share has faded to nothing: its exact place does not matter.
      if (Math.abs(margin) <= (this.stop === STOP_BORDER ? LOOSE * e : tolerance)) return t;
      if (margin > 0) {
        if (t >= limit) return limit;
        low = t;
        atLow = margin;
        if (side > 0) atHigh *= 0.5;
        side = 1;
      } else {
        if (t <= 0) {
          this.stop = STOP_NONE;
          return 0;
        }
        high = t;
        atHigh = margin;
        if (side < 0) atLow *= 0.5;
        side = -1;
      }
      if (high - low <= tolerance) return t;
      stride *= 2;
      // Unless one side is known: as far as the margin says, and further from step to step where it hardly changes.
      if (Number.isNaN(atHigh)) t = Math.min(limit, low + Math.max(1.2 * margin, stride));
      else if (Number.isNaN(atLow)) t = Math.max(0, high + Math.min(1.2 * margin, -stride));
      else if (n > 12) t = 0.5 * (low + high);
      else {
        t = (low * atHigh - high * atLow) / (atHigh - atLow);
        if (!(t > low && t < high)) t = 0.5 * (low + high);
      }
    }
    return t;
  }

  /** Where the share begins to fall: OWN deeper than all others by the fade. `atEnd`: how far below that it is at the end. */
  solveFade(guess: number, end: number, atEnd: number): number {
    const { result } = this.#probe;
    const tolerance = 0.4 * FADE * this.#parts.primitives.thickness[this.#owner]!;
    let low = 0;
    let atLow = NaN;
    let high = end;
    let atHigh = atEnd;
    let t = Math.min(guess, end);
    let stride = 0.2 * tolerance;
    for (let n = 0; n < 20; n++) {
      this.#probe.measureShare(t, FADE);
      const excess = Math.min(end, result[OWN]! - result[OTHER]! - FADE * result[TOP]!);
      // Close enough to be a straight line from here to the end; not so where it hardly falls (skeletons that coincide).
      const straight = excess - atEnd > 0.8 * (end - t) && t < end;
      if (Math.abs(excess) < (straight ? tolerance : 0)) {
        return Math.min(end, Math.max(0, t + ((end - t) * excess) / (excess - atEnd)));
      }
      if (Math.abs(excess) < 0.005 * tolerance || high - low < 0.01 * tolerance) return t;
      if (excess > 0) {
        low = t;
        atLow = excess;
      } else {
        if (t <= 0) return 0;
        high = t;
        atHigh = excess;
      }
      stride *= 2;
      if (Number.isNaN(atLow)) t = Math.max(0, high + Math.min(0.75 * atHigh, -stride));
      else if (n > 4) t = 0.5 * (low + high);
      else t = (low * atHigh - high * atLow) / (atHigh - atLow);
    }
    return t;
  }
}
