/** C15: shapes before the skin are what any player does with a morph target. */
import { createCharacter, createFrameSource, planBody, presetStack } from '@isoskin/core';
import { planVolume } from '@isoskin/core/kernels';
import { tuneVolume } from '@isoskin/core/stack';
import { describe, expect, it } from 'vitest';
import { type PlanShapesOptions, planShapes } from '../../src/correction/plan-shapes.js';
import { displace } from '../../src/kernels/reference-kernels.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../../src/volume/measure-region-volumes.js';
import { createStackBench, largestDistance, limb, organicWith } from '../stack/stack-bench.js';

const arm = () => createCharacter(limb([0, 3, 6, 9], { length: 6, around: 20, along: 64 }));
const plan = (options?: PlanShapesOptions) => {
  const character = arm();
  const context = planVolume(planBody(character), presetStack('organic').volume);
  return { character, context, shapes: planShapes(context, options) };
};

describe('shapes', () => {
  it('one unit adds a region’s own volume at most, to first order', () => {
    const { character, context, shapes } = plan();
    const { volumes, directions } = context;
    const h = 1e-4;
    const slopes: number[] = [];
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
      // They fade where nothing bends: the end of the limb adds nothing.
      expect(slope).toBeGreaterThan(-0.01);
      expect(slope).toBeLessThan(1.05);
      slopes.push(slope);
    }
    expect(slopes.filter((slope) => slope > 0.6).length).toBeGreaterThanOrEqual(0.5 * slopes.length);
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

  it('single regions have limits of their own, which hold their bends too', () => {
    const { context, shapes } = plan({ limit: 0.4 });
    const [, name] = context.regions.names;
    const own = plan({ limit: 0.4, limits: { [name!]: 0.1 } }).shapes;
    expect([...own.outward]).toEqual([...shapes.outward].map((ceiling, s) => (s === 1 ? 0.25 * ceiling : ceiling)));
    expect(plan({ limit: 0, limits: { [name!]: 0.1 } }).shapes.outward.filter(Number.isFinite).length).toBe(1);
    const ceilingsOf = (limits?: Record<string, number>) => {
      const options = { limit: 0.4, harmonics: 1, ...(limits && { limits }) };
      const { volume } = createFrameSource(planBody(arm()), { volume: { options } });
      return [...volume!.shapes!.shapes.given!.plan.harmonics!.ceilings];
    };
    expect(ceilingsOf({ [name!]: 0.1 })).toEqual(
      ceilingsOf().map((ceiling, s) => (s === 1 ? 0.25 * ceiling : ceiling)),
    );
    expect(() => plan({ limits: { nek: 0.1 } })).toThrow(/There is no region “nek”; use one of: /);
  });

  it('limits are tuned in place as they are planned', () => {
    const options = (own: object) => ({ options: { harmonics: 1, ...own } });
    const source = (own: object) => createFrameSource(planBody(arm()), { volume: options(own) }).volume!;
    const [first, second] = source({}).regions.names;
    const tuned = source({ limits: { [first!]: 0.1 } });
    const to = { limit: 0.3, limits: { [second!]: 0.2 } };
    expect(tuneVolume(tuned, options({ limits: { [first!]: 0.1 } }), options(to))).toBe(true);
    const pick = ({ shapes }: typeof tuned) => [
      ...shapes!.shapes.outward,
      ...shapes!.shapes.inward,
      ...shapes!.shapes.given!.plan.harmonics!.ceilings,
    ];
    const planned = pick(source(to));
    pick(tuned).forEach((ceiling, i) => void expect(ceiling).toBeCloseTo(planned[i]!, 12));
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

  it('a limit holds regions back, leaves the total closer than plain skinning does, and is named in the report', () => {
    const bench = createStackBench(arm(), organicWith({ options: { limit: 0.02 } }));
    const { total, skinnedTotal, frame } = bench.run({ 1: { degrees: 100 }, 2: { degrees: 30 } });
    expect(total).toBeLessThan(0.95 * Math.abs(skinnedTotal));
    expect(frame.report!.inexact).toContain(1);
    expect(frame.report!.limited).toBe(true);
  });
});
