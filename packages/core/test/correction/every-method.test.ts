import { type CharacterInput, IsoskinError } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { planAxisLinear } from '../../src/correction/plan-axis-linear.js';
import { chain, character, openTube, part, tube, tubeShape } from '../meshes.js';
import { type Method, methods } from './methods.js';
import { createJobRunner, type JobRunnerOptions, largestDistance, type Turn } from './solver-bench.js';

const list = Object.entries(methods);
const bend = (degrees: number): Turn => ({ 1: { axis: 'y', degrees } });

function prepare(method: Method, input: CharacterInput = tube(), more: JobRunnerOptions = {}) {
  const map = { kind: 'rubber', local: method.local ?? false, ...more.map } as const;
  return createJobRunner(input, { ...more, ...(method.regions && { regions: method.regions }), map });
}

describe.each(list)('%s', (name, method) => {
  it('leaves the rest pose exactly where it is', () => {
    const bench = prepare(method);
    const x = bench.skin({});
    const { y, report } = bench.correct(method.plan(bench.context), x);
    expect(largestDistance(y, x, bench.count)).toBe(0);
    expect([...report.inexact]).toEqual(new Array(bench.regions.count).fill(0));
  });

  it('does not move fixed vertices at all (C4)', () => {
    const fixed = [0, 17, 100, 120, 121, 122, 136, 137, 138, 140, 255];
    const bench = prepare(method, tube(), { map: { kind: 'uniform', fixed } });
    const x = bench.skin(bend(80));
    const { y } = bench.correct(method.plan(bench.context), x);
    for (const k of fixed) expect([...y.subarray(3 * k, 3 * k + 3)]).toEqual([...x.subarray(3 * k, 3 * k + 3)]);
    expect(largestDistance(y, x, bench.count)).toBeGreaterThan(0.01);
  });

  it.runIf(!/^C[12] axis (linear|exact)$/.test(name))('turns with the character', () => {
    const bench = prepare(method);
    const solver = method.plan(bench.context);
    const plain = bench.correct(solver, bench.skin(bend(70)));
    const turned = bench.correct(solver, bench.skin({ ...bend(70), 0: { axis: 'z', degrees: 115 } }));
    const [c, s] = [Math.cos((115 * Math.PI) / 180), Math.sin((115 * Math.PI) / 180)];
    const expected = new Float64Array(3 * bench.count);
    for (let k = 0; k < expected.length; k += 3) {
      const [x, y, z] = plain.y.subarray(k, k + 3) as unknown as [number, number, number];
      expected.set([c * x - s * y, s * x + c * y, z], k);
    }
    // C8 stops its linear solve at a residual of 1e−9.
    expect(largestDistance(turned.y, expected, bench.count)).toBeLessThan(name.startsWith('C8') ? 1e-7 : 1e-11);
  });

  it('does not jump while the joint turns from 0 to 150° in steps of 0.1°', { timeout: 60_000 }, () => {
    const bench = prepare(method, tube(), { map: { kind: 'power' } });
    const solver = method.plan(bench.context);
    const steps: number[] = [];
    let last = bench.skin({}).subarray(0, 3 * bench.count);
    for (let n = 1; n <= 1500; n++) {
      const { y } = bench.correct(solver, bench.skin(bend(n / 10)));
      steps.push(largestDistance(y, last, bench.count));
      last = y;
    }
    const median = [...steps].sort((a, b) => a - b)[750]!;
    expect(median).toBeGreaterThan(1e-4);
    expect(Math.max(...steps)).toBeLessThan(20 * median);
  });

  it('stays finite and within its limit whatever comes: twist, collapse, nothing to move, a target out of reach', () => {
    const limit = 0.5;
    const bench = prepare(method);
    const solver = method.plan(bench.context);
    const twisted = bench.skin({ 1: { axis: 'x', degrees: 180 } });
    const collapsed = bench.skin(bend(40));
    for (let k = 0; k < bench.count; k++) {
      // One bone's half becomes a point.
      if (bench.character.surface.positions[3 * k]! > 3.4) collapsed.set([3.4, 0, 0], 3 * k);
    }
    const flat = bench.skin({});
    for (let k = 0; k < bench.count; k++) flat[3 * k + 1] = 0;
    const huge = bench.targets.map((v) => 50 * v);
    const none = bench.targets.map(() => 0);
    const cases = [
      bench.correct(solver, twisted),
      bench.correct(solver, collapsed),
      bench.correct(solver, flat),
      bench.correct(solver, bench.skin(bend(20)), huge),
      bench.correct(solver, bench.skin(bend(20)), none),
    ];
    const inputs = [twisted, collapsed, flat, bench.skin(bend(20)), bench.skin(bend(20))];
    for (const [n, { y, report, volumes }] of cases.entries()) {
      expect(y.every(Number.isFinite)).toBe(true);
      expect(report.volumes.every(Number.isFinite)).toBe(true);
      for (const [s, v] of volumes.entries()) expect(report.volumes[s]).toBeCloseTo(v, 10);
      expect(largestDistance(y, inputs[n]!, bench.count)).toBeLessThanOrEqual(limit * 2 * (1 + 1e-12));
    }
    expect(cases[3]!.report.limited).toBe(true);
    expect([...cases[3]!.report.inexact]).toContain(1);
    expect(largestDistance(cases[4]!.y, inputs[4]!, bench.count)).toBe(0); // no volume to keep
  });

  it('leaves a region that may not move, and says so', () => {
    const bench = prepare(method, tube(), { map: { kind: 'uniform', paint: new Array<number>(258).fill(0) } });
    const x = bench.skin(bend(60));
    const { y, report } = bench.correct(method.plan(bench.context), x);
    expect(largestDistance(y, x, bench.count)).toBe(0);
    expect([...report.inexact]).toEqual(new Array(bench.regions.count).fill(1));
  });

  it('works on a surface with holes and on three bones', () => {
    for (const input of [openTube(), threeBones()]) {
      const bench = prepare(method, input);
      const x = bench.skin({ 1: { axis: 'y', degrees: 50 }, 2: { axis: 'z', degrees: -60 } });
      const { y, error } = bench.correct(method.plan(bench.context), x);
      expect(y.every(Number.isFinite)).toBe(true);
      const before = bench.measure(x).map((v, s) => Math.abs(v / bench.targets[s]! - 1));
      expect(error).toBeLessThan(method.exact ? 1e-12 : Math.max(...before));
    }
  });

  it('is the same with and without the area norm in kind: exact stays exact (C9)', () => {
    const bench = prepare(method);
    const { error } = bench.correct(method.plan(bench.context, { areaNorm: true }), bench.skin(bend(70)));
    expect(error).toBeLessThan(method.exact ? 1e-12 : 0.05);
  });
});

