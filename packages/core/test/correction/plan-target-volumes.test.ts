/** C13 and the author's scaling: what volume a region should have. */
import { createCharacter } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { sampleCurve } from '../../src/correction/plan-target-volumes.js';
import { tube } from '../meshes.js';
import { createStackBench, limb, organicWith } from '../stack/stack-bench.js';

const arm = () => limb([0, 3, 6, 9], { length: 6, around: 16, along: 48 });

describe('sampleCurve', () => {
  it('is linear between the keys and constant outside', () => {
    const keys: [number, number][] = [
      [1, 1],
      [2, 3],
      [2, 5],
      [4, 1],
    ];
    const wanted: [number, number][] = [
      [0, 1],
      [1, 1],
      [1.5, 2],
      [2, 3],
      [2.0001, 4.9998],
      [3, 3],
      [4, 1],
      [9, 1],
    ];
    for (const [time, value] of wanted) expect(sampleCurve(keys, time)).toBeCloseTo(value, 9);
    expect(sampleCurve(0.5, 99)).toBe(0.5);
    expect(sampleCurve([], 99)).toBe(1);
    expect(sampleCurve([[3, 7]], 0)).toBe(7);
  });
});

describe('targets', () => {
  it('follow animated factors, of all regions and of one (C13)', () => {
    const bench = createStackBench(
      arm(),
      organicWith({
        target: {
          all: [
            [0, 1],
            [2, 1.2],
          ],
          regions: { 'bone 1': 0.9 },
        },
      }),
    );
    const { names } = bench.layer.regions;
    for (const time of [0, 0.5, 1, 2, 5]) {
      const { frame, total, region } = bench.run({ 2: { degrees: 40 } }, { time });
      const breath = 1 + 0.1 * Math.min(time, 2);
      bench.meter.measure(frame.positions);
      for (const [s, name] of names.entries()) {
        const wanted = bench.layer.rest[s]! * breath * (name === 'bone 1' ? 0.9 : 1);
        expect(Math.abs(bench.meter.regionVolumes[s]! / wanted - 1)).toBeLessThan(1e-6);
      }
      expect(total).toBeLessThan(1e-9);
      expect(region).toBeLessThan(1e-6);
    }
  });

  it('are the rest volumes in any pose without scale', () => {
    const bench = createStackBench(arm());
    const { frame } = bench.run({ 0: { degrees: 77, move: [1, 2, 3] }, 1: { degrees: 33 }, 2: { degrees: -90 } });
    for (const [s, target] of frame.report!.targets.entries()) {
      expect(Math.abs(target / bench.layer.rest[s]! - 1)).toBeLessThan(1e-12);
    }
  });

  it('scale with the whole character', () => {
    const bench = createStackBench(arm());
    const { frame, total } = bench.run({ 0: { scale: [2, 2, 2] }, 1: { degrees: 60 } });
    for (const [s, target] of frame.report!.targets.entries()) {
      expect(target / bench.layer.rest[s]!).toBeCloseTo(8, 9);
    }
    expect(total).toBeLessThan(1e-9);
  });

  it('scale with the joints that the author scales, and only there', () => {
    const bench = createStackBench(arm(), organicWith({ regions: { by: 'bone' } }));
    const { frame, total, region } = bench.run({ 3: { scale: [1, 1.5, 1.5] } });
    const grown = Array.from(frame.report!.targets, (target, s) => target / bench.layer.rest[s]!);
    expect(grown[0]).toBe(1);
    expect(grown[1]).toBe(1);
    expect(grown[3]).toBeGreaterThan(1.9);
    expect(grown[3]).toBeLessThanOrEqual(2.25);
    expect(total).toBeLessThan(1e-9);
    expect(region).toBeLessThan(1e-6);
  });

  it('do not listen to rounding: joints that scale by less than 2 % in volume mean none', () => {
    const bench = createStackBench(arm());
    const { frame } = bench.run({ 3: { scale: [1.003, 1.003, 1.003] } });
    expect([...frame.report!.targets]).toEqual([...bench.layer.rest]);
  });

  it('grow continuously with a joint’s scale', () => {
    const bench = createStackBench(arm());
    let last = bench.layer.rest[3]!;
    for (let scale = 1; scale < 1.05; scale += 0.0005) {
      const target = bench.run({ 3: { scale: [scale, scale, scale] } }).frame.report!.targets[3]!;
      expect(target).toBeGreaterThanOrEqual(last);
      expect(target - last).toBeLessThan(0.01 * bench.layer.rest[3]!);
      last = target;
    }
  });

  it('know regions by their own names only, whatever these are', () => {
    const input = tube();
    const names = ['toString', 'constructor'];
    const bench = createStackBench(
      { ...input, skeleton: { ...input.skeleton, names } },
      organicWith({
        target: { regions: { toString: 1.1 } as unknown as Record<string, number> },
      }),
    );
    const { frame } = bench.run({});
    const grown = Array.from(frame.report!.targets, (target, s) => target / bench.layer.rest[s]!);
    expect(grown[0]).toBeCloseTo(1.1, 12);
    expect(grown[1]).toBeCloseTo(1, 12);
  });

  it('refuse a region that is not there, and name those that are', () => {
    const character = createCharacter(tube());
    const make = () => createStackBench(character, organicWith({ target: { regions: { 'bome 1': 1.1 } } }));
    expect(make).toThrow(/bome 1.*bone 0, bone 1/);
  });
});
