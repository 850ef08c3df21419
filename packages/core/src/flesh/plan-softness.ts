/**
 * G1. Softness, #V: 1 where the flesh swings freely, 0 where it sits on the bone.
 *
 *   s = γ / max(1, max γ), γ a map of D1–D6 taken over the whole body; times the paint (D7); at most 1; 0 at fixed vertices
 *
 * By default γ = (d/d̄)², the organic map (D4) without its weight term: the thicker the flesh over the bone, the softer.
 */
import type { Character } from '../character/character.js';
import { gatherPaint, holdFixed } from '../maps/gather-paint.js';
import { type MapOptions, measureMap } from '../maps/measure-map.js';
import { planRegions } from '../regions/plan-regions.js';
import type { ClosedSurface } from '../volume/plan-closed-surface.js';
import { planRegionVolumes } from '../volume/plan-region-volumes.js';

/** A map, the name of a painted attribute, or one number for the whole body. */
export type SoftnessOptions = MapOptions | string | number;

export const SOFTNESS_DEFAULTS = { kind: 'organic', a: 0, b: 2 } as const satisfies MapOptions;

export function planSoftness(
  character: Character,
  closed: ClosedSurface,
  options: SoftnessOptions = SOFTNESS_DEFAULTS,
): Float64Array {
  const { paint, fixed, ...map } = readOptions(options);
  const regions = planRegions(character, closed, { by: 'component', rigid: 'cut' });
  const volumes = planRegionVolumes(closed, regions.triangleRegion, regions.count);
  const softness = measureMap(character, regions, volumes, map);
  const scale = 1 / softness.reduce((most, value) => Math.max(most, value), 1);
  const painted = paint === undefined ? undefined : gatherPaint(character, paint);
  for (let k = 0; k < softness.length; k++) {
    softness[k] = Math.min(1, scale * softness[k]! * (painted ? painted[k]! : 1));
  }
  if (typeof options === 'number') for (let k = 0; k < softness.length; k++) softness[k]! *= Math.min(1, options);
  holdFixed(softness, character, fixed);
  return softness;
}

function readOptions(options: SoftnessOptions): MapOptions {
  if (typeof options === 'number') return { kind: 'uniform' };
  if (typeof options === 'string') return { kind: 'uniform', paint: options };
  return { ...SOFTNESS_DEFAULTS, ...options };
}
