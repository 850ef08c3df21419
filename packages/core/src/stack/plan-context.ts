/**
 * Regions, map, directions and shapes of a volume layer: what most of the planning goes into.
 *
 * For the shapes (C15) the cut is fitted to the mesh: regions that bent joints would ask too much of are joined.
 */
import type { Body } from '../body/plan-body.js';
import { measureDirections } from '../correction/measure-directions.js';
import { draftShapes, joinShapes, planShapeGround, type ShapeDraft } from '../correction/plan-shapes.js';
import type { SolverContext } from '../correction/volume-solver.js';
import { measureMap } from '../maps/measure-map.js';
import { mergeRegions } from '../regions/merge-regions.js';
import type { NameRegions } from '../regions/name-regions.js';
import { joinRegions, planRegions, type Regions } from '../regions/plan-regions.js';
import { planRegionVolumes } from '../volume/plan-region-volumes.js';
import { SHAPE_MAP } from './presets.js';
import type { VolumeLayerOptions } from './volume-layer.js';

/** What takes long, as arrays alone, so that it can be remembered, kept and put back (remember-context.ts). */
export interface PlanDraft {
  room?: Float64Array;
  shapes?: ShapeDraft;
}

/** Gives what was made under this name before, or makes it. */
export type Keep = <T>(name: string, make: () => T) => T;

/**
 * @param draft what is known already; what is found out is put there
 * @param keep memory of what other options of the same body need, too
 */
export function planContext(
  body: Body,
  options: VolumeLayerOptions,
  nameRegions?: NameRegions,
  draft: PlanDraft = {},
  keep: Keep = (_, make) => make(),
): SolverContext {
  const { character, closed } = body;
  const isShapes = (options.method ?? 'shapes') === 'shapes';
  const map = options.map ?? (isShapes ? SHAPE_MAP : undefined);
  const room = (draft.room ??= body.room);
  const directions = keep(`directions ${JSON.stringify(options.directions)}`, () =>
    measureDirections(character.surface, options.directions),
  );
  const cut = (regions: Regions) => ({
    regions,
    volumes: planRegionVolumes(closed, regions.triangleRegion, regions.count),
  });
  const describe = ({ regions, volumes }: ReturnType<typeof cut>, gamma?: Float64Array): SolverContext => {
    gamma ??= measureMap(character, regions, volumes, map, room);
    return { character, clusters: body.clusters, room, directions, regions, volumes, gamma };
  };
  const first = keep(`regions ${JSON.stringify(options.regions)}`, () =>
    cut(planRegions(character, closed, options.regions, nameRegions)),
  );
  let context = describe(first);
  if (!isShapes) return context;
  const planGround = () => planShapeGround(context, options.options);
  const shapes = (draft.shapes ??= draftShapes(context, keep(`ground ${options.options?.smoothing}`, planGround)));
  const owner = mergeRegions(context, directions, shapes.bases);
  const isJoined = owner.some((joined, s) => joined !== s);
  // γ has no borders of its own, unless it is asked to stop at them.
  const gamma = options.map?.local ? undefined : context.gamma;
  if (isJoined) context = describe(cut(joinRegions(character, closed, context.regions, owner)), gamma);
  // Directional control changes γ: then they are planned again.
  if (!options.shape) context = { ...context, draft: isJoined ? joinShapes(shapes, owner) : shapes };
  return context;
}
