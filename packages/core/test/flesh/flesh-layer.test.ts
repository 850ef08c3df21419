/** G1–G2: flesh in a stack. Inertia against the textbook, frame rates, seams, seeking, volume, bad input. */
import {
  createCharacter,
  createFrameSource,
  createPose,
  type FrameSource,
  IsoskinError,
  planBody,
  planClipMeter,
  planVolumeMeter,
  presetStack,
} from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { chain, character, morphingBox, part, sphereShape, tube } from '../meshes.js';
import { largestDistance, limb } from '../stack/stack-bench.js';
import { shaken, steady } from './oscillator.js';
import { ball, createClip, everyFrame, fleshOnly, moveNode, shakeClip } from './swing-bench.js';

const spring = { frequency: 2, damping: 0.15 };
const shake = { A: 0.3, F: 1.3 };
const shakeAt = (t: number): [number, number, number] => [shake.A * Math.sin(2 * Math.PI * shake.F * t), 0, 0];

describe('a ball of soft flesh on a shaken joint', () => {
  it('is the analytic damped oscillator to 1e−6, at every vertex, from the fourth of 240 frames per second on', () => {
    const body = ball();
    const stack = createFrameSource(planBody(body), fleshOnly(spring));
    const worst = [0, 0];
    let largest = 0;
    moveNode(body, stack, shakeAt, everyFrame(240, 3), (t) => {
      const e = shaken(t, spring.frequency, spring.damping, shake);
      const at = t < 2.5 / 240 ? 0 : 1; // nothing is known of the motion before the first frame
      largest = Math.max(largest, Math.abs(e));
      const { positions, skinned } = stack.frame;
      for (let k = 0; k < positions.length; k += 3) {
        for (let r = 0; r < 3; r++) {
          const error = Math.abs(positions[k + r]! - skinned[k + r]! - (r === 0 ? e : 0));
          worst[at] = Math.max(worst[at]!, error);
        }
      }
    });
    expect(largest).toBeGreaterThan(0.15);
    expect(worst[0]).toBeLessThan(1e-5);
    expect(worst[1]).toBeLessThan(1e-6);
  });

  it('is so as a clip from its very start, sought at any time', () => {
    const clip = shakeClip(3.1, shake.A, shake.F, 1200);
    const stack = createFrameSource(planBody(ball([clip])), fleshOnly({ ...spring, loop: false }));
    for (const t of [0.001, 0.37, 2.9, 1.234567, 3.1]) {
      const { positions, skinned } = stack.seek(clip, t);
      expect(Math.abs(positions[0]! - skinned[0]! - shaken(t, spring.frequency, spring.damping, shake))).toBeLessThan(
        1e-6,
      );
    }
  });

  it('feels the rotation of its joint: a point on a turning arm lags as the oscillator says', () => {
    // The joint swings about z by a small angle: the ball at (1, 0, 0) ± 1 moves by angle × distance.
    const [A, F] = [1e-4, 1.1];
    const body = createCharacter(character([part(sphereShape(8))], chain([-3])));
    const stack = createFrameSource(planBody(body), fleshOnly(spring));
    const pose = createPose(body);
    const { positions: rest } = body.surface;
    everyFrame(480, 2).forEach((t, n) => {
      const half = 0.5 * A * Math.sin(2 * Math.PI * F * t);
      pose.locals.set([0, 0, Math.sin(half), Math.cos(half)], 3);
      const { positions, skinned } = stack.evaluate(pose, t, n > 0 ? 1 / 480 : 0);
      if (n % 48 !== 0) return;
      const e = shaken(t, spring.frequency, spring.damping, { A, F });
      for (let k = 0; k < rest.length; k += 30) {
        expect(positions[k + 1]! - skinned[k + 1]!).toBeCloseTo(e * (rest[k]! + 3), 7);
      }
    });
  });
});

