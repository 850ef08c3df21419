/** Skin that one bone holds stays where plain skinning puts it (C17.5). */
import { createCharacter } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { measurePliancy } from '../../src/correction/measure-pliancy.js';
import { chain, character, part, tubeShape } from '../meshes.js';
import { createStackBench } from '../stack/stack-bench.js';

const LENGTH = 3.3;

/** A tube whose skin bends within ±0.5 of the joint and hangs on one bone elsewhere. */
const limb = (scale = 1) => {
  const soft = (x: number): number[] => {
    const u = Math.min(1, Math.max(0, x / scale - LENGTH + 0.5));
    return [1 - u, u];
  };
  const shape = tubeShape({ around: 24, along: 60 });
  const scaled = { ...shape, positions: shape.positions.map((p) => scale * p) };
  return character([part(scaled, soft)], chain([0, scale * LENGTH]));
};

describe('pliancy', () => {
  const own = createCharacter(limb());
  const { positions, vertexCount } = own.surface;
  const thickness = new Float64Array(vertexCount).fill(2);
  const pliancy = measurePliancy(own, thickness);
  const away = (k: number) => Math.abs(positions[3 * k]! - LENGTH);

  it('is 1 where the skin bends, falls smoothly over 0.4 thicknesses and is 0 beyond', () => {
    for (let k = 0; k < vertexCount; k++) {
      if (away(k) < 0.4) expect(pliancy[k]).toBe(1);
      if (away(k) > 1.4) expect(pliancy[k]).toBe(0);
      expect(pliancy[k]).toBeGreaterThanOrEqual(0);
      expect(pliancy[k]).toBeLessThanOrEqual(1);
    }
    const between = pliancy.filter((share) => share > 0 && share < 1);
    expect(between.length).toBeGreaterThan(0);
  });

  it('does not depend on the size of the character', () => {
    const large = measurePliancy(
      createCharacter(limb(100)),
      thickness.map((t) => 100 * t),
    );
    for (let k = 0; k < vertexCount; k++) expect(large[k]).toBeCloseTo(pliancy[k]!, 9);
  });

  it('leaves still skin exactly where plain skinning puts it, while the joint gets its volume back', () => {
    const bench = createStackBench(limb());
    const { x, y, moved } = bench.run({ 1: { degrees: 80 } });
    expect(moved).toBeGreaterThan(0.01);
    let still = 0;
    for (let k = 0; k < vertexCount; k++) {
      if (away(k) < 2) continue;
      still++;
      for (let r = 0; r < 3; r++) expect(y[3 * k + r]).toBe(x[3 * k + r]);
    }
    expect(still).toBeGreaterThan(100);
  });
});
