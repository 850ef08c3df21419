/**
 * C18. Few shapes: what a character needs so that no file and no page carries more morph targets than its budget.
 *
 *   cost of joining neighbours a, b    mean_n min(|V̄_a|, |V̄_b|) |λ_a(n) − λ_b(n)|
 *   cost of region s without a shape   LEFT · mean_n |V̄_s λ_s(n)|
 *   cost of leaving out a bend e       mean_n |a_e(n)| · BENT Σ_k A_k |φ_e,k n̄_k|
 *
 *   n  moments of the rehearsed clips;  λ, a  amounts of the regions and bends (C16) there;  V̄  volumes;  A  vertex areas
 *
 * All costs are volumes that end in the wrong place. The cheapest step is taken until the shapes fit; mirror images take it together.
 * Joined regions keep one volume with one shape, exactly: nothing is fitted. Of what bends give, only the directions that are seen stay.
 */
import { findAxes } from '../linear-algebra/find-axes.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import { measureLength } from '../mesh/measure-length.js';
import { sumVertexAreas } from './measure-vertex-areas.js';
import type { Shapes } from './plan-shapes.js';
import { listFamilies, reduceGiven } from './reduce-given.js';
import type { SolverContext } from './volume-solver.js';

/** Amounts of all shapes at the moments of a rehearsal. */
export type AmountSamples = readonly Float64Array[];

/** Bends that stay below this share of the size are not seen; regions whose push stays below UNUSED_PUSH do not move. */
const UNSEEN_PUSH = 1e-3;
export const UNUSED_PUSH = 1e-5;
/** A region that loses its shape costs this many times what its volume says: joining one costs less than that, as neighbours share what they get. */
const LEFT = 4;
/** What a bend moves counts less: it changes where flesh is within its own region. */
const BENT = 0.2;
/** A file may need one more target, where shapes go both ways (bake-targets.ts). */
const OFFSET_TARGETS = 1;

/** Regions that share one volume and one shape, by number, and regions that get no shape. */
export interface RegionBudget {
  readonly joined: readonly (readonly number[])[];
  readonly alone: readonly number[];
}

type Planned = Pick<SolverContext, 'character' | 'directions' | 'regions'>;

/** @param rest volumes of the regions @param budget morph targets at most */
export function planRegionBudget(
  plan: Planned,
  shapes: Shapes,
  rest: Float64Array,
  samples: AmountSamples,
  budget: number,
): RegionBudget {
  const { regionCount: K } = shapes;
  const reaches = measureReaches(plan, shapes);
  const mostOf = (s: number) => samples.reduce((most, a) => Math.max(most, Math.abs(a[s]!)), 0);
  const unused = UNUSED_PUSH * measureDiagonal(plan.character.surface.positions);
  const isUsed = (s: number) => mostOf(s) * reaches[s]! > unused;
  const alive = new Set(Array.from({ length: K }, (_, s) => s).filter(isUsed));
  const bends = listBends(plan, shapes, samples).map(({ cost }) => cost);
  const near = listOverlaps(shapes);
  const volumes = rest.map(Math.abs);
  const amounts = samples.map((a) => a.slice(0, K));
  const mates = Array.from(plan.regions.mates);
  const ownerOf = new Int32Array(K).map((_, s) => s);
  const alone: number[] = [];
  const mean = (measure: (a: Float64Array) => number) =>
    amounts.reduce((sum, a) => sum + measure(a), 0) / (amounts.length || 1);
  const join = (s: number, t: number) => Math.min(volumes[s]!, volumes[t]!) * mean((a) => Math.abs(a[s]! - a[t]!));
  /** Cheapest step for a region: into a neighbour, or to no shape of its own (−1). */
  const findStep = (s: number): { readonly into: number; readonly cost: number } => {
    let best = { into: -1, cost: LEFT * mean((a) => volumes[s]! * Math.abs(a[s]!)) };
    for (const t of alive) {
      if (t === s || !near[s]!.has(t)) continue;
      const cost = join(s, t);
      if (cost < best.cost) best = { into: t, cost };
    }
    return best;
  };
  const take = (s: number, into: number): void => {
    alive.delete(s);
    if (into < 0) {
      alone.push(s);
      return;
    }
    const whole = volumes[s]! + volumes[into]!;
    for (const a of amounts) a[into] = (volumes[s]! * a[s]! + volumes[into]! * a[into]!) / (whole || 1);
    volumes[into] = whole;
    for (const t of near[s]!) {
      near[into]!.add(t);
      near[t]!.add(into);
    }
    near[into]!.delete(into);
    for (let r = 0; r < K; r++) if (ownerOf[r] === s) ownerOf[r] = into;
  };
  while (alive.size + bends.length + OFFSET_TARGETS > budget && alive.size + bends.length > 0) {
    let found = { s: -1, into: -1, cost: Number.POSITIVE_INFINITY };
    for (const s of alive) {
      const step = findStep(s);
      if (step.cost < found.cost) found = { s, ...step };
    }
    if (bends.length > 0 && bends.at(-1)! <= found.cost) {
      bends.pop();
      continue;
    }
    const { s, into } = found;
    const [mate, mateInto] = [mates[s] ?? -1, into < 0 ? -1 : (mates[into] ?? -1)];
    take(s, into);
    const hasMate = mate >= 0 && mate !== s && mate !== into && alive.has(mate);
    if (hasMate && into < 0) take(mate, -1);
    else if (hasMate && mateInto >= 0 && mateInto !== mate && alive.has(mateInto)) take(mate, mateInto);
  }
  const groups = new Map<number, number[]>();
  ownerOf.forEach((owner, s) => void groups.set(owner, [...(groups.get(owner) ?? []), s]));
  return { joined: [...groups.values()].filter(({ length }) => length > 1), alone };
}

