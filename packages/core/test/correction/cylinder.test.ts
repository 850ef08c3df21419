import { describe, expect, it } from 'vitest';
import { tube } from '../meshes.js';
import { methods } from './methods.js';
import { createJobRunner, totalError } from './solver-bench.js';

/** Rohmer 2007, the cylinder: volume errors of the reference tube in per cent. */
const ANGLES = [10, 30, 50, 70, 90];
const LINEAR_SKINNING = [0.17, 1.47, 3.92, 7.22, 11.0];
const C1 = [6.8e-5, 5.5e-3, 0.041, 0.145, 0.349];
const C5_SEED = [0.05, 0.5, 1.5, 3.1, 4.9];

describe('the reference cylinder at 10 / 30 / 50 / 70 / 90°', () => {
  const percents = (name: string, kind: 'uniform' | 'power' = 'uniform') => {
    const { plan, regions, local } = methods[name]!;
    const bench = createJobRunner(tube(), { map: { kind, local: local ?? false }, ...(regions && { regions }) });
    const solver = plan(bench.context);
    return ANGLES.map((degrees) => {
      const x = bench.skin({ 1: { axis: 'y', degrees } });
      const { volumes, report, error } = bench.correct(solver, x);
      for (const [s, v] of volumes.entries()) expect(report.volumes[s]).toBeCloseTo(v, 11);
      for (const inexact of report.inexact) expect(inexact).toBe(error < 1e-9 ? 0 : 1);
      return { total: 100 * totalError(volumes, bench.targets), worst: 100 * error };
    });
  };

  it('linear skinning loses what the seeds report', () => {
    const bench = createJobRunner(tube());
    for (const [n, degrees] of ANGLES.entries()) {
      const lost = totalError(bench.measure(bench.skin({ 1: { axis: 'y', degrees } })), bench.targets);
      expect(100 * lost).toBeCloseTo(LINEAR_SKINNING[n]!, n === 4 ? 1 : 2);
    }
  });

  it('C1, γ = 1: the right figures within 5 %', () => {
    for (const [n, { total }] of percents('C1 axis linear').entries()) {
      expect(total / C1[n]!).toBeGreaterThan(0.95);
      expect(total / C1[n]!).toBeLessThan(1.05);
    }
  });

  it('C5 stays below the seed, for two maps', () => {
    for (const kind of ['uniform', 'power'] as const) {
      for (const [n, { total }] of percents('C5 normal linear', kind).entries()) {
        expect(total).toBeLessThan(C5_SEED[n]! / 3);
      }
    }
  });

  it.each(Object.keys(methods).filter((name) => methods[name]!.exact))('%s: every region to 1e−10 %%', (name) => {
    for (const kind of ['uniform', 'power'] as const) {
      for (const { worst } of percents(name, kind)) expect(worst).toBeLessThan(1e-10);
    }
  });

  it('the prism estimate falls short of the exact region volumes (B4) at small angles', () => {
    const exact = percents('C10 regions linear');
    const prisms = percents('C10 regions linear, prisms');
    for (let n = 0; n < 3; n++) expect(prisms[n]!.worst).toBeGreaterThan(3 * exact[n]!.worst);
  });
});
