/** How the samples of a bake are judged by the gate of core: pieces of work for threads. */
import type { BakeJob } from '../bake/bake-job.js';
import type { Sample } from '../bake/list-samples.js';
import { cutRows, type ExactRows } from '../bake/plan-rows.js';

/** Samples of a task. */
export const HARM_CHUNK = 16;
/** Samples of a second, and least ones of a clip, whose look is judged; jumps are looked for in all. */
const LOOKS = 8;
const LEAST_LOOKS = 16;

/** Samples of the clips whose frames are judged, one after the other. */
export interface HarmTask {
  /** The first `lead` of them belong to the task before: jumps are seen over three samples. */
  readonly samples: readonly Sample[];
  readonly lead: number;
  /** Samples after `lead` whose look is judged. */
  readonly looks: readonly number[];
  /** Target volume of the samples, of the volume at rest. */
  readonly scales: Float64Array;
}

/** Tasks that cover all samples, and what is handed to the judge of each. */
export function planHarmTasks(job: Omit<BakeJob, 'rowOf'>): (HarmTask & ExactRows & { readonly first: number })[] {
  const { samples, layout, block, meter, ranges } = job;
  const { clips } = job.stack.character;
  const scaleOf = (n: number): number => {
    const from = n * layout.stride + layout.regionTargets;
    const target = block.measures.subarray(from, from + meter.regions.count).reduce((sum, v) => sum + v, 0);
    const rest = meter.restRegions.reduce((sum, v) => sum + v, 0);
    return rest !== 0 ? target / rest : 1;
  };
  /** Evenly drawn, and the end of every clip. */
  const isLook = (n: number): boolean => {
    const [first, end] = ranges[samples[n]!.clip] ?? [0, 0];
    const { duration } = clips[samples[n]!.clip] ?? { duration: 0 };
    const step = Math.max(1, Math.floor((end - first - 1) / Math.max(LEAST_LOOKS, LOOKS * duration)));
    return (n - first) % step === 0 || n === end - 1;
  };
  return Array.from({ length: Math.ceil(samples.length / HARM_CHUNK) }, (_, i) => {
    const first = HARM_CHUNK * i;
    const count = Math.min(HARM_CHUNK, samples.length - first);
    const lead = Math.min(2, first);
    const all = Array.from({ length: lead + count }, (_, n) => first - lead + n);
    return {
      first,
      lead,
      samples: all.map((n) => samples[n]!),
      looks: Array.from({ length: count }, (_, n) => n).filter((n) => isLook(first + n)),
      scales: Float64Array.from(all, scaleOf),
      ...cutRows(job, all),
    };
  });
}
