/** How far a vertex may be pushed. */
import { createCharacter, planBody } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { boxShape, character, mergeShapes, part, type Shape, sphere, tubeShape } from '../meshes.js';

const roomOf = (shape: Shape) => planBody(createCharacter(character([part(shape)]))).room;
const move = (shape: Shape, x: number, y: number, scale = 1): Shape => ({
  ...shape,
  positions: shape.positions.map((v, i) => scale * (v + [x, y, 0][i % 3]!)),
});
const middle = (room: Float64Array) => [...room].sort((a, b) => a - b)[room.length >> 1]!;

describe('room', () => {
  it('is the thickness of a body: the diameter of a sphere, of a tube', () => {
    expect(middle(planBody(createCharacter(sphere(12))).room)).toBeCloseTo(2, 0);
    expect(middle(roomOf(tubeShape({ radius: 0.7, around: 20, along: 40 })))).toBeCloseTo(1.4, 0);
  });

  it('scales with the body, however fine the mesh', () => {
    for (const [around, along] of [
      [16, 32],
      [130, 180],
    ] as const) {
      const shape = tubeShape({ around, along });
      const [full, tiny] = [roomOf(shape), roomOf(move(shape, 0, 0, 1e-4))];
      expect(full.length).toBe(tiny.length);
      let worst = 0;
      for (const [k, r] of full.entries()) worst = Math.max(worst, Math.abs(1e4 * tiny[k]! - r) / r);
      expect(worst).toBeLessThan(1e-6);
      expect(Math.min(...full)).toBeGreaterThan(0);
      expect(full.every(Number.isFinite)).toBe(true);
    }
  });

  it('shrinks where another part of the same body comes close, not where a separate one does', () => {
    // A U: two long blocks 0.2 apart, joined at one end.
    const finger = tubeShape({ radius: 1, length: 4, around: 16, along: 33 });
    const alone = middle(roomOf(finger));
    const apart = middle(roomOf(mergeShapes(finger, move(finger, 0, 2.2))));
    expect(apart).toBeCloseTo(alone, 1); // touching parts of clothing may overlap
    const horseshoe = bendIntoU(tubeShape({ radius: 1, length: 12, around: 16, along: 97 }), 1.1);
    const room = roomOf(horseshoe);
    const legs = (from: number, to: number) =>
      room.filter((_, k) => {
        const [x, y] = [horseshoe.positions[3 * k]!, Math.abs(horseshoe.positions[3 * k + 1]!)];
        return x > -9 && x < -4 && y >= from && y < to;
      });
    const [inner, outer] = [legs(0, 0.3), legs(1.9, 9)];
    expect(inner.length).toBeGreaterThan(10);
    expect(Math.max(...inner)).toBeLessThan(0.5);
    expect(Math.min(...outer)).toBeGreaterThan(1);
  });

  it('is finite and positive for flat cards and for boxes', () => {
    const card = { positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], triangles: [0, 1, 2, 0, 2, 3] };
    for (const room of [roomOf(boxShape(1, 2, 3)), roomOf(card), roomOf(mergeShapes(boxShape(1, 1, 1), card))]) {
      expect(room.every((r) => r > 0 && Number.isFinite(r))).toBe(true);
    }
  });
});

/** Bends a tube along x into a U whose legs run along −x, their axes ±`radius` off y = 0. */
function bendIntoU(shape: Shape, radius: number): Shape {
  const positions = shape.positions.slice();
  const half = Math.max(...positions.filter((_, i) => i % 3 === 0)) / 2;
  const arc = (Math.PI * radius) / 2;
  for (let i = 0; i < positions.length; i += 3) {
    const s = positions[i]! - half;
    const r = radius + positions[i + 1]!;
    const angle = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, s / radius));
    const leg = Math.max(0, Math.abs(s) - arc);
    positions[i] = r * Math.cos(angle) - leg;
    positions[i + 1] = r * Math.sin(angle);
  }
  return { ...shape, positions };
}
