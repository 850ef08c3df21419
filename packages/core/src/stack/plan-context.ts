/**
 * Regions, map, directions and shapes of a volume layer: what most of the planning goes into.
 *
 * For the shapes (C15) the cut is fitted to the mesh: regions that bent joints would ask too much of are joined.
 */
import type { Body } from '../body/plan-body.js';
import { measureDirections } from '../correction/measure-directions.js';
import { draftShapes, joinShapes, planShapeGround, type ShapeDraft } from '../correction/plan-shapes.js';
import type { SolverContext } from '../correction/volume-solver.js';
import { type MapOptions, measureMap, planMapGround } from '../maps/measure-map.js';
import { mergeRegions } from '../regions/merge-regions.js';
import type { NameRegions } from '../regions/name-regions.js';
import { type JoinableRegions, joinRegions, planRegions } from '../regions/plan-regions.js';
import { planRegionVolumes } from '../volume/plan-region-volumes.js';
import { SHAPE_MAP } from './presets.js';
import type { VolumeLayerOptions } from './volume-layer.js';

/** Gives what was made under this name before, or makes it. */
export type Keep = <T>(name: string, make: () => T) => T;

/** @param keep memory of what other options of the same body need, too */
export function planContext(
  body: Body,
  options: VolumeLayerOptions,
  nameRegions?: NameRegions,
  keep: Keep = (_, make) => make(),
): SolverContext {
  const { character, closed } = body;
  const isShapes = (options.method ?? 'shapes') === 'shapes';
  const map: MapOptions = options.map ?? (isShapes ? SHAPE_MAP : {});
  const room = keep('room', () => body.room);
  const directions = keep(`directions ${JSON.stringify(options.directions)}`, () =>
    measureDirections(character.surface, options.directions),
  );
  const cut = (regions: JoinableRegions) => ({
    regions,
    volumes: planRegionVolumes(closed, regions.triangleRegion, regions.count),
  });
  const cutKey = JSON.stringify(options.regions);
  const first = keep(`regions ${cutKey}`, () => cut(planRegions(character, closed, options.regions, nameRegions)));
  const ground = keep(`map ${JSON.stringify([cutKey, map.kind, map.bones, (map.spread ?? 0) > 0])}`, () =>
    planMapGround(character, first.regions, first.volumes, map),
  );
  const { clusters } = body;
  const describe = ({ regions: { cut: _, ...regions }, volumes }: typeof first, gamma: Float64Array): SolverContext => {
    return { character, clusters, room, directions, regions, volumes, gamma };
  };
  const gamma = measureMap(character, first.regions, first.volumes, map, room, ground);
  const context = describe(first, gamma);
  if (!isShapes) return context;
  const planGround = () => planShapeGround(context, options.options);
  const shapes = draftShapes(context, keep(`ground ${options.options?.smoothing}`, planGround));
  const owner = mergeRegions(context, directions, shapes.bases);
  // Directional control changes γ: then the shapes are planned again.
  const draft = (joined: ShapeDraft) => (options.shape ? {} : { draft: joined });
  if (owner.every((joined, s) => joined === s)) return { ...context, ...draft(shapes) };
  const joined = keep(`joined ${cutKey} ${owner}`, () => cut(joinRegions(character, closed, first.regions, owner)));
  // γ has no borders of its own, unless it is asked to stop at them.
  const own = map.local ? measureMap(character, joined.regions, joined.volumes, map, room) : gamma;
  return { ...describe(joined, own), ...draft(joinShapes(shapes, owner)) };
}
