/** A vertex with thousands of spokes bends nothing and follows its neighbours: what a plan of it costs is near what any mesh of that size costs. */
import { type CharacterInput, presetStack } from '@isoskin/core';
import { planCharacter } from '@isoskin/core/planner';
import { describe, expect, it } from 'vitest';
import { planBending } from '../../src/correction/plan-bending.js';
import { planHubBending } from '../../src/correction/plan-hub-bending.js';
import { limb } from '../stack/stack-bench.js';

/** Two cones on one ring, bent across it: the apexes are numbers `ring` and `ring + 1`. */
function cones(ring: number): CharacterInput {
  const { parts, skeleton, ...rest } = limb([-1, 0], { length: 2, around: 3, along: 2 });
  const positions = new Float32Array(3 * (ring + 2));
  const triangles = new Uint32Array(6 * ring);
  for (let i = 0; i < ring; i++) {
    const angle = (2 * Math.PI * i) / ring;
    const j = (i + 1) % ring;
    positions.set([Math.cos(angle), Math.sin(angle), 0], 3 * i);
    triangles.set([i, j, ring, j, i, ring + 1], 6 * i);
  }
  positions.set([0, 0, 1, 0, 0, -1], 3 * ring);
  const bones = Uint16Array.from({ length: 2 * (ring + 2) }, (_, n) => n % 2);
  const weights = Float32Array.from(bones, (bone, n) => {
    const far = Math.min(1, Math.max(0, 0.5 + positions[3 * (n >> 1)]!));
    return bone === 1 ? far : 1 - far;
  });
  return { ...rest, skeleton, parts: [{ ...parts[0]!, positions, triangles, bones, weights, influences: 2 }] };
}

/** A wheel: hub 0, and a rim in which everybody has two neighbours besides. */
function wheel(rim: number) {
  const lists = [Array.from({ length: rim }, (_, i) => 1 + i)];
  for (let i = 0; i < rim; i++) lists.push([0, 1 + ((i + 1) % rim), 1 + ((i + rim - 1) % rim)]);
  const offsets = new Uint32Array(rim + 2);
  for (const [k, list] of lists.entries()) offsets[k + 1] = offsets[k]! + list.length;
  const positions = Float64Array.from({ length: 3 * (rim + 1) }, (_, n) => (n < 3 ? 0 : Math.cos((n % 3) + n / rim)));
  return {
    neighbours: { offsets, values: Uint32Array.from(lists.flat()) },
    masses: new Float64Array(rim + 1).fill(1),
    positions,
  };
}

function time(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

describe('bending around hubs', () => {
  const v = (count: number) => Float64Array.from({ length: count + 1 }, (_, k) => Math.sin(k) + 1);

  it.each([40, 256])('bends a vertex of %i neighbours as any other, to the bit', (rim) => {
    const gamma = new Float64Array(rim + 1).fill(0.7);
    const [own, plain] = [v(rim), v(rim)];
    planHubBending(wheel(rim), 30).solveAll(gamma, [own]);
    planBending(wheel(rim), 30).solveAll(gamma, [plain]);
    expect(own).toEqual(plain);
    expect(planHubBending(wheel(rim), 30).smooth(v(rim))).toEqual(planBending(wheel(rim), 30).smooth(v(rim)));
  });

  it('gives a hub the mean of its neighbours, and nothing where it is held', () => {
    const rim = 3_000;
    const gamma = new Float64Array(rim + 1).fill(1);
    const bending = planHubBending(wheel(rim), 30);
    const mean = (x: Float64Array) => x.subarray(1).reduce((sum, value) => sum + value, 0) / rim;
    const solved = v(rim);
    bending.solveAll(gamma, [solved]);
    expect(solved[0]).toBeCloseTo(mean(solved), 12);
    expect(mean(solved)).toBeCloseTo(mean(v(rim)), 2); // the rim keeps what it had
    const smooth = bending.smooth(v(rim));
    expect(smooth[0]).toBeCloseTo(mean(smooth), 12);
    gamma[0] = 0;
    bending.solveAll(gamma, [solved]);
    expect(solved[0]).toBe(0);
  });

  it('costs little more on two cones than on a limb of as many vertices', () => {
    const { volume } = presetStack('organic');
    const ordinary = limb([0, 3], { length: 6, around: 30, along: 100 });
    const hub = cones(3_000);
    planCharacter(ordinary, volume);
    const usual = Math.min(...[1, 2, 3].map(() => time(() => planCharacter(ordinary, volume))));
    // 5: rays among needles cost more than others. With the hubs in it bending made it 54.
    expect(time(() => planCharacter(hub, volume)) / usual).toBeLessThan(15);
  }, 60_000);
});
