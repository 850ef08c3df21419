import { measureClosest } from './closest-point.js';
import type { NeighbourGrid } from './neighbour-grid.js';
import type { RayState } from './place-rays.js';
import type { Obstacles } from './plan-obstacles.js';
import type { Skeleton } from './plan-skeleton.js';
import { FIELD, OTHER, OWN, RIVAL, SLOPE, TOP } from './probe.js';
import type { RayProbe } from './ray-probe.js';

/**
 * I3, I5. Moves the seeds and measures the territories. A seed goes out along its ray to the first place where
 *   – the surface is reached, F = c;
 *   – another body pushes back, F = RIVAL ≥ c (contact surface), or an obstacle begins, φ = 0;
 *   – its primitive has no more share, f_i below the strongest by the width of the fade.
 *
 * The search begins where the seed was the step before, is bracketed, then closed by regula falsi (Illinois) with bisection.
 *
 * Territories are T_i = {f ≥ c, ψ_i ≥ ψ_j}, ψ = e + ε − d the depth (which orders equal potentials as f does), with borders that
 * fade over η thicknesses of the deepest:
 *   w_i = max(0, ψ_i − ψ_max + ηe) / Σ_j max(0, ψ_j − ψ_max + ηe),  Σ_i w_i = 1,  V_i = ∫ w_i dV
 * A sharp border makes V_i jump when two skeletons share a corner or meet: there f_i ≥ f_j holds in a whole region at once, and
 * the controller would hand it to and fro. Σ V_i is the volume either way.
 */
export interface TerritoryState {
  readonly volumes: Float64Array;
  /** #P: ∂V_i/∂ε_i, estimated: the free surface, half the contact surface, and what the fading borders give way. */
  readonly slopes: Float64Array;
  /** #R: why the seed stopped. */
  readonly stops: Uint8Array;
  /** #R: share of the primitive where the seed stopped, 1 for most. */
  readonly shares: Float64Array;
}

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
/** How far a seed goes before more neighbours are looked at, in thicknesses. */
const STRIDE = 0.3;
/** Neighbourhood in thicknesses, beyond the fade, for which candidates are selected at once. */
const SLACK = 0.15;

/** Nodes of the two-point rule. */
const GAUSS = 1 / Math.sqrt(3);

/** Places in the scratch of the current primitive. */
const INVERSE_K = 0;
const WIDTH = 1;
const BORDER = 2;

/** Called for every seed that stopped at a contact, with the probe measured there. */
export type OnContact = (i: number, ray: number, x: number, y: number, z: number) => void;

export interface TerritorySampler {
  readonly state: TerritoryState;
  sample(onContact?: OnContact): void;
}

