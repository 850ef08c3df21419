/** Tries targets on real samples and chooses the fewest that hold. */
import type { FrameSource } from '@isoskin/core';
import { isGroupOff, measureError } from './check-samples.js';
import { addTargets, type GroupTargets } from './group-targets.js';
import type { Sample } from './list-sample-times.js';
import { type MorphOptions, SHARE, scaleOf } from './morph-options.js';
import type { BakedSurface } from './plan-baked-surface.js';
import { type PolishOptions, planPolish } from './plan-polish.js';
import { planRegionProbe } from './plan-region-probe.js';
import type { SourceSkin } from './plan-source-skin.js';
import { planTargets } from './plan-targets.js';

/** Samples of a clip that a choice of targets is tried on. */
const PROBES = 16;

export function chooseTargets(
  stack: FrameSource,
  source: SourceSkin,
  samples: readonly Sample[],
  rows: readonly Float32Array[],
  surface: BakedSurface,
  volumesOf: (n: number) => Float64Array,
  polishOptions: Omit<PolishOptions, 'steps'>,
  options: MorphOptions,
): GroupTargets[] {
  const { character } = stack;
  const regions = planRegionProbe(stack, surface, options.volume);
  const groups = Array.from({ length: source.groupOffsets.length - 1 }, (_, g) => g);
  const range = (g: number) => [3 * source.groupOffsets[g]!, 3 * source.groupOffsets[g + 1]!] as const;
  const own = groups.map((g) => rows.map((row) => row.subarray(...range(g))));
  return planTargets(own, {
    limit: options.maxTargets,
    ranges: options.ranges,
    tolerances: groups.map((g) => (SHARE.basis * options.position) / scaleOf(character, g)),
    still: groups.map((g) => (1e-4 * options.position) / scaleOf(character, g)),
    probe(targets, clip) {
      const failing: { group: number; sample: number }[] = [];
      const polish = planPolish(character, source, targets, surface);
      const [first, end] = options.ranges[clip]!;
      const step = Math.max(1, (end - first) / PROBES);
      for (let at = first; Math.floor(at) < end; at += step) {
        const n = Math.floor(at);
        surface.pose(samples[n]!);
        regions.prepare(n, rows[n]!);
        const { weights } = polish.polish(n, rows[n]!, volumesOf(n), { ...polishOptions, steps: 2 });
        surface.offsets.fill(0);
        for (const [g, target] of targets.entries()) {
          addTargets(surface.offsets, range(target.group)[0], target, weights[g]!);
        }
        surface.place();
        surface.measure();
        const off = regions.listOff(n);
        for (const g of groups) {
          const isPoor =
            off.has(g) ||
            measureError(rows[n]!, surface, ...range(g)) > 0.9 * options.position ||
            isGroupOff(character, g, surface.volumes, volumesOf(n), options.volume / 3);
          if (isPoor) failing.push({ group: g, sample: n });
        }
      }
      return failing;
    },
  });
}
