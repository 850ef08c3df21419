/** C15, the default solver: exact, local, a continuous function of the pose, and never an explosion. */
import { createCharacter, planBody, type StackSpec } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { SHAPE_DEFAULTS } from '../../src/correction/plan-shapes.js';
import { openTube, torus, tube } from '../meshes.js';
import { createStackBench, type Judged, largestDistance, limb, organicWith, type Turn } from '../stack/stack-bench.js';

const bend = (degrees: number): Turn => ({ 1: { axis: 'y', degrees } });
const LIMIT = SHAPE_DEFAULTS.limit;
const fine = () => tube({ around: 32, along: 64 });
const arm = () => limb([0, 3, 6, 9], { length: 6, around: 20, along: 64 });

describe('volume', () => {
  it.each([
    ['reference tube', tube()],
    ['fine tube', fine()],
    ['open tube', openTube({ around: 24, along: 48 })],
    ['arm', arm()],
  ])('%s: total ≤ 1e−10 and regions ≤ 1e−6 up to 150°, without a limit', (_, input) => {
    const bench = createStackBench(input, organicWith({ options: { limit: 0 } }));
    for (const degrees of [1, 10, 30, 50, 70, 90, 120, 150]) {
      const { total, region, skinnedTotal, frame } = bench.run(bend(degrees));
      expect(skinnedTotal).toBeGreaterThan(1e-6);
      expect(total).toBeLessThan(1e-10);
      expect(region).toBeLessThan(1e-6);
      expect([...frame.report!.inexact]).not.toContain(1);
      expect(frame.report!.limited).toBe(false);
    }
  });

  it('is given back where skinning adds some', () => {
    const bench = createStackBench(arm());
    const { total, region, skinnedTotal } = bench.run({ 1: { degrees: 70 }, 2: { degrees: -80 }, 3: { degrees: 40 } });
    expect(skinnedTotal).toBeGreaterThan(1e-3);
    expect(total).toBeLessThan(1e-9);
    expect(region).toBeLessThan(1e-6);
  });
});

describe('strength', () => {
  it.each([0, 0.4, 0.75])('%s: so much of what every region has lost comes back, cold and warm', (strength) => {
    const plain = createStackBench(arm(), organicWith({ options: { limit: 0, strength: 0 } }));
    const bench = createStackBench(arm(), organicWith({ options: { limit: 0, strength } }));
    for (const degrees of [20, 60, 61]) {
      const { volumes: before, targets } = plain.run(bend(degrees)).frame.report!;
      const { volumes, inexact } = bench.run(bend(degrees), { warm: degrees === 61 }).frame.report!;
      for (const [s, volume] of volumes.entries()) {
        expect(volume).toBeCloseTo(targets[s]! + (1 - strength) * (before[s]! - targets[s]!), 6);
      }
      expect([...inexact]).not.toContain(1);
    }
    const { x, y } = plain.run(bend(60));
    expect(largestDistance(x, y)).toBe(0);
  });
});

describe('rest', () => {
  it.each([
    ['tube', tube()],
    ['open tube', openTube()],
    ['torus', torus()],
    ['arm', arm()],
  ])('%s: in ⇒ out, exactly', (_, input) => {
    const bench = createStackBench(input);
    const { x, y, frame } = bench.run({});
    expect(largestDistance(x, y)).toBe(0);
    expect([...frame.report!.inexact]).not.toContain(1);
    // … also after a frame that moved, and without forgetting it.
    bench.run({ 1: { degrees: 80 } });
    const again = bench.run({}, { warm: true });
    const { positions } = bench.character.surface;
    const size = Math.max(...positions) - Math.min(...positions);
    expect(largestDistance(again.x, again.y) / size).toBeLessThan(1e-9);
  });

  it('what no shape of a corrected region reaches stays exactly where it is', () => {
    const bench = createStackBench(arm());
    const { x, y, region } = bench.run({ 3: { axis: 'z', degrees: 75 } });
    expect(region).toBeLessThan(1e-6);
    const moved = largestDistance(x, y);
    expect(moved).toBeGreaterThan(1e-3);
    // The joint stands at x = 9 of 0 … 12; beyond the next one, at 6, the amounts are rounding.
    const { positions, vertexCount } = bench.character.surface;
    let far = 0;
    for (let k = 0; k < vertexCount; k++) {
      if (positions[3 * k]! > 4) continue;
      far = Math.max(far, Math.hypot(...[0, 1, 2].map((r) => y[3 * k + r]! - x[3 * k + r]!)));
    }
    expect(far).toBeLessThan(0.01 * moved);
  });

  it('vertices that are fixed do not move at all, and the rest makes up for them', () => {
    const fixed = [0, 500, 1000, 1001, 1002, 1023, 1024, 1025, 1100];
    const bench = createStackBench(fine(), organicWith({ map: { kind: 'organic', a: 1, b: 0.5, floor: 0.1, fixed } }));
    const { x, y, region } = bench.run(bend(90));
    for (const k of fixed) expect([...y.subarray(3 * k, 3 * k + 3)]).toEqual([...x.subarray(3 * k, 3 * k + 3)]);
    expect(region).toBeLessThan(1e-6);
  });

  it('painted maps say where the flesh gives way', () => {
    const input = fine();
    const { surface } = createCharacter(input);
    const paint = Array.from({ length: surface.vertexCount }, (_, k) => (surface.positions[3 * k + 2]! > 0 ? 1 : 0));
    const bench = createStackBench(input, organicWith({ map: { kind: 'uniform', paint }, options: { limit: 0 } }));
    const { x, y, region } = bench.run(bend(60));
    expect(region).toBeLessThan(1e-6);
    let [above, below] = [0, 0];
    for (let k = 0; k < surface.vertexCount; k++) {
      const u = Math.hypot(...[0, 1, 2].map((r) => y[3 * k + r]! - x[3 * k + r]!));
      if (paint[k]) above = Math.max(above, u);
      else below = Math.max(below, u);
    }
    expect(below).toBe(0);
    expect(above).toBeGreaterThan(0.01);
  });
});

