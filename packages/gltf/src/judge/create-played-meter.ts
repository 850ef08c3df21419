/** What the written bytes show at samples, on any thread: volumes, and the distance to the exact surface. */

import type { VolumeMeter } from '@isoskin/core';
import { createPose, listUsedLayers, samplePose } from '@isoskin/core/frames';
import { createHarmJudge, type HarmBlock, planSolvedBlame } from '@isoskin/core/stack';
import { openRoom } from '@isoskin/wasm/bake';
import type { BakeStack } from '../bake/create-frame-baker.js';
import { type ExactRows, planRowReader } from '../bake/plan-rows.js';
import type { SourceSkin } from '../bake/plan-source-skin.js';
import type { HarmTask } from './judge-harm.js';
import { createPlayer, type Playback } from './plan-playback.js';

export interface PlayedTask extends HarmTask, ExactRows {
  /** Samples whose surface is asked for. */
  readonly kept: readonly number[];
}

/** Numbers of the samples after `lead`, one after the other. */
export interface PlayedBlock {
  /** Largest distance to the exact correction, world units. */
  readonly errors: Float64Array;
  /** What the rounding of f32 may do to the volume: it grows with the distance from the origin. */
  readonly rounding: Float64Array;
  /** Volumes of the components and of the regions. */
  readonly volumes: Float64Array;
  readonly regions: Float64Array;
  /** Those of the regions under plain skinning, where the stack has another skin. */
  readonly plain: Float64Array | undefined;
  /** Welded positions of the samples that were asked for, #V×3. */
  readonly kept: readonly Float64Array[];
  readonly harm: HarmBlock | undefined;
}

export interface PlayedContext {
  readonly stack: BakeStack;
  readonly source: SourceSkin;
  readonly meter: VolumeMeter;
  /** Corrections are in world units (a cache), else in units of POSITION. */
  readonly world: boolean;
}

const F32_EPSILON = 2 ** -23;

export function createPlayedMeter(
  { stack, source, meter, world }: PlayedContext,
  playback: Playback,
): (task: PlayedTask) => PlayedBlock {
  const { character } = stack;
  const [components, regions] = [character.surface.components.length, meter.regions.count];
  const play = createPlayer(playback);
  const readRow = planRowReader(stack, source);
  const pose = createPose(character);
  const { pointCount, leaders } = source;
  const { code, lists, at } = openRoom({
    exact: new Float64Array(3 * pointCount),
    played: new Float64Array(3 * pointCount),
    row: new Float32Array(world ? 3 * pointCount : 0),
    found: new Float64Array(3),
    leaders,
    positions: new Float64Array(3 * leaders.length),
    skinned: new Float64Array(3 * leaders.length),
  });
  const { exact, played, found, positions, skinned } = lists;
  const gather = (to: number, points: number) => code.gatherPoints(to, points, at.leaders, leaders.length);
  // Frames start from the skin of the stack, players know one.
  const isPlain = (listUsedLayers(stack.spec).skin.skinning ?? 'linear') === 'linear';
  const judgeTask =
    playback.harm && createHarmJudge(character, planSolvedBlame(stack.volume?.shapes?.shapes), playback.harm);
  return (task) => {
    const { samples, lead, kept } = task;
    const count = samples.length - lead;
    const harm = judgeTask?.();
    const width = task.weights.length / samples.length;
    const out = {
      errors: new Float64Array(count),
      rounding: new Float64Array(count),
      volumes: new Float64Array(count * components),
      regions: new Float64Array(count * regions),
      plain: isPlain ? undefined : new Float64Array(count * regions),
      kept: [] as Float64Array[],
    };
    for (const [i, sample] of samples.entries()) {
      if (sample.clip < 0) continue;
      const n = i - lead;
      samplePose(pose, character, character.clips[sample.clip], sample.time);
      if (out.plain || harm) {
        source.apply(exact, undefined, pose);
        gather(at.skinned, at.exact);
      }
      play(played, sample);
      gather(at.positions, at.played);
      harm?.judge({
        clip: character.clips[sample.clip]!.name,
        time: sample.time,
        x: skinned,
        y: positions,
        amounts: task.weights.subarray(i * width, (i + 1) * width),
        scale: task.scales[i]!,
        isLook: task.looks.includes(n),
      });
      if (n < 0) continue;
      if (out.plain) {
        meter.measure(skinned);
        out.plain.set(meter.regionVolumes, n * regions);
      }
      const row = readRow(task, i, samples.length);
      source.apply(exact, undefined, pose, world ? undefined : row);
      if (world) lists.row.set(row);
      code.comparePoints(at.found, at.played, at.exact, world ? at.row : 0, pointCount);
      const [square, low, high] = found as unknown as [number, number, number];
      out.errors[n] = Math.sqrt(square);
      out.rounding[n] = 4 * F32_EPSILON * Math.max(Math.abs(low), Math.abs(high)) * (high - low) ** 2;
      meter.measure(positions);
      out.volumes.set(meter.componentVolumes, n * components);
      out.regions.set(meter.regionVolumes, n * regions);
      if (kept.includes(n)) out.kept.push(positions.slice());
    }
    return { ...out, harm: harm?.block };
  };
}
