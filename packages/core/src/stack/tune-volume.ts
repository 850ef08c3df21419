/**
 * Amounts and limits of a planned volume, changed where they stand: what its solver reads in every frame, so that a slider plans nothing.
 *
 *   V̄_s ← V̄_s(target),   Λ±_s ← limit' / q_s,   strength ← strength'
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
  const bends = old.others.harmonics > 0 || old.others.crease > 0; // shapes that know the limit
  if (bends && old.limit !== next.limit) return false;
  targets.set(next.target); // refuses what it does not know
  limitAmounts(shapes.shapes, next.limit);
  shapes.shapes.strength = next.strength;
  return true;
}