/**
 * The shapes without the directions of bends that nobody sees, and without the least ones beyond the budget.
 *
 * @param budget morph targets at most; 0: no limit
 */
export function keepSeenBends(plan: Planned, shapes: Shapes, samples: AmountSamples, budget: number): Shapes {
  const { given, outward } = shapes;
  if (!given || given.plan.kept) return shapes;
  const room =
    budget > 0
      ? Math.max(0, budget - OFFSET_TARGETS - outward.reduce((count, ceiling) => count + Number(ceiling > 0), 0))
      : Number.POSITIVE_INFINITY;
  const kept = listBends(plan, shapes, samples).slice(0, room);
  return reduceGiven(
    shapes,
    given.families.map((_, f) => kept.filter(({ family }) => family === f).map(({ axis }) => axis)),
  );
}

interface Bend {
  readonly family: number;
  readonly axis: readonly number[];
  readonly cost: number;
}

/** Directions of every family whose largest push in the samples is seen, the dearest first. */
function listBends({ character, directions }: Planned, shapes: Shapes, samples: AmountSamples): Bend[] {
  const { given, regionCount: K, offsets, shapes: ids, values } = shapes;
  if (!given) return [];
  const { surface } = character;
  const areas = sumVertexAreas(surface);
  const unseen = UNSEEN_PUSH * measureDiagonal(surface.positions);
  const { firsts, familyOf } = listFamilies(given.families);
  // What the shapes of a family push every vertex by that they reach, one after the other, and its area.
  const pushes: number[][] = given.families.map(() => []);
  const weights: number[][] = given.families.map(() => []);
  for (let k = 0; k < areas.length; k++) {
    const length = measureLength(directions[3 * k]!, directions[3 * k + 1]!, directions[3 * k + 2]!);
    const last = new Map<number, number>();
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const f = familyOf[ids[e]! - K];
      if (f === undefined) continue;
      if (!last.has(f)) {
        last.set(f, pushes[f]!.length);
        weights[f]!.push(areas[k]!);
        for (let r = 0; r < given.families[f]!.size; r++) pushes[f]!.push(0);
      }
      pushes[f]![last.get(f)! + ids[e]! - K - firsts[f]!] = values[e]! * length;
    }
  }
  const found = given.families.flatMap(({ size }, f): Bend[] => {
    const amountOf = (a: Float64Array, r: number) => a[K + firsts[f]! + r]!;
    const covariance = new Float64Array(size * size);
    for (const a of samples)
      for (let r = 0; r < size; r++)
        for (let c = 0; c < size; c++) covariance[r * size + c]! += amountOf(a, r) * amountOf(a, c);
    return findAxes(covariance, size).flatMap(({ axis }): Bend[] => {
      let [most, sum, reach, moved] = [0, 0, 0, 0];
      for (const a of samples) {
        const amount = Math.abs(axis.reduce((total, e, r) => total + e * amountOf(a, r), 0));
        most = Math.max(most, amount);
        sum += amount;
      }
      for (let i = 0; i < pushes[f]!.length; i += size) {
        const push = Math.abs(axis.reduce((total, e, r) => total + e * pushes[f]![i + r]!, 0));
        reach = Math.max(reach, push);
        moved += BENT * weights[f]![i / size]! * push;
      }
      return most * reach > unseen ? [{ family: f, axis, cost: (sum / samples.length) * moved }] : [];
    });
  });
  return found.sort((a, b) => b.cost - a.cost);
}

/** Largest push of one unit of every shape. */
function measureReaches({ directions }: Planned, { offsets, shapes, values, shapeCount }: Shapes): Float64Array {
  const out = new Float64Array(shapeCount);
  for (let k = 0; k + 1 < offsets.length; k++) {
    const length = measureLength(directions[3 * k]!, directions[3 * k + 1]!, directions[3 * k + 2]!);
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++)
      out[shapes[e]!] = Math.max(out[shapes[e]!]!, Math.abs(values[e]!) * length);
  }
  return out;
}

/** Regions whose shapes reach the same vertices. */
function listOverlaps({ offsets, shapes, regionCount: K }: Shapes): Set<number>[] {
  const out = Array.from({ length: K }, () => new Set<number>());
  for (let k = 0; k + 1 < offsets.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      for (let f = offsets[k]!; f < e; f++) {
        const [a, b] = [shapes[e]!, shapes[f]!];
        if (a >= K || b >= K || a === b) continue;
        out[a]!.add(b);
        out[b]!.add(a);
      }
    }
  }
  return out;
}
