import { createHarmMeter, HARM_KINDS, type HarmKind, joinHarm, listBroken, planHarm } from '@isoskin/core/quality';
import { describe, expect, it } from 'vitest';
import { createSphere, joinSolids, planSurface } from '../contact/solids.js';

const sphere = planSurface(createSphere(1, 20));

/** Rings of a surface of revolution; each is [radius, height]. */
function lathe(rings: readonly (readonly [number, number])[], segments = 48) {
  const positions = rings.flatMap(([radius, height]) =>
    Array.from({ length: segments }, (_, i) => (2 * Math.PI * i) / segments).flatMap((a) => [
      radius * Math.cos(a),
      radius * Math.sin(a),
      height,
    ]),
  );
  const triangles = rings.slice(1).flatMap((_, r) =>
    Array.from({ length: segments }, (_, i) => {
      const [a, b] = [r * segments + i, r * segments + ((i + 1) % segments)];
      return [a, b, b + segments, a, b + segments, a + segments];
    }).flat(),
  );
  return planSurface({ positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) });
}
/** A tube with a hem of 0.02. */
const hem = lathe([
  [1, -1],
  [1, -0.5],
  [1, 0],
  [1.02, 0],
  [1.02, 0.5],
  [1.02, 1],
]);
const layers = planSurface(joinSolids(createSphere(1, 20), createSphere(1.02, 20)));

const judge = (surface: typeof sphere, y: Float64Array, x = surface.positions) => {
  const meter = createHarmMeter(planHarm(surface));
  const blamed = new Map<HarmKind, Set<number>>();
  meter.add(x, y, { clip: 'run', time: 0.5 }, (kind, vertex) => {
    blamed.set(kind, (blamed.get(kind) ?? new Set()).add(vertex));
  });
  const worst = joinHarm([meter.tally]);
  return { worst, broken: listBroken(worst), blamed };
};
const moveAll = ({ positions }: typeof sphere, move: (x: number[], k: number) => number[]) =>
  Float64Array.from(
    Array.from({ length: positions.length / 3 }, (_, k) => move([...positions.subarray(3 * k, 3 * k + 3)], k)).flat(),
  );

