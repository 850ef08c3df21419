/** What skinning alone does to the regions of a plan at some moments, relative changes: moments × regions. */
import { type Body, createFrameSource, createPose, type FrameSource, planVolumeMeter, samplePose } from '@isoskin/core';
import { measureRegionError } from '@isoskin/core/mesh';
import type { LossRequest } from './protocol.js';

type Planned = Pick<FrameSource, 'spec' | 'volume'>;

/** A meter costs more than the frames: one for a plan. */
const meters = new WeakMap<Planned, ReturnType<typeof planMeter>>();

export function measureLosses(body: Body, source: Planned, moments: LossRequest['moments']): Float32Array {
  const { character } = body;
  const regions = source.volume?.regions.count ?? 0;
  const changes = new Float32Array(moments.length * regions);
  if (regions === 0) return changes;
  const { skin, pose, meter } = meters.get(source) ?? planMeter(body, source);
  meters.set(source, { skin, pose, meter });
  moments.forEach(({ clip, time }, n) => {
    samplePose(pose, character, character.clips[clip], time);
    const frame = skin.evaluate(pose, time);
    meter.measureTargets(frame.bones, time);
    meter.measure(frame.skinned);
    for (let s = 0; s < regions; s++) {
      const { regionVolumes, targets, componentOfRegion } = meter;
      changes[n * regions + s] = measureRegionError(regionVolumes[s]!, targets[s]!, componentOfRegion[s]!);
    }
  });
  return changes;
}

function planMeter(body: Body, { spec, volume }: Planned) {
  return {
    skin: createFrameSource(body, spec.skin ? { skin: spec.skin } : {}),
    pose: createPose(body.character),
    meter: planVolumeMeter(body.character, volume!),
  };
}
