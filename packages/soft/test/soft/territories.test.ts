import { createSoftWorld, type SoftPrimitive } from '@isoskin/soft';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureMeshQuality } from '../../../demos/test/measure-mesh-quality.js';

const SEED = 20261117;

const lone = (primitive: Omit<SoftPrimitive, 'name' | 'object'>, sampling = 4) =>
  createSoftWorld({
    objects: [{ name: 'flesh' }],
    primitives: [{ name: 'only', object: 'flesh', ...primitive }],
    sampling,
  });

/** Volume of the polygonised surface, its second-order error removed by two resolutions. */
function measurePolygonised(world: ReturnType<typeof createSoftWorld>, resolution: number): number {
  const [coarse, fine] = [resolution, 2 * resolution].map((n) =>
    world
      .polygonise({ resolution: n })
      .reduce((sum, { positions, triangles }) => sum + measureMeshQuality(positions, triangles).volume, 0),
  ) as [number, number];
  return fine + (fine - coarse) / 3;
}

describe(`territories and their volumes, seed ${SEED}`, () => {
  it('are exact for a lone point, segment and triangle (Steiner)', () => {
    const e = 0.7;
    const ball = (4 / 3) * Math.PI * e ** 3;
    expect(lone({ shape: 'point', thickness: e, corners: [1, 2, 3] }).volume() / ball).toBeCloseTo(1, 5);
    const capsule = ball + Math.PI * e * e * 2;
    const segment = lone({ shape: 'segment', thickness: e, corners: [0, 0, 0, 0, 1.2, 1.6] });
    expect(segment.volume() / capsule).toBeCloseTo(1, 5);
    const slab = ball + 0.5 * Math.PI * e * e * (3 + 4 + 5) + 2 * e * 6;
    const triangle = lone({ shape: 'triangle', thickness: e, corners: [0, 0, 0, 3, 0, 0, 0, 0, 4] });
    expect(triangle.volume() / slab).toBeCloseTo(1, 5);
  });

  it('follow a segment and a triangle as they move, turn and stretch', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 9, maxLength: 9 }),
        fc.integer({ min: 2, max: 3 }),
        (numbers, size) => {
          const corners = numbers.slice(0, 3 * size);
          const shape = size === 2 ? 'segment' : 'triangle';
          const start = [0, 0, 0, 1, 0, 0, 0, 1, 0].slice(0, 3 * size);
          const world = createSoftWorld({
            objects: [{ name: 'o' }],
            primitives: [{ name: 'p', object: 'o', shape, thickness: 0.5, corners: start }],
            volumeControl: false,
            sampling: 2,
          });
          world.corners.set(corners);
          world.update(0.01);
          const [a, b, c] = [0, 3, 6].map((n) => numbers.slice(n, n + 3)) as [number[], number[], number[]];
          const edge = (p: number[], q: number[]) => Math.hypot(...p.map((value, axis) => value - q[axis]!));
          const ball = (Math.PI / 6) * 1;
          if (size === 2) {
            expect(world.volume()).toBeCloseTo(ball + 0.25 * Math.PI * edge(a, b), 5);
            return;
          }
          const [x, y, z] = [edge(a, b), edge(b, c), edge(c, a)];
          const half = (x + y + z) / 2;
          const area = Math.sqrt(Math.max(0, half * (half - x) * (half - y) * (half - z)));
          if (area < 0.05) return;
          expect(world.volume()).toBeCloseTo(ball + 0.125 * Math.PI * (x + y + z) + area, 4);
        },
      ),
      { seed: SEED, numRuns: 60 },
    );
  });

  it('sum to the volume of the polygonised surface within 1 %, whatever blends', () => {
    const blob = createSoftWorld({
      objects: [{ name: 'o' }],
      primitives: [
        { name: 'a', object: 'o', shape: 'point', thickness: 1, radius: 2, falloff: 'smooth', corners: [0, 0, 0] },
        { name: 'b', object: 'o', shape: 'segment', thickness: 0.6, corners: [0.8, 0, 0, 2.5, 1, 0.5] },
        { name: 'c', object: 'o', shape: 'point', thickness: 0.8, corners: [-0.9, 0.7, 0.2] },
        {
          name: 'd',
          object: 'o',
          shape: 'triangle',
          thickness: 0.4,
          kind: 'quadratic',
          corners: [0, 0.8, 0, 1.5, 2, 0, -1, 2, 0.4],
        },
      ],
      sampling: 8,
    });
    expect(Math.abs(blob.volume() / measurePolygonised(blob, 3) - 1)).toBeLessThan(0.01);
  });

  it('agree within 2 % with few seeds on many particles too', () => {
    const primitives = Array.from({ length: 64 }, (_, i): SoftPrimitive => {
      const place = [i % 4, Math.floor(i / 4) % 4, Math.floor(i / 16)];
      const corners = place.map((cell, axis) => 1.3 * cell + 0.3 * Math.sin((7 - 2 * axis) * i + axis));
      return { name: `p${i}`, object: 'o', shape: 'point', thickness: 1, falloff: 'smooth', corners };
    });
    const world = createSoftWorld({ objects: [{ name: 'o' }], primitives, sampling: 2 });
    expect(Math.abs(world.volume() / measurePolygonised(world, 2) - 1)).toBeLessThan(0.02);
  });

  it('share the flesh of skeletons that coincide, in whole and in part', () => {
    const pair = (corners: number[]) =>
      createSoftWorld({
        objects: [{ name: 'o' }],
        primitives: [
          { name: 'a', object: 'o', shape: 'point', thickness: 1, radius: 3, corners: [0, 0, 0] },
          { name: 'b', object: 'o', shape: 'point', thickness: 1, radius: 3, corners },
        ],
        volumeControl: false,
      });
    const together = pair([0, 0, 0]);
    const [a, b] = together.territories.volumes as unknown as [number, number];
    expect(a / b).toBeCloseTo(1, 12);
    expect(a / ((4 / 3) * Math.PI)).toBeCloseTo(4, 3);
    const apart = pair([0.02, 0, 0]).territories.volumes;
    expect(apart[0]! / apart[1]!).toBeCloseTo(1, 6);
    expect(apart[0]! / a).toBeCloseTo(1, 2);
  });

  it('makes a tube without beads of a chain, one volume for all its pieces', () => {
    const piece = (name: string, corners: number[]): SoftPrimitive => ({
      name,
      object: 'o',
      shape: 'segment',
      thickness: 0.5,
      chain: 'tube',
      corners,
    });
    const world = createSoftWorld({
      objects: [{ name: 'o' }],
      primitives: [piece('a', [0, 0, 0, 1, 0, 0]), piece('b', [1, 0, 0, 2, 0, 0]), piece('c', [2, 0, 0, 3, 0, 0])],
      sampling: 6,
    });
    expect(world.volume() / (Math.PI * 0.25 * 3 + (Math.PI / 6) * 1)).toBeCloseTo(1, 2);
    expect(world.value(0, 1, 0.5, 0)).toBeCloseTo(1, 12);
    expect(world.value(0, 1.5, 0.5, 0)).toBeCloseTo(1, 12);
    world.territories.targets.fill(1.2);
    for (let n = 0; n < 60; n++) world.update(1 / 60);
    const { offsets } = world.territories;
    expect(offsets[0]).toBeGreaterThan(0.02);
    expect(offsets[1]).toBe(offsets[0]);
    expect(world.volume() / (1.2 * world.territories.rest.reduce((sum, v) => sum + v, 0))).toBeCloseTo(1, 3);
  });

  it('polygonises closed and manifold, and shows the seeds as closed shells', () => {
    const world = createSoftWorld({
      objects: [{ name: 'o' }],
      primitives: [
        { name: 'a', object: 'o', shape: 'segment', thickness: 0.5, corners: [0, 0, 0, 2, 0, 0] },
        { name: 'b', object: 'o', shape: 'triangle', thickness: 0.3, corners: [1, 0, 0, 1, 2, 0, 2, 1, 1] },
        { name: 'c', object: 'o', shape: 'point', thickness: 0.6, corners: [0, 0.8, 0] },
      ],
      sampling: 3,
    });
    for (const { positions, triangles } of world.polygonise()) {
      expect(measureMeshQuality(positions, triangles)).toMatchObject({ manifold: true, openEdges: 0 });
    }
    const seeds = world.seedsSurface();
    const quality = measureMeshQuality(seeds.positions, seeds.triangles);
    expect(quality).toMatchObject({ manifold: true, openEdges: 0, euler: 6 });
    // Shells overlap a little where territories fade into each other, and seeds cut corners.
    expect(Math.abs(quality.volume / world.volume() - 1)).toBeLessThan(0.15);
  });

  it('has the gradient of its finite differences, with blending, contact and obstacles', () => {
    const world = createSoftWorld({
      objects: [{ name: 'o', blending: 'fixed', blends: [['a', 'b']] }, { name: 'q' }],
      primitives: [
        { name: 'a', object: 'o', shape: 'segment', thickness: 0.5, corners: [0, 0, 0, 2, 0, 0], falloff: 'smooth' },
        { name: 'b', object: 'o', shape: 'triangle', thickness: 0.3, corners: [1, 0, 0, 1, 2, 0, 2, 1, 1] },
        { name: 'c', object: 'q', shape: 'point', thickness: 0.6, corners: [0.4, 0.8, 0], stiffness: 3 },
        { name: 'd', object: 'q', shape: 'point', thickness: 0.6, corners: [-0.4, 0.8, 0], kind: 'quadratic' },
      ],
      obstacles: [{ name: 'floor', shape: 'plane', position: [0, -0.3, 0], rotation: [0.1, 0, 0, 1] }],
      sampling: 2,
    });
    const gradient = new Float64Array(3);
    let smooth = 0;
    for (const piece of [0, 1]) {
      const surface = world.surface(piece);
      fc.assert(
        fc.property(
          fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -1_000_003, max: 2_500_007 }).map((n) => n / 1e6))),
          ([x, y, z]) => {
            const value = surface.gradient(gradient, x!, y!, z!);
            expect(value).toBe(surface.value(x!, y!, z!));
            const h = 1e-6;
            [0, 1, 2].forEach((axis) => {
              const step = [0, 1, 2].map((n) => (n === axis ? h : 0));
              const ahead = surface.value(x! + step[0]!, y! + step[1]!, z! + step[2]!);
              const behind = surface.value(x! - step[0]!, y! - step[1]!, z! - step[2]!);
              if (Math.abs(ahead - 2 * value + behind) > 1e-9) return;
              smooth++;
              expect(gradient[axis]).toBeCloseTo((ahead - behind) / (2 * h), 4);
            });
          },
        ),
        { seed: SEED, numRuns: 300 },
      );
    }
    expect(smooth).toBeGreaterThan(1600);
  });
});
