/** The iteration on λ alone, on made-up surfaces whose volumes are known functions of λ. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WORSE_SLACK } from '../../src/correction/amount-energy.js';
import type { AmountEvaluator, AmountSolverOptions } from '../../src/correction/amount-solver.js';
import { createAmountSolver } from '../../src/correction/create-amount-solver.js';
import { createSolverReport } from '../../src/correction/volume-solver.js';

const SEED = 20269;
/** A region may end this much further from its volume than under plain skinning; the penalty lets a tenth more pass. */
const SLACK = 1.2 * WORSE_SLACK;

/** V_s(λ) and ∂V_s/∂λ_t given as functions. */
function evaluator(
  K: number,
  volume: (s: number, lambda: Float64Array) => number,
): AmountEvaluator & { lambda: Float64Array; calls: number } {
  const volumes = new Float64Array(K);
  const jacobian = new Float64Array(K * K);
  const at = new Float64Array(K);
  return {
    volumes,
    jacobian,
    lambda: at,
    calls: 0,
    evaluate(lambda) {
      this.calls++;
      at.set(lambda);
      for (let s = 0; s < K; s++) volumes[s] = volume(s, at);
    },
    measureJacobian() {
      const h = 1e-6;
      for (let t = 0; t < K; t++) {
        const [up, down] = [at.slice(), at.slice()];
        up[t]! += h;
        down[t]! -= h;
        for (let s = 0; s < K; s++) jacobian[s * K + t] = (volume(s, up) - volume(s, down)) / (2 * h);
      }
    },
    finish(lambda) {
      at.set(lambda);
    },
  };
}

function solveFor(
  volume: (s: number, lambda: Float64Array) => number,
  targets: number[],
  systems = [Uint32Array.from(targets, (_, s) => s)],
  limit = Number.POSITIVE_INFINITY,
  options: AmountSolverOptions = {},
) {
  const K = targets.length;
  const componentVolumes = new Float64Array(K).fill(targets.reduce((a, b) => a + Math.abs(b), 0));
  const ceiling = new Float64Array(K).fill(limit);
  const plan = {
    regionCount: K,
    systems,
    componentVolumes,
    outward: ceiling,
    inward: ceiling.map((c) => 0.75 * c),
    ease: ceiling.map(() => 0.7),
  };
  const solver = createAmountSolver(plan, options);
  const report = createSolverReport(K);
  const run = (wanted = targets, own = volume, warm = false, plain?: readonly number[]) => {
    const one = evaluator(K, own);
    if (plain) one.measurePlain = () => one.volumes.set(plain);
    const goal = Float64Array.from(wanted);
    solver.solve(one, goal, report, warm);
    const found = Array.from(goal, (_, s) => own(s, one.lambda));
    const total = found.reduce((a, b) => a + b, 0) / wanted.reduce((a, b) => a + b, 0) - 1;
    return { found, total, lambda: [...solver.lambda], calls: one.calls };
  };
  return { solver, report, run };
}

