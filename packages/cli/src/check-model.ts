/**
 * Judges how much of its volume a model loses as viewers play it: for every clip the frame that changes most.
 *
 *   change = V / V̄ − 1,   fault: |change| > limit
 *
 * V̄  rest volume, of the whole or of a region, as in `isoskin measure`;  limit  `--max-loss`, `--max-region-loss`. The morph targets of a bake are
 * also judged by their look (Q11): the file as it plays against the file without them.
 */
import {
  type Clip,
  type ClipMeasure,
  checkBudget,
  createFrameSource,
  createPose,
  type FrameSource,
  frameTimes,
  IsoskinError,
  planBody,
  planClipMeter,
  samplePose,
  type VolumeMeter,
} from '@isoskin/core';
import { createHarmMeter, HARM_LIMITS, joinHarm, listBroken, planHarm } from '@isoskin/core/quality';
import { describeHarm } from '@isoskin/core/stack';
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
  readonly faults: readonly { readonly rule: 'volume-loss' | 'region-loss' | 'harm'; readonly message: string }[];
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
    const source = createFrameSource(planBody(character), { skin: {} });
    const meter = planClipMeter(source);
    const judgeLook = planLookJudge(source, meter.meter.regions);
    const checked = clips.map((clip) => {
      const found = judgeClip(meter.measure(clip, { fps: options.fps }), options);
      return { ...found, faults: [...found.faults, ...judgeLook(clip)] };
    });
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

/** Harm of the targets that a bake wrote; nothing in files without any. */
function planLookJudge(source: FrameSource, { names, triangleRegion }: VolumeMeter['regions']) {
  const { character } = source;
  const { surface } = character;
  const targets = [...character.morphs.keys()].filter((m) => character.morphs[m]!.name.startsWith(BAKED_PREFIX));
  if (targets.length === 0) return () => [];
  const plan = planHarm(surface);
  const pose = createPose(character);
  return (clip: Clip): ClipCheck['faults'] => {
    const meter = createHarmMeter(plan);
    frameTimes(clip, LOOK_FPS).forEach((time, n) => {
      samplePose(pose, character, clip, time);
      const played = source.evaluate(pose).positions.slice();
      for (const m of targets) pose.morphWeights[m] = 0;
      const plain = source.evaluate(pose).positions;
      meter.follow(plain, played, { clip: clip.name, time });
      if (n % LOOK_STEP === 0 || time === clip.duration) meter.add(plain, played, { clip: clip.name, time });
    });
    const worst = joinHarm([meter.tally]);
    return listBroken(worst).map((kind) => {
      const { corners } = surface;
      const corner = corners.values[corners.offsets[worst[kind].vertex]!]!;
      const region = names[triangleRegion[Math.floor(corner / 3)]!]!;
      const message = `${describeHarm(kind, worst[kind], [region])}, more than ${formatPercent(HARM_LIMITS[kind])}`;
      return { rule: 'harm', message };
    });
  };
}

/** Names of morph targets that a bake writes begin with it. */
const BAKED_PREFIX = 'isoskin ';
/** Jumps are looked for at this rate, the look at every `LOOK_STEP`th frame. */
const LOOK_FPS = 60;
const LOOK_STEP = 8;

function findWorst(changes: readonly number[], times: readonly number[]): WorstChange {
  const at = changes.reduce((best, change, i) => (isLarger(change, changes[best]!) ? i : best), 0);
  return { change: changes[at] ?? 0, time: times[at] ?? 0 };
}

/** What is no number is larger than anything. */
function isLarger(a: number, b: number): boolean {
  return !(Math.abs(a) <= Math.abs(b));
}
