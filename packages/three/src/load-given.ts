import type { StackSpec } from '@isoskin/core';
import { asksForGiven, type PlanGiven } from '@isoskin/core/kernels';

let loaded: PlanGiven | undefined;
let loading: Promise<void> | undefined;

/** C16, where it has been loaded. */
export function getGiven(): PlanGiven | undefined {
  return loaded;
}

/** A stack that asks for C16, which has not been loaded. */
export function lacksGiven({ volume }: StackSpec): boolean {
  return !loaded && (volume?.method ?? 'shapes') === 'shapes' && asksForGiven(volume?.options);
}

/** Once for a page, in a file of its own: a page that never bends flesh does not load it. */
export function loadGiven(): Promise<void> {
  loading ??= import('@isoskin/core/harmonics').then(({ planPlayedGiven }) => {
    loaded = planPlayedGiven;
  });
  return loading;
}