describe('invariance', () => {
  it('a rigid motion of the whole character changes the result only by rounding', () => {
    const bench = createStackBench(arm());
    const turn: Turn = { 1: { degrees: 60 }, 2: { axis: 'z', degrees: -50 }, 3: { axis: 'x', degrees: 40 } };
    const plain = bench.run(turn);
    const degrees = 115;
    const moved = bench.run({ ...turn, 0: { axis: 'z', degrees, move: [4, -7, 2] } });
    const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const expected = new Float64Array(plain.y.length);
    for (let k = 0; k < expected.length; k += 3) {
      const [x, y, z] = plain.y.subarray(k, k + 3) as unknown as [number, number, number];
      expected.set([c * x - s * y + 4, s * x + c * y - 7, z + 2], k);
    }
    expect(largestDistance(moved.y, expected)).toBeLessThan(1e-10);
  });

  it('warm and cold solutions agree to the tolerance, however the character came there', () => {
    const bench = createStackBench(arm());
    const pose = (t: number): Turn => ({
      1: { degrees: 70 * Math.sin(t) },
      2: { axis: 'z', degrees: 60 * Math.sin(1.7 * t) },
      3: { degrees: -90 * Math.sin(2.3 * t) },
    });
    let worst = 0;
    let evaluations = 0;
    for (let n = 0; n <= 30; n++) {
      const warm = bench.run(pose(n / 15), { warm: true });
      evaluations += warm.frame.report!.evaluations;
      worst = Math.max(worst, warm.region);
    }
    const last = bench.run(pose(2), { warm: true });
    bench.run(pose(0.9));
    const jump = bench.run(pose(2), { warm: true });
    const cold = bench.run(pose(2));
    expect(worst).toBeLessThan(1e-6);
    expect(evaluations / 31).toBeLessThan(5.5);
    expect(largestDistance(last.y, cold.y)).toBeLessThan(1e-6);
    expect(largestDistance(jump.y, cold.y)).toBeLessThan(1e-6);
  });
});

describe('continuity', () => {
  it.each([
    ['warm', 'tube', tube(), true],
    ['cold', 'tube', tube(), false],
    ['warm', 'arm', limb([0, 3, 6], { length: 4.5, around: 12, along: 32 }), true],
  ] as const)('%s, %s: no jump while a joint turns from 0 to 150° in steps of 0.1°', (_, _name, input, warm) => {
    const bench = createStackBench(input);
    const steps: number[] = [];
    const corrections: number[] = [];
    let last = bench.run({});
    for (let n = 1; n <= 1500; n++) {
      const next = bench.run(bend(n / 10), { warm });
      steps.push(largestDistance(next.y, last.y));
      corrections.push(largestStep(next, last));
      last = next;
    }
    for (const list of [steps, corrections]) {
      const median = [...list].sort((a, b) => a - b)[750]!;
      expect(median).toBeGreaterThan(1e-5);
      expect(Math.max(...list)).toBeLessThan(20 * median);
    }
  });
});

