import { IsoskinError } from '@isoskin/core';
import { createSoftWorld, type SoftPrimitive, type SoftWorldInput } from '@isoskin/soft';
import { describe, expect, it } from 'vitest';

const DT = 1 / 60;

const segment = (name: string, corners: number[], thickness: number): SoftPrimitive => ({
  name,
  object: 'man',
  shape: 'segment',
  thickness,
  radius: 1.8 * thickness,
  stiffness: 30,
  falloff: 'smooth',
  corners,
});

/** Body, upper arm and forearm; `bend` turns the forearm about the elbow towards the body. */
const createMan = (blends: readonly (readonly [string, string])[], control = true) =>
  createSoftWorld({
    objects: [{ name: 'man', blending: 'fixed', blends }],
    primitives: [
      segment('body', [0, -2, 0, 0, 1, 0], 0.5),
      segment('upper arm', [0, 1, 0, 1.3, 0.8, 0], 0.3),
      segment('forearm', [1.3, 0.8, 0, 2.4, 0.6, 0], 0.25),
    ],
    sampling: 4,
    ...(control ? {} : { volumeControl: false }),
  });
const JOINTS = [
  ['body', 'upper arm'],
  ['upper arm', 'forearm'],
] as const;

function bend(world: ReturnType<typeof createMan>, angle: number): void {
  const [dx, dy] = [1.1 * Math.cos(-angle), 1.1 * Math.sin(-angle)];
  world.corners[9 * 2 + 3] = 1.3 + dx;
  world.corners[9 * 2 + 4] = 0.8 + dy;
  world.update(DT);
}

