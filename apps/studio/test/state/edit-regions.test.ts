/** Regions as a person changes them, on a real plan. */
import { presetStack } from '@isoskin/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.js';
import type { CharacterFacts, PlanFacts } from '../../src/engine/protocol.js';
import {
  fitStack,
  listJointsOf,
  listLocked,
  lockRegions,
  mergeRegions,
  splitRegion,
} from '../../src/state/edit-regions.js';
import type { Paint } from '../../src/state/studio-document.js';

const engine = createEngine();
const organic = presetStack('organic');
let facts: CharacterFacts;
let plan: PlanFacts;
const planWith = (stack = organic, paint: Paint = {}) => engine.plan({ stack, paint, kernels: 'typescript' });
const namesOf = ({ regions }: PlanFacts) => regions.map(({ name }) => name).sort();

beforeAll(async () => {
  facts = await engine.open({ kind: 'demo', name: 'finger' });
  plan = await planWith();
});

describe('edit-regions', () => {
  it('renames a region, and gives it its name back', async () => {
    const [region] = plan.regions;
    const renamed = mergeRegions(organic, [region!], facts.joints, 'the middle');
    const after = await planWith(renamed);
    expect(after.regions.map(({ name }) => name)).toContain('the middle');
    expect(after.regions.length).toBe(plan.regions.length);
    const own = after.regions.find(({ name }) => name === 'the middle')!;
    expect(own.rest).toBeCloseTo(region!.rest, 9);
    expect(splitRegion(renamed, own, facts.joints)).toEqual(organic);
  });

  it('merges regions into one that holds them all, merges that again, and splits it', async () => {
    const byName = (name: string, { regions } = plan) => regions.find((region) => region.name === name)!;
    const [a, b, c] = ['finger.1', 'finger.2', 'finger.3'].map((name) => byName(name));
    const two = mergeRegions(organic, [a!, b!], facts.joints, 'both');
    const afterTwo = await planWith(two);
    expect(namesOf(afterTwo)).toEqual(
      namesOf(plan)
        .filter((name) => name !== a!.name && name !== b!.name)
        .concat('both')
        .sort(),
    );
    expect(byName('both', afterTwo).rest).toBeCloseTo(a!.rest + b!.rest, 6);
    const three = mergeRegions(two, [byName('both', afterTwo), byName(c!.name, afterTwo)], facts.joints, 'all');
    const afterThree = await planWith(three);
    expect(listJointsOf(three, byName('all', afterThree), facts.joints)).toHaveLength(3);
    expect(splitRegion(three, byName('all', afterThree), facts.joints)).toEqual(organic);
  });

  it.each(['organic', 'anatomic'] as const)(
    '%s: locks a region: its skin stays as skinning makes it while the others are corrected',
    async (preset) => {
      const stack = presetStack(preset);
      const free = await planWith(stack);
      const locked = free.regions.findIndex(({ name }) => name === 'finger.2');
      const paint = lockRegions(free, facts, {}, [locked], true);
      expect(listLocked(free, paint)).toEqual(free.regions.map((_, s) => s === locked));
      expect(lockRegions(free, facts, paint, [locked], false)).toEqual({});
      const after = await planWith(stack, paint);
      const { arrays, volume } = await engine.frame({
        ...{ clip: 0, time: 1, dt: 0, pose: { loose: {}, keys: {} } },
        ...{ colouring: 'plain', joint: -1, exaggerate: 1, topology: 0 },
      });
      expect(after.regions.map(({ name }) => name)).toEqual(free.regions.map(({ name }) => name));
      let moved = 0;
      free.vertexRegion.forEach((region, k) => {
        const far = Math.hypot(...[0, 1, 2].map((r) => arrays.positions[3 * k + r]! - arrays.skinned[3 * k + r]!));
        if (region === locked) expect(far).toBe(0);
        else moved = Math.max(moved, far);
      });
      expect(moved).toBeGreaterThan(1e-3);
      const lost = Array.from(volume!.regionsSkinned, (change, s) => (s === locked ? 0 : Math.abs(change)));
      const other = lost.indexOf(Math.max(...lost));
      expect(Math.abs(volume!.regionsCorrected[other]!)).toBeLessThan(0.2 * lost[other]!);
    },
  );

  it('leaves out what is said of joints that a character does not have', () => {
    const stack = mergeRegions(organic, plan.regions.slice(0, 2), facts.joints, 'both');
    expect(fitStack(stack, facts)).toBe(stack);
    expect(fitStack(stack, { ...facts, joints: [] })).toEqual(organic);
  });
});
