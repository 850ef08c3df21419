import { describe, expect, it } from 'vitest';
import { type BodiesInput, createBodies } from '../../src/structure/bodies.js';
import { createContactForces } from '../../src/structure/structure.js';

const contact = (count: number) => createContactForces(count, new Int32Array(count));

/** A point, or a segment from a to b, as nine numbers. */
const corners = (...points: number[][]) => [0, 1, 2].flatMap((k) => points[Math.min(k, points.length - 1)]!);

const ball = (): BodiesInput => ({
  rest: Float64Array.from(corners([1, 2, 3])),
  cornerCounts: [1],
  radii: [0.1],
  owners: [0],
  first: 0,
  bodies: [{ mass: 2, kind: 'free' }],
  joints: [],
  gravity: [0, -10, 0],
});

/** A rod of 1 m hanging by a hinge about z from a fixed point, held out to the side. */
const pendulum = (motor?: BodiesInput['joints'][number]['motor']): BodiesInput => ({
  rest: Float64Array.from([...corners([0, 0, 0]), ...corners([0, 0, 0], [1, 0, 0])]),
  cornerCounts: [1, 2],
  radii: [0.05, 0.05],
  owners: [0, 1],
  first: 0,
  bodies: [
    { mass: 1, kind: 'fixed' },
    { mass: 1, kind: 'free' },
  ],
  joints: [{ first: 0, second: 1, at: [0, 0, 0], axis: [0, 0, 1], limits: [-2, 2], ...(motor && { motor }) }],
  gravity: [0, -9.81, 0],
});

function read(structure: Awaited<ReturnType<typeof createBodies>>, count: number) {
  const out = [new Float64Array(9 * count), new Float64Array(9 * count), new Float64Array(3 * count)] as const;
  structure.place(...out);
  return { corners: out[0], velocities: out[1], spins: out[2] };
}

describe('createBodies', () => {
  it('falls like a stone, and takes forces', async () => {
    const body = await createBodies(ball());
    for (let n = 0; n < 60; n++) body.advance(n / 60, 1 / 60, contact(1));
    const { corners: at, velocities } = read(body, 1);
    expect(velocities[1]).toBeCloseTo(-10, 4);
    expect(at[1]).toBeCloseTo(2 - 5, 0);
    expect(body.energy).toBeCloseTo(100, 2);
    const up = contact(1);
    up.forces[1] = 20 + 2 * 60;
    body.advance(1, 1 / 60, up);
    expect(read(body, 1).velocities[1]).toBeCloseTo(-9, 4);
    body.dispose();
  });

  it('its bone does not go through a plane, however that is turned', async () => {
    for (const normal of [
      [0, 1, 0],
      [0.6, 0.8, 0],
    ]) {
      const body = await createBodies({ ...ball(), planes: [{ position: [1, 0, 3], normal }] });
      let lowest = Number.POSITIVE_INFINITY;
      for (let n = 0; n < 300; n++) {
        body.advance(n / 240, 1 / 240, contact(1)); // in a step it moves by less than its bone is thick
        const { corners: at } = read(body, 1);
        lowest = Math.min(lowest, normal[0]! * (at[0]! - 1) + normal[1]! * at[1]!);
      }
      expect(lowest).toBeGreaterThan(0);
      expect(lowest).toBeLessThan(0.1); // the flesh around it gives way
      body.dispose();
    }
  });

  it('a torque turns it, and its corners with it', async () => {
    const rod = await createBodies({ ...pendulum(), joints: [], gravity: [0, 0, 0] });
    const turn = contact(2);
    turn.forces[3] = 1e-9;
    turn.torques[5] = 0.5;
    rod.advance(0, 0.1, turn);
    const { corners: at, spins } = read(rod, 2);
    expect(spins[5]).toBeGreaterThan(0.1);
    expect(at[9 + 4]! - at[9 + 1]!).toBeGreaterThan(0.01);
    rod.dispose();
  });

  it('a ball is held by its motor, and turns no further than its limit allows', async () => {
    const sag = async (joint: Partial<BodiesInput['joints'][number]>) => {
      const { joints, ...rest } = pendulum();
      const { axis: _, limits: __, motor: ___, ...place } = joints[0]!;
      const arm = await createBodies({ ...rest, joints: [{ ...place, ...joint }] });
      for (let n = 0; n < 240; n++) arm.advance(n / 60, 1 / 60, contact(2));
      const { corners: at } = read(arm, 2);
      arm.dispose();
      return -at[9 + 4]!;
    };
    const motor = { angle: [[0, 0]] as const, stiffness: 4, damping: 1 };
    const [held, weak, limited] = [
      await sag({ motor: { ...motor, stiffness: 400, damping: 40 } }),
      await sag({ motor }),
      await sag({ motor, limit: 0.3 }),
    ];
    expect(held).toBeLessThan(0.05);
    expect(weak).toBeGreaterThan(0.5);
    expect(limited).toBeLessThan(weak - 0.1);
    expect(limited).toBeGreaterThan(Math.sin(0.3));
  });

  it('a hinge keeps its place and its limits; a motor holds the arm out', async () => {
    const loose = await createBodies(pendulum());
    const held = await createBodies(pendulum({ angle: [[0, 0]], stiffness: 400, damping: 40 }));
    for (let n = 0; n < 240; n++) {
      loose.advance(n / 60, 1 / 60, contact(2));
      held.advance(n / 60, 1 / 60, contact(2));
      const { corners: at } = read(loose, 2);
      expect(Math.hypot(at[9]!, at[10]!, at[11]!)).toBeLessThan(0.02);
    }
    // Hangs (swings) below the hinge, not beyond the limit; the held one sags by m g ℓ/2 / k.
    expect(read(loose, 2).corners[9 + 4]).toBeLessThan(-0.5);
    expect(read(held, 2).corners[9 + 4]).toBeCloseTo(-9.81 / 2 / 400, 1);
    loose.dispose();
    held.dispose();
  });

  it('goes back to where it was saved, and on to the same place, bit for bit', async () => {
    const body = await createBodies(pendulum());
    for (let n = 0; n < 10; n++) body.advance(n / 60, 1 / 60, contact(2));
    body.save();
    const start = read(body, 2);
    for (let n = 0; n < 5; n++) body.advance(n / 60, 1 / 60, contact(2));
    const once = read(body, 2);
    body.restore();
    expect(read(body, 2)).toEqual(start);
    for (let n = 0; n < 5; n++) body.advance(n / 60, 1 / 60, contact(2));
    expect(read(body, 2)).toEqual(once);
    body.dispose();
  });

  it('a keyed body follows its keys', async () => {
    const body = await createBodies({
      ...ball(),
      bodies: [{ mass: 1, kind: 'keyed', motion: { keys: [{ time: 0 }, { time: 1, move: [0, 1, 0] }] } }],
    });
    for (let n = 0; n < 60; n++) body.advance(n / 60, 1 / 60, contact(1));
    expect(read(body, 1).corners[1]).toBeCloseTo(3, 4);
    body.dispose();
  });
});