describe('measureHarm', () => {
  it.each([
    ['a sphere', sphere],
    ['a hem', hem],
    ['two layers', layers],
  ])('finds nothing in %s that did not move, or moved as a whole', (_, surface) => {
    const turned = moveAll(surface, ([x, y, z]) => [2 * y! + 5, -2 * x!, 2 * z!]);
    for (const own of [surface.positions, turned]) {
      const { worst, broken } = judge(surface, own, own);
      expect(HARM_KINDS.map((kind) => worst[kind].value)).toEqual(HARM_KINDS.map(() => 0));
      expect(broken).toEqual([]);
    }
    expect(planHarm(surface).pairs.length > 0).toBe(surface === layers);
    expect(planHarm(surface).ledges.length > 0).toBe(surface === hem);
  });

  it('sees skin that goes through another sheet of its own part: a cuff that is turned up', () => {
    const rise = [-1, -0.8, -0.6, -0.4, -0.2, 0, 0.2, 0.4];
    const cuff = lathe([
      ...rise.map((z) => [1, z] as const),
      ...rise
        .slice(2)
        .toReversed()
        .map((z) => [1.01, z] as const),
      ...rise.slice(2).map((z) => [1.02, z] as const),
    ]);
    const bulge = (by: number) =>
      moveAll(cuff, ([x, y, z]) => [x!, y!, z!].map((v, r) => (r < 2 && Math.hypot(x!, y!) < 1.005 ? v * by : v)));
    expect(judge(cuff, bulge(1.01)).worst.poke.value).toBe(0);
    const { worst, broken } = judge(cuff, bulge(1.04));
    expect(worst.poke.value).toBeGreaterThan(90);
    expect(broken).toContain('poke');
  });

  it('sees crumpled skin, and blames only its vertices', () => {
    const isTop = (z: number) => z > 0.5;
    const y = moveAll(sphere, ([a, b, c], k) => [a, b, c].map((v) => v! * (isTop(c!) && (k * k) % 7 < 3 ? 1.08 : 1)));
    const { worst, broken, blamed } = judge(sphere, y);
    expect(broken).toContain('crumple');
    expect(worst.crumple).toMatchObject({ clip: 'run', time: 0.5 });
    expect(worst.crumple.value).toBeGreaterThan(5);
    expect(worst.crumple.value).toBeLessThan(40); // the cap has a quarter of the area
    expect(sphere.positions[3 * worst.crumple.vertex + 2]).toBeGreaterThan(0.4);
    for (const k of blamed.get('crumple')!) expect(sphere.positions[3 * k + 2]).toBeGreaterThan(0.3);
  });

  it('does not call skin crumpled that plain skinning crumples as much', () => {
    const x = moveAll(sphere, (p, k) => p.map((v) => v * ((k * k) % 7 < 3 ? 1.08 : 1)));
    expect(judge(sphere, x, x).worst.crumple.value).toBe(0);
  });

  it('sees triangles that turn inside out', () => {
    const y = moveAll(sphere, ([a, b, c]) => [c! > 0.8 ? -a! : a!, b!, c!]);
    const { worst, broken } = judge(sphere, y);
    expect(broken).toContain('flipped');
    expect(worst.flipped.value).toBeGreaterThan(10);
    expect(worst.flipped.value).toBeLessThan(30);
  });

  it('counts what plain skinning has pressed together as much as is left of it', () => {
    const turnTop = (x: Float64Array) =>
      Float64Array.from(x, (v, i) => (i % 3 === 0 && sphere.positions[i - (i % 3) + 2]! > 0.8 ? -v : v));
    const pressed = moveAll(sphere, ([a, b, c]) => (c! > 0.8 ? [0.2 * a!, 0.2 * b!, c!] : [a!, b!, c!]));
    const [whole, left] = [sphere.positions, pressed].map((x) => judge(sphere, turnTop(x), x).worst);
    expect(left!.flipped.value).toBeGreaterThan(0);
    expect(left!.flipped.value).toBeLessThan(0.3 * whole!.flipped.value);
    const crumpleTop = (x: Float64Array) =>
      Float64Array.from(x, (v, i) => {
        const k = Math.trunc(i / 3);
        return i % 3 === 2 && v > 0.85 && (k * k) % 7 < 3 ? v + 0.05 : v;
      });
    const creases = [sphere.positions, pressed].map((x) => judge(sphere, crumpleTop(x), x).worst.crease.value);
    expect(creases[0]).toBeGreaterThan(8);
    expect(creases[1]).toBeGreaterThan(0);
    expect(creases[1]).toBeLessThan(0.5 * creases[0]!);
  });

  it('sees torn edges, in the scale of the body', () => {
    const spike = (by: number) => moveAll(sphere, (p, k) => p.map((v) => v * (k % 20 ? 1 : by)));
    const { worst, broken } = judge(sphere, spike(1.5));
    expect(broken).toContain('torn');
    expect(worst.torn.value).toBeGreaterThan(5);
    const grown = sphere.positions.map((v) => 3 * v);
    expect(judge(sphere, grown, grown).worst.torn.value).toBe(0);
  });

  it('sees one part that goes through the other', () => {
    const half = sphere.vertexCount;
    const push = (by: number) => moveAll(layers, (p, k) => p.map((v) => v * (k < half ? by : 1)));
    expect(judge(layers, push(1.01)).worst.poke.value).toBe(0);
    const { worst, broken } = judge(layers, push(1.04));
    expect(worst.poke.value).toBeGreaterThan(90);
    expect(broken).toContain('poke');
  });

  it('sees a hem that shears against the skin below it', () => {
    const y = moveAll(hem, ([a, b, c]) => [a!, b!, c! + (Math.hypot(a!, b!) > 1.01 ? 0.01 : 0)]);
    const { worst, broken } = judge(hem, y);
    expect(Math.abs(worst.ledge.value - 50)).toBeLessThanOrEqual(0.5); // the step of its counts
    expect(broken).toEqual(['ledge']);
  });

  it('sees a correction that jumps, not one that starts', () => {
    const size = Math.sqrt(12);
    const jumpOf = (pushes: readonly number[], rate = 60) => {
      const meter = createHarmMeter(planHarm(sphere));
      pushes.forEach((push, n) => {
        const y = moveAll(sphere, ([a, b, c]) => [a!, b!, c! + push]);
        meter.follow(sphere.positions, y, { clip: 'run', time: n / rate });
      });
      return joinHarm([meter.tally]).jump;
    };
    expect(jumpOf([0, 0.05, 0]).value).toBeCloseTo((100 * 0.1) / size, 1);
    expect(jumpOf([0, 0, 0.05, 0]).time).toBeCloseTo(2 / 60, 9);
    expect(jumpOf([0, 0.05, 0.1, 0.15]).value).toBeCloseTo(0, 9);
    expect(jumpOf([0, 0.05, 0], 30).value).toBeCloseTo((100 * 0.05) / size, 1);
  });

  it('joins the tallies of several threads', () => {
    const part = (by: number) => {
      const meter = createHarmMeter(planHarm(hem));
      const y = moveAll(hem, ([a, b, c]) => [a!, b!, c! + (Math.hypot(a!, b!) > 1.01 ? by : 0)]);
      meter.add(hem.positions, y, { clip: String(by), time: 0 });
      return meter.tally;
    };
    expect(joinHarm([part(0), part(0.01), part(0.002)]).ledge).toMatchObject({ clip: '0.01' });
    expect(joinHarm([]).crumple.value).toBe(0);
  });
});
