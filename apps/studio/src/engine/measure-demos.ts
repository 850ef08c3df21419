/** What every demo loses with skinning alone at its worst moment, and what is left of that: measured when the page is built. */
import { createFrameSource, planBody, planVolumeMeter } from '@isoskin/core';
import { measureRegionError } from '@isoskin/core/mesh';
import { createDemo } from '@isoskin/demos';
import { rankMoments } from '../state/rank-moments.js';
import { measureLosses } from './measure-losses.js';
import type { LossRequest } from './protocol.js';

export interface DemoLoss {
  readonly clip: string;
  readonly time: number;
  readonly region: string;
  /** Relative changes of the region's volume. */
  readonly before: number;
  readonly after: number;
}

export async function measureDemos(names: readonly string[]): Promise<Record<string, DemoLoss>> {
  const out: Record<string, DemoLoss> = {};
  for (const name of names) {
    const character = createDemo(name);
    const body = planBody(character);
    const source = createFrameSource(body);
    const { regions, rest } = source.volume!;
    const engine = {
      measureLosses: async ({ moments }: LossRequest) => ({ changes: measureLosses(body, source, moments) }),
    };
    const facts = regions.names.map((region, s) => ({
      name: region,
      rest: rest[s]!,
      joint: regions.joints[s]!,
      part: regions.component[s]!,
    }));
    const [worst] = await rankMoments(engine, character, facts, () => false);
    if (!worst) continue;
    const { time, region, change } = worst;
    const clip = character.clips[worst.clip]!;
    const frame = source.seek(clip, time);
    const meter = planVolumeMeter(character, source.volume);
    meter.measureTargets(frame.bones, time);
    meter.measure(frame.positions);
    const after = measureRegionError(
      meter.regionVolumes[region]!,
      meter.targets[region]!,
      meter.componentOfRegion[region]!,
    );
    out[name] = { clip: clip.name, time, region: worst.name, before: change, after };
  }
  return out;
}
