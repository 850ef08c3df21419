/**
 * How much flesh plain skinning loses and misplaces with given weights in a moment of a clip, and how that changes with the weights.
 *
 *   x_k = Σ_i ω_ki y_ki,   y_ki = T_i T̄_i⁻¹ x̄_k                             linear in the weights
 *   E_t = ((V − V̄)/V̄)² + ρ Σ_s (V_s − V̄_s)²/(V̄ V̄_s)                          the whole, and flesh that left its region
 *   ∂E_t/∂ω_ki = ⟨∂E_t/∂x_k, y_ki⟩
 *
 * V = Σ_s V_s: regions s of what is solid (B4). O(#V · limit + #T) per moment, no allocation.
 */
import type { Character } from '../character/character.js';
import { skinLinear } from '../kernels/reference-kernels.js';
import { planVolumeMeter, type VolumeMeter } from '../measure/plan-volume-meter.js';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from '../skeleton/matrices.js';
import { createPose, frameTimes, samplePose } from '../skeleton/pose.js';
import { applyMorphs } from '../skinning/apply-morphs.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../volume/measure-region-volumes.js';
import { measureRegionScale } from '../volume/region-error.js';
import type { WeightSlots } from './plan-weight-slots.js';

/** ρ: how much flesh that only changed its place counts beside flesh that is lost. */
const MISPLACED = 0.3;

/** A moment of a clip: all that does not depend on the weights. */
export interface Moment {
  /** T_i T̄_i⁻¹, #B×12. */
  readonly bones: Float64Array;
  readonly morphWeights: Float64Array;
  /** V̄_s, and their sum. */
  readonly targets: Float64Array;
  readonly target: number;
}

export interface LostFlesh {
  /** Every moment of every clip. */
  readonly moments: readonly Moment[];
  /** E_t with the weights ω (#V×limit); `loss` is then (V − V̄)/V̄. */
  measure(moment: Moment, weights: Float64Array): number;
  readonly loss: number;
  /** Adds c · ∂E_t/∂ω of the last `measure` to `out`, #V×limit. */
  addGradient(out: Float64Array, moment: Moment, c: number): void;
  /** Raises `out`, #V, to the square of the way that every vertex goes when the weights change by `change`, #V×limit. */
  raiseDistances(out: Float64Array, moment: Moment, change: Float64Array): void;
}

/** @param fps moments per second of every clip */
export function planLostFlesh(character: Character, slots: WeightSlots, fps: number): LostFlesh {
  const { surface, morphs } = character;
  const { limit, bones } = slots;
  const count = surface.vertexCount;
  const meter = planVolumeMeter(character);
  const { volumes, componentOfRegion } = meter;
  const { inner, pairCount, pairRegion, pairVertex } = volumes;
  const gradients = createRegionGradients(volumes);
  const factors = new Float64Array(volumes.regionCount);
  const slopes = new Float64Array(3 * count);
  const rest = surface.positions.slice();
  const offsets = Uint32Array.from({ length: count + 1 }, (_, k) => k * limit);
  const skinned = { positions: createExtendedPositions(volumes), directions: new Float64Array(3 * count) };
  const blend = (moment: Moment, weights: Float64Array): void => {
    if (morphs.length > 0) applyMorphs(rest, character, moment.morphWeights);
    const skin = { positions: rest, directions: slopes, offsets, bones, weights };
    skinLinear(skinned, skin, moment.bones, 0, count);
  };
  const flesh = {
    moments: listMoments(character, meter, fps),
    loss: 0,
    measure(moment: Moment, weights: Float64Array): number {
      const { target, targets } = moment;
      blend(moment, weights);
      measureRegionVolumes(gradients, volumes, skinned.positions);
      flesh.loss = gradients.volumes.reduce((sum, v) => sum + v, 0) / target - 1;
      let value = flesh.loss ** 2;
      for (let s = 0; s < factors.length; s++) {
        const change = gradients.volumes[s]! - targets[s]!;
        const share = MISPLACED / (Math.abs(target) * measureRegionScale(targets[s]!, componentOfRegion[s]!));
        value += share * change ** 2;
        factors[s] = 2 * (flesh.loss / target + share * change);
      }
      return value;
    },
    addGradient(out: Float64Array, moment: Moment, c: number): void {
      slopes.fill(0);
      for (let s = 0; s < factors.length; s++) {
        for (let n = inner.offsets[s]!; n < inner.offsets[s + 1]!; n++) {
          const k = 3 * inner.values[n]!;
          for (let r = 0; r < 3; r++) slopes[k + r] = c * factors[s]! * gradients.areas[k + r]!;
        }
      }
      for (let p = 0; p < pairCount; p++) {
        const k = 3 * pairVertex[p]!;
        for (let r = 0; r < 3; r++) slopes[k + r]! += c * factors[pairRegion[p]!]! * gradients.pairs[3 * p + r]!;
      }
      addSlotSlopes(out, slopes, rest, moment.bones, slots);
    },
    raiseDistances(out: Float64Array, moment: Moment, change: Float64Array): void {
      blend(moment, change);
      const { positions: d } = skinned;
      for (let k = 0; k < count; k++) {
        out[k] = Math.max(out[k]!, d[3 * k]! ** 2 + d[3 * k + 1]! ** 2 + d[3 * k + 2]! ** 2);
      }
    },
  };
  return flesh;
}

/** out_ki += ⟨∂E/∂x_k, y_ki⟩. */
function addSlotSlopes(
  out: Float64Array,
  slopes: Float64Array,
  rest: Float64Array,
  matrices: Float64Array,
  { bones, limit }: WeightSlots,
): void {
  for (let slot = 0, k = 0; slot < bones.length; k += 3) {
    const [x, y, z] = [rest[k]!, rest[k + 1]!, rest[k + 2]!];
    for (const end = slot + limit; slot < end; slot++) {
      const m = BONE_STRIDE * bones[slot]!;
      for (let r = 0; r < 3; r++) {
        const place = matrices[m + r]! * x + matrices[m + 3 + r]! * y + matrices[m + 6 + r]! * z + matrices[m + 9 + r]!;
        out[slot]! += slopes[k + r]! * place;
      }
    }
  }
}

function listMoments(character: Character, meter: VolumeMeter, fps: number): Moment[] {
  const { skeleton, clips } = character;
  const pose = createPose(character);
  const world = new Float64Array(16 * skeleton.nodeCount);
  return clips.flatMap((clip) =>
    Array.from(frameTimes(clip, fps), (time) => {
      samplePose(pose, character, clip, time);
      const bones = new Float64Array(BONE_STRIDE * skeleton.boneCount);
      measureWorldMatrices(world, skeleton, pose.locals);
      measureBoneMatrices(bones, skeleton, world);
      meter.measureTargets(bones, time, pose.morphWeights);
      const targets = meter.targets.slice();
      const target = targets.reduce((sum, v) => sum + v, 0);
      return { bones, morphWeights: pose.morphWeights.slice(), targets, target };
    }),
  );
}
