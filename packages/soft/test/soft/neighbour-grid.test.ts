import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureGap, NeighbourGrid } from '../../src/soft/neighbour-grid.js';
import { Obstacles } from '../../src/soft/obstacles.js';
import { packPrimitives } from '../../src/soft/pack-primitives.js';
import type { SoftPrimitive } from '../../src/soft/soft-world.js';

const SEED = 20261119;
const SHAPES = ['point', 'segment', 'triangle'] as const;

describe(`neighbour grid, seed ${SEED}`, () => {
  const primitive = fc.record({
    size: fc.integer({ min: 1, max: 3 }),
    thickness: fc.constantFrom(0.01, 0.1, 0.5, 3),
    numbers: fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 9, maxLength: 9 }),
    stretch: fc.constantFrom(0.2, 1, 20),
  });

  it('lists every pair whose influence zones overlap, both ways, once', () => {
    fc.assert(
      fc.property(fc.array(primitive, { minLength: 1, maxLength: 40 }), (list) => {
        const primitives = list.flatMap(({ size, thickness, numbers, stretch }, i): SoftPrimitive[] => {
          const corners = numbers
            .slice(0, 3 * size)
            .map((n, at) => (at < 3 ? n / 500 : numbers[at % 3]! / 500 + (n / 5000) * stretch));
          const [a, b, c] = [0, 3, 6].map((at) => corners.slice(at, at + 3)) as [number[], number[], number[]];
          if (size === 3 && isThin(a, b, c)) return [];
          return [{ name: `p${i}`, object: 'o', shape: SHAPES[size - 1]!, thickness, corners }];
        });
        const skeleton = packPrimitives({ objects: [{ name: 'o' }], primitives });
        const grid = new NeighbourGrid(skeleton);
        grid.build();
        const items = grid.items;
        for (let i = 0; i < skeleton.count; i++) {
          const mine = [...items.subarray(grid.offsets[i]!, grid.offsets[i + 1]!)];
          expect(new Set(mine).size).toBe(mine.length);
          for (let j = 0; j < skeleton.count; j++) {
            if (i === j) expect(mine).not.toContain(j);
            else if (measureGap(skeleton, i, j) < grid.reach[i]! + grid.reach[j]!) expect(mine).toContain(j);
          }
        }
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});

function isThin(a: number[], b: number[], c: number[]): boolean {
  const u = b.map((value, axis) => value - a[axis]!);
  const v = c.map((value, axis) => value - a[axis]!);
  return Math.hypot(u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!) < 1e-3;
}

describe(`obstacles, seed ${SEED}`, () => {
  const obstacles = new Obstacles([
    { name: 'plane', shape: 'plane', position: [0.1, 0.2, 0], rotation: [0.3, 0.1, -0.2, 0.9] },
    { name: 'roller', shape: 'capsule', radius: 0.4, halfLength: 0.8, rotation: [0, 0.5, 0, 0.8] },
    { name: 'box', shape: 'box', radius: 0.1, halfSize: [0.5, 0.8, 0.6], rotation: [0.2, 0.2, 0.4, 0.8] },
  ]);

  it('has a distance whose gradient is a unit vector and equals the finite differences', () => {
    const place = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -2_000_003, max: 2_000_007 }).map((n) => n / 1e6)));
    const gradient = new Float64Array(3);
    let smooth = 0;
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 2 }), ([x, y, z], o) => {
        const phi = obstacles.distance(o, x!, y!, z!, gradient);
        expect(Math.hypot(...gradient)).toBeCloseTo(1, 9);
        const h = 1e-6;
        for (let axis = 0; axis < 3; axis++) {
          const step = [0, 1, 2].map((n) => (n === axis ? h : 0));
          const ahead = obstacles.distance(o, x! + step[0]!, y! + step[1]!, z! + step[2]!);
          const behind = obstacles.distance(o, x! - step[0]!, y! - step[1]!, z! - step[2]!);
          if (Math.abs(ahead - 2 * phi + behind) > 1e-8) continue;
          smooth++;
          expect(gradient[axis]).toBeCloseTo((ahead - behind) / (2 * h), 5);
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
    expect(smooth).toBeGreaterThan(850);
  });

  it('knows the surface of each', () => {
    const plain = new Obstacles([
      { name: 'plane', shape: 'plane', position: [0, 1, 0] },
      { name: 'roller', shape: 'capsule', radius: 0.5, halfLength: 2 },
      { name: 'box', shape: 'box', radius: 0.2, halfSize: [1, 2, 3] },
    ]);
    expect(plain.distance(0, 5, 3, 2)).toBe(2);
    expect(plain.distance(1, 1.5, 0.5, 0)).toBeCloseTo(0, 12);
    expect(plain.distance(1, 2.5, 0, 0)).toBeCloseTo(0, 12);
    expect(plain.distance(2, 1, 0, 0)).toBeCloseTo(0, 12);
    expect(plain.distance(2, 0, 0, 3)).toBeCloseTo(0, 12);
    expect(plain.distance(2, 0.8 + 0.2 / Math.sqrt(2), 1.8 + 0.2 / Math.sqrt(2), 0)).toBeCloseTo(0, 12);
    expect(plain.distance(2, 0, 0, 0)).toBeCloseTo(-1, 12);
  });
});
