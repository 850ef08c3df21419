import { countSelfIntersectionsOf, createCharacter, planSkinning } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { planCoarseness } from '../../src/contact/plan-coarseness.js';
import { planCrossings } from '../../src/contact/plan-crossings.js';
import { planRetreat } from '../../src/contact/plan-retreat.js';
import { BONE_STRIDE } from '../../src/skeleton/matrices.js';
import { tube } from '../meshes.js';
import { bend } from './fold-bench.js';

const RADIANS = Math.PI / 180;

/** The tube as linear skinning bends it, then turned back in at most `rounds` rounds. */
function retreat(degrees: number, rounds: number, most = 30 * RADIANS) {
  const character = createCharacter(tube({ around: 5, along: 9, power: 6 }));
  const { vertexCount, triangles } = character.surface;
  const skinning = planSkinning(character, {});
  const positions = new Float64Array(3 * vertexCount);
  skinning.apply(
    { positions, directions: new Float64Array(3 * vertexCount) },
    bend(character, 'bone 1', [0, 1, 0], degrees),
  );
  const plan = planRetreat(character, planCrossings(character.surface), most);
  const before = countSelfIntersectionsOf(triangles, positions);
  const skinned = positions.slice();
  plan.begin(positions, skinning.bones);
  let bones: Float64Array = skinning.bones;
  for (let round = 0; round < rounds && plan.blame(positions); round++) bones = plan.place(positions);
  return { before, after: countSelfIntersectionsOf(triangles, positions), skinned, positions, bones, plan };
}

/** Angle between two bones of #B×12. */
function angle(bones: Float64Array): number {
  let trace = 0;
  for (let r = 0; r < 9; r++) trace += bones[r]! * bones[BONE_STRIDE + r]!;
  return Math.acos((trace - 1) / 2) / RADIANS;
}

describe('retreat of a coarse surface', () => {
  it('knows low-poly bodies from fine ones', () => {
    expect(planCoarseness(createCharacter(tube({ around: 5, along: 9, power: 6 })).surface).coarse).toBe(true);
    expect(planCoarseness(createCharacter(tube({ around: 38, along: 38, power: 6 })).surface).coarse).toBe(false);
  });

  it('turns a joint back until nothing crosses, and not further than it may', () => {
    const { before, after, bones } = retreat(120, 8);
    expect(before).toBeGreaterThan(0);
    expect(after).toBe(0);
    expect(angle(bones)).toBeLessThan(120);
    expect(angle(bones)).toBeGreaterThan(90);
  });

  it('gives up at its limit', () => {
    const { bones } = retreat(150, 40, 10 * RADIANS);
    expect(angle(bones)).toBeGreaterThanOrEqual(140 - 1e-9);
    expect(angle(bones)).toBeLessThan(141.5);
  });

  it('leaves a pose without crossings exactly as it is', () => {
    const { before, skinned, positions, plan } = retreat(60, 8);
    expect(before).toBe(0);
    expect(positions).toEqual(skinned);
    expect(plan.blame(positions)).toBe(false);
  });

  it('grows with the pose without a jump: 100 → 120° in quarter degrees', () => {
    const steps: number[] = [];
    let last: Float64Array | undefined;
    for (let d = 100; d <= 120; d += 0.25) {
      const { positions } = retreat(d, 8);
      if (last) steps.push(positions.reduce((most, value, i) => Math.max(most, Math.abs(value - last![i]!)), 0));
      last = positions;
    }
    const sorted = steps.toSorted((a, b) => a - b);
    expect(sorted.at(-1)! / sorted[sorted.length >> 1]!).toBeLessThan(20);
  });
});
