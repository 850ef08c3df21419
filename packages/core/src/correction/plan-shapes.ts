/**
 * C15. The shapes before the skin: one smooth, sparse push of the rest surface per region, planned once.
 *
 *   X(λ) = x̄ + Σ_s λ_s d_s,   d_s,k = φ_s,k n̄_k,   φ_s = t̂ · ψ_s        y = skin(X) = x + Σ_s λ_s φ_s A n̄
 *
 * ψ_s  planned bases (plan-bases.ts);  t̂  local thickness over its median, at most 1.5: thin parts move little;  n̄  smoothed rest
 * directions;  A_k  the vertex's own blended 3×3.  Scaled so that λ_s = 1 adds the region's own volume at rest, to first order.
 *
 *   Λ±_s = limit± / q_s,   q_s = 98th percentile of |φ_s,k| / t_k over the shape
 *
 * Ceilings of the amounts: no region is pushed by more than this share of its own thickness. Shapes 0 … K−1 are the unknowns, one
 * per region; further shapes (C16) follow with amounts that are given.
 */
import { PercentileLists } from '../linear-algebra/percentile-lists.js';
import { selectNth } from '../linear-algebra/select-nth.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../volume/measure-region-volumes.js';
import type { AmountPlan } from './amount-solver.js';
import type { GivenAmounts } from './given-shapes.js';
import { measureVertexAreas } from './measure-vertex-areas.js';
import { type BasisPlanner, planBasisPlanner, VertexTable, type VertexValues } from './plan-bases.js';
import type { SkinColumns } from './plan-skin-columns.js';
import type { SolverContext } from './volume-solver.js';

export interface Shapes extends VertexValues, AmountPlan {
  /** Of all shapes; the first `regionCount` are solved for. */
  readonly shapeCount: number;
  /** C16: where the amounts of the shapes beyond the regions come from; absent: they are 0. */
  readonly given?: GivenAmounts;
  /** q of every region, for other limits. */
  readonly reach?: Float64Array;
}

export interface PlanShapesOptions {
  /** κ of the planned bases, for a surface of 2 500 vertices; finer surfaces get more, so that bumps keep their width. */
  readonly smoothing?: number;
  /** Largest push outward, as a share of the local thickness; inward three quarters of it. 0: no limit. */
  readonly limit?: number;
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
}

export const SHAPE_DEFAULTS = { smoothing: 120, limit: 0.4, harmonics: 0, twist: 0, crease: 0, strength: 1 };

/** Inward pushes pinch sooner than outward ones swell. */
const INWARD = 0.75;
/** Parts thicker than this many medians move no further. */
const THICKEST = 1.5;

export function planShapes(context: SolverContext, options: PlanShapesOptions = {}): Shapes {
  const { limit, strength, ...given } = { ...SHAPE_DEFAULTS, ...options };
  const { volumes, character, regions } = context;
  const { regionCount } = volumes;
  const draft = context.draft ?? draftShapes(context, planShapeGround(context, options));
  const { bases, thickness } = draft;
  scaleBases(bases, context);
  const reach = measureReach(bases, thickness, regionCount);
  const outward = new Float64Array(regionCount);
  const inward = new Float64Array(regionCount);
  limitAmounts({ reach, outward, inward }, limit);
  const own: Shapes = {
    ...bases,
    shapeCount: regionCount,
    regionCount,
    systems: groupByComponent(regions.component, bases),
    componentVolumes: Float64Array.from(regions.component, (c) => character.surface.components[c]!.volume),
    reach,
    outward,
    inward,
    ...(strength < 1 && { strength }),
  };
  return context.planGiven?.(context, draft, own, { ...given, limit: INWARD * limit }) ?? own;
}

function thickenBases({ offsets, values }: VertexValues, thickness: Float64Array): void {
  const median = selectNth(thickness.slice(), thickness.length >> 1) || 1;
  for (let k = 0; k < thickness.length; k++) {
    const factor = Math.min(THICKEST, thickness[k]! / median);
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) values[e]! *= factor;
  }
}

function scaleBases(bases: VertexValues, { volumes, character }: SolverContext): void {
  const extended = createExtendedPositions(volumes);
  const rest = createRegionGradients(volumes);
  extended.set(character.surface.positions);
  measureRegionVolumes(rest, volumes, extended);
  const reach = new Float64Array(volumes.regionCount); // volume that one unit of each basis adds
  for (let k = 0; k < character.surface.vertexCount; k++) {
    const area = Math.sqrt(rest.areas[3 * k]! ** 2 + rest.areas[3 * k + 1]! ** 2 + rest.areas[3 * k + 2]! ** 2);
    for (let e = bases.offsets[k]!; e < bases.offsets[k + 1]!; e++) reach[bases.shapes[e]!]! += area * bases.values[e]!;
  }
  for (let e = 0; e < bases.values.length; e++) {
    const s = bases.shapes[e]!;
    if (reach[s]! > 0) bases.values[e]! *= Math.abs(rest.volumes[s]!) / reach[s]!;
    if (!Number.isFinite(bases.values[e]!)) bases.values[e] = 0; // coordinates that overflow
  }
}

/** Ceilings of another limit, from the next frame on. */
export function limitAmounts(
  { reach, outward, inward }: Pick<Shapes, 'reach' | 'outward' | 'inward'>,
  limit: number,
): void {
  for (let s = 0; s < outward.length; s++) {
    outward[s] = (limit > 0 ? limit : Number.POSITIVE_INFINITY) / reach![s]!;
    inward[s] = INWARD * outward[s]!;
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
  /** What bends need besides, shared by all drafts of a ground; planned when they are first asked for. */
  readonly skin: { columns?: SkinColumns };
}

/** What no map and no cut changes of a draft. */
export interface ShapeGround extends Omit<ShapeDraft, 'bases'> {
  readonly planner: BasisPlanner;
}

export function planShapeGround(
  { character, clusters, room }: SolverContext,
  options: PlanShapesOptions = {},
): ShapeGround {
  const { smoothing } = { ...SHAPE_DEFAULTS, ...options };
  const planner = planBasisPlanner(character.surface, smoothing, clusters);
  // Thickness without its jumps from ray to ray: what shapes are proportional to must be as smooth as they are.
  const thickness = planner.smooth(room).map((t, k) => Math.max(t, 0.1 * room[k]!));
  return { planner, thickness, spread: planner.smooth(measureVertexAreas(character.surface)), skin: {} };
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

/** A region whose skin is held (C4) has no shape, and what it loses is nobody else's to make up for: it stands alone. */
function groupByComponent(component: Uint32Array, { shapes }: VertexValues): Uint32Array[] {
  const hasShape = new Set(shapes);
  const lists = new Map<number, number[]>();
  component.forEach((own, s) => {
    const key = hasShape.has(s) ? own : ~s;
    lists.set(key, [...(lists.get(key) ?? []), s]);
  });
  return [...lists.values()].map((list) => Uint32Array.from(list));
}
