import {
  type Character,
  createCharacter,
  createPose,
  createStack,
  measureCrossing,
  planContact,
  planSkinning,
  trianglesCross,
} from '@isoskin/core';
import { createDemo } from '@isoskin/implicit';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { tube } from '../meshes.js';
import { bend, closeHand, fold, WITH_CONTACT } from './fold-bench.js';

const SEED = 20261115;
const degrees = (to: number, step = 1) => Array.from({ length: to / step + 1 }, (_, n) => n * step);

describe('contact at a bending joint', () => {
  let finger: Character;
  beforeAll(() => {
    finger = createDemo('finger');
  });

  it('finger bent 0 → 150° in 1° steps: no crossing pair at any step, every region exact, no jump, no spike', () => {
    const result = fold(
      finger,
      degrees(150).map((d) => bend(finger, 'finger.2', [1, 0, 0], d)),
    );
    expect(result.skinned).toBeGreaterThan(150);
    expect(result.corrected).toBe(0);
    expect(result.error).toBeLessThan(1e-6);
    expect(result.jump).toBeLessThan(3);
    expect(result.stretch).toBeLessThan(2.2);
    expect(result.inverted.corrected).toBe(0);
  });

  it.each(['finger.1', 'finger.3'])('%s bent to 120°: no crossing pair', (joint) => {
    const poses = degrees(120, 4).map((d) => bend(finger, joint, [1, 0, 0], d));
    const result = fold(finger, poses);
    expect(result.skinned).toBeGreaterThan(20);
    expect(result.corrected).toBe(0);
    expect(result.error).toBeLessThan(1e-6);
  });

  it('the tube of METHODS (1 446 vertices, ω ∝ d⁻⁶) at 150°: volume correction alone makes it worse, contact does not', () => {
    const character = createCharacter(tube({ around: 38, along: 38, power: 6 }));
    const poses = degrees(150, 5).map((d) => bend(character, 'bone 1', [0, 1, 0], d));
    const volumeOnly = fold(character, poses, { layers: WITH_CONTACT.layers.filter((l) => l.layer !== 'contact') });
    const result = fold(character, poses);
    expect(volumeOnly.corrected).toBeGreaterThan(volumeOnly.skinned);
    expect(result.corrected).toBe(0);
    expect(result.error).toBeLessThan(1e-6);
    expect(result.jump).toBeLessThan(1.5);
  });

  it('leaves the rest pose exactly as it is', () => {
    const stack = createStack(finger, WITH_CONTACT);
    stack.evaluate(createPose(finger));
    expect(stack.frame.positions).toEqual(stack.frame.skinned);
  });

  it('does not depend on the frames before, but for the tolerance of the volume', () => {
    const pose = bend(finger, 'finger.2', [1, 0, 0], 140);
    const stack = createStack(finger, WITH_CONTACT);
    const cold = stack.evaluate(pose).positions.slice();
    for (const d of [20, 100, 150]) stack.evaluate(bend(finger, 'finger.2', [1, 0, 0], d));
    const warm = stack.evaluate(pose).positions;
    const worst = cold.reduce((most, value, i) => Math.max(most, Math.abs(value - warm[i]!)), 0);
    expect(worst).toBeLessThan(1e-5); // of a finger 12 long
    stack.reset();
    expect(stack.evaluate(pose).positions).toEqual(cold);
  });

  it('tells the volume solver how the surface follows: the field is the derivative of the constraint', () => {
    const contact = planContact(finger, { relax: false });
    const count = finger.surface.vertexCount;
    const skinning = planSkinning(finger, {});
    const x = new Float64Array(3 * count);
    const directions = Float64Array.from({ length: 3 * count }, (_, i) => Math.sin(i));
    skinning.apply({ positions: x, directions: new Float64Array(3 * count) }, bend(finger, 'finger.2', [1, 0, 0], 130));
    contact.find(x, skinning.bones);
    const at = (step: number) => {
      const y = x.map((value, i) => value + step * directions[i]!);
      const along = contact.apply(y, directions).slice();
      return { y, along };
    };
    const h = 1e-6;
    const [before, here, after] = [at(-h), at(0), at(h)];
    let held = 0;
    let wrong = 0;
    for (let i = 0; i < 3 * count; i++) {
      const slope = (after.y[i]! - before.y[i]!) / (2 * h);
      if (Math.abs(slope - directions[i]!) > 1e-3) held++;
      if (Math.abs(slope - here.along[i]!) > 1e-4) wrong++;
    }
    expect(held).toBeGreaterThan(100);
    expect(wrong).toBeLessThan(4); // a vertex may sit on a bend of S
  });
});

describe('contact between parts', () => {
  it('hand closing to a fist, fingers first (not the demo’s clip): no crossing pair at any step, every region exact, no jump', () => {
    const hand = createDemo('hand');
    const poses = Array.from({ length: 21 }, (_, n) => closeHand(hand, n / 20));
    const result = fold(hand, poses);
    expect(result.skinned).toBeGreaterThan(70);
    expect(result.corrected).toBe(0);
    expect(result.error).toBeLessThan(1e-6);
    expect(result.jump).toBeLessThan(5);
    expect(result.stretch).toBeLessThan(5);
    expect(result.inverted.corrected).toBeLessThanOrEqual(result.inverted.skinned);
  });
});

describe('measureCrossing', () => {
  it(`is positive exactly where triangles cross (seed ${SEED})`, () => {
    // Unbiased, so that no triangle is a sliver and none merely touches.
    const coordinate = fc.noBias(fc.integer({ min: -1_000_000, max: 1_000_000 }));
    const corners = fc.array(coordinate, { minLength: 18, maxLength: 18 });
    fc.assert(
      fc.property(corners, (values) => {
        const p = Float64Array.from(values);
        const length = measureCrossing(p, 0, 1, 2, 3, 4, 5);
        const crosses = trianglesCross(p, 0, 1, 2, 3, 4, 5);
        expect(length > 0).toBe(crosses);
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });

  it('starts from 0', () => {
    for (const depth of [1e-6, 1e-3, 0.1]) {
      // A spike that pokes through the middle of a large triangle by `depth`.
      const p = Float64Array.of(-4, -3, 0, 4, -3, 0, 0, 5, 0, 0, 0, -depth, -1, 0, 1, 1, 0, 1);
      expect(measureCrossing(p, 0, 1, 2, 3, 4, 5)).toBeCloseTo((2 * depth) / (1 + depth), 9);
    }
  });
});
