/**
 * A plan as bytes, in the order of the machine's words (little-endian on everything that runs pages):
 *
 *   0 “isop”   4 version   8 bytes in all   12 bytes of JSON   16 key   32 checksum of all that follows   48 JSON   then the arrays, each from a multiple of 8 on
 *
 * JSON: { arrays: [kind, length] …, plan }, where { "#": n } stands for array n.
 */
import type { Character } from '../character/character.js';
import type { GivenPlan } from '../correction/given-shapes.js';
import type { Shapes } from '../correction/plan-shapes.js';
import type { BoneShares, TargetOptions } from '../correction/plan-target-volumes.js';
import type { FramePlan } from '../kernels/frame-plan.js';
import type { CutRegions } from '../regions/plan-regions.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';

/** Of the form and of the planner: a plan of another one is planned again. */
export const PLAN_VERSION = 2;
export const PLAN_MAGIC = 0x706f7369;
export const PLAN_HEADER = 48;

export const ARRAY_KINDS = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, i32: Int32Array, u8: Uint8Array };
export type ArrayKind = keyof typeof ARRAY_KINDS;
export type PlanArray = InstanceType<(typeof ARRAY_KINDS)[ArrayKind]>;

/** What is saved: data alone. The surface of `closed` is the character's, and `given` what its amounts are measured from. */
export interface PlanData {
  readonly character: Character;
  readonly regions: CutRegions;
  readonly rest: Float64Array;
  readonly shares: BoneShares;
  readonly target: TargetOptions | undefined;
  readonly frame: Omit<FramePlan, 'shapes' | 'volumes'>;
  readonly volumes: Omit<RegionVolumes, 'closed'>;
  readonly closed: Omit<RegionVolumes['closed'], 'surface'>;
  readonly shapes: Omit<Shapes, 'given'>;
  readonly given: GivenPlan | undefined;
}

/** The next multiple of 8. */
export function alignBytes(length: number): number {
  return 8 * Math.ceil(length / 8);
}