describe('frame rates', () => {
  const lagsAt = (fps: number) => {
    const body = ball();
    const stack = createFrameSource(planBody(body), fleshOnly(spring));
    const lags: number[] = [];
    moveNode(body, stack, shakeAt, everyFrame(fps, 3), (t) => {
      if (Math.abs(t * 30 - Math.round(t * 30)) < 1e-9) lags.push(stack.frame.positions[0]! - stack.frame.skinned[0]!);
    });
    return lags;
  };

  it('30, 60 and 240 fps agree: to 1.5e−3, 1e−4 and 1e−6 of the largest swing, 2e−2 in the first frames after a start', () => {
    const truth = everyFrame(30, 3).map((t) => shaken(t, spring.frequency, spring.damping, shake));
    const largest = Math.max(...truth.map(Math.abs));
    const errors = (fps: number) => lagsAt(fps).map((e, n) => Math.abs(e - truth[n]!) / largest);
    expect(Math.max(...errors(30))).toBeLessThan(2e-2);
    expect(Math.max(...errors(30).slice(3))).toBeLessThan(1.5e-3);
    expect(Math.max(...errors(60).slice(2))).toBeLessThan(1e-4);
    expect(Math.max(...errors(240).slice(1))).toBeLessThan(1e-6);
  });

  it('a jittering clock makes no difference beyond the same bounds', () => {
    const body = ball();
    const stack = createFrameSource(planBody(body), fleshOnly(spring));
    let t = 0;
    let seed = 1;
    const times = [0];
    while (t < 3) {
      seed = (seed * 16807) % 2147483647;
      times.push((t += (0.5 + seed / 2147483647) / 60));
    }
    let worst = 0;
    moveNode(body, stack, shakeAt, times, (s) => {
      const e = stack.frame.positions[0]! - stack.frame.skinned[0]!;
      worst = Math.max(worst, Math.abs(e - shaken(s, spring.frequency, spring.damping, shake)));
    });
    expect(worst).toBeLessThan(1e-3 * shake.A);
  });

  it('playing with dt comes to where seeking does', () => {
    const clip = shakeClip(2, 0.3, 1.25);
    const body = ball([clip]);
    const played = createFrameSource(planBody(body), fleshOnly({ ...spring, loop: false }));
    const sought = createFrameSource(planBody(body), fleshOnly({ ...spring, loop: false }));
    moveNode(
      body,
      played,
      (t) => [0.3 * Math.sin(2.5 * Math.PI * t), 0, 0],
      everyFrame(60, 2),
      (t) => {
        const error = largestDistance(played.frame.positions, sought.seek(clip, t).positions);
        expect(error).toBeLessThan((t < 3 / 60 ? 2e-3 : 1e-4) * 0.3);
      },
    );
  });
});

