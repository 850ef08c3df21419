/**
 * Amounts and limits of a planned volume, changed where they stand: what its solver reads in every frame, so that a slider plans nothing.
 *
 *   V̄_s ← V̄_s(target),   Λ±_s ← limit' / q_s, and so the ceilings of bends,   strength ← strength'
 */
import { limitAmounts, SHAPE_DEFAULTS } from '../correction/plan-shapes.js';
import type { FrameVolume, VolumeLayerOptions } from './volume-layer.js';

function split({ target, options, ...rest }: VolumeLayerOptions) {
  const { strength, limit, ...others } = { ...SHAPE_DEFAULTS, ...options };
  return { target, strength, limit, others, rest: JSON.stringify([others, rest]) };
}

/** Whether it could be done; else the volume stays what it was, and is to be planned anew. After it, forget the past (`FrameSource.reset`). */
export function tuneVolume(
  { targets, shapes }: FrameVolume,
  from: VolumeLayerOptions,
  to: VolumeLayerOptions,
): boolean {
  const [old, next] = [split(from), split(to)];
  if (!shapes?.shapes.reach || old.rest !== next.rest) return false;
  const { harmonics, crease } = old.others;
  const isLimited = old.limit > 0 && next.limit > 0; // without a limit there are no bends
  if (old.limit !== next.limit && (crease > 0 || (harmonics > 0 && !isLimited))) return false; // creases are taught with it
  targets.set(next.target); // refuses what it does not know
  const { ceilings = [] } = shapes.shapes.given?.plan.harmonics ?? {};
  for (let s = 0; s < ceilings.length; s++) ceilings[s]! *= next.limit / old.limit;
  limitAmounts(shapes.shapes, next.limit);
  shapes.shapes.strength = next.strength;
  return true;
}
