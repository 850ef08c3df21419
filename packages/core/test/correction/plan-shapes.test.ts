/** C15: shapes before the skin are what any player does with a morph target. */
import { createCharacter, createFrameSource, planBody, presetStack } from '@isoskin/core';
import { planVolume } from '@isoskin/core/kernels';
import { describe, expect, it } from 'vitest';
import { planShapes } from '../../src/correction/plan-shapes.js';
import { displace } from '../../src/kernels/reference-kernels.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../../src/volume/measure-region-volumes.js';
import { createStackBench, largestDistance, limb, organicWith } from '../stack/stack-bench.js';

const arm = () => createCharacter(limb([0, 3, 6, 9], { length: 6, around: 20, along: 64 }));
const plan = (options?: { limit?: number }) => {
  const character = arm();
  const context = planVolume(planBody(character), presetStack('organic').volume);
  return { character, context, shapes: planShapes(context, options) };
};

describe('shapes', () => {
  it('one unit adds a region’s own volume, to first order', () => {
    const { character, context, shapes } = plan();
    const { volumes, directions } = context;
    const h = 1e-4;
    for (let s = 0; s < shapes.regionCount; s++) {
      const total = (amount: number) => {
        const amounts = new Float64Array(shapes.shapeCount);
        amounts[s] = amount;
        const extended = createExtendedPositions(volumes);
        displace(
          extended,
          { ...shapes, positions: character.surface.positions, directions, amounts },
          0,
          character.surface.vertexCount,
        );
        const gradients = createRegionGradients(volumes);
        measureRegionVolumes(gradients, volumes, extended);
        return gradients.volumes.reduce((sum, v) => sum + v, 0);
      };
      // Directions are shorter than normals where these disagree: the caps and creases add less.
      const slope = (total(h) - total(-h)) / (2 * h) / context.rest[s]!;
      expect(slope).toBeGreaterThan(0.6);
      expect(slope).toBeLessThan(1.05);
    }
  });

  it('ceilings are a share of the thickness, three quarters inward, and none where there is no limit', () => {
    const { shapes } = plan({ limit: 0.4 });
    const half = plan({ limit: 0.2 }).shapes;
    for (const [s, ceiling] of shapes.outward.entries()) {
      expect(half.outward[s]).toBeCloseTo(ceiling / 2, 12);
      expect(shapes.inward[s]).toBeCloseTo(0.75 * ceiling, 12);
    }
    expect(plan({ limit: 0 }).shapes.outward.every((ceiling) => ceiling === Number.POSITIVE_INFINITY)).toBe(true);
  });

  it.each(['linear', 'dual-quaternion'] as const)(
    '%s skinning of X = x̄ + Σ λ d is the corrected surface',
    (skinning) => {
      const bench = createStackBench(arm(), { ...presetStack('organic'), skin: { skinning } });
      const { y } = bench.run({ 1: { degrees: 60 }, 2: { axis: 'z', degrees: -50 } });
      const { shapes, amounts } = bench.layer.shapes!;
      const { directions } = bench.layer;
      // A character whose rest shape is X, under plain skinning.
      const { character } = bench;
      const positions = new Float64Array(character.surface.positions.length);
      displace(
        positions,
        { ...shapes, positions: character.surface.positions, directions: directions!, amounts },
        0,
        character.surface.vertexCount,
      );
      const morphed = { ...character, surface: { ...character.surface, positions } };
      const plain = createFrameSource(planBody(morphed), { skin: { skinning } });
      expect(largestDistance(plain.evaluate(bench.pose).positions, y)).toBeLessThan(1e-12);
    },
  );

  it('a limit holds regions back, keeps the total exact, and is named in the report', () => {
    const bench = createStackBench(arm(), organicWith({ options: { limit: 0.02 } }));
    const { total, frame } = bench.run({ 1: { degrees: 100 }, 2: { degrees: 30 } });
    expect(total).toBeLessThan(1e-10);
    expect(frame.report!.inexact).toContain(1);
    expect(frame.report!.limited).toBe(true);
  });
});