describe('loops and seeking', () => {
  const round = 1 / shake.F;
  const clip = shakeClip(2 * round, shake.A, shake.F);

  it('a looping clip has swung for ever: the steady oscillator from its first frame on', () => {
    const stack = createFrameSource(planBody(ball([clip])), fleshOnly(spring));
    for (const t of [0, 0.1, 0.5, round, 1.9 * round, 2 * round]) {
      const { positions, skinned } = stack.seek(clip, t);
      const e = steady(t, spring.frequency, spring.damping, shake);
      expect(Math.abs(positions[0]! - skinned[0]! - e)).toBeLessThan(1e-5 * shake.A);
    }
  });

  it('its seam is invisible: place and speed meet', () => {
    const stack = createFrameSource(planBody(ball([clip])), fleshOnly({ frequency: 1.9, damping: 0.05 }));
    const lag = (t: number) => stack.seek(clip, t).positions[0]! - stack.frame.skinned[0]!;
    expect(Math.abs(lag(0) - lag(clip.duration))).toBeLessThan(1e-9);
    const d = 1e-4;
    const leaving = (lag(clip.duration) - lag(clip.duration - d)) / d;
    expect(Math.abs((lag(d) - lag(0)) / d - leaving)).toBeLessThan(1e-2 * Math.abs(leaving));
  });

  it('a clip that travels loops when told to: the seam is a cut, the swing goes on', () => {
    const W = 2 * Math.PI;
    const travel = createClip(1, [
      {
        target: 0,
        path: 'translation',
        at: (t) => [5 * t, 0.2 * Math.sin(W * t), 0],
        slope: (t) => [5, 0.2 * W * Math.cos(W * t), 0],
      },
    ]);
    const stack = createFrameSource(planBody(ball([travel])), fleshOnly({ ...spring, loop: true }));
    const lag = (t: number, r: number) => stack.seek(travel, t).positions[r]! - stack.frame.skinned[r]!;
    expect(Math.abs(lag(0, 1) - lag(1, 1))).toBeLessThan(1e-9);
    expect(Math.abs(lag(0.3, 1) - steady(0.3, 2, 0.15, { A: 0.2, F: 1 }))).toBeLessThan(1e-5);
    expect(Math.abs(lag(0.3, 0))).toBeLessThan(1e-9); // even motion is not felt
  });

  it('gives the same bits in any order, from any stack, whatever ran before', () => {
    const W = 2 * Math.PI;
    const nod = createClip(1.7, [
      {
        target: 1,
        path: 'rotation',
        at: (t) => [0, Math.sin(0.4 * Math.sin(W * t)), 0, Math.cos(0.4 * Math.sin(W * t))],
        slope: () => [0, 0, 0, 0],
      },
    ]);
    const body = createCharacter({ ...limb([0, 2, 4], { length: 3, around: 12, along: 24 }), clips: [nod] });
    const spec = presetStack('flesh');
    const times = Array.from({ length: 18 }, (_, n) => n / 10.1);
    const inOrder = createFrameSource(planBody(body), spec);
    const played = times.map((t) => inOrder.seek(nod, t).positions.slice());
    const other = createFrameSource(planBody(body), spec);
    other.evaluate(createPose(body), 0, 0.1);
    for (const n of [17, 3, 9, 4, 4, 0, 16, 1]) {
      expect(other.seek(nod, times[n]!).positions).toEqual(played[n]);
      other.evaluate(createPose(body), 0, 0.02);
    }
    expect(planClipMeter(other).measure(nod, { fps: 10 }).frames.length).toBe(18);
    expect(other.frame.positions).toEqual(createFrameSource(planBody(body), spec).seek(nod, 1.7).positions);
  });

  it('goes on from where it sought', () => {
    const stack = createFrameSource(planBody(ball([clip])), fleshOnly(spring));
    const reference = createFrameSource(planBody(ball([clip])), fleshOnly(spring));
    const pose = createPose(stack.character);
    stack.seek(clip, 0.3);
    for (let n = 1; n <= 20; n++) {
      const t = 0.3 + n / 120;
      pose.locals.set(shakeAt(t), 0);
      const { positions } = stack.evaluate(pose, t, 1 / 120);
      const error = largestDistance(positions, reference.seek(clip, t).positions);
      expect(error).toBeLessThan((n < 3 ? 2e-3 : 1e-4) * shake.A);
    }
  });
});

