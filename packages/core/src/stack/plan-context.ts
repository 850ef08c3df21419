/**
 * Regions, map, directions and shapes of a volume layer: what most of the planning goes into.
 *
 * For the shapes (C15) the cut is fitted to the mesh: regions that bent joints would ask too much of are joined, and parts that lie on each
 * other are planned as one body (plan-layers.ts).
 */
import type { Body } from '../body/plan-body.js';
import { measureDirections } from '../correction/measure-directions.js';
import { draftShapes, joinShapes, planShapeGround, type ShapeDraft } from '../correction/plan-shapes.js';
import type { SolverContext } from '../correction/volume-solver.js';
import { planLayers } from '../layers/plan-layers.js';
import { rideWhole } from '../layers/ride-whole.js';
import { type MapOptions, measureMap, planMapGround } from '../maps/measure-map.js';
import { mergeRegions } from '../regions/merge-regions.js';
import type { NameRegions } from '../regions/name-regions.js';
import { groupByBody, type JoinableRegions, joinNamed, joinRegions, planRegions } from '../regions/plan-regions.js';
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
  const { surface } = character;
  const alone = keep('room', () => body.room);
  const layers = isShapes ? keep('layers', () => planLayers(body, alone)) : undefined;
  const room = layers ? keep('joinedRoom', () => layers.joinRoom(alone)) : alone;
  const { directions, riders } = keep(`directions ${JSON.stringify(options.directions)}`, () =>
    layers
      ? layers.direct(options.directions)
      : { directions: measureDirections(surface, options.directions), riders: undefined },
  );
  const cut = (regions: JoinableRegions) => ({
    regions,
    volumes: planRegionVolumes(closed, regions.triangleRegion, regions.count),
  });
  const { join = [], ...uncut } = options.regions ?? {};
  const cutKey = JSON.stringify(uncut);
  const first = keep(`regions ${cutKey}`, () => {
    const parts = planRegions(character, closed, uncut, nameRegions);
    if (!layers) return { ...cut(parts), layered: 0 };
    const layered = cut(joinRegions(character, closed, parts, groupByBody(parts, layers.bodyOf), layers.bodyOf));
    return { ...layered, layered: parts.count - layered.regions.count };
  });
  const ground = keep(`map ${JSON.stringify([cutKey, map.kind, map.bones, (map.spread ?? 0) > 0])}`, () =>
    planMapGround(character, first.regions, first.volumes, map),
  );
  const clusters = layers?.clusters ?? body.clusters;
  const describe = (
    { regions: { cut: _, ...regions }, volumes }: ReturnType<typeof cut>,
    gamma: Float64Array,
    mergedCount?: number,
  ): SolverContext => {
    const joined = {
      layered: first.layered,
      short: first.regions.count - (mergedCount ?? regions.count),
      few: (mergedCount ?? regions.count) - regions.count,
    };
    return { character, clusters, room, directions, regions: { ...regions, joined }, volumes, gamma };
  };
  const gamma = measureMap(character, first.regions, first.volumes, map, room, ground, layers?.average);
  const context = describe(first, gamma);
  if (!isShapes) return context;
  const planGround = () => planShapeGround(context, options.options, layers?.solitude);
  const drafted = draftShapes(context, keep(`ground ${options.options?.smoothing}`, planGround));
  const shapes = riders ? rideWhole(drafted, riders, surface, gamma) : drafted;
  const joinInto = (owner: Uint32Array) =>
    owner.every((joined, s) => joined === s)
      ? first
      : keep(`joined ${cutKey} ${owner}`, () => cut(joinRegions(character, closed, first.regions, owner)));
  const merged = mergeRegions(context, directions, shapes.bases);
  const owner = join.length > 0 ? joinNamed(merged, joinInto(merged).regions, join) : merged;
  // Directional control changes γ: then the shapes are planned again.
  const draft = (joined: ShapeDraft) => (options.shape ? {} : { draft: joined });
  if (owner.every((joined, s) => joined === s)) return { ...context, ...draft(shapes) };
  const joined = joinInto(owner);
  // γ has no borders of its own, unless it is asked to stop at them.
  const own = map.local
    ? measureMap(character, joined.regions, joined.volumes, map, room, undefined, layers?.average)
    : gamma;
  const mergedCount = merged.reduce((most, s) => Math.max(most, s + 1), 0);
  return { ...describe(joined, own, mergedCount), ...draft(joinShapes(shapes, owner)) };
}