describe('amounts', () => {
  it(`solve coupled cubics exactly, to the tolerance (seed ${SEED})`, () => {
    const small = fc.double({ min: -0.1, max: 0.1, noNaN: true });
    fc.assert(
      fc.property(fc.array(small, { minLength: 12, maxLength: 12 }), (c) => {
        const volume = (s: number, l: Float64Array) =>
          1 + 0.9 * l[s]! + 0.2 * l[s]! ** 2 + c[s]! + c[3 + s]! * l[(s + 1) % 3]! + c[6 + s]! * l[(s + 2) % 3]! ** 3;
        const { run, report } = solveFor(volume, [1, 1, 1]);
        const { found, total } = run();
        for (const [s, v] of found.entries()) {
          expect(Math.abs(v - 1)).toBeLessThan(1e-6);
          expect(report.volumes[s]).toBeCloseTo(v, 9);
        }
        expect(Math.abs(total)).toBeLessThan(1e-9);
        expect(report.inexact.includes(1)).toBe(false);
        expect(report.limited).toBe(false);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });

  it('are not moved by a volume that is right, and the report says so', () => {
    const { run, report } = solveFor((s, l) => 1 + l[s]!, [1, 1]);
    const { lambda, calls } = run();
    expect(lambda).toEqual([0, 0]);
    expect(calls).toBe(1);
    expect([...report.volumes]).toEqual([1, 1]);
  });

  it('make no region worse than plain skinning where they cannot all be met', () => {
    // Two regions move together: what one lost must not go to the other, which lost nothing.
    const volume = (s: number, l: Float64Array) => (s === 0 ? 0.95 : 1.0) + 0.5 * (l[0]! + l[1]!);
    const { run, report } = solveFor(volume, [1, 1]);
    const { found } = run();
    expect(found[0]).toBeGreaterThan(0.95);
    expect(Math.abs(found[1]! - 1)).toBeLessThan(SLACK);
    expect([...report.inexact]).toEqual([1, 1]);
    expect(report.limited).toBe(true);
    expect([...report.volumes]).toEqual(found.map((v) => expect.closeTo(v, 9)));
    // Where both lost, both get something, and neither overshoots by more than it had lost.
    const both = solveFor((s, l) => (s === 0 ? 0.9 : 0.96) + 0.5 * (l[0]! + l[1]!), [1, 1]).run().found;
    expect(both[0]).toBeCloseTo(0.97, 4);
    expect(both[1]).toBeCloseTo(1.03, 4);
  });

  it('make no region worse than plain skinning where what is given did', () => {
    // Bends have pushed region 1 off by 3 %, which plain skinning leaves as it is; region 0 wants more of the same push.
    const volume = (s: number, l: Float64Array) =>
      (s === 0 ? 0.9 : 1.03) + (s === 0 ? l[0]! : 0.4 * l[0]! + 0.2 * l[1]!);
    const find = (plain?: readonly number[]) =>
      solveFor(volume, [1, 1], undefined, 0.3).run([1, 1], volume, false, plain).found;
    expect(Math.abs(find()[1]! - 1)).toBeGreaterThan(0.01);
    expect(Math.abs(find([0.9, 1])[1]! - 1)).toBeLessThan(SLACK);
  });

  it('solve every component on its own', () => {
    const volume = (s: number, l: Float64Array) => [0.8, 0.9, 5.5, 4][s]! + (s < 2 ? 1 : 5) * l[s]!;
    const { run } = solveFor(volume, [1, 1, 5, 5], [Uint32Array.of(0, 1), Uint32Array.of(2, 3)]);
    const { found } = run();
    for (const [s, v] of found.entries()) expect(v).toBeCloseTo(s < 2 ? 1 : 5, 6);
  });

  it('do what can be done where nothing can be moved', () => {
    const { run, report } = solveFor((s) => [0.9, 1][s]!, [1, 1]);
    const { lambda } = run();
    expect(lambda.every(Number.isFinite)).toBe(true);
    expect([...report.inexact]).toEqual([1, 0]);
  });

  it('stay below their ceilings, outward and inward; what one cannot take does not go to its neighbour', () => {
    const volume = (s: number, l: Float64Array) => [0.5, 1][s]! + l[s]! + 0.1 * l[1 - s]!;
    const { run, report } = solveFor(volume, [1, 1], undefined, 0.3);
    const { lambda, found } = run();
    expect(lambda[0]).toBeLessThanOrEqual(0.3);
    expect(lambda[0]).toBeGreaterThan(0.25);
    expect(found[0]).toBeLessThan(1);
    expect(Math.abs(found[1]! - 1)).toBeLessThan(SLACK);
    expect(report.inexact[0]).toBe(1);
    // Inward the ceiling is lower.
    const inward = solveFor((s, l) => [1.4, 1][s]! + l[s]!, [1, 1], undefined, 0.3).run();
    expect(inward.lambda[0]).toBeGreaterThanOrEqual(-0.225);
    expect(inward.lambda[0]).toBeLessThan(-0.18);
    expect(inward.found[1]).toBeCloseTo(1, 9);
  });

  it('grow smoothly into their ceilings: exact up to 0.7 of them, slower beyond, never past', () => {
    const { run } = solveFor((_, l) => 1 + l[0]!, [1], undefined, 0.3);
    const amounts = Array.from({ length: 801 }, (_, n) => run([1 + n / 1000]).lambda[0]!);
    for (let n = 1; n < amounts.length; n++) {
      const step = amounts[n]! - amounts[n - 1]!;
      expect(step).toBeGreaterThan(0);
      expect(step).toBeLessThan(1.01e-3);
      if (n / 1000 < 0.7 * 0.3) expect(amounts[n]).toBeCloseTo(n / 1000, 8);
    }
    expect(amounts.at(-1)).toBeLessThanOrEqual(0.3);
    // No corner: the second difference stays far below a step.
    for (let n = 2; n < amounts.length; n++) {
      expect(Math.abs(amounts[n]! - 2 * amounts[n - 1]! + amounts[n - 2]!)).toBeLessThan(2e-4);
    }
  });

  it('do not go astray where every ceiling is met, and come back when the target does', () => {
    const volume = (s: number, l: Float64Array) => 1 + l[s]!;
    const { run, report } = solveFor(volume, [1.2, 1.2], undefined, 0.4);
    run();
    expect(report.limited).toBe(false);
    const held = run([10, 10], volume).lambda[0]!;
    expect(held).toBeGreaterThan(0.3);
    expect(held).toBeLessThanOrEqual(0.4);
    for (let n = 0; n < 10; n++) {
      const { lambda } = run([10, 10], volume, n > 0);
      for (const l of lambda) expect(l).toBeCloseTo(held, 9);
      expect([...report.inexact]).toEqual([1, 1]);
    }
    const { found } = run([1.2, 1.2], volume, true);
    for (const v of found) expect(v).toBeCloseTo(1.2, 6);
  });

  it(`end at the minimum of E inside their ceilings, whichever way led there (seed ${SEED})`, () => {
    const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    const starts = fc.array(number(0.4, 1.6), { minLength: 3, maxLength: 3 });
    const couplings = fc.array(number(-0.3, 0.5), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(starts, couplings, (start, coupling) => {
        const J = (s: number, t: number) => (s === t ? 1 : coupling[3 * s + t]!);
        const volume = (s: number, l: Float64Array) => start[s]! + J(s, 0) * l[0]! + J(s, 1) * l[1]! + J(s, 2) * l[2]!;
        const { lambda } = solveFor(volume, [1, 1, 1], undefined, 0.4).run();
        // amount-energy.ts, written once more: all targets and scales are 1.
        const energy = (l: Float64Array) =>
          [0, 1, 2].reduce((sum, s) => {
            const r = volume(s, l) - 1;
            const worse = Math.max(0, Math.abs(r) - Math.abs(start[s]! - 1) - WORSE_SLACK);
            const push = Math.max(0, Math.abs(l[s]!) / (l[s]! > 0 ? 0.4 : 0.3) - 0.7) / 0.3;
            return sum + r * r + 1000 * worse * worse + 0.04 * push ** 3;
          }, 0);
        const here = Float64Array.from(lambda);
        for (let n = 0; n < 96; n++) {
          const [turn, tilt] = [(2 * Math.PI * n) / 16, Math.PI * (((n / 16) | 0) / 6 - 0.4)];
          const away = [Math.cos(turn) * Math.cos(tilt), Math.sin(turn) * Math.cos(tilt), Math.sin(tilt)];
          const moved = here.map((l, t) => l + 1e-3 * away[t]!);
          if (moved.some((l) => l > 0.4 || l < -0.3)) continue;
          expect(energy(moved)).toBeGreaterThan(energy(here) - 1e-7);
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('come back from a ceiling where the volume grows faster than its slope at rest says', () => {
    const { report, run } = solveFor((_, [lambda]) => 0.9 + 0.2 * lambda! + 0.3 * lambda! ** 2, [1], undefined, 0.5);
    expect(run().found[0]).toBeCloseTo(1, 9);
    expect(report.limited).toBe(false);
    // What no amount reaches is left at the nearest that one does.
    const held = solveFor((_, [lambda]) => 0.9 + 0.2 * lambda! - 0.3 * lambda! ** 2, [1], undefined, 0.5);
    expect(held.run().found[0]).toBeCloseTo(0.9 + 1 / 30, 4);
    expect(held.report.limited).toBe(true);
  });

  it('need two or three evaluations for a smooth motion, agree with a cold start, and rest when the pose does', () => {
    const volume = (t: number) => (s: number, l: Float64Array) =>
      1 - 0.2 * Math.sin(t + s) + l[s]! + 0.1 * l[s]! ** 3 + 0.2 * l[1 - s]!;
    const { run } = solveFor(volume(0), [1, 1]);
    let calls = 0;
    for (let n = 0; n <= 50; n++) calls = Math.max(calls, run([1, 1], volume(1 + n / 500), n > 0).calls * +(n > 0));
    expect(calls).toBeLessThanOrEqual(3);
    const here = run([1, 1], volume(1.1), true);
    const held = run([1, 1], volume(1.1), true);
    expect(held.lambda).toEqual(here.lambda);
    expect(held.calls).toBe(1);
    const cold = run([1, 1], volume(1.1)).lambda;
    for (const [s, l] of here.lambda.entries()) expect(l).toBeCloseTo(cold[s]!, 7);
  });

  it('that lead on need fewer evaluations, and agree with a cold start whatever the pose does next', () => {
    const volume = (t: number) => (s: number, l: Float64Array) =>
      1 - 0.2 * Math.sin(t + s) + l[s]! + 0.1 * l[s]! ** 3 + 0.2 * l[1 - s]!;
    const [plain, leading] = [false, true].map((leads) =>
      solveFor(volume(0), [1, 1], undefined, 0.5, { leads, lastStep: 1e-4 }),
    );
    const cold = solveFor(volume(0), [1, 1], undefined, 0.5);
    const calls = [0, 0];
    const times = Array.from({ length: 60 }, (_, n) => 1 + n / 100);
    for (const [n, t] of [...times, 1.59, 1.59, 1.2, 5, 5.01, 0.3].entries()) {
      const found = [plain!, leading!].map((each) => each.run([1, 1], volume(t), n > 0));
      const wanted = cold.run([1, 1], volume(t)).lambda;
      for (const { lambda } of found) for (const [s, l] of lambda.entries()) expect(l).toBeCloseTo(wanted[s]!, 6);
      if (n < times.length) for (const i of [0, 1]) calls[i]! += found[i]!.calls;
    }
    expect(calls[1]).toBeLessThan(0.7 * calls[0]!);
  });

  it('are the same bits whatever was solved before', () => {
    const volume = (t: number) => (s: number, l: Float64Array) =>
      1 - 0.3 * Math.sin(t + s) + l[s]! + 0.3 * l[1 - s]! ** 2;
    const { run } = solveFor(volume(0), [1, 1], undefined, 0.5);
    const first = run([1, 1], volume(2)).lambda;
    run([3, 0.1], volume(7));
    run([1, 1], volume(5), true);
    expect(run([1, 1], volume(2)).lambda).toEqual(first);
  });

  it('judge a region of almost no volume against a thousandth of the whole', () => {
    const volume = (s: number, l: Float64Array) => [1e-9, 1][s]! + [1e-9, 1][s]! * l[s]! + 1e-10;
    const { run, report } = solveFor(volume, [1e-9, 1]);
    run();
    expect([...report.inexact]).toEqual([0, 0]);
  });
});
