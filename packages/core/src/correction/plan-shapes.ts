/**
 * C15. The shapes before the skin: one smooth, sparse push of the rest surface per region, planned once.
 *
 *   X(λ) = x̄ + Σ_s λ_s d_s,   d_s,k = φ_s,k n̄_k,   φ_s = t̂ · ψ_s        y = skin(X) = x + Σ_s λ_s φ_s A n̄
 *
 * ψ_s  planned bases (plan-bases.ts);  t̂  local thickness over its median, at most 1.5: thin parts move little;  n̄  smoothed rest
 * directions;  A_k  the vertex's own blended 3×3.  Scaled so that λ_s = 1 adds the region's own volume at rest, to first order.
 *
 *   Λ⁺_s = limit · min(1/q_s, OWN),   Λ⁻ = ¾ Λ⁺,   q_s = 98th percentile of |φ_s,k| / t_k over the shape
 *
 * Ceilings of the amounts: no region is pushed by more than this share of its own thickness, nor by more than a share of its own volume:
 * a slice shorter than it is thick would take several times its volume, and nearly all of that lands in its neighbours (C17). In the end shapes fade where
 * nothing bends (measure-pliancy.ts); fading them before they are scaled and limited would make what is left of them steep. Shapes 0 … K−1 are
 * the unknowns, one per region; further shapes (C16) follow with amounts that are given.
 */
import { PercentileLists } from '../linear-algebra/percentile-lists.js';
import { selectNth } from '../linear-algebra/select-nth.js';
import { listByRegion } from '../regions/find-region.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../volume/measure-region-volumes.js';
import type { AmountPlan } from './amount-solver.js';
import type { GivenAmounts } from './given-shapes.js';
import { type CalmPlace, measureCalm, measurePliancy } from './measure-pliancy.js';
import { measureVertexAreas } from './measure-vertex-areas.js';
import { type BasisPlanner, planBasisPlanner, VertexTable, type VertexValues } from './plan-bases.js';
import type { SkinColumns } from './plan-skin-columns.js';
import { keepSeenBends } from './shape-budget.js';
import type { SolverContext } from './volume-solver.js';

export interface Shapes extends VertexValues, AmountPlan {
  /** Of all shapes; the first `regionCount` are solved for. */
  readonly shapeCount: number;
  /** C16: where the amounts of the shapes beyond the regions come from; absent: they are 0. */
  readonly given?: GivenAmounts;
  /** q of every region, for other limits, and the share of its volume that a push adds after it has faded. */
  readonly reach?: Float64Array;
  readonly kept?: Float64Array;
}

export interface PlanShapesOptions {
  /** κ of the planned bases, for a surface of 2 500 vertices; finer surfaces get more, so that bumps keep their width. */
  readonly smoothing?: number;
  /** Largest push outward, as a share of the local thickness; inward three quarters of it. 0: no limit. */
  readonly limit?: number;
  /** The same for single regions by name; beats `limit` there. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Places at rest that take less of every push: where a bake would have looked worse than plain skinning. */
  readonly calm?: readonly CalmPlace[];
  /**
   * C16: how much the inner side of a bend bulges and the outer side thins, of what flesh does. 0: not at all; nor without a limit,
   * which asks for exact regions whatever they look like.
   */
  readonly harmonics?: number;
  /** C16: how much of what the blend takes from twisted limbs comes back before the volume step. */
  readonly twist?: number;
  /** C16: how much of what a bent joint pushes through itself lies flat in its crease instead. */
  readonly crease?: number;
  /** Share of the lost volume that comes back. */
  readonly strength?: number;
  /** C18: morph targets at most, where clips or poses are rehearsed; 0: no limit. */
  readonly targets?: number;
}

export const SHAPE_DEFAULTS = {
  smoothing: 120,
  limit: 0.3,
  harmonics: 0,
  twist: 0,
  crease: 0,
  strength: 1,
  targets: 24,
};

