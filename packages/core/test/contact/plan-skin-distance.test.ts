import { planSkinning } from '@isoskin/core/kernels';
import { CONTACT_CONSTANTS } from '@isoskin/core/stack';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { findNearestPoint, measureBalls, visitNearLeaves } from '../../src/contact/plan-ball-tree.js';
import { planObstacle } from '../../src/contact/plan-obstacle.js';
import { planSkinDistance } from '../../src/contact/plan-skin-distance.js';
import { planSkinSamples } from '../../src/contact/plan-skin-samples.js';
import { sumAreaVectors } from '../../src/kernels/reference-kernels.js';
import { smoothStep } from '../../src/linear-algebra/smooth-step.js';
import { bend } from './contact-bench.js';

const finger = createDemo('finger');
const samples = planSkinSamples(finger, CONTACT_CONSTANTS.spacing, CONTACT_CONSTANTS.slope);

function pick(x: Float64Array): Float64Array {
  return Float64Array.from(
    { length: 3 * samples.count },
    (_, i) => x[3 * samples.vertices[Math.floor(i / 3)]! + (i % 3)]!,
  );
}

describe('samples of the skin', () => {
  it('carry a constant to all vertices, and their areas sum to the whole', () => {
    const { carried, areas } = samples;
    const sums = new Float64Array(finger.surface.vertexCount);
    for (const [e, k] of carried.values.entries()) sums[k]! += carried.shares[e]!;
    for (const sum of sums) expect(sum).toBeCloseTo(1, 12);
    const { triangles, positions: x } = finger.surface;
    let whole = 0;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((n) => x.subarray(3 * triangles[t + n]!, 3 * triangles[t + n]! + 3)) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      const [u, v] = [b, c].map((p) => p.map((value, r) => value - a[r]!)) as [Float64Array, Float64Array];
      whole +=
        Math.hypot(u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!) / 2;
    }
    expect(areas.reduce((p, q) => p + q)).toBeCloseTo(whole, 9);
    expect(samples.count).toBeLessThan(finger.surface.vertexCount / 8);
  });
});

describe('ball tree', () => {
  it('finds every pair of points within reach, and the nearest point', () => {
    const { tree, positions: x, count } = samples;
    const reach = 0.8;
    const distance = (k: number, j: number) =>
      Math.hypot(x[3 * k]! - x[3 * j]!, x[3 * k + 1]! - x[3 * j + 1]!, x[3 * k + 2]! - x[3 * j + 2]!);
    const seen = new Set<number>();
    measureBalls(tree, x);
    visitNearLeaves(tree, new Float64Array(tree.nodeCount).fill(reach), (a, b) => {
      for (let i = tree.starts[a]!; i < tree.ends[a]!; i++)
        for (let j = tree.starts[b]!; j < tree.ends[b]!; j++) seen.add(Math.min(i, j) * count + Math.max(i, j));
    });
    let near = 0;
    for (let k = 0; k < count; k++) {
      for (let j = k + 1; j < count; j++) {
        if (distance(k, j) > reach) continue;
        near++;
        expect(seen.has(k * count + j)).toBe(true);
      }
      expect(findNearestPoint(tree, x, x[3 * k]! + 1e-3, x[3 * k + 1]!, x[3 * k + 2]!)).toBe(k);
    }
    expect(near).toBeGreaterThan(100);
    expect(seen.size).toBeLessThan((count * count) / 4);
  });
});

