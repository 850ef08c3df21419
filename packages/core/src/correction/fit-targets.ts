/**
 * C18. Few targets: what the shapes of a plan do in the clips, with at most as many morph targets as a file or a page should carry, each driven by a weight ≥ 0.
 *
 *   a(n) ≈ Cᵀ w(n),   w ≥ 0          minimise Σ_n ‖a(n) − Cᵀ w(n)‖²_G + μ Σ_t #support(t)
 *   w(a) = argmin_{w ≥ 0} ‖a − Cᵀ w‖²_G                                    a function of the pose, as a is
 *
 *   a   amounts of all S shapes: λ of the regions, and what bends give        n   moments of the rehearsed clips
 *   C   targets, T×S: target t pushes by Σ_s C_ts d_s                          w   weights of the targets, near 1 at most in the clips
 *   G   metric: Gram matrix of the pushes over the area, in shares of VISIBLE, and of the volumes that they add, in shares of VOLUME
 *   μ   price of a stored vertex, raised until a vertex is in few enough targets
 *
 * Neighbours that move together share a target, a shape that goes both ways takes two, and what nobody sees takes none. Regions are joined into units as long
 * as that serves the sum; a unit has up to three targets, by semi-nonnegative factorisation (Ding, Li, Jordan, 2010). O(pairs of neighbours · moments).
 */
import { findAxes } from '../linear-algebra/find-axes.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import { measureLength } from '../mesh/measure-length.js';
import { type AmountSamples, createWeigher, descend, type TargetFit } from './few-targets.js';
import { sumVertexAreas } from './measure-vertex-areas.js';
import { VertexTable, type VertexValues } from './plan-bases.js';
import type { Shapes } from './plan-shapes.js';
import { listFamilies, reduceGiven } from './reduce-given.js';
import type { SolverContext } from './volume-solver.js';

/** What the fit needs to know of the surface. */
interface FitSurface {
  /** Area of every vertex, and |n̄|, #V. */
  readonly areas: Float64Array;
  readonly lengths: Float64Array;
  readonly size: number;
  /** Region of every triangle, and its corners; volumes of the regions. */
  readonly triangleRegion: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  readonly volumes: ArrayLike<number>;
  /** Region of every shape. */
  readonly regionOf: ArrayLike<number>;
}

/** A push of this share of the size, all over, and a change of this share of a region's volume, are as bad as each other. */
const VISIBLE = 1e-3;
const VOLUME = 0.02;
/** Pushes below this share of the size, at the largest weight, are not stored: nobody sees them. */
export const QUIET_PUSH = 5e-4;
/** Targets that a vertex is in, in the mean, at most. */
const MAX_LAYERS = 2;
/** Prices of a stored vertex that are tried, of what all pushes together are worth to it. */
const PRICES = [0.002, 0.006, 0.015, 0.03, 0.06, 0.12];
/** Regions of a unit, targets of a unit, and moments that are looked at, at most. */
const MAX_REGIONS = 5;
const MAX_RANK = 3;
const MAX_MOMENTS = 120;
/** Rounds of a factorisation, and sweeps of its descents to nonnegative weights. */
const ROUNDS = 8;
const FIT_SWEEPS = 10;
/** Share of the sum that joining two units must gain. */
const JOIN_GAIN = 0.005;

/**
 * Shapes as the clips use them: of what bends give only the directions in which something is seen and, where more than `budget` targets would be left, the fit.
 * A shape that goes both ways counts as two.
 */
export function fitShapes(
  { character, directions, regions }: Pick<SolverContext, 'character' | 'directions' | 'regions'>,
  whole: Shapes,
  rest: Float64Array,
  all: AmountSamples,
  budget: number,
): Shapes {
  const on = describeSurface(character, directions, regions.triangleRegion, rest);
  const { shapes, samples } = keepSeen(whole, all, on.lengths, QUIET_PUSH * on.size);
  const targets = fitTargets(shapes, { ...on, regionOf: listRegions(shapes) }, samples, budget);
  return targets ? { ...shapes, targets } : shapes;
}

/** G of what is drawn of a plan, D×D. */
export function measureDrawnMetric(
  { character, directions, regions }: Pick<SolverContext, 'character' | 'directions' | 'regions'>,
  shapes: Shapes,
  rest: Float64Array,
): Float64Array {
  if (shapes.targets) return shapes.targets.gram;
  const on = describeSurface(character, directions, regions.triangleRegion, rest);
  return measureGram(shapes, { ...on, regionOf: listRegions(shapes) });
}

