import { type Character, createFrameSource, createPose, POSE_STRIDE, planBody, planVolumeMeter } from '@isoskin/core';
import type { VolumeLayerOptions } from '@isoskin/core/stack';
import { CYLINDER_ANGLES } from './published-figures.js';

/** Volume errors in per cent, one per angle. */
export type CylinderErrors = Record<
  'none' | 'axisLinear' | 'axisExact' | 'normalLinear' | 'normalExact' | 'regionsExact',
  number[]
>;

/** γ = 1: the literature does not say which map its tables were made with. */
const LAYER = { map: { kind: 'uniform' }, regions: { by: 'component' } } as const;

const LAYERS: Record<keyof CylinderErrors, VolumeLayerOptions | undefined> = {
  none: undefined,
  axisLinear: { ...LAYER, method: 'axis-linear' },
  axisExact: { ...LAYER, method: 'axis-exact' },
  normalLinear: { ...LAYER, method: 'normal-linear' },
  normalExact: { ...LAYER, method: 'normal-exact' },
  regionsExact: { ...LAYER, method: 'regions-exact', regions: { by: 'bone' } },
};

/** A tube, bent by its joint “upper”, under every correction of the literature and two beyond it. */
export function measureCylinder(character: Character): CylinderErrors {
  const joint = character.skeleton.names.indexOf('upper');
  const errorsOf = (layer: VolumeLayerOptions | undefined): number[] => {
    const stack = createFrameSource(planBody(character), layer ? { volume: layer } : {});
    const meter = planVolumeMeter(character, stack.volume);
    const pose = createPose(character);
    return CYLINDER_ANGLES.map((degrees) => {
      const half = (degrees * Math.PI) / 360;
      pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], joint * POSE_STRIDE + 3);
      const total = meter.measure(stack.evaluate(pose).positions);
      const errors = [Math.abs(total / meter.rest - 1)];
      // A method that promises its regions is judged by the worst of them.
      if (layer)
        for (const [s, v] of meter.regionVolumes.entries()) errors.push(Math.abs(v / meter.restRegions[s]! - 1));
      return 100 * Math.max(...errors);
    });
  };
  const entries = Object.entries(LAYERS).map(([name, layer]) => [name, errorsOf(layer)]);
  return Object.fromEntries(entries) as CylinderErrors;
}
