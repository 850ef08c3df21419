/** A2, A3: linear, dual-quaternion and rigid skinning against their analytic values. */
import {
  type Character,
  type CharacterInput,
  createCharacter,
  createPose,
  measureVolume,
  type Pose,
} from '@isoskin/core';
import { planSkinning, type Skinning } from '@isoskin/core/kernels';
import { planClosedSurface } from '@isoskin/core/mesh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxShape, chain, character as inputOf, morphingBox, part, tube, tubeShape } from '../meshes.js';

const SEED = 20264;
const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;

function turn(pose: Pose, node: number, axis: readonly number[], degrees: number): void {
  const half = (degrees * Math.PI) / 360;
  pose.locals.set([...axis.map((a) => a * Math.sin(half)), Math.cos(half)], 10 * node + 3);
}

function skin(character: Character, pose: Pose, skinning: Skinning, directions?: Float64Array) {
  const out = {
    positions: new Float64Array(3 * character.surface.vertexCount),
    directions: new Float64Array(3 * character.surface.vertexCount),
  };
  planSkinning(character, { skinning, ...(directions && { directions }) }).apply(out, pose);
  return out;
}

function volume({ surface }: Character, positions: Float64Array): number {
  const closed = planClosedSurface(surface);
  const extended = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  extended.set(positions);
  return measureVolume(closed, extended);
}

/** Tube with a ring of vertices exactly on the joint, where both bones weigh ½. */
const even = createCharacter(tube({ along: 17 }));
const ring: number[] = [];
for (let k = 0; k < even.surface.vertexCount; k++) {
  const [x, y, z] = even.surface.positions.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
  if (Math.abs(x - 3.3) < 1e-9 && Math.hypot(y, z) > 0.5) ring.push(k);
}

describe('linear skinning', () => {
  it.each([
    [10, 0.17],
    [30, 1.47],
    [50, 3.92],
    [70, 7.22],
    [90, 10.97], // the literature says 11.0, in three digits; the same for every way to cut the quads
  ])('loses the known volume of the reference tube at %i°', (degrees, percent) => {
    const character = createCharacter(tube());
    expect(character.surface.vertexCount).toBe(258);
    const pose = createPose(character);
    const rest = volume(character, skin(character, pose, 'linear').positions);
    for (const sign of [1, -1]) {
      turn(pose, 1, AXES.y, sign * degrees);
      const bent = volume(character, skin(character, pose, 'linear').positions);
      expect(Math.abs(100 * (1 - bent / rest) - percent)).toBeLessThan(0.01);
    }
  });

  it('shrinks a twisted tube by cos(θ/2) at the joint', () => {
    expect(ring.length).toBe(16);
    const pose = createPose(even);
    for (const degrees of [30, 90, 150, 180]) {
      turn(pose, 1, AXES.x, degrees);
      const { positions } = skin(even, pose, 'linear');
      for (const k of ring) {
        const radius = Math.hypot(positions[3 * k + 1]!, positions[3 * k + 2]!);
        expect(radius).toBeCloseTo(Math.cos((degrees * Math.PI) / 360), 14);
      }
    }
  });
});

describe('dual-quaternion skinning', () => {
  it('keeps the radius of a twisted tube, at the joint and everywhere', () => {
    const pose = createPose(even);
    for (const degrees of [30, 90, 150]) {
      turn(pose, 1, AXES.x, degrees);
      const { positions } = skin(even, pose, 'dual-quaternion');
      for (let k = 0; k < even.surface.vertexCount - 2; k++) {
        expect(Math.hypot(positions[3 * k + 1]!, positions[3 * k + 2]!)).toBeCloseTo(1, 13);
      }
      for (const k of ring) {
        // … and turns the ring by half the angle
        const [y, z] = [even.surface.positions[3 * k + 1]!, even.surface.positions[3 * k + 2]!];
        const half = (degrees * Math.PI) / 360;
        expect(positions[3 * k + 1]).toBeCloseTo(y * Math.cos(half) - z * Math.sin(half), 13);
        expect(positions[3 * k + 2]).toBeCloseTo(y * Math.sin(half) + z * Math.cos(half), 13);
      }
    }
  });

  it('takes the shorter way round whatever sign the quaternions have', () => {
    const pose = createPose(even);
    for (const degrees of [-170, -100, 100, 170, 190, 270]) {
      turn(pose, 1, AXES.x, degrees);
      const plain = skin(even, pose, 'dual-quaternion').positions;
      for (let c = 13; c < 17; c++) pose.locals[c]! *= -1;
      const flipped = skin(even, pose, 'dual-quaternion').positions;
      for (let i = 0; i < plain.length; i++) expect(flipped[i]).toBeCloseTo(plain[i]!, 12);
    }
  });
});

