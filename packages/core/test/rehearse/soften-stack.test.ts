import { planHarm } from '@isoskin/core/quality';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { GATE_KINDS, GATE_LIMITS, type GateKind, type PlayedHarm } from '../../src/rehearse/judge-harm.js';
import { describeMends, listHarm, measureGravity, NO_MENDS, softenStack } from '../../src/rehearse/soften-stack.js';

const figure = (value: number) => ({ value, clip: 'Run', time: 0.5, vertex: 3, region: 'neck' });
const harmOf = (kind: GateKind, value: number, regions: number[], used = 1): PlayedHarm => ({
  worst: { ...EMPTY, [kind]: figure(value) },
  broken: [kind],
  blamed: new Map([[kind, regions.map((region) => ({ region, used }))]]),
  places: new Float64Array(0),
  close: [],
});
const EMPTY = Object.fromEntries(GATE_KINDS.map((kind) => [kind, figure(0)])) as PlayedHarm['worst'];
const NAMES = ['hip', 'neck', 'head'];
const SPEC = { skin: {}, volume: { options: { limit: 0.4 } } };

describe('softenStack', () => {
  it('lowers the limit of the regions to blame to a little below what is allowed, then they hardly move', () => {
    const limits = [];
    const beyond = 2 * GATE_LIMITS.crumple;
    let mends = NO_MENDS;
    for (const isLast of [false, false, false, true]) {
      const softer = softenStack(SPEC, harmOf('crumple', beyond, [1]), NAMES, mends, isLast)!;
      limits.push((softer.stack.volume!.options!.limits as { neck: number }).neck);
      ({ mends } = softer);
    }
    // Half of what is allowed each time, and 15 % less.
    for (const [i, limit] of [0.17, 0.07225, 0.03070625, 0.01].entries()) expect(limits[i]).toBeCloseTo(limit, 12);
    expect(softenStack(SPEC, harmOf('crumple', beyond, [1]), NAMES, mends, true)).toBe(undefined);
    expect(describeMends(SPEC, mends)).toEqual([
      {
        code: 'HARM_MENDED',
        message:
          'The skin around “neck” crumpled at 0.50 s of “Run” (4.4 % of the surface); its limit is 0.01 instead of 0.4 of the local thickness',
        place: '',
      },
    ]);
  });

  it('lowers a limit to a quarter at most, from the share that was used, and starts from the usual limit where there is none', () => {
    const grave = softenStack(SPEC, harmOf('poke', 9, [0, 2]), NAMES, NO_MENDS, false);
    expect(grave!.stack.volume!.options!.limits).toEqual({ hip: 0.1, head: 0.1 });
    const mild = harmOf('torn', 1.1 * GATE_LIMITS.torn, [0]);
    const hipOf = (softer: ReturnType<typeof softenStack>) =>
      (softer!.stack.volume!.options!.limits as { hip: number }).hip;
    expect(hipOf(softenStack(SPEC, mild, NAMES, NO_MENDS, false))).toBeCloseTo((0.4 * 0.85) / 1.1, 12);
    const half = softenStack(SPEC, harmOf('jump', 1.1 * GATE_LIMITS.jump, [0], 0.5), NAMES, NO_MENDS, false);
    expect(hipOf(half)).toBeCloseTo((0.4 * 1.2 * 0.5 * 0.85) / 1.1, 12);
    const none = softenStack({ volume: { options: { limit: 0 } } }, mild, NAMES, NO_MENDS, false);
    expect(hipOf(none)).toBeCloseTo((0.3 * 0.85) / 1.1, 12);
    expect(softenStack({ skin: {} }, harmOf('torn', 1, [0]), NAMES, NO_MENDS, false)).toBe(undefined);
    expect(softenStack(SPEC, harmOf('torn', 1, []), NAMES, NO_MENDS, false)).toBe(undefined);
  });

  it('calms the skin around a place that is harmed, more where that is not enough, then lowers limits', () => {
    const { surface } = createDemo('tube');
    const plan = planHarm(surface);
    const places = new Float64Array(surface.vertexCount);
    places[7] = 2;
    const at = [...surface.positions.subarray(21, 24)];
    const harm = { ...harmOf('crumple', 9, [1]), places };
    const soften = (mends: typeof NO_MENDS, own = harm, isLast = false) =>
      softenStack(SPEC, own, NAMES, mends, isLast, plan);
    const first = soften(NO_MENDS)!;
    expect(first.stack.volume!.options).toEqual({
      limit: 0.4,
      calm: [{ at, radius: expect.any(Number), left: 0.425 }],
    });
    expect(first.mends.calm[0]!.radius).toBeGreaterThanOrEqual(0.06 * plan.size);
    expect(describeMends(SPEC, first.mends).map(({ message }) => message)).toEqual([
      'The skin around “neck” crumpled at 0.50 s of “Run” (9.0 % of the surface); 1 place of the skin moves less now',
    ]);
    const lefts = [];
    let { mends } = first;
    for (let next = soften(mends); next && next.mends.regions.size === 0; next = soften(mends)) {
      ({ mends } = next);
      lefts.push(mends.calm[0]!.left);
    }
    expect(lefts).toEqual([0.425 ** 2, 0]);
    expect(soften(mends)!.stack.volume!.options!.limits).toEqual({ neck: 0.1 }); // a quarter
    // Jumps are no place's, and in the end regions hardly move.
    expect(soften(NO_MENDS, { ...harmOf('jump', 0.9, [1]), places })!.mends.calm).toEqual([]);
    expect((soften(NO_MENDS, harm, true)!.stack.volume!.options!.limits as { neck: number }).neck).toBeCloseTo(
      0.01,
      12,
    );
  });

  it('tells harm in sentences, and how grave it is', () => {
    const harm = harmOf('jump', 1.6, [1]);
    expect(listHarm(harm)).toEqual([
      'The skin around “neck” jumped at 0.50 s of “Run” (1.6 % of the size within 1/60 s), more than 0.8 %.',
    ]);
    expect(measureGravity(harm)).toBeCloseTo(2, 12);
    expect([listHarm(undefined), measureGravity(undefined)]).toEqual([[], 0]);
  });
});
