import { IsoskinError } from '@isoskin/core';
import type { SceneSpec } from './scene-spec.js';
import { createFall } from './scenes/fall.js';
import { createMerge } from './scenes/merge.js';
import { createMuscle } from './scenes/muscle.js';
import { createPinch } from './scenes/pinch.js';
import { createRoller } from './scenes/roller.js';
import { createSqueeze } from './scenes/squeeze.js';

const SCENES: ReadonlyMap<string, () => SceneSpec> = new Map([
  ['merge', createMerge],
  ['fall', createFall],
  ['pinch', createPinch],
  ['roller', createRoller],
  ['muscle', createMuscle],
  ['squeeze', createSqueeze],
]);

/** The built-in scenes. */
export const sceneNames: readonly string[] = [...SCENES.keys()];

/** A built-in scene as plain JSON, to run as it is or to change first. */
export function createScene(name: string): SceneSpec {
  const create = SCENES.get(name);
  if (create) return create();
  const message = `There is no scene “${name}”; choose one of ${sceneNames.join(', ')}.`;
  throw new IsoskinError('SCENE_UNKNOWN', message, 'scene');
}
