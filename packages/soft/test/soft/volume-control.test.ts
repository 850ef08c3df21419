import { createSoftWorld, type SoftWorld, type SoftWorldInput } from '@isoskin/soft';
import { describe, expect, it } from 'vitest';

const DT = 1 / 60;

/** Two points of one object, 5 apart: within each other's influence (R = 3e). */
const createPair = (more: Partial<SoftWorldInput> = {}, second = 1): SoftWorld =>
  createSoftWorld({
    objects: [{ name: 'drop' }],
    primitives: [
      { name: 'left', object: 'drop', shape: 'point', thickness: 1, radius: 3, corners: [-2.5, 0, 0] },
      { name: 'right', object: 'drop', shape: 'point', thickness: second, radius: 3 * second, corners: [2.5, 0, 0] },
    ],
    ...more,
  });

/** Together and apart again, smoothly; returns the extremes of V/V⁰ in total and per territory. */
function mergeAndPart(world: SoftWorld, steps: number) {
  const { volumes, rest } = world.territories;
  const whole = world.volume();
  const range = { low: 1, high: 1, part: 0 };
  for (let n = 1; n <= steps; n++) {
    const gap = 2.5 * (1 + Math.cos((2 * Math.PI * n) / steps));
    world.corners[0] = -gap / 2;
    world.corners[9] = gap / 2;
    world.update(DT);
    const total = world.volume() / whole;
    range.low = Math.min(range.low, total);
    range.high = Math.max(range.high, total);
    for (let i = 0; i < 2; i++) range.part = Math.max(range.part, Math.abs(volumes[i]! / rest[i]! - 1));
  }
  return range;
}

describe('local volume control', () => {
  it('two merging points: exactly four times the volume without it, as the seed has it', () => {
    const world = createPair({ volumeControl: false });
    const whole = world.volume();
    expect(whole / ((8 / 3) * Math.PI)).toBeCloseTo(1, 4);
    world.corners.fill(0);
    world.update(DT);
    expect(world.volume() / whole).toBeCloseTo(4, 3);
    const { high } = mergeAndPart(createPair({ volumeControl: false }), 60);
    expect(high).toBeGreaterThan(3.98);
    expect(high).toBeLessThan(4.02);
  });

  it('two merging points: within 2 % with it, through merge and separation, in total and per territory', () => {
    const { low, high, part } = mergeAndPart(createPair({ sampling: 12 }), 360);
    expect(high).toBeLessThan(1.02);
    expect(low).toBeGreaterThan(0.98);
    expect(part).toBeLessThan(0.02);
  });

  it('keeps each of two unequal points within 3 %, even where they coincide', () => {
    const { low, high, part } = mergeAndPart(createPair({ sampling: 4 }, 0.7), 480);
    expect(high).toBeLessThan(1.02);
    expect(low).toBeGreaterThan(0.98);
    expect(part).toBeLessThan(0.03);
  });

  it('lags behind a steady change by the rate over α', () => {
    for (const alpha of [10, 20, 40]) {
      const world = createPair({ volumeControl: { alpha, beta: 0, passes: 1 }, sampling: 4 });
      const [rate, steps] = [0.2, 90];
      for (let n = 1; n <= steps; n++) {
        world.territories.targets.fill(1 + rate * n * DT);
        world.update(DT);
      }
      const target = 1 + rate * steps * DT;
      const error = 1 - world.volume() / (world.territories.rest.reduce((sum, v) => sum + v, 0) * target);
      // A target is known before the step, so that one step of it is corrected ahead.
      expect(error / ((rate / target) * (1 / alpha - DT))).toBeGreaterThan(0.85);
      expect(error / ((rate / target) * (1 / alpha - DT))).toBeLessThan(1.15);
    }
  });

  it('follows an animated target volume (a muscle)', () => {
    const world = createPair({ sampling: 4 });
    const rest = world.volume();
    for (let n = 1; n <= 120; n++) {
      const swell = 1 + 0.3 * Math.sin((Math.PI * n) / 60) ** 2;
      world.territories.targets.fill(swell);
      world.update(DT);
      expect(Math.abs(world.volume() / rest / swell - 1)).toBeLessThan(0.02);
    }
  });

  it('does not creep over 10 000 steps of motion', () => {
    const world = createPair({ sampling: 2 });
    const { volumes, rest, offsets } = world.territories;
    const still = () => {
      for (let n = 0; n < 30; n++) world.update(DT);
      return [volumes[0]! / rest[0]! - 1, volumes[1]! / rest[1]! - 1, offsets[0]!, offsets[1]!];
    };
    const move = (n: number) => {
      const gap = 1.6 + 1.5 * Math.cos(n / 25);
      world.corners[0] = -gap / 2;
      world.corners[9] = gap / 2;
      world.corners[10] = 0.3 * Math.sin(n / 40);
    };
    move(0);
    const first = still();
    for (let n = 1; n <= 10_000; n++) {
      move(n);
      world.update(DT);
    }
    move(0);
    const last = still();
    expect(Math.abs(last[0]!)).toBeLessThan(2.1e-3);
    expect(Math.abs(last[1]!)).toBeLessThan(2.1e-3);
    expect(Math.abs(last[2]! - first[2]!)).toBeLessThan(2e-3);
    expect(Math.abs(last[3]! - first[3]!)).toBeLessThan(2e-3);
  }, 60_000);

  it('gives the same bits on two runs, and after restore', () => {
    const run = (detour: boolean) => {
      const world = createPair({ sampling: 4 });
      for (let n = 1; n <= 40; n++) {
        const gap = 5 * Math.cos(n / 30) ** 2;
        if (detour && n === 20) {
          world.corners[0] = -9;
          world.update(DT / 2);
          expect(world.pieces.count).toBe(2);
          world.restore();
        }
        world.corners[0] = -gap / 2;
        world.corners[9] = gap / 2;
        world.update(DT);
      }
      return { volumes: world.territories.volumes, offsets: world.territories.offsets, mesh: world.seedsSurface() };
    };
    expect(run(false)).toStrictEqual(run(false));
    expect(run(true)).toStrictEqual(run(false));
  });
});