describe('blending graph', () => {
  it('does not melt a bent arm into the body, and makes them collide', () => {
    const world = createMan(JOINTS);
    const melting = createMan([...JOINTS, ['body', 'forearm']]);
    // The same shapes without volume control, to compare them.
    const unblended = createMan(JOINTS, false);
    const blended = createMan([...JOINTS, ['body', 'forearm']], false);
    expect(world.pieces.count).toBe(1);
    for (let n = 0; n <= 60; n++) {
      bend(world, 0.2 + (2.15 * n) / 60);
      bend(melting, 0.2 + (2.15 * n) / 60);
    }
    bend(unblended, 2.35);
    bend(blended, 2.35);
    // Forearm against the body, below the shoulder.
    let touching = 0;
    for (let n = 0; n < world.contacts.count; n++) {
      const pair = [world.contacts.first[n]!, world.contacts.second[n]!].sort().join();
      expect(pair).toBe('0,2');
      touching++;
    }
    expect(touching).toBeGreaterThan(5);
    expect(world.forces[0]!).toBeLessThan(-0.05);
    expect(world.forces[6]!).toBeCloseTo(-world.forces[0]!, 12);
    expect(world.depth).toBeGreaterThan(0.01);
    expect(melting.contacts.count).toBe(0);
    // All around the contact melting would fill the notch between the two surfaces: more than a hundredth of the flesh.
    let filled = 0;
    for (let n = 0; n < 20 ** 3; n++) {
      const [x, y, z] = [(n % 20) * 0.05, (Math.floor(n / 20) % 20) * 0.05 - 0.7, Math.floor(n / 400) * 0.05 - 0.5];
      filled += (blended.value(0, x, y, z) >= 1 ? 1 : 0) - (unblended.value(0, x, y, z) >= 1 ? 1 : 0);
    }
    expect(filled).toBeGreaterThan(40);
    const { volumes, rest } = world.territories;
    for (let i = 0; i < 3; i++) expect(Math.abs(volumes[i]! / rest[i]! - 1)).toBeLessThan(0.02);
  });

  /** A row of points; the gap in the middle opens, then closes, then presses. */
  const createPaste = (more: Partial<SoftWorldInput> = {}) =>
    createSoftWorld({
      objects: [{ name: 'paste' }],
      primitives: [0, 1, 2, 3].map(
        (n): SoftPrimitive => ({
          name: `p${n}`,
          object: 'paste',
          shape: 'point',
          thickness: 1,
          radius: 1.8,
          stiffness: 20,
          falloff: 'smooth',
          corners: [1.4 * n, 0, 0],
        }),
      ),
      fusion: { force: 1.5, time: 0.2 },
      sampling: 4,
      ...more,
    });
  const place = (world: ReturnType<typeof createPaste>, gap: number) => {
    [0, 1.4, 1.4 + gap, 2.8 + gap].forEach((x, i) => {
      world.corners[9 * i] = x;
    });
    world.update(DT);
  };

  it('breaks once when influence zones part, touches without melting, fuses once above the force', () => {
    const world = createPaste();
    const whole = world.volume();
    const events: string[] = [];
    let [fractures, fusions, worst] = [0, 0, 0];
    for (let n = 0; n <= 600; n++) {
      const gap = n < 200 ? 1.4 + (3 * n) / 200 : n < 500 ? 4.4 - (3.1 * (n - 200)) / 300 : 1.3;
      const reach = 1.8 + world.territories.offsets[1]! + 1.8 + world.territories.offsets[2]!;
      place(world, gap);
      if (world.pieces.fractures > fractures) {
        events.push('fracture');
        expect(gap).toBeGreaterThan(reach - 0.05);
        expect(world.pieces.labels).toStrictEqual(new Int32Array([0, 0, 1, 1]));
      }
      if (world.pieces.fusions > fusions) {
        events.push('fusion');
        let force = 0;
        for (let c = 0; c < world.contacts.count; c++) force += world.contacts.areas[c]! * world.contacts.pressures[c]!;
        expect(force).toBeGreaterThanOrEqual(1.5);
        expect(world.pieces.count).toBe(1);
      }
      if (world.pieces.count === 2 && gap > 2.2) expect(world.contacts.count).toBe(0);
      fractures = world.pieces.fractures;
      fusions = world.pieces.fusions;
      worst = Math.max(worst, Math.abs(world.volume() / whole - 1));
    }
    expect(events).toStrictEqual(['fracture', 'fusion']);
    expect(worst).toBeLessThan(0.03);
    expect(world.contacts.count).toBe(0);
  });

  it('never fuses below the force, nor what may not fuse', () => {
    for (const more of [{ fusion: { force: 1e6 } }, { objects: [{ name: 'paste', fuses: false }] }]) {
      const world = createPaste(more);
      for (let n = 0; n <= 60; n++) place(world, 1.4 + n / 20);
      for (let n = 0; n <= 60; n++) place(world, 4.4 - n / 20);
      expect(world.pieces.count).toBe(2);
      expect(world.pieces.fusions).toBe(0);
      expect(world.contacts.count).toBeGreaterThan(0);
    }
  });

  it('undoes a fracture and a fusion on restore', () => {
    const world = createPaste();
    place(world, 6);
    expect(world.pieces).toMatchObject({ count: 2, fractures: 1 });
    world.restore();
    expect(world.pieces).toMatchObject({ count: 1, fractures: 0 });
    place(world, 1.4);
    expect(world.pieces.count).toBe(1);
  });

  /** Two rows of points, one above the other, which come together at the left end only unless `flat`. */
  const createRows = () =>
    createSoftWorld({
      objects: [{ name: 'low' }, { name: 'high' }],
      primitives: ['low', 'high'].flatMap((object, row) =>
        Array.from(
          { length: 6 },
          (_, n): SoftPrimitive => ({
            name: `${object}${n}`,
            object,
            shape: 'point',
            thickness: 1,
            radius: 1.8,
            stiffness: 20,
            corners: [1.4 * n, 2.1 * row, 0],
          }),
        ),
      ),
      fusion: { force: 1, time: 0.2 },
      sampling: 4,
    });
  const press = (world: ReturnType<typeof createRows>, heightOf: (n: number) => number) => {
    for (let n = 0; n < 6; n++) world.corners[9 * (6 + n) + 1] = heightOf(n);
    world.update(DT);
  };

  it('fuses pair by pair: what is pressed, while the rest stays apart and keeps its wall', () => {
    const world = createRows();
    const shares: number[] = [];
    for (let n = 0; n < 60; n++) {
      press(world, (k) => 2.1 - Math.max(0, 0.5 - 0.3 * k) * Math.min(1, n / 20));
      shares.push(world.pieces.fusedShare);
    }
    expect(world.pieces).toMatchObject({ count: 1, fusions: 1 });
    expect(shares.at(-1)).toBeGreaterThan(0.1);
    expect(shares.at(-1)).toBeLessThan(0.8);
    // The far ends are still two: they collide, and the flesh around them is two closed surfaces.
    expect(world.pieces.bond(0, 6)).toBe(1);
    expect(world.pieces.bond(5, 11)).toBe(0);
    const value = (y: number) => [0, 1].map((shell) => world.value(shell, 7, y, 0));
    expect(Math.max(...value(1.05))).toBeLessThan(2);
    // The roller goes on: the border closes step by step and never opens, and everything is one in the end.
    for (let n = 0; n < 240; n++) {
      press(world, (k) => 2.1 - (k <= n / 30 ? 0.5 : 0));
      shares.push(world.pieces.fusedShare);
    }
    expect(shares.every((share, n) => n === 0 || share >= shares[n - 1]! - 1e-12)).toBe(true);
    expect(new Set(shares.map((share) => share.toFixed(2))).size).toBeGreaterThan(20);
    expect(shares.at(-1)).toBe(1);
    expect(world.pieces).toMatchObject({ count: 1, shellCount: 1, fusions: 1, fractures: 0 });
    expect(world.volume() / world.territories.rest.reduce((sum, v) => sum + v, 0)).toBeCloseTo(1, 2);
  });

  it('has the gradient of its finite differences where pieces are half fused', () => {
    const world = createRows();
    for (let n = 0; n < 26; n++) press(world, (k) => 2.1 - Math.max(0, 0.5 - 0.3 * k) * Math.min(1, n / 20));
    expect(Math.max(...world.pieces.fused)).toBeGreaterThan(0);
    const out = new Float64Array(3);
    for (let shell = 0; shell < world.pieces.shellCount; shell++) {
      const surface = world.surface(shell);
      for (const [x, y, z] of [
        [0.3, 0.9, 0.2],
        [1.1, 1.3, 0.4],
        [2.2, 0.8, -0.3],
      ] as const) {
        surface.gradient(out, x, y, z);
        const h = 1e-6;
        const slope = (dx: number, dy: number, dz: number) =>
          (surface.value(x + dx, y + dy, z + dz) - surface.value(x - dx, y - dy, z - dz)) / (2 * h);
        const expected = [slope(h, 0, 0), slope(0, h, 0), slope(0, 0, h)];
        for (let r = 0; r < 3; r++) expect(Math.abs(out[r]! - expected[r]!)).toBeLessThan(1e-4);
      }
    }
  });

  it('looks only at what is near: what is far away changes nothing', () => {
    const near = createPaste();
    const far = createSoftWorld({
      objects: [{ name: 'paste' }, { name: 'far' }],
      primitives: [
        ...[0, 1, 2, 3].map(
          (n): SoftPrimitive => ({
            name: `p${n}`,
            object: 'paste',
            shape: 'point',
            thickness: 1,
            radius: 1.8,
            stiffness: 20,
            falloff: 'smooth',
            corners: [1.4 * n, 0, 0],
          }),
        ),
        { name: 'long', object: 'far', shape: 'segment', thickness: 5, corners: [-500, 60, 0, 500, 60, 0] },
        { name: 'tiny', object: 'far', shape: 'point', thickness: 0.01, corners: [30, 0, 0] },
      ],
      sampling: 4,
    });
    place(near, 1.2);
    place(far, 1.2);
    for (let i = 0; i < 4; i++) expect(far.territories.volumes[i]! / near.territories.volumes[i]!).toBeCloseTo(1, 9);
  });

  it('names the field that is wrong', () => {
    const good = segment('body', [0, 0, 0, 0, 1, 0], 0.5);
    const refuse = (change: Partial<SoftPrimitive>, place: RegExp, more: Partial<SoftWorldInput> = {}) => {
      const input = { objects: [{ name: 'man' }], primitives: [{ ...good, ...change }], ...more };
      try {
        createSoftWorld(input);
      } catch (error) {
        expect(error).toBeInstanceOf(IsoskinError);
        expect((error as IsoskinError).place).toMatch(place);
        return;
      }
      throw new Error('accepted');
    };
    refuse({ thickness: -1 }, /primitives\[0\] "body"\.thickness/);
    refuse({ radius: 0.4 }, /\.radius/);
    refuse({ stiffness: 0 }, /\.stiffness/);
    refuse({ corners: [0, 0, 0] }, /\.corners/);
    refuse({ corners: [0, 0, 0, 0, Number.NaN, 0] }, /\.corners/);
    refuse({ object: 'woman' }, /\.object/);
    refuse({ shape: 'triangle', corners: [0, 0, 0, 1, 1, 1, 2, 2, 2] }, /\.corners/);
    refuse({}, /blends\[0\]/, { objects: [{ name: 'man', blending: 'fixed', blends: [['body', 'tail']] }] });
    refuse({}, /obstacles\[0\] "box"\.halfSize/, { obstacles: [{ name: 'box', shape: 'box' }] });
    refuse({}, /volumeControl/, { volumeControl: { alpha: -1 } });
    refuse({}, /sampling/, { sampling: 0 });
  });
});
