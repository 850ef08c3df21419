/** The planner: a character's raw arrays and the options of its volume layer in, a saved plan out. What runs in a worker, in a page or in Node. */
import { planBody } from '../body/plan-body.js';
import type { CharacterInput } from '../character/character.js';
import { createStillCharacter } from '../character/create-character.js';
import { planGiven, planPlayedGiven } from '../correction/plan-given.js';
import { nameRegions } from '../regions/name-regions.js';
import { type Rehearsal, rehearseStack } from '../rehearse/rehearse-stack.js';
import { measureHingeAxis } from '../skeleton/measure-hinge-axis.js';
import { planVolumeWith, type VolumePlan } from '../stack/plan-volume-with.js';
import { rememberContext } from '../stack/remember-context.js';
import type { VolumeLayerOptions } from '../stack/volume-layer.js';
import { measurePlanKey } from './measure-plan-key.js';
import { savePlan } from './save-plan.js';

export type PlanCharacter = typeof planCharacter;

/**
 * For players that morph and skin themselves.
 *
 * @param rehearsed the rehearsal of the same character; default: the input's clips are rehearsed here
 */
export function planPlayed(
  input: CharacterInput,
  options: VolumeLayerOptions = {},
  rehearsed?: Pick<Rehearsal, 'stack' | 'samples'>,
): VolumePlan {
  const body = planBody(createStillCharacter(input));
  const { stack, samples } = rehearsed ?? rehearseStack(body, { volume: options }, { clips: input.clips ?? [] });
  const planGivenHere = samples ? planGiven : planPlayedGiven; // the fit keeps what the clips use
  return planVolumeWith(
    { measureAxis: measureHingeAxis, planGiven: planGivenHere, nameRegions, remember: rememberContext, samples },
    body,
    stack.volume,
  );
}

export function planCharacter(
  input: CharacterInput,
  options: VolumeLayerOptions = {},
  rehearsed?: Pick<Rehearsal, 'stack' | 'samples'>,
): Uint8Array {
  return savePlan(planPlayed(input, options, rehearsed), measurePlanKey(input, options));
}
