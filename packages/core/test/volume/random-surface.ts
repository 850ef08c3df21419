/** Random surfaces for property tests: a known shape, shaken, with holes, closed by `createCharacter`. */
import { type CharacterInput, createCharacter, type Surface } from '@isoskin/core';
import fc from 'fast-check';
import {
  boxShape,
  character,
  cubesOnAnEdge,
  mergeShapes,
  part,
  sphereShape,
  torusShape,
  tubeShape,
} from '../meshes.js';

const shapes = {
  box: () => boxShape(1, 2, 3),
  sphere: () => sphereShape(5),
  torus: () => torusShape(9, 6),
  tube: () => tubeShape({ around: 7, along: 6 }),
  twoBoxes: () => mergeShapes(boxShape(1, 1, 1), boxShape(1, 2, 1, 5, 5, 5)),
};

/** Numbers between 0 and 1 that depend on the seed only. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface RandomSurface {
  readonly surface: Surface;
  /** For whatever else the test wants to draw. */
  readonly random: () => number;
}

function shake(input: CharacterInput, random: () => number, holes: number): Surface {
  const parts = input.parts.map((one) => {
    const triangles = Array.from(one.triangles!);
    for (let n = 0; n < holes && triangles.length > 12; n++) {
      triangles.splice(3 * Math.trunc((random() * triangles.length) / 3), 3);
    }
    return {
      ...one,
      positions: Float64Array.from(one.positions, (x) => x + 0.2 * (random() - 0.5)),
      triangles: Uint32Array.from(triangles),
    };
  });
  return createCharacter({ ...input, parts }).surface;
}

/** @param holes most triangles taken out. */
export function randomSurface(holes: number): fc.Arbitrary<RandomSurface> {
  return fc
    .tuple(
      fc.constantFrom(...(Object.keys(shapes) as (keyof typeof shapes)[]), 'cubesOnAnEdge' as const),
      fc.integer({ min: 0, max: holes }),
      fc.integer(),
    )
    .map(([name, count, seed]) => {
      const random = createRandom(seed);
      // Shaken, the two cubes would lose their common edge.
      if (name === 'cubesOnAnEdge') {
        return { surface: shake(cubesOnAnEdge(), () => 0.5, 0), random };
      }
      return { surface: shake(character([part(shapes[name]())]), random, count), random };
    });
}
