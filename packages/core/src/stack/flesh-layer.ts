/**
 * G1–G3. Flesh that lags behind its bones and swings back: damped springs, driven by the motion of the joints, scaled by a
 * softness map. Stands between skin and volume, which then restores every region.
 */

import type { Body } from '../body/plan-body.js';
import type { Character } from '../character/character.js';
import { IsoskinError } from '../error.js';
import { createBoneSprings } from '../flesh/create-bone-springs.js';
import { createClipSwing } from '../flesh/create-clip-swing.js';
import { planFleshModes } from '../flesh/plan-flesh-modes.js';
import { applyFleshSkin, type FleshRegion, type FleshShares, planFleshSkin } from '../flesh/plan-flesh-skin.js';
import { planSoftness, type SoftnessOptions } from '../flesh/plan-softness.js';
import { smoothOverSkin } from '../flesh/smooth-over-skin.js';
import type { Spring } from '../flesh/step-springs.js';
import type { FleshKernels } from '../kernels/frame-plan.js';
import { holdFixed } from '../maps/gather-paint.js';
import { planRegionWeights } from '../maps/plan-region-weights.js';
import { measureBox, measureDiagonal } from '../mesh/measure-box.js';
import { listByRegion } from '../regions/find-region.js';
import { nameRegions } from '../regions/name-regions.js';
import { planRegions, type RegionOptions } from '../regions/plan-regions.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import type { ClosedSurface } from '../volume/plan-closed-surface.js';
import { planRegionVolumes } from '../volume/plan-region-volumes.js';
import type { Frame } from './frame.js';
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
  /** How far a swing reaches through the skin, relative to the mean thickness; 0: every vertex swings for itself. */
  readonly travel?: number;
  /** Regions that differ, by name; their softness multiplies the map. */
  readonly regions?: Readonly<Record<string, FleshRegionOptions>>;
  /** How the body is cut into these regions, as in a volume layer. Default: by bone. */
  readonly split?: RegionOptions;
  /** Whether clips loop when they are played by `seek`. Default: those do that end as they begin. */
  readonly loop?: boolean;
  /** Seconds before a moment of a clip that its swing is made of; without it all since the clip began. */
  readonly memory?: number;
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
  travel: 0,
} as const satisfies FleshLayerOptions;

export interface FleshLayer extends Layer {
  /** Softness of every vertex, for colours. */
  readonly softness: Float64Array;
  /** What `apply` does, to a surface whose vertex k is at places[k] … (default: 3k …); false: nothing swings. */
  move(frame: Frame, positions: Float64Array | Float32Array, places?: Uint32Array): boolean;
}

/** @param kernels what moves the surface; default: TypeScript */
export function planFleshLayer(body: Body, options: FleshLayerOptions = {}, kernels?: FleshKernels): FleshLayer {
  const { character, closed, room } = body;
  const { surface, skeleton } = character;
  const planned = planSprings(character, closed, options);
  refuseOptions(planned.springs, options);
  const mean = room.reduce((sum, one) => sum + one, 0) / room.length;
  // A map that is asked for is meant as it is.
  const {
    softness: map,
    blend = map === undefined ? FLESH_DEFAULTS.blend : 0,
    travel = FLESH_DEFAULTS.travel,
  } = options;
  const width = blend * mean;
  const softness = smoothOverSkin(planSoftness(character, closed, options.softness), surface, width);
  holdFixed(softness, character, typeof map === 'object' ? map.fixed : undefined);
  const local = smoothOverSkin(room, surface, width);
  const skin = planFleshSkin(planned.shares, skeleton.boneCount, softness, local, planned.regions);
  const modes =
    travel > 0 && skin.vertices.length > 0
      ? planFleshModes(surface, skin, skeleton.boneCount, travel * mean)
      : undefined;
  const boneWidth = BONE_STRIDE * skeleton.boneCount;
  const springs = modes ? listModeSprings(planned.springs[0]!, modes.stiffness, boneWidth) : planned.springs;
  const box = measureBox(surface.positions);
  const centre = Float64Array.from({ length: 3 }, (_, r) => 0.5 * (box[r]! + box[3 + r]!));
  const size = measureDiagonal(surface.positions);
  const bones = createBoneSprings(skeleton.boneCount, springs, centre, size, modes);
  const { lag } = bones.state;
  const lagging = lag.subarray(0, lag.length - 3 * (modes?.count ?? 0));
  const waves = modes && { values: modes.values, amounts: new Float64Array(3 * modes.count) };
  const runner = kernels?.createFlesh?.({
    skin,
    waves,
    rest: surface.positions,
    matrixCount: lagging.length / BONE_STRIDE,
  });
  let swing: ReturnType<typeof createClipSwing> | undefined;
  const move: FleshLayer['move'] = ({ bones: matrices, dt, rest }, positions, places) => {
    bones.step(matrices, dt);
    if (bones.isStill) return false;
    if (modes && waves) {
      const { amounts } = waves;
      modes.measure(amounts, lagging);
      for (let m = 0; m < amounts.length; m++) amounts[m] = lag[lagging.length + m]! - amounts[m]!;
    }
    if (runner) runner.run(positions, rest, lagging, places);
    else applyFleshSkin(positions, skin, rest, lagging, waves, places);
    return true;
  };
  return {
    softness,
    move,
    apply: (frame) => void move(frame, frame.positions),
    reset: bones.reset,
    seek(clip, time) {
      swing ??= createClipSwing(character, springs, size, { ...options, modes });
      swing.seek(bones.state, clip, time);
      bones.restart();
    },
    dispose: () => runner?.dispose(),
  };
}

/** The bones on the spring of the modes that are left out, then every mode on its own (G3). */
function listModeSprings({ frequency, damping }: Spring, stiffness: Float64Array, boneWidth: number): Spring[] {
  const list = Array.from(stiffness, (kappa, m) => ({
    frequency: frequency * Math.sqrt(1 + kappa),
    damping,
    from: boneWidth + 3 * m,
    count: 3,
  }));
  const rest = list.pop()!;
  return [{ ...rest, from: 0, count: boneWidth }, ...list];
}

/** A swing that is forgotten before it has calmed down to this share of itself would be cut off. */
const FORGOTTEN = 0.1;

function refuseOptions(springs: readonly Spring[], { travel = 0, memory }: FleshLayerOptions): void {
  if (travel > 0 && springs.length > 1) {
    throw new IsoskinError(
      'FLESH_TRAVEL',
      'A swing that travels through the skin has one frequency and one damping: remove those of “regions”, or write “travel”: 0.',
      'flesh.travel',
    );
  }
  if (memory === undefined) return;
  for (const { frequency, damping } of springs) {
    const rate = 2 * Math.PI * frequency * (damping > 1 ? 1 / (damping + Math.sqrt(damping * damping - 1)) : damping);
    const least = -Math.log(FORGOTTEN) / rate;
    if (memory >= least) continue;
    const left = Math.round(100 * Math.exp(-rate * memory));
    const message = `After ${memory} s a swing of ${frequency} Hz with damping ${damping} still has ${left} % of its size: write a “memory” of at least ${Math.ceil(10 * least) / 10} s, or more damping.`;
    throw new IsoskinError('FLESH_MEMORY', message, 'flesh.memory');
  }
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