function describeSurface(
  { surface }: SolverContext['character'],
  directions: Float64Array,
  triangleRegion: ArrayLike<number>,
  volumes: Float64Array,
): Omit<FitSurface, 'regionOf'> {
  const areas = sumVertexAreas(surface);
  const lengths = Float64Array.from(areas, (_, k) =>
    measureLength(directions[3 * k]!, directions[3 * k + 1]!, directions[3 * k + 2]!),
  );
  const size = measureDiagonal(surface.positions);
  return { areas, lengths, size, triangles: surface.triangles, triangleRegion, volumes };
}

/** Shape → the region that it stands in. */
function listRegions({ regionCount, given }: Shapes): number[] {
  const out = Array.from({ length: regionCount }, (_, s) => s);
  for (const { size, region } of given?.families ?? []) for (let i = 0; i < size; i++) out.push(region);
  return out;
}

/** Of every family of given shapes the directions whose largest push in the samples is seen. */
function keepSeen(
  whole: Shapes,
  all: AmountSamples,
  lengths: Float64Array,
  quiet: number,
): { shapes: Shapes; samples: AmountSamples } {
  const { given, regionCount: K, offsets, shapes, values } = whole;
  if (!given || given.plan.kept) return { shapes: whole, samples: all };
  const { firsts, familyOf } = listFamilies(given.families);
  // What the shapes of a family push every vertex by that they reach, one after the other.
  const pushes: number[][] = given.families.map(() => []);
  for (let k = 0; k < lengths.length; k++) {
    const last = new Map<number, number>();
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const f = familyOf[shapes[e]! - K];
      if (f === undefined) continue;
      if (!last.has(f)) {
        last.set(f, pushes[f]!.length);
        for (let r = 0; r < given.families[f]!.size; r++) pushes[f]!.push(0);
      }
      pushes[f]![last.get(f)! + shapes[e]! - K - firsts[f]!] = values[e]! * lengths[k]!;
    }
  }
  const kept = given.families.map(({ size }, f) => {
    const covariance = new Float64Array(size * size);
    const amountOf = (a: Float64Array, r: number) => a[K + firsts[f]! + r]!;
    for (const a of all)
      for (let r = 0; r < size; r++)
        for (let c = 0; c < size; c++) covariance[r * size + c]! += amountOf(a, r) * amountOf(a, c);
    const axes = findAxes(covariance, size).filter(({ axis }) => {
      const most = Math.max(0, ...all.map((a) => Math.abs(axis.reduce((sum, e, r) => sum + e * amountOf(a, r), 0))));
      let reach = 0;
      for (let i = 0; i < pushes[f]!.length; i += size)
        reach = Math.max(reach, Math.abs(axis.reduce((sum, e, r) => sum + e * pushes[f]![i + r]!, 0)));
      return most * reach > quiet;
    });
    return axes.map(({ axis }) => axis);
  });
  const samples = all.map((a) =>
    Float64Array.from([
      ...a.subarray(0, K),
      ...kept.flatMap((axes, f) => axes.map((axis) => axis.reduce((sum, e, r) => sum + e * a[K + firsts[f]! + r]!, 0))),
    ]),
  );
  return { shapes: reduceGiven(whole, kept), samples };
}

/**
 * @param budget targets at most
 * @returns undefined where the shapes themselves fit into the budget, both ways of each, or never move
 */
function fitTargets(
  shapes: VertexValues & { readonly shapeCount: number; readonly regionCount: number },
  surface: FitSurface,
  samples: AmountSamples,
  budget: number,
): TargetFit | undefined {
  const { shapeCount: S } = shapes;
  const own = listWays(samples, S);
  if (own.rows.length === 0) return undefined;
  const gram = measureGram(shapes, surface);
  if (own.rows.length <= budget && countLayers(shapes, surface, own.rows, own.most) <= MAX_LAYERS) return undefined;
  const count = Math.min(samples.length, MAX_MOMENTS);
  const rows = Array.from({ length: count }, (_, i) => samples[Math.floor((i * samples.length) / count)]!);
  const fitter = createFitter(shapes, surface, gram, rows);
  let found: Float64Array[] = [];
  for (const price of PRICES) {
    found = fitter.fit(budget, price);
    if (countLayers(shapes, surface, found, measureMost(planFit(found, gram, surface), samples)) <= MAX_LAYERS) break;
  }
  const first = planFit(found, gram, surface);
  // Weights near 1 at most: players keep eight bits of them.
  const most = measureMost(first, samples);
  const scaled = found.flatMap((row, t) => (most[t]! > 0 ? [row.map((value) => value * most[t]!)] : []));
  return { ...planFit(scaled, gram, surface), drawn: draw(shapes, surface, scaled) };
}

