/** What hangs on one joint is left alone; regions have names that a person understands. */
import { createCharacter, planVolumeMeter } from '@isoskin/core';
import { nameRegions, planClosedSurface, planRegions } from '@isoskin/core/mesh';
import { describe, expect, it } from 'vitest';
import { boxShape, character, mergeShapes, part } from '../meshes.js';
import { bar } from './bar.js';

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
