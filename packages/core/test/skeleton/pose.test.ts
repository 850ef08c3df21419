/** A1: all glTF samplers against their formulas, and the frame times that clips are measured and baked at. */
import { type Channel, type Clip, createCharacter, createPose, frameTimes, samplePose } from '@isoskin/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { morphingBox, tube } from '../meshes.js';

const SEED = 20261;
const character = createCharacter(tube());
const pose = createPose(character);

function clip(channels: Channel[]): Clip {
  return { name: 'clip', duration: Math.max(...channels.map(({ times }) => times.at(-1) ?? 0)), channels };
}

function channel(more: Partial<Omit<Channel, 'times' | 'values'>> & { times: number[]; values: number[] }): Channel {
  const path = more.path ?? 'translation';
  return {
    target: 1,
    path,
    interpolation: 'LINEAR',
    width: path === 'rotation' ? 4 : 3,
    ...more,
    times: Float32Array.from(more.times),
    values: Float64Array.from(more.values),
  };
}

/** Numbers of node 1 in the pose at `time`. */
function sample(one: Channel, time: number): number[] {
  samplePose(pose, character, clip([one]), time);
  const from = 10 + { translation: 0, rotation: 3, scale: 7, weights: 0 }[one.path];
  return [...pose.locals.subarray(from, from + one.width)];
}

const about = (axis: number[], degrees: number): number[] => {
  const half = (degrees * Math.PI) / 360;
  return [...axis.map((a) => a * Math.sin(half)), Math.cos(half)];
};

function expectClose(found: readonly number[], wanted: readonly number[], digits = 14): void {
  expect(found.length).toBe(wanted.length);
  for (const [i, value] of wanted.entries()) expect(found[i]).toBeCloseTo(value, digits);
}

