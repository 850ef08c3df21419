/**
 * Weights of the targets in one sample: as near to the exact correction as the targets allow, with exact volumes.
 *
 *   minimise  (w − w⁰)ᵀ G (w − w⁰) / (n ε_p²) + Σ_c ((V_c(w) − V̄_c) / (ε_c V̄_c))² + ((V(w) − V̄) / (ε V̄))²
 *
 * w⁰ = G⁻¹ ⟨b_k, row⟩  least-squares weights;  G_kl = ⟨b_k, b_l⟩;  n  points;  V_c  volumes of the group's components, V their
 * sum, V̄ those of the exact correction. V is a cubic in w: two or three Gauss–Newton steps. O(n · K) per step.
 */
import type { Character } from '@isoskin/core';
import { activeAt, addTargets, type GroupTargets } from './group-targets.js';
import { invertGram } from './invert-gram.js';
import type { BakedSurface } from './plan-baked-surface.js';
import { dot } from './plan-basis.js';
import type { SourceSkin } from './plan-source-skin.js';

export interface PolishedSample {
  /** Group → one weight per target. */
  readonly weights: Float64Array[];
  /** Group → relative change of the watched volumes per unit of each target: rows as in `GroupPolish.watched`, then the sum. */
  readonly slopes: Float64Array[];
}

export interface PolishOptions {
  /** ε_p: RMS change of position that weighs as much as a volume error of ε, in world units. */
  readonly position: number;
  /** ε_c and ε. */
  readonly component: number;
  readonly total: number;
  readonly steps: number;
}

/** Components below this share of the group's volume are not watched one by one. */
const SMALL = 0.002;

interface GroupPolish {
  readonly targets: GroupTargets;
  readonly first: number;
  readonly scale: number;
  /** Components of the group that hold a meaningful volume. */
  readonly watched: readonly number[];
  /** Point → row of `watched`, or −1. */
  readonly rows: Int32Array;
  /** Targets in use → G over them, and its inverse. */
  readonly grams: Map<readonly number[], { readonly gram: Float64Array; readonly inverse: Float64Array }>;
}

export function planPolish(
  character: Character,
  source: SourceSkin,
  groups: readonly GroupTargets[],
  surface: BakedSurface,
) {
  const plans = groups.map((targets) => planGroup(character, source, targets));
  return {
    /** w⁰ of every group. */
    project: (n: number, row: Float32Array) => plans.map((plan) => project(plan, activeAt(plan.targets, n), row)),
    /**
     * All samples of a clip. With `skip` every other one gets the mean change of its neighbours, which does for smooth motion
     * at half the cost; a check must follow.
     */
    polishRange(
      [first, end]: readonly [number, number],
      rows: readonly Float32Array[],
      pose: (n: number) => void,
      volumesOf: (n: number) => Float64Array,
      options: PolishOptions,
      skip: boolean,
    ): PolishedSample[] {
      const out: PolishedSample[] = new Array(end - first);
      const exact = new Map<number, Float64Array[]>();
      const isBetween = (n: number) =>
        skip &&
        (n - first) % 2 === 1 &&
        n + 1 < end &&
        plans.every(({ targets }) => [n - 1, n + 1].every((m) => activeAt(targets, m) === activeAt(targets, n)));
      for (let n = first; n < end; n++) {
        exact.set(
          n,
          plans.map((plan) => project(plan, activeAt(plan.targets, n), rows[n]!)),
        );
        if (isBetween(n)) continue;
        pose(n);
        out[n - first] = this.polish(n, rows[n]!, volumesOf(n), options);
      }
      for (let n = first; n < end; n++) {
        if (out[n - first]) continue;
        const [before, after] = [out[n - 1 - first]!, out[n + 1 - first]!];
        const mean = (a: Float64Array, b: Float64Array) => a.map((value, i) => (value + b[i]!) / 2);
        out[n - first] = {
          weights: exact.get(n)!.map((w, g) => {
            const [wa, wb] = [before.weights[g]!, after.weights[g]!];
            const [ea, eb] = [exact.get(n - 1)![g]!, exact.get(n + 1)![g]!];
            return w.map((value, k) => value + (wa[k]! - ea[k]! + wb[k]! - eb[k]!) / 2);
          }),
          slopes: before.slopes.map((slopes, g) => mean(slopes, after.slopes[g]!)),
        };
      }
      return out;
    },
    /** `row`: δ of sample n, #U×3; `volumes`: V̄ of every component. The surface must be posed. */
    polish(n: number, row: Float32Array, volumes: Float64Array, options: PolishOptions): PolishedSample {
      const active = plans.map((plan) => activeAt(plan.targets, n));
      const exact = plans.map((plan, g) => project(plan, active[g]!, row));
      const weights = exact.map((w) => w.slice());
      const slopes = plans.map(
        ({ targets, watched }) => new Float64Array((watched.length + 1) * targets.vectors.length),
      );
      for (let step = 0; step < options.steps; step++) {
        surface.offsets.fill(0);
        for (const [g, plan] of plans.entries()) addTargets(surface.offsets, plan.first, plan.targets, weights[g]!);
        surface.place();
        surface.measureSlopes();
        plans.forEach((plan, g) => {
          measureSlopes(slopes[g]!, plan, active[g]!, surface.slopes, volumes);
          stepWeights(weights[g]!, plan, active[g]!, exact[g]!, slopes[g]!, surface.volumes, volumes, options);
        });
      }
      return { weights, slopes };
    },
  };
}

