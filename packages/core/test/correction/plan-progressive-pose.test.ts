import { describe, expect, it } from 'vitest';
import { planNormalExact } from '../../src/correction/plan-normal-exact.js';
import { planPosePath } from '../../src/correction/plan-pose-path.js';
import { planProgressivePose } from '../../src/correction/plan-progressive-pose.js';
import type { VolumeSolver } from '../../src/correction/volume-solver.js';
import { tube } from '../meshes.js';
import { createJobRunner, largestDistance, type Turn } from './solver-bench.js';

describe('planProgressivePose', () => {
  const bench = createJobRunner(tube(), { map: { kind: 'power' } });
  const { bones } = bench.skinning;
  const run = (turn: Turn, steps: number) => {
    const x = bench.skin(turn);
    const progressive = planProgressivePose(bench.context, planNormalExact(bench.context), { steps });
    const posed: VolumeSolver = { apply: (frame) => progressive.apply({ ...frame, bones }) };
    return { x, ...bench.correct(posed, x) };
  };
  const bend: Turn = { 0: { axis: 'z', degrees: 20 }, 1: { axis: 'y', degrees: 100 } };

  it('the way ends at the pose and starts at rest', () => {
    bench.skin(bend);
    const path = planPosePath(bench.character.skeleton, bench.regions.segments);
    const out = new Float64Array(bones.length);
    path.start(bones);
    path.measure(out, 1);
    for (const [i, v] of bones.entries()) expect(out[i]).toBeCloseTo(v, 13);
    path.measure(out, 0);
    for (let i = 0; i < out.length; i++) expect(out[i]).toBeCloseTo(i % 12 < 9 && (i % 12) % 4 === 0 ? 1 : 0, 13);
  });

  it('is the inner method with one step, exact with any number, and settles', () => {
    const x = bench.skin(bend);
    const inner = bench.correct(planNormalExact(bench.context), x);
    const [one, two, eight, sixteen] = [1, 2, 8, 16].map((steps) => run(bend, steps)) as [
      ReturnType<typeof run>,
      ReturnType<typeof run>,
      ReturnType<typeof run>,
      ReturnType<typeof run>,
    ];
    expect(largestDistance(one.y, inner.y, bench.count)).toBe(0);
    for (const { error } of [two, eight, sixteen]) expect(error).toBeLessThan(1e-13);
    expect(largestDistance(two.y, one.y, bench.count)).toBeGreaterThan(1e-3);
    expect(largestDistance(sixteen.y, eight.y, bench.count)).toBeLessThan(
      0.5 * largestDistance(two.y, eight.y, bench.count),
    );
  });

  it('leaves the rest pose exactly where it is and survives a half turn', () => {
    const rest = run({}, 4);
    expect(largestDistance(rest.y, rest.x, bench.count)).toBe(0);
    const twisted = run({ 1: { axis: 'x', degrees: 180 } }, 8);
    expect(twisted.y.every(Number.isFinite)).toBe(true);
    expect(largestDistance(twisted.y, twisted.x, bench.count)).toBeLessThan(3);
  });
});