describe('stretch and softness', () => {
  it('is the spring itself up to half the limit, never more than the limit, and smooth between', () => {
    const body = ball();
    const stack = createFrameSource(planBody(body), fleshOnly({ ...spring, maxStretch: 0.1 }));
    const free = createFrameSource(planBody(body), fleshOnly(spring));
    const pairs: [number, number][] = [];
    const see = () => pairs.push([0, 0]);
    moveNode(body, free, shakeAt, everyFrame(960, 2), () => {
      see();
      pairs.at(-1)![0] = free.frame.positions[0]! - free.frame.skinned[0]!;
    });
    let n = 0;
    moveNode(body, stack, shakeAt, everyFrame(960, 2), () => {
      pairs[n++]![1] = stack.frame.positions[0]! - stack.frame.skinned[0]!;
    });
    const limit = Math.max(...pairs.map(([, e]) => Math.abs(e)));
    expect(Math.max(...pairs.map(([e]) => Math.abs(e)))).toBeGreaterThan(limit);
    for (const [e, held] of pairs) {
      expect(Math.abs(held)).toBeLessThanOrEqual(Math.abs(e) + 1e-12);
      if (Math.abs(e) < 0.45 * limit) expect(held).toBeCloseTo(e, 12);
    }
    // Slope of held over free: falls from 1, never jumps.
    const sorted = pairs.map(([e, held]) => [Math.abs(e), Math.abs(held)] as const).sort((a, b) => a[0] - b[0]);
    for (let i = 1; i < sorted.length; i++) {
      const rise = sorted[i]![1] - sorted[i - 1]![1];
      expect(rise).toBeGreaterThan(-1e-9);
      expect(rise).toBeLessThan(sorted[i]![0] - sorted[i - 1]![0] + 1e-9);
    }
  });

  it('follows the paint, a number, the bones', () => {
    const paint = Float32Array.from(
      sphereShape(8).positions.filter((_, i) => i % 3 === 0),
      (x) => Math.max(0, x),
    );
    const painted = createCharacter(
      character([part(sphereShape(8), undefined, { paint: new Map([['_SOFT', paint]]) })], chain([0])),
    );
    const lag = (softness: unknown, body = painted) => {
      const stack = createFrameSource(planBody(body), fleshOnly({ ...spring, softness }));
      moveNode(body, stack, shakeAt, everyFrame(60, 0.5));
      const { positions, skinned } = stack.frame;
      return Float64Array.from({ length: positions.length / 3 }, (_, k) => positions[3 * k]! - skinned[3 * k]!);
    };
    const full = lag(1);
    for (const [k, e] of lag('_SOFT').entries()) expect(e).toBeCloseTo(full[k]! * paint[k]!, 6);
    for (const [k, e] of lag(0.25).entries()) expect(e).toBeCloseTo(full[k]! * 0.25, 12);
    expect(lag(0).every((e) => e === 0)).toBe(true);
    expect(() => lag('_NONE')).toThrow(/_NONE/);
    // An off-centre bone: the far side is softer.
    const off = createCharacter(character([part(sphereShape(8))], chain([-0.9])));
    const far = lag({ kind: 'organic', a: 0, b: 2 }, off);
    const { positions } = off.surface;
    const at = (x: number) =>
      Math.abs(far[Array.from(far.keys()).find((k) => Math.abs(positions[3 * k]! - x) < 0.1)!]!);
    expect(at(1)).toBeGreaterThan(3 * at(-0.9));
  });

  it('regions swing at their own rate and pass smoothly into each other', () => {
    const body = createCharacter(limb([0, 3, 6], { length: 4.5, around: 16, along: 60 }));
    const stack = createFrameSource(
      planBody(body),
      fleshOnly({ ...spring, regions: { 'bone 2': { frequency: 5, softness: 0.5 } } }),
    );
    const uniform = createFrameSource(planBody(body), fleshOnly(spring));
    const stiff = createFrameSource(planBody(body), fleshOnly({ ...spring, frequency: 5 }));
    for (const each of [stack, uniform, stiff]) moveNode(body, each, shakeAt, everyFrame(60, 0.8));
    const lag = ({ frame }: typeof stack, k: number) => frame.positions[3 * k]! - frame.skinned[3 * k]!;
    const { positions, neighbours, vertexCount } = body.surface;
    const [a, b] = [0, vertexCount - 3].map((k) => k as number);
    expect(positions[3 * b!]).toBeGreaterThan(8);
    expect(lag(stack, a!)).toBeCloseTo(lag(uniform, a!), 9);
    expect(lag(stack, b!)).toBeCloseTo(0.5 * lag(stiff, b!), 9);
    let jump = 0;
    for (let k = 0; k < vertexCount; k++) {
      for (let n = neighbours.offsets[k]!; n < neighbours.offsets[k + 1]!; n++) {
        jump = Math.max(jump, Math.abs(lag(stack, k) - lag(stack, neighbours.values[n]!)));
      }
    }
    expect(jump).toBeLessThan(0.4 * Math.abs(lag(stack, a!) - lag(stack, b!)));
  });
});