/** Largest push of a region at limit 1, in its own volumes: three quarters of its volume at the default limit. */
const OWN = 2.5;
/**
 * How much of its ceiling a region is pushed by for nothing, by how short it is: a push of 1/OWN of its thickness is `length` own volumes. Limbs and fingers are about 1 and
 * keep their volume exactly; slices of a trunk or neck shorter than they are thick (2 to 5) begin to pay early, as their loss is mostly length.
 */
const EASE = { long: { length: 1.4, share: 0.7 }, short: { length: 2.4, share: 0.2 } };

/** A shape that has faded so far that it adds less than this share of its volume pays sooner: it would move far for little. */
const EFFECTIVE = 0.5;

/** A shape that adds less than this share of its region's volume is none. */
const STILL = 0.02;
/** A region with this limit, the least there is, gets no shape: its neighbours may not make it worse, and nothing brings its volume back. */
export const LEAST_LIMIT = 0.001;
/** Least share of a shape's largest push that a vertex has after it has faded. */
const FRINGE = 1e-3;

/** Inward pushes pinch sooner than outward ones swell. */
const INWARD = 0.75;
/** Parts thicker than this many medians move no further. */
const THICKEST = 1.5;

export function planShapes(context: SolverContext, options: PlanShapesOptions = {}): Shapes {
  const { limit, limits, calm = [], strength, targets, ...given } = { ...SHAPE_DEFAULTS, ...options };
  const { volumes, character, regions } = context;
  const { regionCount } = volumes;
  const draft = context.draft ?? draftShapes(context, planShapeGround(context, options));
  const { thickness, pliancy } = draft;
  const whole = { ...draft.bases, values: draft.bases.values.slice() }; // a draft may be kept for the next plan
  const rest = measureRest(context);
  scaleBases(whole, rest);
  const reach = measureReach(whole, thickness, regionCount);
  // A region that is a whole part has no joint to bend about; one that shall breathe, or be exact without a limit, may not be still.
  const isStill = limit > 0 && !context.asksVolumes && regions.joints.some((joint) => joint >= 0);
  const leave = (k: number) =>
    (isStill ? pliancy[k]! : 1) * (calm.length > 0 ? measureCalm(calm, character.surface.positions, k) : 1);
  const owns = listByRegion(limits, regions, 'options.limits');
  const hasShape = Uint8Array.from(owns, (own) => (own !== undefined && own <= LEAST_LIMIT ? 0 : 1));
  const isFading = isStill || calm.length > 0 || hasShape.includes(0);
  const bases = isFading ? fadeBases(whole, leave, rest, hasShape) : whole;
  const outward = new Float64Array(regionCount);
  const inward = new Float64Array(regionCount);
  const ease = new Float64Array(regionCount);
  const kept = measureGains(bases, rest.areas, regionCount).map((gain, s) => gain / (Math.abs(rest.volumes[s]!) || 1));
  limitAmounts({ reach, kept, outward, inward, ease }, limit, owns);
  const own: Shapes = {
    ...bases,
    shapeCount: regionCount,
    regionCount,
    systems: groupByComponent(regions.component, bases, hasShape),
    componentVolumes: Float64Array.from(regions.component, (c) => character.surface.components[c]!.volume),
    reach,
    kept,
    outward,
    inward,
    ease,
    ...(strength < 1 && { strength }),
  };
  const all = context.planGiven?.(context, { ...draft, bases }, own, { ...given, limit: INWARD * limit }) ?? own;
  const { ceilings } = all.given?.plan.harmonics ?? {};
  if (ceilings) owns.forEach((share, s) => void (ceilings[s]! *= (share ?? limit) / limit)); // a limit also holds its bends
  return context.samples ? keepSeenBends(context, all, context.samples, targets) : all;
}

