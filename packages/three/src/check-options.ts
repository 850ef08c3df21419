import { findNearestName, IsoskinError } from '@isoskin/core/runtime';
import type { VolumeOptions } from './volume-options.js';

const NAMES: readonly (keyof VolumeOptions)[] = [
  'preset',
  'stack',
  'kernels',
  'planner',
  'plan',
  'animations',
  'cache',
  'auto',
  'detail',
  'fullStack',
  'form',
  'nodes',
  'worker',
  'borderTolerance',
];
const DETAIL_NAMES = ['far', 'rate', 'near', 'budget'];

/** An option that nobody knows would do nothing, silently. */
export function checkOptions(options: VolumeOptions): void {
  checkNames(options, NAMES, '');
  checkNames(options.detail ?? {}, DETAIL_NAMES, 'detail.');
}

function checkNames(options: object, known: readonly string[], path: string): void {
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const advice = `did you mean “${findNearestName(name.slice(0, 60), known)}”? Known are ${known.join(', ')}`;
    throw new IsoskinError('OPTION_UNKNOWN', `There is no option “${path}${name}”; ${advice}`);
  }
}
