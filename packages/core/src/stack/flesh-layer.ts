/**
 * G1–G2. Flesh that lags behind its bones and swings back: damped springs, driven by the motion of the joints, scaled by a
 * softness map. Stands between skin and volume, which then restores every region.
 */

import type { Body } from '../body/plan-body.js';
import type { Character } from '../character/character.js';
import { createBoneSprings } from '../flesh/create-bone-springs.js';
import { createClipSwing } from '../flesh/create-clip-swing.js';
import { applyFleshSkin, type FleshRegion, type FleshShares, planFleshSkin } from '../flesh/plan-flesh-skin.js';
import { planSoftness, type SoftnessOptions } from '../flesh/plan-softness.js';
import { smoothOverSkin } from '../flesh/smooth-over-skin.js';
import type { Spring } from '../flesh/step-springs.js';
import { holdFixed } from '../maps/gather-paint.js';
import { planRegionWeights } from '../maps/plan-region-weights.js';
import { measureBox, measureDiagonal } from '../mesh/measure-box.js';
import { listByRegion } from '../regions/find-region.js';
import { nameRegions } from '../regions/name-regions.js';
import { planRegions, type RegionOptions } from '../regions/plan-regions.js';
import type { ClosedSurface } from '../volume/plan-closed-surface.js';
import { planRegionVolumes } from '../volume/plan-region-volumes.js';
import type { Layer } from './layer.js';

export interface FleshLayerOptions {
  /** Where the flesh is soft: a map, a painted attribute, or one number. Default: the farther from the bones the softer. */
  readonly softness?: SoftnessOptions;
  /** How fast it swings, Hz. */
  readonly frequency?: number;
  /** How soon it calms down: 0.1 swings long, 1 not at all (ratio to critical damping). */
  readonly damping?: number;
  /** How far it gives at most, relative to the local thickness. */
  readonly maxStretch?: number;
  /** How wide soft flesh passes into stiff flesh along the skin, relative to the mean thickness; 0 where `softness` is given. */
  readonly blend?: number;
  /** Regions that differ, by name; their softness multiplies the map. */
  readonly regions?: Readonly<Record<string, FleshRegionOptions>>;
  /** How the body is cut into these regions, as in a volume layer. Default: by bone. */
  readonly split?: RegionOptions;
  /** Whether clips loop when they are played by `seek`. Default: those do that end as they begin. */
  readonly loop?: boolean;
}

export interface FleshRegionOptions {
  readonly frequency?: number;
  readonly damping?: number;
  readonly maxStretch?: number;
  readonly softness?: number;
}

export const FLESH_DEFAULTS = {
  frequency: 2.5,
  damping: 0.2,
  maxStretch: 0.3,
  blend: 0.5,
} as const satisfies FleshLayerOptions;

export interface FleshLayer extends Layer {
  /** Softness of every vertex, for colours. */
  readonly softness: Float64Array;
}

export function planFleshLayer(body: Body, options: FleshLayerOptions = {}): FleshLayer {
  const { character, closed, room } = body;
  const { surface, skeleton } = character;
  const { springs, regions, shares } = planSprings(character, closed, options);
  const mean = room.reduce((sum, one) => sum + one, 0) / room.length;
  // A map that is asked for is meant as it is.
  const { softness: map, blend = map === undefined ? FLESH_DEFAULTS.blend : 0 } = options;
  const width = blend * mean;
  const softness = smoothOverSkin(planSoftness(character, closed, options.softness), surface, width);
  holdFixed(softness, character, typeof map === 'object' ? map.fixed : undefined);
  const skin = planFleshSkin(shares, skeleton.boneCount, softness, smoothOverSkin(room, surface, width), regions);
  const box = measureBox(surface.positions);
  const centre = Float64Array.from({ length: 3 }, (_, r) => 0.5 * (box[r]! + box[3 + r]!));
  const size = measureDiagonal(surface.positions);
  const bones = createBoneSprings(skeleton.boneCount, springs, centre, size);
  let swing: ReturnType<typeof createClipSwing> | undefined;
  return {
    softness,
    apply(frame) {
      bones.step(frame.bones, frame.dt);
      if (!bones.isStill) applyFleshSkin(frame.positions, skin, frame.rest, bones.state.lag);
    },
    reset: bones.reset,
    seek(clip, time) {
      swing ??= createClipSwing(character, springs, options.loop, size);
      swing.seek(bones.state, clip, time);
      bones.restart();
    },
  };
}

/** Regions with their springs; equal springs are one. */
function planSprings(character: Character, closed: ClosedSurface, options: FleshLayerOptions) {
  const { frequency, damping, maxStretch } = FLESH_DEFAULTS;
  const springs: Spring[] = [];
  const add = (own: FleshRegionOptions): FleshRegion => {
    const next = {
      frequency: own.frequency ?? options.frequency ?? frequency,
      damping: own.damping ?? options.damping ?? damping,
    };
    let spring = springs.findIndex((one) => one.frequency === next.frequency && one.damping === next.damping);
    if (spring < 0) spring = springs.push(next) - 1;
    return { spring, maxStretch: own.maxStretch ?? options.maxStretch ?? maxStretch, softness: own.softness ?? 1 };
  };
  const { binding } = character;
  if (Object.keys(options.regions ?? {}).length === 0) {
    const shares: FleshShares = { ...binding, regions: new Uint8Array(binding.bones.length) };
    return { springs, regions: [add({})], shares };
  }
  const planned = planRegions(character, closed, { rigid: 'cut', ...options.split }, nameRegions);
  const regions = listByRegion(options.regions, planned, 'flesh.regions').map((own) => add(own ?? {}));
  const volumes = planRegionVolumes(closed, planned.triangleRegion, planned.count);
  const bones: number[] = [];
  const inRegion: number[] = [];
  const weights: number[] = [];
  const offsets = new Uint32Array(character.surface.vertexCount + 1);
  planRegionWeights(character, planned, volumes, (k, n, region, share) => {
    bones.push(binding.bones[n]!);
    inRegion.push(region);
    weights.push(share);
    offsets[k + 1]!++;
  });
  for (let k = 1; k < offsets.length; k++) offsets[k]! += offsets[k - 1]!;
  return { springs, regions, shares: { offsets, bones, regions: inRegion, weights } };
}
