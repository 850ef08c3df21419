import { createCharacter } from '@isoskin/core';
import { measureTwists } from '@isoskin/core/quality';
import { expect, it } from 'vitest';
import { limb } from '../stack/stack-bench.js';

/** The second bone of a limb turned by some degrees about x (its own axis) or y. */
function turned(degrees: number, axis: 'x' | 'y') {
  const half = (degrees * Math.PI) / 360;
  const end = axis === 'x' ? [Math.sin(half), 0, 0, Math.cos(half)] : [0, Math.sin(half), 0, Math.cos(half)];
  const values = Float64Array.of(0, 0, 0, 1, ...end);
  const times = Float64Array.of(0, 1);
  const channel = { target: 1, path: 'rotation' as const, interpolation: 'LINEAR' as const, times, values, width: 4 };
  return createCharacter({
    ...limb([0, 3, 6], { length: 6 }),
    clips: [{ name: 'turn', duration: 1, channels: [channel] }],
  });
}

it('tells what a twist takes of the section, and nothing of a bend', () => {
  const character = turned(90, 'x');
  const found = measureTwists(character, character.clips, 10)!;
  expect(found).toMatchObject({ clip: 'turn', joint: character.skeleton.names[1] });
  // σ = ½ where c is 1, less where the blend fades.
  expect(found.lost).toBeGreaterThan(0.3);
  expect(found.lost).toBeLessThan(0.5);
  const bent = turned(90, 'y');
  expect(measureTwists(bent, bent.clips, 10)).toBeUndefined();
  expect(measureTwists(character, [], 10)).toBeUndefined();
});