/** Largest change of a correction u = y − x. */
function largestStep(a: Judged, b: Judged): number {
  return largestDistance(
    a.y.map((v, i) => v - a.x[i]!),
    b.y.map((v, i) => v - b.x[i]!),
  );
}

function limitOf({ volume }: StackSpec): number {
  return Number(volume?.options?.limit ?? LIMIT);
}

describe('whatever comes', () => {
  const cases: [name: string, turn: Turn, spec?: StackSpec][] = [
    ['a bend of 180°', bend(180)],
    ['a bend of 179.9°', bend(179.9)],
    ['a twist of 180°', { 1: { axis: 'x', degrees: 180 } }],
    ['a joint shrunk to nothing', { 1: { scale: [0, 0, 0] } }],
    ['both joints shrunk to nothing', { 0: { scale: [0, 0, 0] } }],
    ['a joint pressed flat', { 1: { scale: [1, 0, 1] } }],
    ['a joint turned inside out', { 1: { scale: [-1, 1, 1] } }],
    ['everything mirrored', { 0: { scale: [-1, 1, 1] }, 1: { degrees: 40 } }],
    ['nothing to move', bend(90), organicWith({ map: { kind: 'uniform', paint: new Array<number>(258).fill(0) } })],
    ['almost nothing to move', bend(90), organicWith({ map: { kind: 'power', p: 40, q: 15 } })],
    ['paint far too thin', bend(90), organicWith({ map: { paint: new Array<number>(258).fill(1e-310) } })],
    ['no room at all', bend(90), organicWith({ options: { limit: 1e-12 } })],
    ['little room', bend(90), organicWith({ options: { limit: 1e-3 } })],
    ['a target out of reach', bend(30), organicWith({ target: { all: 1e6 } })],
    ['a target of nothing', bend(30), organicWith({ target: { all: 0 } })],
    ['no directions', bend(30), organicWith({ shape: [{ region: '*', along: 0, axis: 0, across: 0 }] })],
    ['regions of almost no volume', bend(90), organicWith({ regions: { minShare: 0, minTriangles: 0 } })],
  ];

  it.each(cases)('%s: finite, within its limit, and reported', (_, turn, spec) => {
    const bench = createStackBench(tube(), spec);
    const { room } = planBody(bench.character);
    const limit = limitOf(bench.stack.spec);
    for (const warm of [false, true, true]) {
      const { x, y, frame } = bench.run(turn, { warm });
      const report = frame.report!;
      expect(y.every(Number.isFinite)).toBe(true);
      expect(frame.normals.every(Number.isFinite)).toBe(true);
      expect(report.volumes.every(Number.isFinite)).toBe(true);
      for (let k = 0; k < room.length; k++) {
        const u = Math.hypot(...[0, 1, 2].map((r) => y[3 * k + r]! - x[3 * k + r]!));
        const n = Math.hypot(...frame.directions.subarray(3 * k, 3 * k + 3));
        // Two shapes may meet at a vertex, and thickness is smoothed over their width.
        expect(u).toBeLessThanOrEqual(3 * limit * room[k]! * Math.max(1, n) + 1e-12);
      }
      // What the report says is what is there.
      bench.meter.measure(frame.positions);
      for (const [s, v] of bench.meter.regionVolumes.entries()) {
        const scale = Math.max(Math.abs(report.targets[s]!), 1e-3 * bench.meter.rest);
        expect(Math.abs(report.volumes[s]! - v)).toBeLessThan(1e-7 * scale);
        expect(report.inexact[s]).toBe(Math.abs(v - report.targets[s]!) > 1e-6 * scale ? 1 : 0);
      }
      expect(report.limited).toBe(report.inexact.includes(1));
    }
    // The next ordinary frame is as good as ever.
    if (spec) return;
    const { total, region } = bench.run(bend(60), { warm: true });
    expect(total).toBeLessThan(1e-9);
    expect(region).toBeLessThan(1e-6);
  });

  it('a target that was out of reach is forgotten as soon as it is not', () => {
    const keys: [number, number][] = [
      [0, 1],
      [1, 50],
      [2, 50],
      [3, 1],
    ];
    const bench = createStackBench(tube(), organicWith({ target: { all: keys } }));
    for (const time of [0, 1, 1.3, 1.6, 2]) bench.run(bend(40), { time, warm: true });
    expect(bench.stack.frame.report!.limited).toBe(true);
    const back = bench.run(bend(40), { time: 3, warm: true });
    const cold = bench.run(bend(40), { time: 3 });
    expect(back.region).toBeLessThan(1e-6);
    expect(largestDistance(back.y, cold.y)).toBeLessThan(1e-6);
  });
});
