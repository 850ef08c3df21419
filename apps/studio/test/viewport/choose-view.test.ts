import { describe, expect, it } from 'vitest';
import { chooseView } from '../../src/viewport/choose-view.js';

/** Points all over a ball, their normals, and where the correction puts them. */
function ball(move: (x: number, y: number, z: number) => readonly number[]) {
  const normals: number[] = [];
  for (let n = 0; n < 400; n++) {
    const y = 1 - (2 * (n + 0.5)) / 400;
    const angle = n * 2.399963;
    const r = Math.sqrt(1 - y * y);
    normals.push(r * Math.cos(angle), y, r * Math.sin(angle));
  }
  const skinned = Float32Array.from(normals);
  const positions = skinned.map((value, i) => {
    const k = i - (i % 3);
    return value + move(skinned[k]!, skinned[k + 1]!, skinned[k + 2]!)[i % 3]!;
  });
  return { positions, skinned, normals: Float32Array.from(normals) };
}

const all = Array.from({ length: 400 }, (_, k) => k);

describe('chooseView', () => {
  it('looks across the way that the skin moves, not along it', () => {
    for (const [move, axis] of [
      [(x: number) => [0.3 * x, 0, 0], 'x'],
      [(_x: number, _y: number, z: number) => [0, 0, 0.3 * z], 'z'],
    ] as const) {
      expect(Math.abs(chooseView(ball(move), all)[axis])).toBeLessThan(0.5);
    }
  });

  it('walks around what stands in front of the region', () => {
    const { positions, skinned, normals } = ball((x) => [0, 0.2 * x, 0]);
    const region = all.filter((k) => k % 2 === 0);
    const usual = chooseView({ positions, skinned, normals }, region);
    // The other half becomes a wall in front of the eye.
    for (const k of all.filter((n) => n % 2 === 1)) {
      const side = ((k % 20) - 10) / 20;
      positions.set([3 * usual.x + side * usual.z, 3 * usual.y + (k / 400 - 0.5), 3 * usual.z - side * usual.x], 3 * k);
    }
    expect(chooseView({ positions, skinned, normals }, region).dot(usual)).toBeLessThan(0.9);
  });
});