function draw(
  { offsets, shapes, values }: VertexValues,
  { lengths, size }: FitSurface,
  rows: readonly Float64Array[],
): VertexValues {
  const table = new VertexTable(lengths.length);
  for (let k = 0; k < lengths.length; k++) {
    for (const [t, row] of rows.entries()) {
      let push = 0;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) push += row[shapes[e]!]! * values[e]!;
      if (Math.abs(push) * lengths[k]! > QUIET_PUSH * size) table.add(k, t, push);
    }
  }
  return table.finish();
}

/** The shapes as targets, those that go both ways twice, and the largest weight of each. */
function listWays(samples: AmountSamples, S: number): { rows: Float64Array[]; most: Float64Array } {
  const rows: Float64Array[] = [];
  const most: number[] = [];
  for (let s = 0; s < S; s++) {
    for (const sign of [1, -1]) {
      const largest = samples.reduce((found, a) => Math.max(found, sign * a[s]!), 0);
      if (!(largest > 0)) continue;
      most.push(largest);
      rows.push(Float64Array.from({ length: S }, (_, t) => (t === s ? sign : 0)));
    }
  }
  return { rows, most: Float64Array.from(most) };
}

/** G. */
function measureGram(
  { offsets, shapes, values, shapeCount: S }: VertexValues & { readonly shapeCount: number },
  { areas, lengths, size, triangleRegion, triangles, volumes }: FitSurface,
): Float64Array {
  const gram = new Float64Array(S * S);
  const whole = areas.reduce((sum, area) => sum + area, 0) || 1;
  for (let k = 0; k < areas.length; k++) {
    const weight = (areas[k]! / whole) * (lengths[k]! / (VISIBLE * size)) ** 2;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      for (let f = offsets[k]!; f < offsets[k + 1]!; f++)
        gram[shapes[e]! * S + shapes[f]!]! += weight * values[e]! * values[f]!;
    }
  }
  // Volume that a unit of each shape adds to each region, to first order: what it pushes the region's vertices out by.
  const gains = new Float64Array(volumes.length * S);
  const corners = new Uint32Array(areas.length);
  for (let c = 0; c < triangles.length; c++) if (triangles[c]! < areas.length) corners[triangles[c]!]!++;
  for (let c = 0; c < triangles.length; c++) {
    const k = triangles[c]!;
    const region = triangleRegion[Math.trunc(c / 3)]!;
    if (k >= areas.length || region >= volumes.length) continue;
    const share = areas[k]! / corners[k]!;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++)
      gains[region * S + shapes[e]!]! += share * values[e]! * lengths[k]!;
  }
  for (let r = 0; r < volumes.length; r++) {
    const scale = 1 / (VOLUME * Math.abs(volumes[r]!) || 1) ** 2;
    for (let s = 0; s < S; s++) {
      const gain = gains[r * S + s]!;
      if (gain === 0) continue;
      for (let t = 0; t < S; t++) gram[s * S + t]! += scale * gain * gains[r * S + t]!;
    }
  }
  return gram;
}

interface Unit {
  readonly regions: readonly number[];
  readonly shapes: readonly number[];
  /** Rank → what is left, and the targets. */
  readonly fits: readonly { readonly left: number; readonly rows: readonly Float64Array[] }[];
  /** Vertices that its shapes reach. */
  readonly reach: number;
}