function thickenBases(bases: VertexValues, thickness: Float64Array): void {
  const median = selectNth(thickness.slice(), thickness.length >> 1) || 1;
  multiplyBases(bases, (k) => Math.min(THICKEST, thickness[k]! / median));
}

function multiplyBases({ offsets, values }: VertexValues, measure: (vertex: number) => number): void {
  for (let k = 0; k + 1 < offsets.length; k++) {
    const factor = measure(k);
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) values[e]! *= factor;
  }
}

/** What is left of the shapes at every vertex; those that hardly add anything any more, and what is left of others far out, are gone. */
function fadeBases(
  { offsets, shapes, values }: VertexValues,
  leave: (vertex: number) => number,
  { volumes, areas }: ReturnType<typeof measureRest>,
  hasShape: Uint8Array,
): VertexValues {
  const most = new Float64Array(volumes.length);
  for (let e = 0; e < values.length; e++) most[shapes[e]!] = Math.max(most[shapes[e]!]!, Math.abs(values[e]!));
  const faded = values.slice();
  multiplyBases({ offsets, shapes, values: faded }, leave);
  const gains = measureGains({ offsets, shapes, values: faded }, areas, volumes.length);
  const table = new VertexTable(areas.length);
  for (let k = 0; k < areas.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = shapes[e]!;
      const isGone =
        hasShape[s] === 0 || gains[s]! < STILL * Math.abs(volumes[s]!) || Math.abs(faded[e]!) < FRINGE * most[s]!;
      if (!isGone) table.add(k, s, faded[e]!);
    }
  }
  return table.finish();
}

/** Volumes of the regions at rest, and the area of every vertex. */
function measureRest({ volumes, character }: SolverContext) {
  const extended = createExtendedPositions(volumes);
  const rest = createRegionGradients(volumes);
  extended.set(character.surface.positions);
  measureRegionVolumes(rest, volumes, extended);
  const areas = Float64Array.from({ length: character.surface.vertexCount }, (_, k) =>
    Math.sqrt(rest.areas[3 * k]! ** 2 + rest.areas[3 * k + 1]! ** 2 + rest.areas[3 * k + 2]! ** 2),
  );
  return { volumes: rest.volumes, areas };
}

/** Volume that one unit of each shape adds. */
function measureGains({ offsets, shapes, values }: VertexValues, areas: Float64Array, count: number): Float64Array {
  const gains = new Float64Array(count);
  for (let k = 0; k < areas.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) gains[shapes[e]!]! += areas[k]! * values[e]!;
  }
  return gains;
}

/** λ_s = 1 adds the region's own volume. */
function scaleBases(bases: VertexValues, { volumes, areas }: ReturnType<typeof measureRest>): void {
  const gains = measureGains(bases, areas, volumes.length);
  for (let e = 0; e < bases.values.length; e++) {
    const s = bases.shapes[e]!;
    if (gains[s]! > 0) bases.values[e]! *= Math.abs(volumes[s]!) / gains[s]!;
    if (!Number.isFinite(bases.values[e]!)) bases.values[e] = 0; // coordinates that overflow
  }
}

/** Ceilings of another limit, from the next frame on. @param owns limits of single regions */
export function limitAmounts(
  { reach, kept, outward, inward, ease }: Pick<Shapes, 'reach' | 'kept' | 'outward' | 'inward' | 'ease'>,
  limit: number,
  owns: readonly (number | undefined)[] = [],
): void {
  for (let s = 0; s < outward.length; s++) {
    const share = owns[s] ?? limit;
    outward[s] = share > 0 ? share * Math.min(1 / reach![s]!, OWN) : Number.POSITIVE_INFINITY;
    if ((owns[s] ?? 1) <= LEAST_LIMIT) outward[s] = 0;
    inward[s] = INWARD * outward[s]!;
    const { long, short } = EASE;
    const length = 1 / (OWN * reach![s]!);
    const shortness = Math.min(1, Math.max(0, (length - long.length) / (short.length - long.length)));
    ease[s] = Math.min(1, Math.max(0, kept![s]! / EFFECTIVE)) * (long.share + shortness * (short.share - long.share));
  }
}

