import { markQuietVertices, measureQuality, planQuality } from '@isoskin/core/quality';
import { describe, expect, it } from 'vitest';
import { createBox, createSphere, createTube, joinSolids, moveRigidly, planSurface } from '../contact/solids.js';

const sphere = planSurface(createSphere(1, 12));
const plan = planQuality(sphere);
const x = sphere.positions;

describe('measureQuality', () => {
  it('finds nothing wrong where nothing moved', () => {
    expect(measureQuality(plan, x, x)).toEqual({
      intersections: null,
      flipped: 0,
      stretch99: 1,
      stretchMax: 1,
      roughness: 0,
      rms: 0,
      locality: null,
    });
  });

  it('sees a translation as smooth, without stretch', () => {
    const y = x.map((value, i) => value + (i % 3 === 0 ? 0.5 : 0));
    const quality = measureQuality(plan, x, y);
    expect(quality.roughness).toBeCloseTo(0, 12);
    expect(quality.stretchMax).toBeCloseTo(1, 12);
    expect(quality.rms).toBeCloseTo(0.5 / Math.sqrt(12), 12);
    expect(quality.flipped).toBe(0);
  });

  it('measures a uniform scale, and a mirror as all flipped', () => {
    const scaled = measureQuality(
      plan,
      x,
      x.map((value) => 1.25 * value),
    );
    expect(scaled.stretch99).toBeCloseTo(1.25, 12);
    expect(scaled.stretchMax).toBeCloseTo(1.25, 12);
    // RMS |x/4| of a sphere of radius 1 in a box of diagonal √12.
    expect(scaled.rms).toBeCloseTo(0.25 / Math.sqrt(12), 12);
    // The top view of a sheet, mirrored.
    const sheet = planSurface({
      positions: x.map((value, i) => (i % 3 === 2 ? 0 : value)),
      triangles: sphere.triangles,
    });
    const mirrored = sheet.positions.map((value, i) => (i % 3 === 0 ? -value : value));
    expect(measureQuality(planQuality(sheet), sheet.positions, mirrored).flipped).toBe(1);
  });

  it('takes the 99th percentile of the edges', () => {
    // Only the edges of one vertex get longer: 24 of the edges, under 1 % only in the finer mesh.
    const fine = planSurface(createSphere(1, 40));
    const y = fine.positions.slice();
    y[0]! *= 1.5;
    const quality = measureQuality(planQuality(fine), fine.positions, y);
    expect(quality.stretch99).toBe(1);
    expect(quality.stretchMax).toBeGreaterThan(2);
  });

  it('measures roughness: one moved vertex of a tetrahedron', () => {
    const tetrahedron = planSurface({
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
    });
    const y = tetrahedron.positions.slice();
    y[11] = 1.3;
    // L(u) = u at the vertex and −u/3 at the three others: √(1 + 3/9).
    const { roughness, rms } = measureQuality(planQuality(tetrahedron), tetrahedron.positions, y);
    expect(roughness).toBeCloseTo(Math.sqrt(4 / 3), 12);
    expect(rms).toBeCloseTo(0.3 / 2 / Math.sqrt(3), 12);
  });

  it('counts turned triangles but not those without area in x', () => {
    const flat = planSurface({
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 0, 0),
      triangles: Uint32Array.of(0, 1, 2, 1, 3, 2, 0, 1, 4),
    });
    const y = flat.positions.slice();
    y[9] = -1;
    y[10] = -1;
    y[13] = 1;
    expect(measureQuality(planQuality(flat), flat.positions, y).flipped).toBe(0.5);
  });

  it('counts intersections of x and y when they were planned', () => {
    const boxes = planSurface(
      joinSolids(createBox([-1, -1, -1], [1, 1, 1]), createBox([0.3, -0.6, -3], [0.5, -0.4, 3])),
    );
    const apart = boxes.positions.map((value, i) => (i >= 24 && i % 3 === 0 ? value + 5 : value));
    const planned = planQuality(boxes, { intersections: true });
    expect(measureQuality(planned, apart, boxes.positions).intersections).toEqual({ skinned: 0, corrected: 16 });
    expect(measureQuality(planned, boxes.positions, apart).intersections).toEqual({ skinned: 16, corrected: 0 });
    expect(measureQuality(planned, apart, apart, { intersections: false }).intersections).toBeNull();
  });

  it('measures locality in the regions that kept their volume', () => {
    const tube = planSurface(
      createTube(
        [
          [0, 0, 0],
          [1, 0, 0],
          [2, 0, 0],
          [3, 0, 0],
          [4, 0, 0],
        ],
        0.5,
        8,
      ),
    );
    const region = new Uint32Array(tube.triangles.length / 3).map((_, t) =>
      [0, 1, 2].some((c) => tube.positions[3 * tube.triangles[3 * t + c]!]! > 2) ? 1 : 0,
    );
    const quiet = new Uint8Array(tube.vertexCount);
    markQuietVertices(quiet, tube, region, Float64Array.of(1.0005, 0.8), Float64Array.of(1, 1));
    // Inside region 0: the rings at x = 0 and 1 and the first cap; the ring at 2 is the border.
    expect(quiet.reduce((sum, q) => sum + q, 0)).toBe(17);
    const y = tube.positions.map((value, i) => value + (i % 3 === 2 ? 0.01 * (1 + tube.positions[i - 2]!) : 0));
    const box = Math.hypot(4, 1, 1);
    const { locality } = measureQuality(planQuality(tube), tube.positions, y, { quiet });
    expect(locality).toBeCloseTo(0.02 / box, 12);
    markQuietVertices(quiet, tube, region, Float64Array.of(1.002, 0.8), Float64Array.of(1, 1));
    expect(measureQuality(planQuality(tube), tube.positions, y, { quiet }).locality).toBe(0);
  });

  it('does not change with a rigid motion and a scale of the whole', () => {
    const y = x.map((value, i) => value * (1 + 0.2 * Math.sin(3 * i)));
    const before = measureQuality(plan, x, y);
    const move = (p: Float64Array) => moveRigidly(p, 0.8, [1, 2, 3]).map((value) => 10 * value);
    const after = measureQuality(plan, move(x), move(y));
    expect(after.flipped).toBe(before.flipped);
    for (const key of ['stretch99', 'stretchMax', 'roughness'] as const) expect(after[key]).toBeCloseTo(before[key], 9);
  });
});
