import { measureThickness, planThickness } from '@isoskin/core/mesh';
import { describe, expect, it } from 'vitest';
import { createSphere, createTube, joinSolids, moveRigidly, planSurface, type Solid } from './solids.js';

function measure(solid: Solid): Float64Array {
  const surface = planSurface(solid);
  const out = new Float64Array(surface.vertexCount);
  measureThickness(out, planThickness(surface), surface.positions);
  return out;
}

describe('measureThickness', () => {
  it('is a little less than the diameter of a sphere: the chord at 30°', () => {
    for (const t of measure(createSphere(1, 24))) {
      expect(t).toBeGreaterThan(1.68);
      expect(t).toBeLessThan(1.8);
    }
  });

  it('follows the width of a tube and ignores a body inside it', () => {
    const path = Array.from({ length: 41 }, (_, i) => [i / 4, 0, 0]);
    const tube = createTube(path, 0.5, 24);
    const inner = createSphere(0.2, 8, [5, 0, 0]);
    const alone = measure(tube);
    const filled = measure(joinSolids(tube, inner));
    // Away from the ends: between the diameter 1 and the slanted 1/cos 30°.
    for (let k = 5 * 24; k < 36 * 24; k++) {
      expect(alone[k]).toBeGreaterThan(0.84);
      expect(alone[k]).toBeLessThan(1.17);
      expect(filled[k]).toBeCloseTo(alone[k]!, 7);
    }
  });

  it('turns with the body', () => {
    const solid = createSphere(1, 10);
    solid.positions.forEach((x, i) => {
      if (i % 3 === 0) solid.positions[i] = 3 * x;
    });
    const before = measure(solid);
    const after = measure({ ...solid, positions: moveRigidly(solid.positions, 1.1, [3, -2, 7]) });
    before.forEach((t, k) => {
      expect(after[k]).toBeCloseTo(t, 10);
    });
  });

  it('spreads to vertices without a ray, and leaves a flat card at 0', () => {
    const sphere = createSphere(1, 12);
    const north = sphere.positions.length / 3 - 2;
    const south = north + 1;
    // A hole round the south pole: straight down from the north pole nothing is hit, but the slanted rays are.
    const open = {
      ...sphere,
      triangles: sphere.triangles.filter((_, i) => {
        const t = 3 * Math.floor(i / 3);
        return !sphere.triangles.slice(t, t + 3).includes(south);
      }),
    };
    const thickness = measure(open);
    expect(thickness[north]).toBeGreaterThan(1.5);
    expect(thickness[south]).toBe(0);

    const card = measure({ positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) });
    expect([...card]).toEqual([0, 0, 0]);

    // A long flat flap that hangs on the sphere by its north pole.
    const flap: Solid = {
      positions: Float64Array.from([...sphere.positions, 0, 0.1, 3, 0, 0.1, 4, 0, 0.2, 3, 0, 0.2, 4]),
      triangles: Uint32Array.from([
        ...sphere.triangles,
        ...[north, south + 1, south + 3],
        ...[south + 1, south + 2, south + 4, south + 1, south + 4, south + 3],
      ]),
    };
    const spread = measure(flap);
    for (let k = south + 1; k < spread.length; k++) expect(spread[k]).toBeCloseTo(spread[north]!, 12);
  });
});
