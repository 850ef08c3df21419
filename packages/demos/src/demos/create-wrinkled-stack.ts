/**
 * Wrinkles of the demo characters (H1–H9): trousers of the hero, the crease of a wrist, the rings of an elephant's trunk, a forehead, a cat's belly.
 *
 * Points are those of the demos' own rest shapes; tools are placed on the mesh that is given, whatever its resolution.
 */
import {
  type Character,
  IsoskinError,
  placeTool,
  placeTools,
  presetStack,
  type StackSpec,
  type WrinkleTool,
} from '@isoskin/core';
import { measureLength } from '@isoskin/core/wrinkles';
import type { Point } from './rig.js';

const makers: Readonly<Record<string, (character: Character) => WrinkleTool[]>> = { hero, hand, elephant, head, cat };

/** Demos that have wrinkles. */
export const wrinkledNames: readonly string[] = Object.keys(makers);

/** The preset `organic` with the wrinkles of a demo on top. */
export function createWrinkledStack(name: string, character: Character): StackSpec {
  const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (!make) {
    const message = `The demo "${name}" has no wrinkles; choose one of ${wrinkledNames.join(', ')}.`;
    throw new IsoskinError('DEMO_WITHOUT_WRINKLES', message);
  }
  return { ...presetStack('organic'), wrinkles: { tools: make(character) } };
}

/**
 * Behind the knee two series cross and fold when it bends; in front the cloth is cut for a bent knee (its rest length is longer
 * than the straight leg), so it hangs in folds that the bending pulls smooth.
 */
function hero(character: Character): WrinkleTool[] {
  return [1, -1].flatMap((side) => {
    const at = ([x, y, z]: Point): Point => [side * x, y, z];
    const name = side > 0 ? 'left' : 'right';
    const back = placeTools(character, at([0.124, 0.71, -0.09]), at([0.132, 0.36, -0.09]), 'knee-back', {
      name: `${name} knee, back`,
      points: 15,
    });
    const front = placeTool(character, at([0.124, 0.68, 0.095]), at([0.133, 0.38, 0.06]), { curved: true });
    const length = measureLength(character.surface, front);
    return [
      ...back,
      {
        ...front,
        name: `${name} knee, front`,
        restLength: 1.06 * length,
        points: 13,
        strategy: 'everywhere',
        width: 0.7 * length,
      },
    ];
  });
}

function hand(character: Character): WrinkleTool[] {
  return placeTools(character, [0, 0.16, 0.15], [0, -0.3, 0.22], 'wrist-crease', { name: 'wrist' });
}

/** Rings along the front and the back of the trunk: its skin is always a little too long, most on the side that it curls to. */
function elephant(character: Character): WrinkleTool[] {
  const sides: readonly [string, Point, Point][] = [
    ['trunk, front', [0, 1.72, 2.38], [0, 0.62, 2.5]],
    ['trunk, back', [0, 1.62, 2.0], [0, 0.6, 2.26]],
  ];
  return sides.map(([name, a, b]) => {
    const tool = placeTool(character, a, b, { curved: true });
    const length = measureLength(character.surface, tool);
    return {
      ...tool,
      name,
      restLength: 1.05 * length,
      points: 27,
      strategy: 'everywhere',
      width: 0.42,
    };
  });
}

/** Raised brows fold the forehead across, a frown folds the skin between them upright. */
function head(character: Character): WrinkleTool[] {
  return [
    ...placeTools(character, [0, 2.25, 0.55], [0, 1.62, 0.75], 'forehead', { name: 'forehead' }),
    ...placeTools(character, [0.24, 1.62, 0.72], [-0.24, 1.62, 0.72], 'wrist-crease', {
      name: 'between the brows',
      points: 7,
      width: 0.4,
    }),
  ];
}

/** Rolls across the belly when the back bends. */
function cat(character: Character): WrinkleTool[] {
  return placeTools(character, [0, 1.68, -0.5], [0, 1.58, 0.75], 'belly', {
    name: 'belly',
    strategy: 'everywhere',
    width: 1.1,
  });
}
