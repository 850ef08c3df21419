/**
 * Corrections of all samples → a few morph targets and animated weights per group, within a tolerance that is checked by
 * really evaluating what the file will hold.
 */
import type { FrameSource } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { BakedGroup } from './baked-group.js';
import { type BakedCheck, checkSamples, isOff } from './check-samples.js';
import { chooseTargets } from './choose-targets.js';
import type { FrameBlock, MeasureLayout } from './create-frame-baker.js';
import { encodeTargets } from './encode-targets.js';
import type { Sample } from './list-sample-times.js';
import type { MorphOptions } from './morph-options.js';
import { planBakedSurface } from './plan-baked-surface.js';
import { planPolish } from './plan-polish.js';
import type { SourceSkin } from './plan-source-skin.js';
import { thinWeights } from './thin-weights.js';

export interface MorphBake {
  readonly groups: readonly BakedGroup[];
  /** Clip → samples: volumes as the file gives them, and the largest position error (world units). */
  readonly check: BakedCheck;
}

export function bakeMorphs(
  read: ReadResult,
  stack: FrameSource,
  source: SourceSkin,
  samples: readonly Sample[],
  block: FrameBlock,
  layout: MeasureLayout,
  options: MorphOptions,
): MorphBake {
  const { character } = read;
  const width = 3 * source.pointCount;
  const rows = samples.map((_, n) => block.deltas.subarray(n * width, (n + 1) * width));
  const surface = planBakedSurface(character, source);
  const volumesOf = (n: number) => {
    const from = n * layout.stride + layout.correctedComponents;
    return block.measures.subarray(from, from + character.surface.components.length);
  };
  const polishOptions = {
    position: 0.1 * options.position,
    component: options.volume / 20,
    total: options.volume / 100,
  };
  const drafts = chooseTargets(stack, source, samples, rows, surface, volumesOf, polishOptions, options);
  const groups = encodeTargets(read, source, samples, rows, surface, drafts, options);
  const polish = planPolish(character, source, groups, surface);
  const pose = (n: number) => surface.pose(samples[n]!);
  const polishAll = (skip: boolean) =>
    options.ranges.flatMap((range) =>
      polish.polishRange(range, rows, pose, volumesOf, { ...polishOptions, steps: 2 }, skip),
    );
  let polished = polishAll(true);
  let check: BakedCheck | undefined;
  for (const [attempt, share] of [1, 1, 0.3, 0].entries()) {
    if (attempt === 1) polished = polishAll(false);
    for (const [g, group] of groups.entries()) {
      group.keys = options.ranges.map((range) =>
        thinWeights(group, g, range, samples, polished, character, share, options),
      );
    }
    check = checkSamples(character, source, groups, samples, rows, surface);
    if (!samples.some((_, n) => isOff(character, check!.volumes, n, volumesOf(n), options.volume))) break;
  }
  return { groups, check: check! };
}
