/**
 * Amounts and limits of a planned volume, changed where they stand: what its solver reads in every frame, so that a slider plans nothing.
 *
 *   V̄_s ← V̄_s(target),   Λ±_s ← limit' / q_s, and so the ceilings of bends,   strength ← strength'
 */
import { limitAmounts, type PlanShapesOptions, SHAPE_DEFAULTS } from '../correction/plan-shapes.js';
import { asksVolumes } from '../correction/plan-target-volumes.js';
import { listByRegion } from '../regions/find-region.js';
import type { FrameVolume, VolumeLayerOptions } from './volume-layer.js';

function split({ target, options, ...rest }: VolumeLayerOptions) {
  const { strength, limit, limits, ...others } = { ...SHAPE_DEFAULTS, ...(options as PlanShapesOptions) };
  return { target, strength, limit, limits, others, rest: JSON.stringify([others, rest]) };
}

/** Whether it could be done; else the volume stays what it was, and is to be planned anew. After it, forget the past (`FrameSource.reset`). */
export function tuneVolume(
  { targets, shapes, regions }: FrameVolume,
  from: VolumeLayerOptions,
  to: VolumeLayerOptions,
): boolean {
  const [old, next] = [split(from), split(to)];
  if (!shapes?.shapes.reach || old.rest !== next.rest) return false;
  // Shapes that fade where nothing bends cannot be exact there, nor breathe.
  if (old.limit > 0 !== next.limit > 0 || asksVolumes(from) !== asksVolumes(to)) return false;
  const { harmonics, crease } = old.others;
  const isLimited = old.limit > 0 && next.limit > 0; // without a limit there are no bends
  const isSame = old.limit === next.limit && JSON.stringify(old.limits) === JSON.stringify(next.limits);
  if (!isSame && (crease > 0 || (harmonics > 0 && !isLimited))) return false; // creases are taught with it
  const [before, owns] = [old, next].map(({ limits }) => listByRegion(limits, regions, 'options.limits')) as [
    (number | undefined)[],
    (number | undefined)[],
  ];
  targets.set(next.target); // refuses what it does not know
  const { ceilings = [] } = shapes.shapes.given?.plan.harmonics ?? {};
  for (let s = 0; s < ceilings.length; s++) ceilings[s]! *= (owns[s] ?? next.limit) / (before[s] ?? old.limit);
  limitAmounts(shapes.shapes, next.limit, owns);
  shapes.shapes.strength = next.strength;
  return true;
}
