/** C16: what a bent joint pushes through itself lies flat in its crease. */
import { createCharacter } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { createStackBench, limb, organicWith } from '../stack/stack-bench.js';

const arm = () => createCharacter(limb([0, 3, 6], { length: 6, around: 32, along: 64 }));
const creased = organicWith({ options: { crease: 1 } });
const bend = (degrees: number, axis: 'x' | 'y' | 'z' = 'y') => ({ 1: { axis, degrees } });

/** How far skin has passed the plane that halves a bend about y, on the mean over the joint's skin. */
function measurePassed(y: Float64Array, rest: Float64Array, degrees: number): number {
  const half = (degrees * Math.PI) / 360;
  let [sum, count] = [0, 0];
  for (let k = 0; k < y.length; k += 3) {
    const side = rest[k]! - 3;
    if (Math.abs(side) < 1e-9 || Math.abs(side) > 1.5) continue;
    const place = Math.cos(half) * (y[k]! - 3) - Math.sin(half) * y[k + 2]!;
    sum += Math.max(0, -Math.sign(side) * place);
    count++;
  }
  return sum / count;
}

describe('creases', () => {
  it.each([
    [70, 0.5],
    [90, 0.6],
    [110, 0.75],
    [130, 0.85],
  ])('bent by %d°, of what passed the plane between both sides less than %d does', (degrees, share) => {
    const character = arm();
    const { positions: rest } = character.surface;
    const off = createStackBench(character, organicWith({ options: { crease: 0 } })).run(bend(degrees));
    const on = createStackBench(character, creased).run(bend(degrees));
    const before = measurePassed(off.y, rest, degrees);
    expect(before).toBeGreaterThan(0.005);
    expect(measurePassed(on.y, rest, degrees)).toBeLessThan(share * before);
    expect(on.region).toBeLessThan(1e-7);
  });

  it('twists, turns of everything and small bends have none: nothing is given', () => {
    const bench = createStackBench(arm(), creased);
    const { shapes, amounts } = bench.layer.shapes!;
    for (const pose of [{}, bend(90, 'x'), { 0: { degrees: 77 } }]) {
      bench.run(pose);
      expect(Math.max(...amounts.subarray(shapes.regionCount).map(Math.abs))).toBe(0);
    }
    bench.run(bend(10));
    expect(Math.max(...amounts.subarray(shapes.regionCount).map(Math.abs))).toBeLessThan(0.02);
  });

  it('is as deep whichever way a round limb bends', () => {
    const bench = createStackBench(arm(), creased);
    const deepest = (pose: Parameters<typeof bench.run>[0]) => {
      const { shapes, amounts } = bench.layer.shapes!;
      bench.run(pose);
      let most = 0;
      for (let k = 0; k + 1 < shapes.offsets.length; k++) {
        let sum = 0;
        for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
          if (shapes.shapes[e]! >= shapes.regionCount) sum += amounts[shapes.shapes[e]!]! * shapes.values[e]!;
        }
        most = Math.max(most, -sum);
      }
      return most;
    };
    const depths = [bend(100), bend(-100), bend(100, 'z'), bend(-100, 'z')].map(deepest);
    expect(depths[0]).toBeGreaterThan(0.1);
    for (const depth of depths) expect(depth / depths[0]!).toBeCloseTo(1, 1);
  });

  it('grows without a jump', () => {
    const bench = createStackBench(arm(), creased);
    const { shapes, amounts } = bench.layer.shapes!;
    let last = amounts.slice(shapes.regionCount);
    let largest = 0;
    for (let degrees = 0; degrees <= 160; degrees += 0.5) {
      bench.run(bend(degrees));
      const now = amounts.slice(shapes.regionCount);
      largest = now.reduce((most, a, i) => Math.max(most, Math.abs(a - last[i]!)), largest);
      last = now;
    }
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(0.02);
  });

  it('is off unless it is asked for, and nothing where the mesh shows no crease', () => {
    expect(createStackBench(arm(), organicWith({})).layer.shapes!.shapes.given).toBeUndefined();
    const coarse = createCharacter(limb([0, 3, 6], { length: 6, around: 6, along: 8 }));
    expect(createStackBench(coarse, creased).layer.shapes!.shapes.given).toBeUndefined();
  });
});
