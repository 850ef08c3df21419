import { type Character, type CharacterInput, createCharacter, IsoskinError } from '@isoskin/core';
import { cat } from './cat.js';
import { elephant } from './elephant.js';
import { finger } from './finger.js';
import { giraffe } from './giraffe.js';
import { hand } from './hand.js';
import { head } from './head.js';
import { hero } from './hero.js';
import { createModelInput } from './model.js';
import { toy } from './toy.js';
import { createTubeInput, offCentreTube, thesisTube, tube } from './tube.js';

const makers: ReadonlyMap<string, (vertices?: number) => CharacterInput> = new Map([
  ...[elephant, giraffe, hand, hero, cat, toy, finger, head].map(
    (model) => [model.name, (vertices?: number) => createModelInput(model, vertices)] as const,
  ),
  ...[tube, offCentreTube].map((own) => [own.name, (vertices?: number) => createTubeInput(own, vertices)] as const),
]);

/** What `createDemo` can make. */
export const demoNames: readonly string[] = [...makers.keys()];

/** How fine a demo is meshed. */
export interface DemoOptions {
  /** Number of vertices, met to about 2 %. Default: what suits the character. */
  readonly vertices?: number;
}

/** The project's own characters, made by code: a skeleton, flesh around it as an implicit surface, meshed and weighted. */
export function createDemo(name: string, options: DemoOptions = {}): Character {
  return createCharacter(createDemoInput(name, options));
}

/** The same as raw arrays, before welding and checks. */
export function createDemoInput(name: string, options: DemoOptions = {}): CharacterInput {
  const make = makers.get(name);
  if (!make) {
    const message = `There is no demo called "${name}"; choose one of ${demoNames.join(', ')}.`;
    throw new IsoskinError('DEMO_UNKNOWN', message);
  }
  return make(options.vertices);
}

/** The cylinder of the thesis, for `isoskin tables`. */
export function createThesisTube(): Character {
  return createCharacter(createTubeInput(thesisTube));
}
