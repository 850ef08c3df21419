/**
 * C18. What players draw of a plan: its shapes themselves or, where the planner has fitted them (fit-targets.ts), few targets that stand for all.
 *
 *   w(a) = argmin_{w ≥ 0} ‖a − Cᵀ w‖²_G,   drawn = Cᵀ w                    a function of the pose, as a is
 *
 * a  amounts of all shapes;  w  weights of the targets;  C  targets, T×S;  G  metric of the fit. O(T S + T² sweeps) per frame, allocation-free.
 */
import { listShapeNames } from './given-shapes.js';
import type { VertexValues } from './plan-bases.js';
import type { Shapes } from './plan-shapes.js';

/** Sweeps of the descent to nonnegative weights. */
const SWEEPS = 48;

/** Amounts of all shapes at the moments of a rehearsal. */
export type AmountSamples = readonly Float64Array[];

export interface TargetFit {
  /** T and S. */
  readonly count: number;
  readonly shapeCount: number;
  /** C by rows, T×S. */
  readonly coefficients: Float64Array;
  /** C G by rows, T×S, and C G Cᵀ, T×T. */
  readonly pull: Float64Array;
  readonly gram: Float64Array;
  /** Target → the region that it moves most. */
  readonly regions: Uint32Array;
  /** Σ_s C_ts φ_s of every target, without what nobody sees. */
  readonly drawn: VertexValues;
}

/** What players draw: the shapes themselves, or the targets that stand for them. Amounts of it are `weights`. */
export interface DrawnShapes extends VertexValues {
  readonly shapeCount: number;
}

export function listDrawn(shapes: Shapes): DrawnShapes {
  return shapes.targets ? { ...shapes.targets.drawn, shapeCount: shapes.targets.count } : shapes;
}

/** Names of what is drawn: those of the regions, with a number where a region has several. */
export function listDrawnNames(shapes: Shapes, regions: readonly string[]): string[] {
  if (!shapes.targets) return listShapeNames(shapes, regions);
  const known = new Map<string, number>();
  return Array.from(shapes.targets.regions, (region) => {
    const name = regions[region] ?? `${region}`;
    const count = (known.get(name) ?? 0) + 1;
    known.set(name, count);
    return count > 1 ? `${name} ${count}` : name;
  });
}

/** minimise ½ wᵀ gram w − wantedᵀ w over w ≥ 0, from 0, by coordinates: always as many sweeps, so that w changes with a as smoothly as it can. */
export function descend(w: Float64Array, wanted: Float64Array, gram: Float64Array, n: number, sweeps: number): void {
  for (let t = 0; t < n; t++) w[t] = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let change = 0;
    for (let t = 0; t < n; t++) {
      const own = gram[t * n + t]!;
      if (!(own > 0)) continue;
      let sum = wanted[t]! + own * w[t]!;
      for (let u = 0; u < n; u++) sum -= gram[t * n + u]! * w[u]!;
      const next = sum > 0 ? sum / own : 0;
      change = Math.max(change, Math.abs(next - w[t]!));
      w[t] = next;
    }
    if (change === 0) break;
  }
}

/** w of amounts a, into `out`. */
export function createWeigher({
  count,
  shapeCount: S,
  pull,
  gram,
}: Omit<TargetFit, 'drawn'>): (out: Float64Array, a: Float64Array) => void {
  const wanted = new Float64Array(count);
  return (out, a) => {
    for (let t = 0; t < count; t++) {
      let sum = 0;
      for (let s = 0; s < S; s++) sum += pull[t * S + s]! * a[s]!;
      wanted[t] = sum;
    }
    descend(out, wanted, gram, count, SWEEPS);
  };
}

/** What is drawn of amounts: w, and Cᵀ w; overwritten by the next. */
export function createFewTargets(fit: TargetFit) {
  const { count, shapeCount: S, coefficients } = fit;
  const weigh = createWeigher(fit);
  const weights = new Float64Array(count);
  const drawn = new Float64Array(S);
  return {
    weights,
    reduce(amounts: Float64Array): Float64Array {
      weigh(weights, amounts);
      drawn.fill(0);
      for (let t = 0; t < count; t++) {
        if (weights[t] === 0) continue;
        for (let s = 0; s < S; s++) drawn[s]! += weights[t]! * coefficients[t * S + s]!;
      }
      return drawn;
    },
  };
}
