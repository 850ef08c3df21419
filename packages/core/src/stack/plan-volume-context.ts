/**
 * What every volume method starts from: regions, their volumes and targets, the map γ, the directions n̄ and the local thickness.
 *
 * For the shapes (C15) the cut is first fitted to the mesh: regions that bent joints would ask too much of are joined.
 */
import { planDirections } from '../correction/plan-directions.js';
import { type PlanHarmonics, planHarmonics } from '../correction/plan-harmonics.js';
import { planRoom } from '../correction/plan-room.js';
import { draftShapes, joinShapes, SHAPE_MAP } from '../correction/plan-shapes.js';
import { planTargets, type TargetPlan } from '../correction/plan-targets.js';
import { createSolverReport, type SolverContext } from '../correction/volume-solver.js';
import { applyShape, type MeasureAxis } from '../maps/apply-shape.js';
import { planMap } from '../maps/plan-map.js';
import { mergeRegions } from '../regions/merge-regions.js';
import { joinRegions, planRegions, type Regions } from '../regions/plan-regions.js';
import { measureHingeAxis } from '../skeleton/measure-hinge-axis.js';
import { createExtendedPositions, measureTetrahedra } from '../volume/measure-region-volumes.js';
import { planClosedSurface } from '../volume/plan-closed-surface.js';
import { planRegionVolumes } from '../volume/plan-region-volumes.js';
import type { VolumeReport } from './frame.js';
import type { LayerContext } from './layer.js';
import type { VolumeLayerOptions } from './volume-layer.js';

export interface VolumeContext extends SolverContext {
  readonly directions: Float64Array;
  /** V̄_s at rest. */
  readonly rest: Float64Array;
  readonly targets: TargetPlan;
  readonly report: VolumeReport;
}

export function planVolumeContext(context: LayerContext, options: VolumeLayerOptions): VolumeContext {
  return planStillVolumeContext(context, options, measureHingeAxis, planHarmonics);
}

/** The same for a character without clips and harmonics: a small runtime then needs nothing that samples or plans them. */
export function planStillVolumeContext(
  { character, kernels }: LayerContext,
  options: VolumeLayerOptions,
  measureAxis?: MeasureAxis,
  planHarmonics?: PlanHarmonics,
): VolumeContext {
  const closed = planClosedSurface(character.surface);
  const directions = planDirections(character.surface, kernels, options.directions);
  const thickness = planRoom(character.surface, kernels);
  const isShapes = (options.method ?? 'shapes') === 'shapes';
  const map = options.map ?? (isShapes ? SHAPE_MAP : undefined);
  const describe = (regions: Regions, known?: Float64Array): SolverContext => {
    const volumes = planRegionVolumes(closed, regions.triangleRegion, regions.count);
    const gamma = known ?? planMap(character, regions, volumes, map);
    return {
      character,
      kernels,
      thickness,
      regions,
      volumes,
      gamma,
      planHarmonics,
    };
  };
  let context = describe(planRegions(character, closed, options.regions));
  if (isShapes) {
    const draft = draftShapes(context, options.options);
    const owner = mergeRegions(context, directions, draft.bases);
    const isJoined = owner.some((joined, s) => joined !== s);
    // γ has no borders of its own, unless it is asked to stop at them.
    const gamma = options.map?.local ? undefined : context.gamma;
    if (isJoined) context = describe(joinRegions(character, closed, context.regions, owner), gamma);
    // Directional control changes γ below: then they are planned again.
    if (!options.shape) context = { ...context, draft: isJoined ? joinShapes(draft, owner) : draft };
  }
  const { regions, volumes, gamma } = context;
  if (options.shape) applyShape(directions, gamma, character, regions, volumes, options.shape, measureAxis);
  const rest = new Float64Array(regions.count);
  const extended = createExtendedPositions(volumes);
  extended.set(character.surface.positions);
  measureTetrahedra(rest, volumes, extended, kernels);
  const targets = planTargets(character, volumes, regions.names, rest, options.target);
  const report: VolumeReport = { ...createSolverReport(regions.count), names: regions.names, targets: rest.slice() };
  return { ...context, directions, rest, targets, report };
}