describe('the volume layer behind it', () => {
  it('keeps every region exact, in every frame', () => {
    const body = createCharacter(limb([0, 3, 6], { length: 4.5, around: 16, along: 48 }));
    const stack = createFrameSource(planBody(body), {
      skin: {},
      flesh: { softness: 1, ...spring },
      volume: { map: { kind: 'organic', floor: 0.1 }, options: { limit: 0 } },
    });
    const meter = planVolumeMeter(body, stack.volume!);
    const pose = createPose(body);
    let swung = 0;
    for (let n = 0; n < 40; n++) {
      const half = 0.4 * Math.sin(n / 3);
      pose.locals.set([0.3 * Math.sin(n / 4), 0, 0, 0, Math.sin(half), 0, Math.cos(half)], 10 * 1);
      pose.locals[10] = 3 + 0.3 * Math.sin(n / 4);
      const frame = stack.evaluate(pose, n / 30, n > 0 ? 1 / 30 : 0);
      meter.measureTargets(frame.bones, n / 30);
      meter.measure(frame.positions);
      // Twice the solver's tolerance.
      for (const [s, v] of meter.regionVolumes.entries()) {
        expect(Math.abs(v / meter.targets[s]! - 1)).toBeLessThan(2e-7);
      }
      swung = Math.max(swung, largestDistance(frame.positions, frame.skinned));
    }
    expect(swung).toBeGreaterThan(0.1);
  });
});

