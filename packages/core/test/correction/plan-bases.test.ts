/** C11: planned bases are smooth, local, zero where γ is, and cover every region. */
import { createCharacter } from '@isoskin/core';
import { planClosedSurface, planRegions, planRegionVolumes } from '@isoskin/core/mesh';
import { describe, expect, it } from 'vitest';
import { planBasisPlanner, type VertexValues } from '../../src/correction/plan-bases.js';
import { limb } from '../stack/stack-bench.js';

function plan(around: number, along: number, smoothing: number, map: (x: number, y: number) => number = () => 1) {
  const { surface, ...rest } = createCharacter(limb([0, 3, 6, 9], { length: 6, around, along }));
  const closed = planClosedSurface(surface);
  const regions = planRegions({ surface, ...rest }, closed, { by: 'bone' });
  const volumes = planRegionVolumes(closed, regions.triangleRegion, regions.count);
  const gamma = Float64Array.from({ length: surface.vertexCount }, (_, k) =>
    map(surface.positions[3 * k]!, surface.positions[3 * k + 1]!),
  );
  const bases = planBasisPlanner(surface, smoothing).planBases(volumes, gamma);
  return { surface, regions, gamma, bases, phi: (s: number) => dense(bases, s) };
}

function dense({ offsets, shapes, values }: VertexValues, s: number): Float64Array {
  return Float64Array.from({ length: offsets.length - 1 }, (_, k) => {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) if (shapes[e] === s) return values[e]!;
    return 0;
  });
}

/** RMS of the Laplacian over RMS: Q5 of one basis. */
function roughness(phi: Float64Array, { offsets, values }: { offsets: Uint32Array; values: Uint32Array }): number {
  let [rough, size] = [0, 0];
  for (let k = 0; k < phi.length; k++) {
    let mean = 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) mean += phi[values[e]!]! / (offsets[k + 1]! - offsets[k]!);
    rough += (phi[k]! - mean) ** 2;
    size += phi[k]! ** 2;
  }
  return Math.sqrt(rough / size);
}

describe.each([
  ['on the vertices', 16, 64],
  ['from seeds', 64, 160],
  ['on clusters', 80, 200],
])('bases planned %s', (_, around, along) => {
  const { bases, phi, regions, surface } = plan(around, along, 120);

  it('are largest inside their own region and gone two regions away', () => {
    expect(regions.count).toBe(4);
    for (let s = 0; s < 4; s++) {
      const values = phi(s);
      const largest = Math.max(...values);
      const at = surface.positions[3 * values.indexOf(largest)]!;
      expect(at).toBeGreaterThan(3 * s - 0.5);
      expect(at).toBeLessThan(3 * s + 3.5);
      for (let k = 0; k < values.length; k++) {
        const x = surface.positions[3 * k]!;
        if (x < 3 * s - 4.5 || x > 3 * s + 7.5) expect(Math.abs(values[k]!)).toBeLessThan(0.05 * largest);
      }
    }
  });

  it('leave few entries per vertex, and at least one everywhere', () => {
    const count = surface.vertexCount;
    expect(bases.values.length / count).toBeLessThan(3.5);
    for (let k = 0; k < count; k++) expect(bases.offsets[k + 1]!).toBeGreaterThan(bases.offsets[k]!);
    expect(bases.values.every(Number.isFinite)).toBe(true);
  });

  it('are smoother than memberships', () => {
    for (let s = 0; s < 4; s++) expect(roughness(phi(s), surface.neighbours)).toBeLessThan(0.12);
  });

  it('are exactly 0 where γ is, and small where it is small', () => {
    const half = plan(around, along, 120, (_x, y) => (y > 0.2 ? 0 : 1));
    for (let s = 0; s < 4; s++) {
      const values = half.phi(s);
      for (let k = 0; k < values.length; k++) if (half.gamma[k] === 0) expect(values[k]).toBe(0);
      expect(Math.max(...values)).toBeGreaterThan(0);
    }
    const nothing = plan(around, along, 120, () => 0);
    expect(nothing.bases.values.length).toBe(0);
  });

  it('are none for a region that is held with its border, and only for that', () => {
    const locked = plan(around, along, 120, (x) => (x > 2.9 && x < 6.1 ? 0 : 1));
    const own = [0, 1, 2, 3].filter((s) => locked.bases.shapes.includes(s));
    expect(own).toEqual([0, 2, 3]);
  });

  it('stay finite for maps of any size', () => {
    for (const size of [1e-310, 1e-150, 1e-20, 1e20, 1e150]) {
      const { bases: own } = plan(around, along, 120, (x) => (x > 5 ? 1 : size));
      expect(own.values.every(Number.isFinite)).toBe(true);
      expect(own.values.length).toBeGreaterThan(0);
    }
  });
});

it('more smoothing makes a basis smoother and wider', () => {
  const wide = (smoothing: number) => {
    const { phi, surface } = plan(16, 64, smoothing);
    const values = phi(1);
    return [values.filter((v) => v !== 0).length, roughness(values, surface.neighbours)] as const;
  };
  const [sharp, soft] = [wide(3), wide(300)];
  expect(soft[0]).toBeGreaterThan(sharp[0]);
  expect(soft[1]).toBeLessThan(sharp[1]);
});
