/**
 * Judges how much of its volume a model loses as viewers play it: for every clip the frame that changes most.
 *
 *   change = V / V̄ − 1,   fault: |change| > limit
 *
 * V̄  rest volume, of the whole or of a region, as in `isoskin measure`;  limit  `--max-loss`, `--max-region-loss`.
 */
import { type ClipMeasure, checkBudget, createFrameSource, IsoskinError, planBody, planClipMeter } from '@isoskin/core';
import { readCharacter } from '@isoskin/gltf/node';
import { chooseClips } from './choose-clips.js';
import { formatChange, formatPercent } from './format-number.js';
import { budgetOptions, type LoadOptions, loadOptions } from './load-options.js';

export interface CheckOptions extends LoadOptions {
  /** Shares, 0.05 = 5 %. */
  readonly maxLoss: number;
  readonly maxRegionLoss?: number;
  readonly fps: number;
}

/** A relative change, signed, and when it happens. */
export interface WorstChange {
  readonly change: number;
  readonly time: number;
}

export interface ClipCheck {
  readonly name: string;
  readonly worst: WorstChange;
  readonly region: WorstChange & { readonly name: string };
  /** What is wrong, in sentences. */
  readonly faults: readonly { readonly rule: 'volume-loss' | 'region-loss'; readonly message: string }[];
}

export interface ModelCheck {
  readonly model: string;
  /** kept, lost: measured. skipped: nothing in it deforms. refused: it cannot be read. */
  readonly status: 'kept' | 'lost' | 'skipped' | 'refused';
  /** Why it was skipped or refused. */
  readonly reason?: string;
  readonly clips: readonly ClipCheck[];
}

/** Bad models are part of the answer: one of them never hides the others. */
export async function checkModel(model: string, options: CheckOptions): Promise<ModelCheck> {
  try {
    const { character } = await readCharacter(model, loadOptions(options));
    const clips = chooseClips(character);
    const { maxWork } = budgetOptions(options);
    checkBudget(character, { clips, rate: options.fps, ...(maxWork !== undefined && { maxWork }) });
    const meter = planClipMeter(createFrameSource(planBody(character), { skin: {} }));
    const checked = clips.map((clip) => judgeClip(meter.measure(clip, { fps: options.fps }), options));
    return { model, status: checked.some(({ faults }) => faults.length > 0) ? 'lost' : 'kept', clips: checked };
  } catch (error) {
    if (!(error instanceof IsoskinError)) throw error;
    const status = error.code === 'NOTHING_TO_DEFORM' ? 'skipped' : 'refused';
    return { model, status, reason: error.message, clips: [] };
  }
}

function judgeClip({ name, frames, regions }: ClipMeasure, { maxLoss, maxRegionLoss }: CheckOptions): ClipCheck {
  const times = frames.map(({ time }) => time);
  const worst = findWorst(
    frames.map(({ skinned, target }) => (target === 0 ? 0 : skinned / target - 1)),
    times,
  );
  const region = regions
    .map((one) => ({ name: one.name, ...findWorst(one.skinned, times) }))
    .reduce((most, one) => (isLarger(one.change, most.change) ? one : most), { name: '', change: 0, time: 0 });
  const faults: ClipCheck['faults'][number][] = [];
  const tell = ({ change, time }: WorstChange, limit: number) =>
    `changes by ${formatChange(change)} at ${time.toFixed(2)} s of the clip "${name}", more than ${formatPercent(100 * limit)}`;
  if (!(Math.abs(worst.change) <= maxLoss)) {
    faults.push({ rule: 'volume-loss', message: `The volume ${tell(worst, maxLoss)}` });
  }
  if (maxRegionLoss !== undefined && !(Math.abs(region.change) <= maxRegionLoss)) {
    faults.push({ rule: 'region-loss', message: `The region "${region.name}" ${tell(region, maxRegionLoss)}` });
  }
  return { name, worst, region, faults };
}

function findWorst(changes: readonly number[], times: readonly number[]): WorstChange {
  const at = changes.reduce((best, change, i) => (isLarger(change, changes[best]!) ? i : best), 0);
  return { change: changes[at] ?? 0, time: times[at] ?? 0 };
}

/** What is no number is larger than anything. */
function isLarger(a: number, b: number): boolean {
  return !(Math.abs(a) <= Math.abs(b));
}
