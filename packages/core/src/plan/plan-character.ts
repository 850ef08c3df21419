/** The planner: a character's raw arrays and the options of its volume layer in, a saved plan out. What runs in a worker, in a page or in Node. */
import { planBody } from '../body/plan-body.js';
import type { CharacterInput } from '../character/character.js';
import { createStillCharacter } from '../character/create-character.js';
import { planPlayedGiven } from '../correction/plan-given.js';
import { nameRegions } from '../regions/name-regions.js';
import { measureHingeAxis } from '../skeleton/measure-hinge-axis.js';
import { planVolumeWith, type VolumePlan } from '../stack/plan-volume-with.js';
import type { VolumeLayerOptions } from '../stack/volume-layer.js';
import { measurePlanKey } from './measure-plan-key.js';
import { savePlan } from './save-plan.js';

export type PlanCharacter = typeof planCharacter;

/** For players that morph and skin themselves. */
export function planPlayed(input: CharacterInput, options: VolumeLayerOptions = {}): VolumePlan {
  const body = planBody(createStillCharacter(input));
  return planVolumeWith({ measureAxis: measureHingeAxis, planGiven: planPlayedGiven, nameRegions }, body, options);
}

export function planCharacter(input: CharacterInput, options: VolumeLayerOptions = {}): Uint8Array {
  return savePlan(planPlayed(input, options), measurePlanKey(input, options));
}