export function createTerritorySampler(
  skeleton: Skeleton,
  rays: RayState,
  grid: NeighbourGrid,
  obstacles: Obstacles,
  probe: RayProbe,
): TerritorySampler {
  const { count, thickness, width, stiffness, offsets } = skeleton;
  const { origins, directions, weights, ends, fades } = rays;
  const { result } = probe;
  const volumes = new Float64Array(count);
  const slopes = new Float64Array(count);
  const stops = new Uint8Array(rays.count);
  const shares = new Float64Array(rays.count);
  /** Neighbours of the current primitive that its seeds can meet, and the obstacles. */
  const items = new Int32Array(count);
  const walls = new Int32Array(obstacles.count);
  const closest = new Float64Array(5);
  let itemCount = 0;
  let wallCount = 0;

  // 1/k and w of the current primitive, OWN − OTHER − fade at the place last measured; the current ray (×3).
  const state = new Float64Array(3);
  let current = 0;
  let stop = STOP_NONE;

  const depth = (f: number): number => (f >= 1 ? (f - 1) * state[INVERSE_K]! : (f - 1) * state[WIDTH]!);

  /** Positive inside the territory, a length; also says what the nearest limit is. */
  const measureMargin = (t: number): number => {
    probe.measure(t);
    const field = depth(result[FIELD]!);
    const rival = result[RIVAL]!;
    let margin = field - (rival > 1 ? depth(rival) : 0);
    stop = rival > 1 ? STOP_CONTACT : STOP_SURFACE;
    const border = result[OWN]! - result[OTHER]!;
    const fade = FADE * result[TOP]!;
    state[BORDER] = border - fade;
    if (border + fade < margin) {
      margin = border + fade;
      stop = STOP_BORDER;
    }
    for (let n = 0; n < wallCount; n++) {
      const phi = obstacles.distance(
        walls[n]!,
        origins[current]! + t * directions[current]!,
        origins[current + 1]! + t * directions[current + 1]!,
        origins[current + 2]! + t * directions[current + 2]!,
      );
      if (phi < margin) {
        margin = phi;
        stop = STOP_OBSTACLE + walls[n]!;
      }
    }
    return margin;
  };

  /** First zero of the margin, from `guess`. */
  const solveEnd = (guess: number, limit: number, tolerance: number, loose: number): number => {
    let low = 0;
    let high = limit;
    let atLow = NaN;
    let atHigh = NaN;
    let t = Math.min(limit, Math.max(0, guess));
    let side = 0;
    let stride = tolerance;
    for (let n = 0; n < 60; n++) {
      const margin = measureMargin(t);
      // At a border the share has faded to nothing: its exact place does not matter.
      if (Math.abs(margin) <= (stop === STOP_BORDER ? loose : tolerance)) return t;
      if (margin > 0) {
        if (t >= limit) return limit;
        low = t;
        atLow = margin;
        if (side > 0) atHigh *= 0.5;
        side = 1;
      } else {
        if (t <= 0) {
          stop = STOP_NONE;
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
  };

  /** Where the share begins to fall: OWN deeper than all others by the fade. */
  const solveFade = (guess: number, end: number, atEnd: number, tolerance: number): number => {
    let low = 0;
    let atLow = NaN;
    let high = end;
    let atHigh = atEnd;
    let t = Math.min(guess, end);
    let stride = 0.2 * tolerance;
    for (let n = 0; n < 20; n++) {
      probe.measureShare(t, FADE);
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
  };

  const listAround = (i: number, furthest: number): void => {
    const all = grid.items();
    const at = 4 * i;
    const { spheres } = grid;
    const reach = spheres[at + 3]! + furthest;
    itemCount = 0;
    for (let n = grid.offsets[i]!; n < grid.offsets[i + 1]!; n++) {
      const j = all[n]!;
      const squared = measureClosest(
        closest,
        skeleton.corners,
        9 * j,
        skeleton.shape[j]!,
        spheres[at]!,
        spheres[at + 1]!,
        spheres[at + 2]!,
      );
      const limit = reach + thickness[j]! + width[j]! + offsets[j]!;
      if (squared < limit * limit) items[itemCount++] = j;
    }
    wallCount = 0;
    for (let o = 0; o < obstacles.count; o++) {
      if (obstacles.distance(o, spheres[at]!, spheres[at + 1]!, spheres[at + 2]!) < reach) walls[wallCount++] = o;
    }
  };

  const sample = (onContact?: OnContact): void => {
    for (let i = 0; i < count; i++) {
      const e = thickness[i]!;
      const limit = Math.max(0, e + width[i]! + offsets[i]!);
      const begin = rays.offsets[i]!;
      const finish = rays.offsets[i + 1]!;
      // Seeds move little in a step; the neighbours further out are looked at only when one of them does go far.
      let near = 0;
      let mean = 0;
      for (let ray = begin; ray < finish; ray++) {
        near = Math.max(near, ends[ray]!);
        mean += ends[ray]! / (finish - begin);
      }
      near = Math.min(limit, near + STRIDE * e);
      listAround(i, near);
      probe.prepare(i, items, itemCount, mean + SLACK * e, FADE);
      state[INVERSE_K] = 1 / stiffness[i]!;
      state[WIDTH] = width[i]!;
      let volume = 0;
      let slope = 0;
      for (let ray = begin; ray < finish; ray++) {
        const at = 3 * ray;
        // One selection for the whole fade where it was, and a little more.
        probe.aim(
          origins[at]!,
          origins[at + 1]!,
          origins[at + 2]!,
          directions[at]!,
          directions[at + 1]!,
          directions[at + 2]!,
          SLACK * e + 0.5 * (ends[ray]! - fades[ray]!),
          stops[ray] !== STOP_BORDER,
        );
        probe.select(0.5 * (ends[ray]! + fades[ray]!));
        current = at;
        let end = solveEnd(ends[ray]!, near, TOLERANCE * e, LOOSE * e);
        if (end >= near && near < limit) {
          near = limit;
          listAround(i, near);
          probe.prepare(i, items, itemCount, mean + SLACK * e, FADE);
          probe.select(end);
          end = solveEnd(end, near, TOLERANCE * e, LOOSE * e);
        }
        ends[ray] = end;
        stops[ray] = stop;
        const a1 = weights[at]!;
        const a2 = weights[at + 1]!;
        const a3 = weights[at + 2]!;
        const area = a1 + end * (a2 + end * a3);
        if (stop === STOP_SURFACE) slope += area;
        else if (stop === STOP_CONTACT) slope += 0.5 * area;
        let share = 1;
        let full = end;
        if (state[BORDER]! < 0 && end > 0) {
          if (onContact && stop >= STOP_CONTACT) share = probe.share(FADE);
          const found = stop;
          const border = state[BORDER]!;
          probe.narrow(FADE);
          full = solveFade(fades[ray]!, end, border, 0.4 * FADE * e);
          fades[ray] = full;
          // Two-point Gauss–Legendre, on parts no longer than the regular fade between two neighbours.
          const parts = Math.min(8, Math.ceil((end - full) / (1.5 * FADE * e)));
          const half = (0.5 * (end - full)) / parts;
          for (let n = 0; n < 2 * parts; n++) {
            const t = full + half * (2 * (n >> 1) + 1 + (n & 1 ? GAUSS : -GAUSS));
            const share = probe.measureShare(t, FADE);
            const w = half * (a1 + t * (a2 + t * a3));
            volume += w * share;
            slope += w * result[SLOPE]!;
          }
          stop = found;
        } else fades[ray] = end;
        volume += full * (a1 + full * (a2 / 2 + (full * a3) / 3));
        shares[ray] = share;
        if (onContact && stop >= STOP_CONTACT && end > 0) {
          probe.measureFully(end);
          onContact(
            i,
            ray,
            origins[at]! + end * directions[at]!,
            origins[at + 1]! + end * directions[at + 1]!,
            origins[at + 2]! + end * directions[at + 2]!,
          );
        }
      }
      volumes[i] = volume;
      slopes[i] = slope;
    }
  };

  return { state: { volumes, slopes, stops, shares }, sample };
}
