import { presetStack } from '@isoskin/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.js';
import type { CharacterFacts, PlanFacts } from '../../src/engine/protocol.js';
import { rankMoments } from '../../src/state/rank-moments.js';
import { NO_POSE } from '../../src/state/studio-document.js';

const engine = createEngine();
let facts: CharacterFacts;
let plan: PlanFacts;

beforeAll(async () => {
  facts = await engine.open({ kind: 'demo', name: 'finger' });
  plan = await engine.plan({ stack: presetStack('organic'), paint: {}, kernels: 'typescript' });
});

describe('rankMoments', () => {
  it('lists one moment per clip and region, worst first, as the frames there have them', async () => {
    const moments = await rankMoments(engine, facts, plan.regions, () => false);
    const sizes = moments.map(({ change }) => Math.abs(change));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(new Set(moments.map(({ clip, region }) => `${clip} ${region}`)).size).toBe(moments.length);
    const { clip, time, region, name, change } = moments[0]!;
    expect(plan.regions[region]!.name).toBe(name);
    const shown = { dt: 0, pose: NO_POSE, colouring: 'plain', joint: -1, exaggerate: 1, topology: 0 } as const;
    const { volume } = await engine.frame({ clip, time, ...shown });
    expect(volume!.regionsSkinned[region]).toBeCloseTo(change, 5);
    // No frame of the plots is worse by more than what lies between two samples.
    const count = Math.ceil(30 * facts.clips[clip]!.duration) + 1;
    const all = await engine.measure({ clip, fps: 30, from: 0, count, pose: NO_POSE, intersections: false });
    const worst = all.regionsSkinned.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(Math.abs(change)).toBeGreaterThan(0.98 * worst);
  });

  it('stops asking when nobody waits any more', async () => {
    let asked = 0;
    const counting: Pick<typeof engine, 'measureLosses'> = {
      measureLosses(request) {
        asked++;
        return engine.measureLosses(request);
      },
    };
    await rankMoments(counting, facts, plan.regions, () => asked >= 1);
    expect(asked).toBe(1);
  });
});