function planGroup({ surface, parts }: Character, source: SourceSkin, targets: GroupTargets): GroupPolish {
  const { group } = targets;
  const from = source.groupOffsets[group]!;
  const count = source.groupOffsets[group + 1]! - from;
  const own = [...surface.components.keys()].filter((c) => surface.components[c]!.group === group);
  const total = own.reduce((sum, c) => sum + Math.abs(surface.components[c]!.volume), 0);
  const watched = own.filter((c) => {
    const { solid, volume } = surface.components[c]!;
    return solid && Math.abs(volume) > SMALL * total;
  });
  const rowOf = new Map(watched.map((c, row) => [c, row]));
  const rows = new Int32Array(count);
  for (let u = 0; u < count; u++) rows[u] = rowOf.get(surface.vertexComponent[source.welded[from + u]!]!) ?? -1;
  const scale = Math.abs(parts.find((part) => part.group === group)!.scale);
  return { targets, first: 3 * from, scale, watched, rows, grams: new Map() };
}

function gramOf({ targets: { vectors }, grams }: GroupPolish, active: readonly number[]) {
  const known = grams.get(active);
  if (known) return known;
  const n = active.length;
  const gram = new Float64Array(n * n);
  active.forEach((k, i) => {
    active.forEach((l, j) => {
      gram[i * n + j] = dot(vectors[k]!, vectors[l]!);
    });
  });
  const planned = { gram, inverse: invertGram(gram, n, 1e-9) };
  grams.set(active, planned);
  return planned;
}

/** w⁰, one number per target of the group. */
function project(plan: GroupPolish, active: readonly number[], row: Float32Array): Float64Array {
  const { targets, first } = plan;
  const { inverse } = gramOf(plan, active);
  const out = new Float64Array(targets.vectors.length);
  const along = active.map((k) => {
    const vector = targets.vectors[k]!;
    return dot(vector, row.subarray(first, first + vector.length));
  });
  active.forEach((k, i) => {
    for (let j = 0; j < active.length; j++) out[k]! += inverse[i * active.length + j]! * along[j]!;
  });
  return out;
}

/** ∂(V_c/V̄_c)/∂w_k by rows, then that of the sum. */
function measureSlopes(
  out: Float64Array,
  { targets, first, watched, rows }: GroupPolish,
  active: readonly number[],
  slopes: Float64Array,
  volumes: Float64Array,
): void {
  const count = targets.vectors.length;
  const sum = watched.reduce((total, c) => total + volumes[c]!, 0);
  out.fill(0);
  for (const k of active) {
    const vector = targets.vectors[k]!;
    for (let u = 0; u < rows.length; u++) {
      const row = rows[u]!;
      if (row < 0) continue;
      const i = 3 * u;
      const s = first + i;
      out[row * count + k]! +=
        slopes[s]! * vector[i]! + slopes[s + 1]! * vector[i + 1]! + slopes[s + 2]! * vector[i + 2]!;
    }
    for (let r = 0; r < watched.length; r++) {
      if (sum !== 0) out[watched.length * count + k]! += out[r * count + k]! / sum;
      out[r * count + k]! /= volumes[watched[r]!]! || 1;
    }
  }
}

function stepWeights(
  weights: Float64Array,
  plan: GroupPolish,
  active: readonly number[],
  exact: Float64Array,
  slopes: Float64Array,
  now: Float64Array,
  volumes: Float64Array,
  options: PolishOptions,
): void {
  const { targets, scale, watched, rows } = plan;
  const n = active.length;
  if (n === 0 || watched.length === 0) return;
  const count = targets.vectors.length;
  const stiffness = (scale * scale) / (rows.length * options.position * options.position);
  const { gram } = gramOf(plan, active);
  const matrix = Float64Array.from(gram, (value) => stiffness * value);
  const rhs = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      rhs[i]! -= stiffness * gram[i * n + j]! * (weights[active[j]!]! - exact[active[j]!]!);
    }
  }
  const pull = (row: number, error: number, unit: number): void => {
    for (let i = 0; i < n; i++) {
      const slope = slopes[row * count + active[i]!]! / (unit * unit);
      rhs[i]! -= slope * error;
      for (let j = 0; j < n; j++) matrix[i * n + j]! += slope * slopes[row * count + active[j]!]!;
    }
  };
  let sum = 0;
  let target = 0;
  watched.forEach((c, row) => {
    sum += now[c]!;
    target += volumes[c]!;
    if (volumes[c] !== 0) pull(row, now[c]! / volumes[c]! - 1, options.component);
  });
  if (target !== 0) pull(watched.length, sum / target - 1, options.total);
  const inverse = invertGram(matrix, n, 1e-14);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) weights[active[i]!]! += inverse[i * n + j]! * rhs[j]!;
}
