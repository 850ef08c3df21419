/** What hangs on one joint is left alone; regions have names that a person understands. */
import { type CharacterInput, createCharacter, planVolumeMeter } from '@isoskin/core';
import { nameRegions, planClosedSurface, planRegions } from '@isoskin/core/mesh';
import { describe, expect, it } from 'vitest';
import { boxShape, character, mergeShapes, part, tubeShape } from '../meshes.js';

const STARTS = [0, -2, -4, 2, 4];
/** A bar along x about 0: a middle, two arms to each side; the arms of the right are a little heavier. */
function bar(uneven = 0): CharacterInput {
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

describe('rigid parts', () => {
  /** The bar, with a helmet on the hips and a ring that hangs on two bones. */
  const dressed = () => {
    const input = bar();
    const helmet = part(boxShape(1, 1, 1, 0, 4, 0), () => [0, 0, 0, 1, 0], { name: 'helmet', group: 1 });
    const ring = part(boxShape(1, 1, 1, 0, -4, 0), (x) => (x < 0.5 ? [1, 0] : [0, 1]), { name: 'ring', group: 2 });
    return { ...input, parts: [...input.parts, helmet, ring] };
  };

  it('are left alone, and said', () => {
    const one = createCharacter(dressed());
    const closed = planClosedSurface(one.surface);
    const { rigid, names } = planRegions(one, closed, {}, nameRegions);
    expect(rigid.map(({ name, joint }) => [name, one.skeleton.names[joint]])).toEqual([['helmet', 'LeftArm']]);
    expect(names).toContain('hips (ring)');
    expect(names.join()).not.toContain('helmet');
    expect(planRegions(one, closed, { rigid: 'cut' }).names.length).toBe(names.length + 1);
  });

  it('count in the whole, and scale with their joint', () => {
    const one = createCharacter(dressed());
    const meter = planVolumeMeter(one);
    const bones = new Float64Array(12 * 5);
    for (let i = 0; i < 5; i++) for (let r = 0; r < 3; r++) bones[12 * i + 4 * r] = i === 3 ? 2 : 1;
    const still = bones.map((x) => (x === 2 ? 1 : x));
    expect(meter.measureTargets(still, 0)).toBeCloseTo(meter.rest, 10);
    const whole = meter.measureTargets(bones, 0);
    expect(whole - meter.targets.reduce((sum, v) => sum + v, 0)).toBeCloseTo(8, 10); // the helmet, twice as large in every direction
  });

  it('are none where nothing else is left', () => {
    const two = mergeShapes(boxShape(1, 1, 1), boxShape(1, 1, 1, 5, 0, 0));
    const one = createCharacter(character([part(two)]));
    expect(planRegions(one, planClosedSurface(one.surface)).rigid).toEqual([]);
  });
});