function createFitter(
  shapes: VertexValues & { readonly shapeCount: number; readonly regionCount: number },
  { regionOf }: FitSurface,
  gram: Float64Array,
  rows: AmountSamples,
) {
  const { shapeCount: S, regionCount: K } = shapes;
  const listOf: number[][] = Array.from({ length: K }, () => []);
  for (let s = 0; s < S; s++) listOf[regionOf[s]!]!.push(s);
  const supports = listSupports(shapes);
  const isNear = (a: number, b: number): boolean =>
    listOf[a]!.some((s) => listOf[b]!.some((t) => Math.abs(gram[s * S + t]!) > 0));
  const near = Array.from({ length: K }, (_, a) => Array.from({ length: K }, (_, b) => a !== b && isNear(a, b)));
  const units = new Map<string, Unit>();
  const makeUnit = (regions: readonly number[]): Unit => {
    const key = regions.join();
    const known = units.get(key);
    if (known) return known;
    const own = regions.flatMap((r) => listOf[r]!);
    const fits = factorise(own, S, gram, rows);
    const reach = new Set(own.flatMap((s) => supports[s]!)).size;
    const unit = { regions, shapes: own, fits, reach };
    units.set(key, unit);
    return unit;
  };
  const alone = Array.from({ length: K }, (_, r) => makeUnit([r]));
  const all = alone.reduce((sum, { fits }) => sum + fits[0]!.left, 0);
  return {
    fit(budget: number, price: number): Float64Array[] {
      const cost = (price * all) / (shapes.offsets.length - 1);
      let present = alone;
      let best = allocate(present, budget, cost);
      for (;;) {
        let next: { readonly units: Unit[]; readonly given: Allocation } | undefined;
        for (let i = 0; i < present.length; i++) {
          for (let j = i + 1; j < present.length; j++) {
            const [u, v] = [present[i]!, present[j]!];
            if (u.regions.length + v.regions.length > MAX_REGIONS) continue;
            if (!u.regions.some((a) => v.regions.some((b) => near[a]![b]))) continue;
            const joined = makeUnit([...u.regions, ...v.regions].sort((a, b) => a - b));
            const others = [...present.slice(0, i), joined, ...present.slice(i + 1, j), ...present.slice(j + 1)];
            const given = allocate(others, budget, cost);
            if (given.sum < (1 - JOIN_GAIN) * best.sum && !(next && given.sum >= next.given.sum))
              next = { units: others, given };
          }
        }
        if (!next) break;
        present = next.units;
        best = next.given;
      }
      return present.flatMap((unit, i) =>
        unit.fits[best.ranks[i]!]!.rows.map((row) => {
          const full = new Float64Array(S);
          unit.shapes.forEach((s, n) => void (full[s] = row[n]!));
          return full;
        }),
      );
    },
  };
}

interface Allocation {
  readonly ranks: readonly number[];
  readonly sum: number;
}

/** Targets one after the other to the unit that gains most by it. */
function allocate(units: readonly Unit[], budget: number, cost: number): Allocation {
  const ranks = units.map(() => 0);
  let sum = units.reduce((total, { fits }) => total + fits[0]!.left, 0);
  for (let left = budget; left > 0; left--) {
    let best = -1;
    let most = 0;
    for (let i = 0; i < units.length; i++) {
      const { fits, reach } = units[i]!;
      if (ranks[i]! + 1 >= fits.length) continue;
      const gain = fits[ranks[i]!]!.left - fits[ranks[i]! + 1]!.left - cost * reach;
      if (gain > most) [most, best] = [gain, i];
    }
    if (best < 0) break;
    sum -= most;
    ranks[best]!++;
  }
  return { ranks, sum };
}

function listSupports({ offsets, shapes, shapeCount }: VertexValues & { readonly shapeCount: number }): number[][] {
  const out: number[][] = Array.from({ length: shapeCount }, () => []);
  for (let k = 0; k + 1 < offsets.length; k++)
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) out[shapes[e]!]!.push(k);
  return out;
}

/** Semi-nonnegative factors of the amounts of some shapes, for every rank: rows start at the moments that are left farthest off. */
function factorise(
  list: readonly number[],
  S: number,
  whole: Float64Array,
  samples: AmountSamples,
): { left: number; rows: Float64Array[] }[] {
  const m = list.length;
  const gram = new Float64Array(m * m);
  list.forEach((s, i) => {
    list.forEach((t, j) => void (gram[i * m + j] = whole[s * S + t]!));
  });
  const amounts = samples.map((a) => Float64Array.from(list, (s) => a[s]!));
  const dot = (a: Float64Array, b: Float64Array): number => {
    let sum = 0;
    for (let i = 0; i < m; i++) {
      if (a[i] === 0) continue;
      let row = 0;
      for (let j = 0; j < m; j++) row += gram[i * m + j]! * b[j]!;
      sum += a[i]! * row;
    }
    return sum;
  };
  const rests = amounts.map((a) => a.slice());
  const fits = [{ left: rests.reduce((sum, a) => sum + dot(a, a), 0), rows: [] as Float64Array[] }];
  for (let rank = 1; rank <= MAX_RANK && fits.at(-1)!.left > 0; rank++) {
    let farthest = -1;
    let most = 0;
    rests.forEach((rest, n) => {
      const square = dot(rest, rest);
      if (square > most) [most, farthest] = [square, n];
    });
    if (farthest < 0) break;
    const rows = [...fits.at(-1)!.rows.map((row) => row.slice()), rests[farthest]!.slice()];
    const weights = amounts.map(() => new Float64Array(rank));
    const own = new Float64Array(rank * rank);
    const wanted = new Float64Array(rank);
    const weigh = (): number => {
      for (let t = 0; t < rank; t++) for (let u = 0; u < rank; u++) own[t * rank + u] = dot(rows[t]!, rows[u]!);
      let left = 0;
      amounts.forEach((a, n) => {
        for (let t = 0; t < rank; t++) wanted[t] = dot(rows[t]!, a);
        descend(weights[n]!, wanted, own, rank, FIT_SWEEPS);
        const rest = rests[n]!;
        for (let i = 0; i < m; i++) {
          rest[i] = a[i]!;
          for (let t = 0; t < rank; t++) rest[i]! -= weights[n]![t]! * rows[t]![i]!;
        }
        left += dot(rest, rest);
      });
      return left;
    };
    let left = weigh();
    for (let round = 0; round < ROUNDS; round++) {
      solveRows(rows, weights, amounts);
      const next = weigh();
      const isDone = !(next < 0.999 * left);
      left = Math.min(left, next);
      if (isDone) break;
    }
    fits.push({ left: Math.min(left, fits.at(-1)!.left), rows });
  }
  return fits;
}

