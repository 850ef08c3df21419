/** Chosen targets → the arrays of the file: normals fitted, everything rounded. */
import type { ReadResult } from '../read-character-from-bytes.js';
import type { BakedGroup, PartTargets } from './baked-group.js';
import { createNormalFit } from './create-normal-fit.js';
import { activeAt, type GroupTargets } from './group-targets.js';
import { listDirections, type PartDirections } from './list-directions.js';
import type { Sample } from './list-sample-times.js';
import { type MorphOptions, SHARE, scaleOf } from './morph-options.js';
import type { BakedSurface } from './plan-baked-surface.js';
import { planPolish } from './plan-polish.js';
import type { SourceSkin } from './plan-source-skin.js';
import { type DeltaArray, measureReach, quantiseDeltas, readDeltas } from './quantise-deltas.js';

/** Largest direction error of quantised normals, and change that is not stored (about ½° and ¼°). */
const NORMAL = { tolerance: 0.008, quiet: 0.004 };
/** Frames of a clip that normals are fitted to. */
const NORMAL_FRAMES = 40;

export function encodeTargets(
  read: ReadResult,
  source: SourceSkin,
  samples: readonly Sample[],
  rows: readonly Float32Array[],
  surface: BakedSurface,
  chosen: readonly GroupTargets[],
  options: MorphOptions,
): BakedGroup[] {
  const { character } = read;
  const drafts = chosen.map((plan) => {
    const { group } = plan;
    const polish = planPolish(character, source, [plan], surface);
    const weights = rows.map((row, n) => polish.project(n, row)[0]!);
    const directions = listDirections(read, source, group);
    const fit = createNormalFit(character.surface, source.welded, directions, plan.vectors.length);
    return { group, scale: scaleOf(character, group), plan, weights, directions, fit };
  });
  fitDirections(drafts, samples, rows, surface, source, options);
  return drafts.map(({ group, scale, plan, weights, directions, fit }) => {
    const solved = fit.solve();
    const parts = listParts(read, group);
    const first = source.groupOffsets[group]!;
    const points: DeltaArray[] = [];
    const targets: PartTargets[] = parts.map((part) => ({ part, targets: [] }));
    plan.vectors.forEach((vector, k) => {
      const largest = weights.reduce((most, w) => Math.max(most, Math.abs(w[k]!)), 0) || 1;
      const deltas = directions.map((_, d) => solved[d]![k]!);
      const unit = options.quantise ? Math.max(measureReach(vector), ...deltas.map(measureReach)) : 1 / largest;
      const active = Math.sqrt(
        Math.max(1, ...plan.spans.map(({ active }) => (active.includes(k) ? active.length : 0))),
      );
      const fine = (tolerance: number) => (options.quantise ? tolerance / (largest * active) : 0);
      const quiet = (SHARE.quiet * options.position) / (scale * largest);
      const position = quantiseDeltas(vector, unit, fine((SHARE.quantise * options.position) / scale), quiet);
      points.push(position);
      targets.forEach(({ part, targets: list }) => {
        const index = source.partPoints[part]!;
        const gathered = new (position.constructor as Int8ArrayConstructor)(3 * index.length);
        index.forEach((u, v) => {
          for (let i = 0; i < 3; i++) gathered[3 * v + i] = position[3 * (u - first) + i]!;
        });
        const direction = (semantic: PartDirections['semantic']) => {
          const d = directions.findIndex((one) => one.part === part && one.semantic === semantic);
          if (d < 0) return undefined;
          return quantiseDeltas(deltas[d]!, unit, fine(NORMAL.tolerance), NORMAL.quiet / largest);
        };
        list.push({ position: gathered, normal: direction('NORMAL'), tangent: direction('TANGENT') });
      });
    });
    return {
      group,
      count: points.length,
      active: Math.max(...plan.spans.map(({ active }) => active.length)),
      spans: plan.spans,
      vectors: points.map(readDeltas),
      parts: targets,
      keys: [],
    };
  });
}

function listParts({ character }: ReadResult, group: number): number[] {
  return [...character.parts.keys()].filter((p) => character.parts[p]!.group === group);
}

type Draft = {
  weights: readonly Float64Array[];
  plan: GroupTargets;
  fit: ReturnType<typeof createNormalFit>;
  directions: readonly PartDirections[];
};

/** Evenly spread samples of every clip, skinned and corrected, go into the fits of all groups. */
function fitDirections(
  drafts: readonly Draft[],
  samples: readonly Sample[],
  rows: readonly Float32Array[],
  surface: BakedSurface,
  source: SourceSkin,
  options: MorphOptions,
): void {
  if (drafts.every(({ directions }) => directions.length === 0)) return;
  const skinned = new Float64Array(surface.positions.length);
  for (const [first, end] of options.ranges) {
    const step = Math.max(1, (end - first) / NORMAL_FRAMES);
    for (let at = first; Math.floor(at) < end; at += step) {
      const n = Math.floor(at);
      const active = drafts.filter(({ plan }) => activeAt(plan, n).length > 0);
      if (active.length === 0) continue;
      surface.pose(samples[n]!);
      for (let v = 0; v < source.leaders.length; v++) {
        const u = source.leaders[v]!;
        for (let i = 0; i < 3; i++) skinned[3 * v + i] = surface.skinned[3 * u + i]!;
      }
      surface.offsets.set(rows[n]!);
      surface.place();
      for (const { fit, weights } of active) fit.add(weights[n]!, skinned, surface.positions, surface.blends);
    }
  }
}
