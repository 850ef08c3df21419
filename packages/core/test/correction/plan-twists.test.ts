/** C16: a twisted limb keeps its section, a bend is none of its business. */
import { createCharacter } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { createStackBench, largestDistance, limb, organicWith } from '../stack/stack-bench.js';

const arm = () => createCharacter(limb([0, 3, 6], { length: 6, around: 32, along: 64 }));
const twisted = organicWith({ options: { twist: 1 } });
const turn = (degrees: number, axis: 'x' | 'y' = 'x') => ({ 1: { axis, degrees } });

/** Least and largest distance from the axis around the joint; 1 at rest. */
function measureSection(y: Float64Array, rest: Float64Array): [number, number] {
  const radii: number[] = [];
  for (let k = 0; k < y.length; k += 3) {
    if (Math.abs(rest[k]! - 3) < 1.5) radii.push(Math.hypot(y[k + 1]!, y[k + 2]!));
  }
  return [Math.min(...radii), Math.max(...radii)];
}

describe('twists', () => {
  it.each([30, 60, 90, 120])('a limb twisted by %d° keeps its section, as the blend alone does not', (degrees) => {
    const character = arm();
    const { positions: rest } = character.surface;
    const { x, y, region } = createStackBench(character, twisted).run(turn(degrees));
    const lost = 1 - measureSection(x, rest)[0];
    const [least, most] = measureSection(y, rest);
    expect(lost).toBeGreaterThan(0.9 * (1 - Math.cos((degrees * Math.PI) / 360)));
    expect(1 - least).toBeLessThan(0.12 * lost);
    expect(most - 1).toBeLessThan(0.12 * lost);
    expect(region).toBeLessThan(1e-7);
  });

  it('a bend, a turn of everything and scaled joints are no twist: nothing is given', () => {
    const bench = createStackBench(arm(), twisted);
    const { shapes, amounts } = bench.layer.shapes!;
    const poses = [{}, turn(70, 'y'), { 0: { degrees: 77 } }, { 1: { scale: [1, 1, 2] as const } }];
    for (const pose of poses) {
      bench.run(pose);
      expect([...amounts.subarray(shapes.regionCount)].every((a) => a === 0)).toBe(true);
    }
  });

  it('amounts see no sign, grow with the angle and stop growing before a half turn', () => {
    const bench = createStackBench(arm(), twisted);
    const { shapes, amounts } = bench.layer.shapes!;
    const read = (pose: Parameters<typeof bench.run>[0]) => {
      bench.run(pose);
      const [quarter, most] = amounts.subarray(shapes.regionCount);
      return (quarter! + most!) * (Math.SQRT2 - 1); // where the blend is even
    };
    const steps = Array.from({ length: 37 }, (_, n) => read(turn(5 * n)));
    for (const [n, step] of steps.entries()) {
      if (n > 0) expect(step).toBeGreaterThanOrEqual(steps[n - 1]!);
      expect(read(turn(-5 * n))).toBeCloseTo(step, 9);
    }
    expect(steps.at(-1)).toBeLessThan(1.6);
  });

  it('is off unless it is asked for', () => {
    const character = arm();
    const off = createStackBench(character, organicWith({ options: { twist: 0 } })).run(turn(90));
    expect(largestDistance(off.y, createStackBench(character).run(turn(90)).y)).toBe(0);
    expect(createStackBench(character).layer.shapes!.shapes.given).toBeUndefined();
  });
});