function threeBones(): CharacterInput {
  const blend = (x: number, at: number) => Math.min(1, Math.max(0, (x - at + 0.8) / 1.6));
  const weigh = (x: number) => {
    const [b, c] = [blend(x, 3), blend(x, 6)];
    return [1 - b, b - c, c];
  };
  return character([part(tubeShape({ length: 4.5, along: 28, radius: 0.8 }), weigh)], chain([0, 3, 6]));
}

describe('options of the axis methods', () => {
  const bench = createJobRunner(tube());
  it('moves along the wanted axes only', () => {
    const x = bench.skin(bend(60));
    const { y } = bench.correct(planAxisLinear(bench.context, { shares: [0, 0, 1] }), x);
    for (let i = 0; i < y.length; i++) if (i % 3 !== 2) expect(y[i]).toBe(x[i]);
    expect(largestDistance(y, x, bench.count)).toBeGreaterThan(0.01);
  });
  it('refuses shares and orders that make no sense', () => {
    expect(() => planAxisLinear(bench.context, { shares: [0, 0, 0] })).toThrow(IsoskinError);
    expect(() => planAxisLinear(bench.context, { shares: [-1, 1, 1] })).toThrow(IsoskinError);
    expect(() => planAxisLinear(bench.context, { order: 'xxy' })).toThrow(/permutation/);
  });
});