describe('rigid binding', () => {
  it('moves every vertex with its strongest bone alone', () => {
    const pose = createPose(even);
    turn(pose, 1, AXES.z, 90);
    const { positions } = skin(even, pose, 'rigid');
    for (let k = 0; k < even.surface.vertexCount; k++) {
      const [x, y, z] = even.surface.positions.subarray(3 * k, 3 * k + 3) as unknown as [number, number, number];
      if (Math.abs(x - 3.3) < 1e-9) continue; // both bones weigh the same
      const wanted = x < 3.3 ? [x, y, z] : [3.3 - y, x - 3.3, z];
      for (let r = 0; r < 3; r++) expect(positions[3 * k + r]).toBeCloseTo(wanted[r]!, 12);
    }
  });
});

describe.each(['linear', 'dual-quaternion', 'rigid'] as const)('%s', (skinning) => {
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  it(`follows a rigid motion of the root exactly, positions and field (seed ${SEED})`, () => {
    const character = createCharacter(tube());
    const directions = Float64Array.from(character.surface.positions, (_, i) => Math.sin(i));
    const still = skin(character, createPose(character), skinning, directions);
    const unit = fc.tuple(number, number, number, number).filter((q) => Math.hypot(...q) > 0.1);
    fc.assert(
      fc.property(unit, fc.tuple(number, number, number), (raw, t) => {
        const [x, y, z, w] = raw.map((c) => c / Math.hypot(...raw)) as [number, number, number, number];
        const pose = createPose(character);
        pose.locals.set([...t.map((c) => 5 * c), x, y, z, w]);
        const moved = skin(character, pose, skinning, directions);
        const rotate = (v: Float64Array, k: number) => {
          // v + 2 q × (q × v + w v)
          const [a, b, c] = [v[k]!, v[k + 1]!, v[k + 2]!];
          const [p, q, r] = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
          return [a + 2 * (y * r - z * q), b + 2 * (z * p - x * r), c + 2 * (x * q - y * p)];
        };
        let [worst, worstField] = [0, 0];
        for (let k = 0; k < moved.positions.length; k += 3) {
          const place = rotate(still.positions, k);
          const field = rotate(still.directions, k);
          for (let i = 0; i < 3; i++) {
            worst = Math.max(worst, Math.abs(moved.positions[k + i]! - place[i]! - 5 * t[i]!));
            worstField = Math.max(worstField, Math.abs(moved.directions[k + i]! - field[i]!));
          }
        }
        expect(worst).toBeLessThan(1e-13);
        expect(worstField).toBeLessThan(1e-14);
      }),
      { seed: SEED, numRuns: 25 },
    );
  });

  it('scales and mirrors with its joints', () => {
    const character = createCharacter(boxOfOneBone());
    const pose = createPose(character);
    for (const scale of [
      [2, 2, 2],
      [1, 3, 0.5],
      [-1, 1, 1],
      [-2, -2, -2],
      [1e-7, 1e-7, 1e-7],
      [0, 0, 0],
      [1, 0, 1],
    ]) {
      turn(pose, 0, AXES.z, 90);
      pose.locals.set(scale, 7);
      const { positions } = skin(character, pose, skinning);
      for (let k = 0; k < positions.length; k += 3) {
        const rest = character.surface.positions;
        const wanted = [-scale[1]! * rest[k + 1]!, scale[0]! * rest[k]!, scale[2]! * rest[k + 2]!];
        for (let r = 0; r < 3; r++) expect(Math.abs(positions[k + r]! - wanted[r]!)).toBeLessThan(1e-14);
      }
    }
  });

  it('applies morph targets first: the box a×b×c → b×a×c holds abc + c(a−b)²t(1−t)', () => {
    const [a, b, c] = [1, 3, 2];
    const character = createCharacter(morphingBox(a, b, c));
    const pose = createPose(character);
    turn(pose, 0, AXES.y, 70);
    for (const t of [0, 0.1, 0.25, 0.5, 0.9, 1]) {
      pose.morphWeights[0] = t;
      const { positions } = skin(character, pose, skinning);
      expect(volume(character, positions)).toBeCloseTo(a * b * c + c * (a - b) ** 2 * t * (1 - t), 12);
    }
  });
});

it('dual quaternions stay close to linear skinning as a joint shrinks to nothing', () => {
  const pose = createPose(even);
  let last: Float64Array | undefined;
  for (const scale of [1e-3, 1e-4, 1e-5, 1e-6, 0]) {
    turn(pose, 1, AXES.z, 40);
    pose.locals.fill(scale, 17, 20);
    const { positions } = skin(even, pose, 'dual-quaternion');
    expect(positions.every(Number.isFinite)).toBe(true);
    // No jump where the determinant falls below a threshold.
    if (last && scale > 0) for (const [i, x] of positions.entries()) expect(Math.abs(x - last[i]!)).toBeLessThan(0.01);
    last = positions;
  }
});

function boxOfOneBone(): CharacterInput {
  return inputOf([part(boxShape(1, 2, 3, -0.5, -0.25, 1))], chain([0]));
}

it('has a tube with a ring on the joint', () => {
  expect(tubeShape({ along: 17 }).positions.length / 3).toBe(even.surface.vertexCount);
});
