/** C16: the inner side of a bend bulges, the outer side thins, and every region keeps its volume. */
import { createCharacter, createFrameSource, createPose, planBody } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { createStackBench, largestDistance, limb, organicWith } from '../stack/stack-bench.js';

const anatomic = organicWith({ options: { harmonics: 1 } });
const arm = (options?: { around?: number; along?: number }) =>
  createCharacter(limb([0, 3, 6], { length: 6, around: 32, along: 64, ...options }));
const bend = (degrees: number) => ({ 1: { axis: 'y' as const, degrees } });

/** Mean outward push of the vertices around the elbow, on the side towards +z (sign 1) or −z: joints bend about y, towards −z. */
function measureSide({ x, y }: { x: Float64Array; y: Float64Array }, rest: Float64Array, sign: number): number {
  let sum = 0;
  let count = 0;
  for (let k = 0; k < rest.length; k += 3) {
    if (Math.abs(rest[k]! - 3) > 0.6 || sign * rest[k + 2]! < 0.8) continue;
    sum += sign * (y[k + 2]! - x[k + 2]!);
    count++;
  }
  return sum / count;
}

describe('first harmonics', () => {
  it('the inner side of a bend bulges and the outer side thins, more than with the volume step alone', () => {
    const character = arm();
    const rest = character.surface.positions;
    const bent = createStackBench(character, anatomic).run(bend(30));
    const plain = createStackBench(character, organicWith({ options: { harmonics: 0 } })).run(bend(30));
    expect(measureSide(bent, rest, -1) - measureSide(plain, rest, -1)).toBeGreaterThan(0.03);
    expect(measureSide(bent, rest, 1) - measureSide(plain, rest, 1)).toBeLessThan(-0.03);
    expect(bent.region).toBeLessThan(1e-7);
  });

  it('rest, a turn of everything and a character that grows are no bend: nothing moves', () => {
    const bench = createStackBench(arm(), anatomic);
    const { shapes, amounts } = bench.layer.shapes!;
    for (const turn of [{}, { 0: { degrees: 77 } }, { 0: { scale: [3, 3, 3] as const } }]) {
      const { x, y } = bench.run(turn);
      expect([...amounts.subarray(shapes.regionCount)].every((a) => a === 0)).toBe(true);
      expect(largestDistance(x, y)).toBeLessThan(1e-9);
    }
  });

  it('amounts are a function of the pose, mirrored with it, and in the plane of the bend', () => {
    const bench = createStackBench(arm(), anatomic);
    const { shapes, amounts } = bench.layer.shapes!;
    const read = (degrees: number) => {
      bench.run(bend(degrees));
      const given = amounts.slice(shapes.regionCount);
      const most = given.reduce((best, a, i) => (Math.abs(a) > Math.abs(given[best]!) ? i : best), 0);
      return { direction: most % 3, amounts: [...given] };
    };
    const first = read(60);
    const other = read(-60);
    expect(read(60)).toEqual(first);
    expect(first.direction).toBe(2);
    for (const [i, a] of first.amounts.entries()) {
      if (i % 3 === 1) expect(Math.abs(a)).toBeLessThan(0.01); // across the plane of the bend
      expect(other.amounts[i]).toBeCloseTo(i % 3 === 2 ? -a : a, 2);
    }
  });

  it('amounts grow smoothly with the angle: no step is larger than its neighbours by much', () => {
    const source = createFrameSource(planBody(arm()), anatomic);
    const { shapes } = source.volume!.framePlan();
    const harmonics = shapes.given!;
    const pose = createPose(arm());
    const count = 3 * shapes.regionCount;
    const rows = Array.from({ length: 121 }, (_, degrees) => {
      const half = (degrees * Math.PI) / 360;
      pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], 13);
      const { bones } = source.evaluate(pose);
      const out = new Float64Array(count);
      harmonics.measure(out, 0, bones);
      return out;
    });
    const steps = rows.slice(1).map((row, n) => Math.max(...row.map((a, i) => Math.abs(a - rows[n]![i]!))));
    for (const step of steps) expect(step).toBeLessThan(0.01);
  });

  it('shifts flesh no steeper than its limit: a bone shorter than its flesh is thick has little room', () => {
    const character = createCharacter(limb([0, 2.6, 3.4, 6], { length: 6, around: 32, along: 64 }));
    const { positions: x, neighbours, vertexCount } = character.surface;
    const bench = createStackBench(character, organicWith({ options: { harmonics: 2, limit: 0.4 } }));
    bench.run({ 1: { axis: 'y', degrees: 60 }, 2: { axis: 'y', degrees: 60 } });
    const { shapes, amounts } = bench.layer.shapes!;
    const K = shapes.regionCount;
    const phi = Array.from({ length: K }, () => new Float64Array(vertexCount));
    for (let k = 0; k < vertexCount; k++) {
      for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
        if (shapes.shapes[e]! < K) phi[shapes.shapes[e]!]![k] = shapes.values[e]!;
      }
    }
    let steepest = 0;
    for (const [s, values] of phi.entries()) {
      const a = Math.hypot(...amounts.subarray(K + 3 * s, K + 3 * s + 3));
      const peak = Math.max(...values);
      const slopes: number[] = [];
      for (let k = 0; k < vertexCount; k++) {
        for (const j of neighbours.values.subarray(neighbours.offsets[k]!, neighbours.offsets[k + 1]!)) {
          const way = Math.hypot(...[0, 1, 2].map((r) => x[3 * k + r]! - x[3 * j + r]!));
          if (values[k]! > 0) slopes.push((a * Math.abs(values[k]! - values[j]!)) / peak / way);
        }
      }
      if (slopes.length === 0) continue; // nothing bends there
      slopes.sort((p, q) => p - q);
      steepest = Math.max(steepest, slopes[Math.floor(0.98 * (slopes.length - 1))]!);
    }
    expect(steepest).toBeGreaterThan(0.2);
    expect(steepest).toBeLessThan(0.3);
  });

  it('fades on skin too coarse for it, and is off with strength 0, without a limit, and for regions without joints', () => {
    const moved = (options: object, mesh?: { around?: number; along?: number }) => {
      const on = createStackBench(arm(mesh), organicWith(options)).run(bend(60));
      const off = createStackBench(arm(mesh), organicWith({ ...options, options: { harmonics: 0 } })).run(bend(60));
      return largestDistance(on.y, off.y);
    };
    const fine = moved({ options: { harmonics: 1 } });
    expect(fine).toBeGreaterThan(0.05);
    expect(moved({ options: { harmonics: 1 } }, { around: 6, along: 8 })).toBeLessThan(0.2 * fine);
    const plan = (options: object) =>
      createFrameSource(planBody(arm()), organicWith(options)).volume!.shapes!.shapes.given;
    const coarse = planBody(arm({ around: 6, along: 8 }));
    expect(createFrameSource(coarse, anatomic).volume!.shapes!.shapes.given).toBeUndefined();
    expect(plan({})).toBeUndefined(); // the default
    expect(plan({ options: { harmonics: 0 } })).toBeUndefined();
    expect(plan({ options: { harmonics: 1, limit: 0 } })).toBeUndefined();
    expect(plan({ options: { harmonics: 1 }, regions: { by: 'component' } })).toBeUndefined();
  });
});