describe('bad input', () => {
  const bad: [string, object, RegExp][] = [
    ['NaN frequency', { frequency: Number.NaN }, /frequency/],
    ['no frequency', { frequency: 0 }, /frequency/],
    ['negative damping', { damping: -1 }, /damping/],
    ['infinite stretch', { maxStretch: Number.POSITIVE_INFINITY }, /maxStretch/],
    ['softness above 1', { softness: 2 }, /softness/],
    ['an unknown map', { softness: { kind: 'jelly' } }, /jelly/],
    ['an unknown region', { regions: { tail: { frequency: 2 } } }, /tail.*bone 0/],
    ['a region with NaN', { regions: { 'bone 0': { damping: Number.NaN } } }, /damping/],
    ['a word for loop', { loop: 'yes' }, /loop/],
    ['a typing error', { frequancy: 2 }, /frequency/],
  ];
  it.each(bad)('%s is told', (_, options, message) => {
    const make = () => createFrameSource(planBody(ball()), fleshOnly(options));
    expect(make).toThrow(IsoskinError);
    expect(() => {
      try {
        make();
      } catch (error) {
        throw new Error(`${(error as IsoskinError).message} ${(error as IsoskinError).place}`);
      }
    }).toThrow(message);
  });

  it('works before the volume, wherever it is named', () => {
    const [first, second] = [
      { flesh: {}, volume: {} },
      { volume: {}, flesh: {} },
    ].map((spec) => {
      const source = createFrameSource(planBody(ball()), spec);
      source.evaluate(createPose(source.character), 0, 0);
      const pose = createPose(source.character);
      pose.locals[0] = 0.2;
      return source.evaluate(pose, 0.03, 0.03).positions.slice();
    });
    expect(second).toEqual(first);
  });

  it('no time, no end of time, backwards, jumps and a pose of NaN: never NaN afterwards, and back to rest', () => {
    const body = ball();
    const stack = createFrameSource(planBody(body), {
      skin: {},
      flesh: { softness: 1 },
      volume: {},
    });
    const pose = createPose(body);
    const go = (x: number, dt: number) => {
      pose.locals[0] = x;
      return stack.evaluate(pose, 0, dt);
    };
    const dts = [0, 1 / 60, 0, 1e-300, 1e-12, 1 / 60, 1e12, -1, Number.NaN, Number.POSITIVE_INFINITY, 5, 1e-5, 1 / 60];
    dts.forEach((dt, n) => {
      for (const x of [0.1 * n, 1e6 * n, -0.2]) {
        const { positions, skinned } = go(x, dt);
        expect(positions.every(Number.isFinite)).toBe(true);
        expect(largestDistance(positions, skinned)).toBeLessThan(1);
      }
    });
    go(Number.NaN, 1 / 60);
    for (let n = 0; n < 4; n++) go(0, 1 / 60);
    expect(go(0, 1 / 60).positions.every(Number.isFinite)).toBe(true);
    const { positions, skinned } = go(0, 1e9);
    expect(largestDistance(positions, skinned)).toBeLessThan(1e-9);
  });

  it('a body that is suddenly elsewhere swings on as if nothing had happened', () => {
    const body = ball();
    const [one, other] = [0, 1].map(() => createFrameSource(planBody(body), fleshOnly(spring))) as [
      FrameSource,
      FrameSource,
    ];
    const times = everyFrame(60, 1);
    moveNode(body, one, shakeAt, times);
    const away = (t: number): [number, number, number] => [shakeAt(t)[0] + (t > 0.5 ? 4 : 0), 0, 0];
    let worst = 0;
    moveNode(body, other, away, times, () => {
      worst = Math.max(worst, Math.abs(other.frame.positions[0]! - other.frame.skinned[0]!));
    });
    expect(worst).toBeLessThan(0.3);
    const lag = ({ frame }: typeof one) => frame.positions[0]! - frame.skinned[0]!;
    expect(Math.abs(lag(one) - lag(other))).toBeLessThan(0.1 * shake.A);
  });

  it('pauses, dragged poses, morphs, clips of no length, times outside', () => {
    const clip = shakeClip(2, 0.3, 1);
    const body = ball([clip]);
    const stack = createFrameSource(planBody(body), fleshOnly(spring));
    moveNode(body, stack, shakeAt, everyFrame(60, 0.4));
    const lag = stack.frame.positions[0]! - stack.frame.skinned[0]!;
    const pose = createPose(body);
    pose.locals.set([9, 9, 9], 0); // dragged while time stands still
    const dragged = stack.evaluate(pose, 0.4, 0);
    expect(dragged.positions[0]! - dragged.skinned[0]!).toBe(lag);
    stack.reset();
    expect(stack.evaluate(pose, 0.4, 1 / 60).positions).toEqual(stack.frame.skinned);
    for (const t of [-1, Number.NaN, 99, Number.POSITIVE_INFINITY]) {
      expect(stack.seek(clip, t).positions.every(Number.isFinite)).toBe(true);
    }
    for (const duration of [0, 1e-9, Number.POSITIVE_INFINITY, Number.NaN]) {
      expect(stack.seek({ ...clip, duration, channels: [] }, 0).positions).toEqual(stack.frame.skinned);
    }
    expect(stack.seek(undefined, 0).positions).toEqual(stack.frame.skinned);
    const box = createCharacter(morphingBox());
    const morphing = createFrameSource(planBody(box), fleshOnly(spring));
    moveNode(box, morphing, shakeAt, everyFrame(30, 0.3));
    expect(morphing.frame.positions.every(Number.isFinite)).toBe(true);
    const thin = createFrameSource(planBody(createCharacter(tube())), presetStack('flesh'));
    expect(thin.evaluate(createPose(thin.character), 0, 1 / 30).positions.every(Number.isFinite)).toBe(true);
  });
});