/** q. */
function measureReach(
  { offsets, shapes, values }: VertexValues,
  thickness: Float64Array,
  regionCount: number,
): Float64Array {
  const ratios = new PercentileLists(regionCount);
  for (let k = 0; k < thickness.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      if (thickness[k]! > 0) ratios.add(shapes[e]!, Math.abs(values[e]!) / thickness[k]!);
    }
  }
  return Float64Array.from({ length: regionCount }, (_, s) => ratios.find(s) || 1);
}

/** φ before they are scaled, and the smoothed thickness that they are proportional to. */
export interface ShapeDraft {
  readonly bases: VertexValues;
  readonly thickness: Float64Array;
  /** Area of a vertex, of the mean, smoothed as they are, #V: how coarse the skin is. */
  readonly spread: Float64Array;
  /** Share of a push that each vertex takes, #V (measure-pliancy.ts). */
  readonly pliancy: Float64Array;
  /** What bends need besides, shared by all drafts of a ground; planned when they are first asked for. */
  readonly skin: { columns?: SkinColumns };
}

/** What no map and no cut changes of a draft. */
export interface ShapeGround extends Omit<ShapeDraft, 'bases'> {
  readonly planner: BasisPlanner;
}

/** @param solitude 0: a vertex that takes its whole share of a push, as what lies close to it does, #V */
export function planShapeGround(
  { character, clusters, room }: SolverContext,
  options: PlanShapesOptions = {},
  solitude?: Float64Array,
): ShapeGround {
  const { smoothing } = { ...SHAPE_DEFAULTS, ...options };
  const planner = planBasisPlanner(character.surface, smoothing, clusters);
  // Thickness without its jumps from ray to ray: what shapes are proportional to must be as smooth as they are.
  const thickness = planner.smooth(room).map((t, k) => Math.max(t, 0.1 * room[k]!));
  const spread = planner.smooth(measureVertexAreas(character.surface));
  const bending = measurePliancy(character, thickness, clusters);
  const pliancy = solitude ? bending.map((share, k) => 1 - (1 - share) * solitude[k]!) : bending;
  return { planner, thickness, spread, pliancy, skin: {} };
}

export function draftShapes(context: SolverContext, { planner, ...ground }: ShapeGround): ShapeDraft {
  const bases = planner.planBases(context.volumes, context.gamma);
  thickenBases(bases, ground.thickness);
  return { ...ground, bases };
}

/** The shapes of joined regions: φ_{s∪t} = φ_s + φ_t. */
export function joinShapes({ bases, ...draft }: ShapeDraft, owner: Uint32Array): ShapeDraft {
  const { offsets, shapes, values } = bases;
  const table = new VertexTable(draft.thickness.length);
  const sums = new Map<number, number>();
  for (let k = 0; k < draft.thickness.length; k++) {
    sums.clear();
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const s = owner[shapes[e]!]!;
      sums.set(s, (sums.get(s) ?? 0) + values[e]!);
    }
    for (const [s, value] of sums) table.add(k, s, value);
  }
  return { ...draft, bases: table.finish() };
}

/** A region whose skin is held (C4) has no shape, and what it loses is nobody else's to make up for: it stands alone, unless a limit took its shape. */
function groupByComponent(component: Uint32Array, { shapes }: VertexValues, hasShape: Uint8Array): Uint32Array[] {
  const isMoved = new Set(shapes);
  const lists = new Map<number, number[]>();
  component.forEach((own, s) => {
    const key = isMoved.has(s) || hasShape[s] === 0 ? own : ~s;
    lists.set(key, [...(lists.get(key) ?? []), s]);
  });
  return [...lists.values()].map((list) => Uint32Array.from(list));
}