describe('distance to the other skin', () => {
  it.each([115, 130, 150])('at %i°: the planned search sees what all pairs together see', (degrees) => {
    const skinning = planSkinning(finger, {});
    const x = new Float64Array(3 * finger.surface.vertexCount);
    skinning.apply({ positions: x, directions: x.slice() }, bend(finger, 'finger.2', [1, 0, 0], degrees));
    const distance = planSkinDistance(finger, samples, CONTACT_CONSTANTS);
    distance.measure(pick(x), skinning.bones, x);
    const all = measureSeen(x, skinning.bones);
    const most = Math.max(...all);
    expect(most).toBeGreaterThan(0.05);
    for (let k = 0; k < samples.count; k++) expect(Math.abs(distance.seen[k]! - all[k]!)).toBeLessThan(0.02 * most);
  });

  it('is negative inside, positive outside, and what opens again is not seen', () => {
    const skinning = planSkinning(finger, {});
    const x = new Float64Array(3 * finger.surface.vertexCount);
    const distance = planSkinDistance(finger, samples, CONTACT_CONSTANTS);
    const lowest = (degrees: number) => {
      skinning.apply({ positions: x, directions: x.slice() }, bend(finger, 'finger.2', [1, 0, 0], degrees));
      distance.measure(pick(x), skinning.bones, x);
      return [...distance.found.subarray(0, distance.foundCount)].reduce(
        (least, k) => (distance.seen[k]! > 0.05 ? Math.min(least, distance.phi[k]!) : least),
        Number.POSITIVE_INFINITY,
      );
    };
    expect(lowest(150)).toBeLessThan(-0.3);
    expect(lowest(90)).toBeGreaterThan(0);
    expect(lowest(0)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('obstacle', () => {
  it('is met by the carried displacement, which is smooth', () => {
    const out = new Float64Array(3 * samples.count);
    const obstacle = planObstacle(samples, out, 40);
    const x = finger.surface.positions.slice();
    obstacle.begin(x);
    const held = [10, 11, 60];
    for (const k of held) {
      out[3 * k] = 1;
      obstacle.add(k, 0.1);
    }
    obstacle.solve();
    obstacle.push(x);
    for (const k of held) {
      const v = 3 * samples.vertices[k]!;
      expect(x[v]! - finger.surface.positions[v]!).toBeGreaterThan(0.099);
      expect(obstacle.points[3 * k]).toBeCloseTo(x[v]!, 12);
    }
    expect(Math.max(...x.map((value, i) => value - finger.surface.positions[i]!))).toBeLessThan(0.13);
  });
});

/** Σ_j w_kj without the sharpening, over all pairs: the formula of the header, written again. */
function measureSeen(surface: Float64Array, bones: Float64Array): Float64Array {
  const x = pick(surface);
  const { count, vertices, positions, normals: rest, thickness, areas } = samples;
  const { offsets, weights, bones: boneOf } = finger.binding;
  const { reach, closer, hidden, face } = CONTACT_CONSTANTS;
  const areaVectors = (y: Float64Array) => {
    const { triangles, vertexCount } = finger.surface;
    const sums = new Float64Array(3 * vertexCount);
    sumAreaVectors(sums, y, triangles, triangles.length / 3, vertexCount);
    return sums;
  };
  const [now, before] = [areaVectors(surface), areaVectors(finger.surface.positions)];
  const normals = Array.from(vertices, (k, s) => {
    const whole = Math.hypot(...before.subarray(3 * k, 3 * k + 3));
    const n = Array.from(now.subarray(3 * k, 3 * k + 3), (value) => value / whole);
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++)
      for (let r = 0; r < 3; r++)
        for (let q = 0; q < 3; q++) n[r]! += weights[e]! * bones[12 * boneOf[e]! + 3 * q + r]! * rest[3 * s + q]!;
    const length = Math.hypot(...n);
    return n.map((value) => value / length);
  });
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  const minus = (p: Float64Array, k: number, j: number) => [0, 1, 2].map((r) => p[3 * k + r]! - p[3 * j + r]!);
  const seen = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    for (let j = 0; j < count; j++) {
      if (j === k) continue;
      const [n, m] = [rest.subarray(3 * k, 3 * k + 3), rest.subarray(3 * j, 3 * j + 3)];
      const apart = minus(positions, k, j);
      const t = Math.min(thickness[k]!, thickness[j]!);
      const behind = dot(apart, m) - dot(apart, n) < 0 ? smoothStep(0.5 - dot(n, m) / 0.6) : 0;
      const r = Math.min(reach * t, closer * (Math.hypot(...apart) - behind * hidden * t));
      const z = (Math.hypot(...minus(x, k, j)) / r) ** 2;
      if (r <= 0 || z >= 1) continue;
      const facing = -dot(normals[k]!, normals[j]!);
      seen[k]! += (areas[j]! * (4 / Math.PI) * (1 - z) ** 3 * smoothStep(facing / face)) / (r * r);
    }
  }
  return seen;
}