describe('LINEAR', () => {
  const moves = channel({ times: [0.5, 1, 3], values: [0, 0, 0, 1, 2, 4, -1, 2, 8] });
  it('interpolates between the keys and clamps outside them', () => {
    expect(sample(moves, 0.75)).toEqual([0.5, 1, 2]);
    expect(sample(moves, 1)).toEqual([1, 2, 4]);
    expect(sample(moves, 2.5)).toEqual([-0.5, 2, 7]);
    expect(sample(moves, -7)).toEqual([0, 0, 0]);
    expect(sample(moves, 0.1)).toEqual([0, 0, 0]);
    expect(sample(moves, 3)).toEqual([-1, 2, 8]);
    expect(sample(moves, 99)).toEqual([-1, 2, 8]);
  });

  it('does not depend on the order in which times are asked for', () => {
    const times = [2.9, 0.6, 1, 0, 2, 0.6, 3, 0.999];
    const forth = times.map((time) => sample(moves, time));
    const back = [...times].reverse().map((time) => sample(moves, time));
    expect(back.reverse()).toEqual(forth);
  });

  it('slerps rotations: half the way is half the angle', () => {
    const turn = channel({
      path: 'rotation',
      times: [0, 1],
      values: [...about([0, 0, 1], 20), ...about([0, 0, 1], 140)],
    });
    for (const u of [0, 0.1, 0.25, 0.5, 0.9, 1]) expectClose(sample(turn, u), about([0, 0, 1], 20 + 120 * u), 13);
  });

  it(`takes the shortest arc, at an even speed, with unit length (seed ${SEED})`, () => {
    const angle = fc.double({ min: -170, max: 170, noNaN: true });
    const unit = fc
      .tuple(...Array.from({ length: 3 }, () => fc.double({ min: -1, max: 1, noNaN: true })))
      .filter((v) => Math.hypot(...v) > 0.1)
      .map((v) => v.map((x) => x / Math.hypot(...v)));
    fc.assert(
      fc.property(
        unit,
        angle,
        angle,
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (axis, a, b, flip, u) => {
          const to = about(axis, b).map((x) => (flip ? -x : x)); // q and −q are the same rotation
          const found = sample(channel({ path: 'rotation', times: [0, 1], values: [...about(axis, a), ...to] }), u);
          const way = b - a > 180 ? b - a - 360 : b - a < -180 ? b - a + 360 : b - a;
          if (Math.abs(Math.abs(way) - 180) < 1e-3) return; // both arcs are the shortest
          const wanted = about(axis, a + u * way);
          expect(Math.hypot(...found)).toBeCloseTo(1, 14);
          const dot = found.reduce((sum, x, i) => sum + x * wanted[i]!, 0);
          expect(Math.abs(dot)).toBeCloseTo(1, 12);
        },
      ),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('gives unit rotations on the keys too: files hold quantised quaternions', () => {
    const q = about([0, 0, 1], 30).map((x) => 1.01 * x);
    const turn = channel({ path: 'rotation', times: [0, 1], values: [...q, ...q] });
    for (const time of [-1, 0, 0.5, 1, 2]) expectClose(sample(turn, time), about([0, 0, 1], 30));
  });
});

describe('STEP', () => {
  it('holds a key until the next one', () => {
    const steps = channel({ interpolation: 'STEP', times: [0, 1, 2], values: [1, 1, 1, 2, 2, 2, 3, 3, 3] });
    for (const [time, value] of [
      [-1, 1],
      [0, 1],
      [0.999, 1],
      [1, 2],
      [1.5, 2],
      [2, 3],
      [5, 3],
    ] as const) {
      expect(sample(steps, time)).toEqual([value, value, value]);
    }
  });
});

describe('CUBICSPLINE', () => {
  it(`reproduces every cubic polynomial exactly (seed ${SEED})`, () => {
    const number = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(number, number, number, number), fc.double({ min: 0, max: 1, noNaN: true }), (c, u) => {
        const p = (t: number) => c[0] + t * (c[1] + t * (c[2] + t * c[3]));
        const slope = (t: number) => c[1] + t * (2 * c[2] + 3 * t * c[3]);
        const key = (t: number) => [slope(t), p(t), slope(t)].flatMap((v) => [v, 2 * v, -v]);
        const spline = channel({
          interpolation: 'CUBICSPLINE',
          times: [0.5, 1.25, 3],
          values: [0.5, 1.25, 3].flatMap(key),
        });
        const time = 0.5 + 2.5 * u;
        expectClose(sample(spline, time), [p(time), 2 * p(time), -p(time)], 10);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });

  it('clamps to the values, not to the tangents, and normalises rotations', () => {
    const spline = channel({
      path: 'rotation',
      interpolation: 'CUBICSPLINE',
      times: [1, 2],
      values: [9, 9, 9, 9, 0, 0, 0, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 9, 9, 9, 9],
    });
    expect(sample(spline, 0)).toEqual([0, 0, 0, 1]);
    expect(sample(spline, 3)).toEqual([0, 0, 1, 0]);
    expect(Math.hypot(...sample(spline, 1.4))).toBeCloseTo(1, 14);
  });
});

describe('channels', () => {
  it('of one key or of none are constant', () => {
    expect(sample(channel({ times: [1], values: [4, 5, 6] }), 0)).toEqual([4, 5, 6]);
    expect(sample(channel({ times: [1], values: [4, 5, 6] }), 2)).toEqual([4, 5, 6]);
    const spline = channel({ interpolation: 'CUBICSPLINE', times: [1], values: [0, 0, 0, 4, 5, 6, 0, 0, 0] });
    expect(sample(spline, 2)).toEqual([4, 5, 6]);
    samplePose(pose, character, { name: '', duration: 1, channels: [channel({ times: [], values: [] })] }, 0.5);
    expect([...pose.locals]).toEqual([...character.skeleton.locals]);
  });

  it('pass two keys at one time without a division by zero', () => {
    const jump = channel({ times: [0, 1, 1, 2], values: [0, 0, 0, 1, 1, 1, 5, 5, 5, 6, 6, 6] });
    expect(sample(jump, 1)).toEqual([5, 5, 5]);
    expect(sample(jump, 0.5)).toEqual([0.5, 0.5, 0.5]);
    expect(sample(jump, 1.5)).toEqual([5.5, 5.5, 5.5]);
  });

  it('drive scales and morph weights; everything else returns to its default', () => {
    expect(sample(channel({ path: 'scale', times: [0, 1], values: [1, 1, 1, 3, 5, 7] }), 0.5)).toEqual([2, 3, 4]);
    const box = createCharacter(morphingBox());
    const own = createPose(box);
    const weights = channel({ target: 0, path: 'weights', width: 1, times: [0, 2], values: [0, 1] });
    samplePose(own, box, clip([weights]), 0.5);
    expect([...own.morphWeights]).toEqual([0.25]);
    samplePose(own, box, undefined, 0.5);
    expect([...own.morphWeights]).toEqual([0]);
  });
});

describe('frameTimes', () => {
  const times = (duration: number, fps: number) => [...frameTimes({ name: '', duration, channels: [] }, fps)];
  it('are i/fps and the very end, which never stands there twice', () => {
    expect(times(0.1, 30)).toEqual([0, 1 / 30, 2 / 30, 0.1]);
    expect(times(1, 4)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(times(1.1, 4)).toEqual([0, 0.25, 0.5, 0.75, 1, 1.1]);
    expect(times(0, 30)).toEqual([0]);
  });

  it('have no sliver of a frame where a single-precision key time stands for a frame', () => {
    for (let i = 1; i < 400; i++) {
      const list = times(Math.fround(i / 30), 30);
      expect(list.length).toBe(i + 1);
      expect(list.at(-1)).toBe(Math.fround(i / 30));
    }
  });

  it(`ascend by at most one frame (seed ${SEED})`, () => {
    const duration = fc.double({ min: 0, max: 20, noNaN: true });
    fc.assert(
      fc.property(duration, fc.constantFrom(1, 12, 24, 29.97, 30, 60), (length, fps) => {
        const list = times(length, fps);
        expect(list.at(-1)).toBe(length);
        for (let i = 1; i < list.length; i++) {
          expect(list[i]! - list[i - 1]!).toBeGreaterThan(0);
          expect(list[i]! - list[i - 1]!).toBeLessThan(1 / fps + 2e-6);
        }
      }),
      { seed: SEED },
    );
  });
});
