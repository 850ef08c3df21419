import type { CharacterInput } from '@isoskin/core';
import { character, part, tubeShape } from '../meshes.js';

const STARTS = [0, -2, -4, 2, 4];
/** A bar along x about 0: a middle, two arms to each side; the arms of the right are a little heavier. */
export function bar(uneven = 0): CharacterInput {
  const { positions, triangles } = tubeShape({ length: 6, around: 12, along: 49, radius: 0.6, capped: true });
  const centred = { positions: positions.map((x, i) => (i % 3 === 0 ? x - 6 : x)), triangles };
  const weigh = (x: number) => {
    const place = Math.abs(x) + (x > 0 ? uneven : 0);
    const bone = place < 1.5 ? 0 : (place < 3.6 ? 1 : 2) + (x > 0 ? 2 : 0);
    return STARTS.map((_, i) => +(i === bone));
  };
  const locals = [0, -2, -2, 2, 2].flatMap((x) => [x, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
  return character([part(centred, weigh)], {
    names: ['Hips', 'RightArm', 'RightForeArm', 'LeftArm', 'LeftForeArm'],
    parents: [-1, 0, 1, 0, 3],
    locals: Float64Array.from(locals),
    boneNodes: [0, 1, 2, 3, 4],
    inverseBinds: Float64Array.from(STARTS.flatMap((x) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, 0, 0, 1])),
  });
}
