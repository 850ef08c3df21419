/** What the written bytes show at every sample, on all threads: volumes of components and regions, and the distance to the exact surface. */
import { measureRegionError } from '@isoskin/core/mesh';
import type { BakeJob } from '../bake/bake-job.js';
import { cutRows } from '../bake/plan-rows.js';
import type { Details } from '../bake/summarise-clip.js';
import { runTasks } from '../threads/bake-threads.js';
import { createPlayedMeter, type PlayedBlock, type PlayedTask } from './create-played-meter.js';
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
}

export interface JudgedRegion {
  readonly skinned: WorstRegion;
  readonly baked: WorstRegion;
}

/** Samples of a task. */
const CHUNK = 16;

export async function checkPlayed(job: BakeJob, playback: Playback, details?: Details): Promise<PlayedCheck> {
  const { samples, meter, layout, block } = job;
  const { character } = job.stack;
  const components = character.surface.components.length;
  const K = meter.regions.count;
  const firsts = Array.from({ length: Math.ceil(samples.length / CHUNK) }, (_, i) => CHUNK * i);
  job.threads?.share('played', playback);
  const blocks = await runTasks(job.threads, 'played', firsts.map(planTask), createPlayedMeter(job, playback));
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
    const first = firsts[i]!;
    volumes.set(played.volumes, first * components);
    errors.set(played.errors, first);
    rounding.set(played.rounding, first);
    const kept = played.kept.values();
    for (let n = first; n < Math.min(first + CHUNK, samples.length); n++) {
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
  return { volumes, errors, rounding, regions: [...judged.values()] };

  function planTask(first: number): PlayedTask {
    const own = samples.slice(first, first + CHUNK);
    const kept = [...own.keys()].filter((n) => own[n]!.clip >= 0 && details?.kept.has(first + n));
    return {
      samples: own,
      kept,
      ...cutRows(
        job,
        [...own.keys()].map((n) => first + n),
      ),
    };
  }
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

/** Regions that the file plays worse than plain skinning does, by more than the tolerance, each in its clip; the worst of them first. */
export function findWorseRegions(regions: readonly JudgedRegion[], tolerance: number): JudgedRegion[] {
  const excess = ({ skinned, baked }: JudgedRegion) => {
    const more = Math.abs(baked.change) - Math.abs(skinned.change);
    return Number.isNaN(more) ? Number.POSITIVE_INFINITY : more;
  };
  return regions.filter((one) => excess(one) > tolerance).sort((a, b) => (excess(a) < excess(b) ? 1 : -1));
}