/** C of given weights: (Σ w wᵀ) C = Σ w aᵀ. */
function solveRows(rows: Float64Array[], weights: readonly Float64Array[], amounts: readonly Float64Array[]): void {
  const n = rows.length;
  const m = rows[0]!.length;
  const matrix = Array.from({ length: n }, (_, t) =>
    Float64Array.from({ length: n }, (_, u) => weights.reduce((sum, w) => sum + w[t]! * w[u]!, 0)),
  );
  const right = rows.map((_, t) => {
    const out = new Float64Array(m);
    weights.forEach((w, i) => {
      for (let k = 0; k < m; k++) out[k]! += w[t]! * amounts[i]![k]!;
    });
    return out;
  });
  for (let t = 0; t < n; t++) matrix[t]![t]! += 1e-12 + 1e-9 * matrix[t]![t]!;
  for (let t = 0; t < n; t++) {
    for (let u = t + 1; u < n; u++) {
      const factor = matrix[u]![t]! / matrix[t]![t]!;
      for (let c = t; c < n; c++) matrix[u]![c]! -= factor * matrix[t]![c]!;
      for (let k = 0; k < m; k++) right[u]![k]! -= factor * right[t]![k]!;
    }
  }
  for (let t = n - 1; t >= 0; t--) {
    for (let k = 0; k < m; k++) {
      let sum = right[t]![k]!;
      for (let c = t + 1; c < n; c++) sum -= matrix[t]![c]! * rows[c]![k]!;
      rows[t]![k] = sum / matrix[t]![t]!;
    }
  }
}

function planFit(
  rows: readonly Float64Array[],
  gram: Float64Array,
  { regionOf }: FitSurface,
): Omit<TargetFit, 'drawn'> {
  const count = rows.length;
  const S = Math.round(Math.sqrt(gram.length));
  const coefficients = new Float64Array(count * S);
  const pull = new Float64Array(count * S);
  const own = new Float64Array(count * count);
  const regions = new Uint32Array(count);
  rows.forEach((row, t) => {
    coefficients.set(row, t * S);
    let most = 0;
    for (let s = 0; s < S; s++) {
      let sum = 0;
      for (let u = 0; u < S; u++) sum += gram[s * S + u]! * row[u]!;
      pull[t * S + s] = sum;
      const share = row[s]! * row[s]! * gram[s * S + s]!;
      if (share > most) [most, regions[t]] = [share, regionOf[s]!];
    }
  });
  for (let t = 0; t < count; t++) {
    for (let u = 0; u < count; u++) {
      let sum = 0;
      for (let s = 0; s < S; s++) sum += pull[t * S + s]! * rows[u]![s]!;
      own[t * count + u] = sum;
    }
  }
  return { count, shapeCount: S, coefficients, pull, gram: own, regions };
}

/** Largest weight of every target. */
function measureMost(fit: Omit<TargetFit, 'drawn'>, samples: AmountSamples): Float64Array {
  const weigh = createWeigher(fit);
  const weights = new Float64Array(fit.count);
  const most = new Float64Array(fit.count);
  for (const a of samples) {
    weigh(weights, a);
    for (let t = 0; t < fit.count; t++) most[t] = Math.max(most[t]!, weights[t]!);
  }
  return most;
}

/** Targets that a vertex is in, in the mean, without what nobody sees. */
function countLayers(
  { offsets, shapes, values }: VertexValues,
  { lengths, size }: FitSurface,
  rows: readonly Float64Array[],
  most: Float64Array,
): number {
  let count = 0;
  for (let k = 0; k < lengths.length; k++) {
    for (const [t, row] of rows.entries()) {
      let push = 0;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) push += row[shapes[e]!]! * values[e]!;
      if (Math.abs(push) * lengths[k]! * most[t]! > QUIET_PUSH * size) count++;
    }
  }
  return count / lengths.length;
}
