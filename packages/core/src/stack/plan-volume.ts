import type { Body } from '../body/plan-body.js';
import { planGiven } from '../correction/plan-given.js';
import type { AmountSamples } from '../correction/shape-budget.js';
import { nameRegions } from '../regions/name-regions.js';
import { measureHingeAxis } from '../skeleton/measure-hinge-axis.js';
import { planVolumeWith, type VolumeExtras, type VolumePlan } from './plan-volume-with.js';
import { rememberContext } from './remember-context.js';
import type { VolumeLayerOptions } from './volume-layer.js';

const EXTRAS: VolumeExtras = { measureAxis: measureHingeAxis, planGiven, nameRegions, remember: rememberContext };

/** What every volume method starts from, with all that there is. */
/** @param samples amounts of the clips, where they are known */
export function planVolume(body: Body, options: VolumeLayerOptions = {}, samples?: AmountSamples): VolumePlan {
  return planVolumeWith({ ...EXTRAS, samples }, body, options);
}
