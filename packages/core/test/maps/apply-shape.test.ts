/** Directional control: which way and where along the bone the flesh gives way; the volume stays exact. */
import { type Channel, type Clip, createCharacter, planBody } from '@isoskin/core';
import { planVolume, planVolumeWith } from '@isoskin/core/kernels';
import type { ShapeOptions } from '@isoskin/core/stack';
import { describe, expect, it } from 'vitest';
import { createStackBench, limb, organicWith, type Turn } from '../stack/stack-bench.js';

const HALF = Math.SQRT1_2;
/** Bone 1 turns about y in the only clip: its hinge. */
const bendClip: Clip = {
  name: 'bend',
  duration: 1,
  channels: [
    {
      target: 1,
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 1),
      values: Float64Array.of(0, 0, 0, 1, 0, HALF, 0, HALF),
      width: 4,
    } satisfies Channel,
  ],
};
const arm = () => ({ ...limb([0, 3, 6], { length: 4.5, around: 24, along: 48 }), clips: [bendClip] });
const uniform = { kind: 'uniform' } as const;

/** Squares of the displacement of the vertices near bone 1, by rest axis and by third of the bone. */
function judge(shape: ShapeOptions[], turn: Turn, target?: Record<string, number>) {
  const bench = createStackBench(
    arm(),
    organicWith({ map: uniform, shape, ...(target && { target: { regions: target } }) }),
  );
  const result = bench.run(turn);
  const axes = [0, 0, 0];
  const thirds = [0, 0, 0];
  for (let k = 0; k < bench.character.surface.vertexCount; k++) {
    const place = (bench.character.surface.positions[3 * k]! - 3) / 3;
    if (place < 0 || place > 1) continue;
    for (let r = 0; r < 3; r++) {
      const square = (result.y[3 * k + r]! - result.x[3 * k + r]!) ** 2;
      axes[r]! += square;
      thirds[Math.min(2, Math.trunc(3 * place))]! += square;
    }
  }
  return { ...result, axes, thirds };
}

describe('shape', () => {
  // A region that swells at rest: displacement directions are those of the rest pose.
  const swell = { 'bone 1': 1.1 };

  it('leaves everything as it is with shares of 1', () => {
    const plain = judge([], {}, swell);
    const same = judge([{ region: '*', along: 1, axis: 1, across: 1 }], {}, swell);
    for (const [r, a] of plain.axes.entries()) expect(same.axes[r]).toBeCloseTo(a, 9);
    expect(plain.axes[1]! / plain.axes[2]!).toBeCloseTo(1, 1); // round
  });

  it('pushes along the hinge axis only where across is 0, and the volume is exact', () => {
    const { axes, total, region } = judge([{ region: '*', along: 0, across: 0 }], {}, swell);
    expect(axes[0]! / axes[1]!).toBeLessThan(1e-3);
    expect(axes[2]! / axes[1]!).toBeLessThan(1e-3);
    expect(total).toBeLessThan(1e-9);
    expect(region).toBeLessThan(1e-6);
  });

  it('pushes across the hinge axis where axis is 0', () => {
    const { axes, total } = judge([{ region: '*', along: 0, axis: 0 }], {}, swell);
    expect(axes[1]! / axes[2]!).toBeLessThan(1e-3);
    expect(total).toBeLessThan(1e-9);
  });

  it('swells most where the profile is high', () => {
    const plain = judge([], {}, swell);
    const near = judge([{ region: 'bone 1', profile: [[0, 2], [0.5, 0.2], [1, 0.1]] }], {}, swell); // biome-ignore format: one line
    const far = judge([{ region: 'bone 1', profile: [[0, 0.1], [0.5, 0.2], [1, 2]] }], {}, swell); // biome-ignore format: one line
    const lean = ({ thirds }: { thirds: number[] }) => thirds[2]! / thirds[0]!;
    expect(lean(near)).toBeLessThan(0.6 * lean(plain));
    expect(lean(far)).toBeGreaterThan(1.6 * lean(plain));
    for (const { total, region } of [near, far]) {
      expect(total).toBeLessThan(1e-9);
      expect(region).toBeLessThan(1e-6);
    }
  });

  it('keeps the volume exact in a bend, and the field smooth', () => {
    for (const shape of [
      [{ region: '*', across: 0.2 }],
      [{ region: '*', along: 0, axis: 0.5, across: 1.5 }],
      [
        { region: '*', axis: 0.3 },
        { region: 'bone 2', axis: 1 },
      ],
    ] satisfies ShapeOptions[][]) {
      const { total, region, frame } = judge(shape, { 1: { degrees: 80 }, 2: { degrees: -40 } });
      expect(total).toBeLessThan(1e-9);
      expect(region).toBeLessThan(1e-6);
      expect(frame.directions.every(Number.isFinite)).toBe(true);
    }
  });

  it('refuses a region that is not there, and names those that are', () => {
    expect(() => judge([{ region: 'biceps' }], {})).toThrow(/biceps.*bone 0, bone 1, bone 2/);
  });

  it('only the axis of the joint is read from clips: without any, the still plan is the same', () => {
    // Across a bone along x, y is taken where nothing turns: turn about z.
    const [channel] = bendClip.channels;
    const values = Float64Array.of(0, 0, 0, 1, 0, 0, HALF, HALF);
    const turning = { ...bendClip, channels: [{ ...channel!, values }] };
    const options = { map: uniform, shape: [{ region: '*', axis: 0, profile: [[0.5, 2]] }] } as const;
    const plan = (planned: typeof planVolume, clips: readonly Clip[]) => {
      const { directions, gamma } = planned(planBody(createCharacter({ ...arm(), clips })), options);
      return { directions, gamma };
    };
    const still = plan((body, own) => planVolumeWith({}, body, own), [turning]);
    expect(plan(planVolume, [])).toEqual(still);
    expect(plan(planVolume, [turning]).gamma).toEqual(still.gamma);
    expect(plan(planVolume, [turning]).directions).not.toEqual(still.directions);
  });
});
