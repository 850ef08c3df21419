/** B1–B3: volume and gradient of closed surfaces and of surfaces with holes. */

import { createCharacter, measureVolume, type Surface } from '@isoskin/core';
import { type ClosedSurface, measureVolumeGradient, measureVolumes, planClosedSurface } from '@isoskin/core/mesh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  box,
  boxShape,
  character,
  closed,
  mergeShapes,
  openTube,
  part,
  reverseShape,
  sphere,
  torus,
} from '../meshes.js';
import { randomSurface } from './random-surface.js';

const SEED = 20266;

function extend(surface: Surface, plan: ClosedSurface): Float64Array {
  const out = new Float64Array(3 * (plan.vertexCount + plan.apexCount));
  out.set(surface.positions);
  return out;
}

const volumeOf = (surface: Surface, map: (p: number[]) => number[] = (p) => p): number => {
  const plan = planClosedSurface(surface);
  const x = extend(surface, plan);
  for (let k = 0; k < 3 * plan.vertexCount; k += 3) x.set(map([...x.subarray(k, k + 3)]), k);
  return measureVolume(plan, x);
};

describe('volume', () => {
  it('of simple bodies is the one of the school book', () => {
    expect(volumeOf(createCharacter(box(1, 2, 3)).surface)).toBeCloseTo(6, 14);
    const [n, m, R, r] = [32, 16, 2, 0.5];
    // A polygonal torus: the area of the m-gon times the way of its centroid round the n-gon, to second order.
    const area = 0.5 * m * r * r * Math.sin((2 * Math.PI) / m);
    const way = n * Math.sin((2 * Math.PI) / n) * R;
    expect(volumeOf(createCharacter(torus(n, m, R, r)).surface) / (area * way)).toBeCloseTo(1, 2);
    const ball = (4 / 3) * Math.PI;
    const errors = [8, 16, 32].map((k) => 1 - volumeOf(createCharacter(sphere(k)).surface) / ball);
    for (const e of errors) expect(e).toBeGreaterThan(0);
    expect(errors[0]! / errors[1]!).toBeGreaterThan(3); // second order in the edge length
    expect(errors[1]! / errors[2]!).toBeGreaterThan(3.5);
  });

  it('of an open tube is that of the closed one', () => {
    const lid = volumeOf(createCharacter(openTube()).surface);
    const closedTube = volumeOf(createCharacter(closed().tube!).surface);
    expect(lid / closedTube).toBeCloseTo(1, 14);
  });

  it.each(Object.entries(closed()))('of the %s survives a rigid motion and scales with the cube', (_, input) => {
    const { surface } = createCharacter(input);
    const rest = volumeOf(surface);
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const moved = volumeOf(surface, ([x, y, z]) => [c * x! - s * z! + 30, y! - 20, s * x! + c * z! + 10]);
    expect(Math.abs(moved / rest - 1)).toBeLessThan(1e-13);
    expect(volumeOf(surface, (p) => p.map((x) => 3 * x)) / rest).toBeCloseTo(27, 11);
    expect(volumeOf(surface, ([x, y, z]) => [-x!, y!, z!])).toBeCloseTo(-rest, 12);
  });

  it('is kept apart by component, a cavity counting against its shell', () => {
    const shapes = [boxShape(4, 4, 4), reverseShape(boxShape(1, 1, 1, 1, 1, 1)), boxShape(1, 2, 1, 50, 0, 0)];
    const { surface } = createCharacter(character([part(mergeShapes(...shapes))]));
    const plan = planClosedSurface(surface);
    const out = new Float64Array(surface.components.length);
    const total = measureVolumes(out, plan, extend(surface, plan));
    expect(total).toBeCloseTo(
      surface.components.reduce((sum, { volume }) => sum + volume, 0),
      12,
    );
    for (const [c, { volume }] of surface.components.entries()) expect(out[c]).toBeCloseTo(volume, 12);
    expect([...out].map(Math.abs).sort()).toEqual([1, 2, 64].map((v) => expect.closeTo(v, 12)));
  });

  it('far away from the origin is as exact as near it', () => {
    const shape = mergeShapes(boxShape(1, 1, 1), boxShape(1, 1, 1, 1000, 0, 0));
    const { surface } = createCharacter(character([part(shape)]));
    const out = new Float64Array(2);
    const plan = planClosedSurface(surface);
    measureVolumes(out, plan, extend(surface, plan));
    for (const v of out) expect(Math.abs(v - 1)).toBeLessThan(1e-12);
  });
});

describe('gradient', () => {
  it(`is the finite difference, on closed surfaces and with holes (seed ${SEED})`, () => {
    fc.assert(
      fc.property(randomSurface(6), ({ surface }) => {
        const plan = planClosedSurface(surface);
        const x = extend(surface, plan);
        const gradient = new Float64Array(x.length);
        measureVolumeGradient(gradient, plan, x);
        const size = Math.max(...gradient.subarray(0, 3 * plan.vertexCount).map(Math.abs));
        const h = 1e-2; // V is at most quadratic in one coordinate: central differences are exact
        let worst = 0;
        for (let i = 0; i < 3 * plan.vertexCount; i++) {
          const keep = x[i]!;
          x[i] = keep + h;
          const up = measureVolume(plan, x);
          x[i] = keep - h;
          const down = measureVolume(plan, x);
          x[i] = keep;
          worst = Math.max(worst, Math.abs((up - down) / (2 * h) - gradient[i]!));
        }
        expect(worst / size).toBeLessThan(1e-10);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it(`sums to zero and gives V = ⅓ Σ x·∇V (seed ${SEED})`, () => {
    fc.assert(
      fc.property(randomSurface(6), ({ surface }) => {
        const plan = planClosedSurface(surface);
        const x = extend(surface, plan);
        const gradient = new Float64Array(x.length);
        measureVolumeGradient(gradient, plan, x);
        const sums = [0, 0, 0];
        let third = 0;
        for (let i = 0; i < 3 * plan.vertexCount; i++) {
          sums[i % 3]! += gradient[i]!;
          third += (x[i]! * gradient[i]!) / 3;
        }
        for (const sum of sums) expect(Math.abs(sum)).toBeLessThan(1e-12);
        expect(third).toBeCloseTo(measureVolume(plan, x), 11);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });
});
