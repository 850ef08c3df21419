/** What the written bytes show at every sample, on all threads: volumes of components and regions, and the distance to the exact surface. */
import { measureRegionError } from '@isoskin/core/mesh';
import { joinBlame, NO_HARM, type PlayedHarm } from '@isoskin/core/stack';
import type { BakeJob } from '../bake/bake-job.js';
import type { Details } from '../bake/summarise-clip.js';
import { runTasks } from '../threads/bake-threads.js';
import { createPlayedMeter, type PlayedBlock, type PlayedTask } from './create-played-meter.js';
import { HARM_CHUNK, planHarmTasks } from './judge-harm.js';
import type { Playback } from './plan-playback.js';

/** Largest relative change of a region in the samples of a clip. */
export interface WorstRegion {
  readonly name: string;
  readonly clip: string;
  readonly time: number;
  readonly change: number;
}

export interface PlayedCheck {
  /** Volume of every component, #samples×#components. */
  readonly volumes: Float64Array;
  /** Largest distance to the exact correction, world units, #samples. */
  readonly errors: Float64Array;
  /** What the rounding of f32 may do to the volume of every sample: it grows with the distance from the origin. */
  readonly rounding: Float64Array;
  /** Every region of every clip where it is worst as skinned, and as the file plays. */
  readonly regions: readonly JudgedRegion[];
  /** Absent where folds or other volumes are asked for. */
  readonly harm: PlayedHarm | undefined;
}

export interface JudgedRegion {
  readonly skinned: WorstRegion;
  readonly baked: WorstRegion;
}

export async function checkPlayed(job: BakeJob, playback: Playback, details?: Details): Promise<PlayedCheck> {
  const { samples, meter, layout, block } = job;
  const { character } = job.stack;
  const components = character.surface.components.length;
  const K = meter.regions.count;
  const tasks: (PlayedTask & { readonly first: number })[] = planHarmTasks(job).map((task) => {
    const own = Array.from({ length: task.samples.length - task.lead }, (_, n) => n);
    const kept = own.filter((n) => samples[task.first + n]!.clip >= 0 && details?.kept.has(task.first + n));
    return { ...task, kept };
  });
  job.threads?.share('played', playback);
  const blocks = await runTasks(job.threads, 'played', tasks, createPlayedMeter(job, playback));
  const volumes = new Float64Array(samples.length * components);
  const errors = new Float64Array(samples.length);
  const rounding = new Float64Array(samples.length);
  const judged = new Map<number, { skinned: WorstRegion; baked: WorstRegion }>();
  const judge = (kind: 'skinned' | 'baked', n: number, regionVolumes: Float64Array, at: number): void => {
    const from = n * layout.stride + layout.regionTargets;
    const { clip, time } = samples[n]!;
    for (let s = 0; s < K; s++) {
      const goal = block.measures[from + s]!;
      const change = measureRegionError(regionVolumes[at + s]!, goal, meter.componentOfRegion[s]!);
      const own = judged.get(clip * K + s);
      if (own && !isWorse(change, own[kind].change)) continue;
      const worst = { name: meter.regions.names[s] ?? `${s}`, clip: character.clips[clip]!.name, time, change };
      if (own) own[kind] = worst;
      else
        judged.set(clip * K + s, { skinned: { ...worst, change: 0 }, baked: { ...worst, change: 0 }, [kind]: worst });
    }
  };
  blocks.forEach((played: PlayedBlock, i) => {
    const { first } = tasks[i]!;
    volumes.set(played.volumes, first * components);
    errors.set(played.errors, first);
    rounding.set(played.rounding, first);
    const kept = played.kept.values();
    for (let n = first; n < Math.min(first + HARM_CHUNK, samples.length); n++) {
      if (samples[n]!.clip < 0) continue;
      const at = (n - first) * K;
      if (played.plain) judge('skinned', n, played.plain, at);
      else judge('skinned', n, block.measures, n * layout.stride + layout.skinnedRegions);
      judge('baked', n, played.regions, at);
      details?.regions.set(played.regions.subarray(at, at + K), n * K);
      const wanted = details?.kept.get(n);
      const positions = wanted && kept.next().value!;
      for (const into of wanted ?? []) into.set(positions!);
    }
  });
  const harms = blocks.flatMap(({ harm }) => harm ?? []);
  const regions = [...judged.values()];
  const losses = meter.regions.names.map((name) => {
    const own = regions.filter(({ baked }) => baked.name === name);
    const [worst] = own
      .map((one) => ({ ...one.baked, value: 100 * measureExcess(one), vertex: -1 }))
      .sort((a, b) => b.value - a.value);
    return worst ?? NO_HARM;
  });
  const harm = playback.harm && joinBlame(harms, meter.regions.names, losses);
  return { volumes, errors, rounding, regions, harm };
}

/** NaN is worse than anything. */
function isWorse(a: number, b: number): boolean {
  return !Number.isNaN(b) && !(Math.abs(a) <= Math.abs(b));
}

/** What changes most as skinned and what does as the file plays: of all, they may be two regions. */
export function findWorstRegion(regions: readonly JudgedRegion[]): JudgedRegion | undefined {
  return regions.reduce<JudgedRegion | undefined>(
    (worst, one) =>
      worst
        ? {
            skinned: isWorse(one.skinned.change, worst.skinned.change) ? one.skinned : worst.skinned,
            baked: isWorse(one.baked.change, worst.baked.change) ? one.baked : worst.baked,
          }
        : one,
    undefined,
  );
}

/** A region that loses less than this share of its volume, compared with plain skinning, is a remark. */
export const WORSE_REGION = 0.01;

/** Regions that the file plays worse than plain skinning does, by more than the tolerance, each in its clip; the worst of them first. */
export function findWorseRegions(regions: readonly JudgedRegion[], tolerance: number): JudgedRegion[] {
  return regions
    .filter((one) => measureExcess(one) > tolerance)
    .sort((a, b) => (measureExcess(a) < measureExcess(b) ? 1 : -1));
}

function measureExcess({ skinned, baked }: JudgedRegion): number {
  const more = Math.abs(baked.change) - Math.abs(skinned.change);
  return Number.isNaN(more) ? Number.POSITIVE_INFINITY : more;
}
