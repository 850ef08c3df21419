/**
 * The present clip as numbers: volume of the whole and of every region, before and after, and intersections when a contact
 * layer is on. Measured by an engine of its own, a few frames at a time, again whenever stack, paint, clip or pose change.
 */
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { describeBase } from '../engine/create-folds.js';
import type { EngineClient } from '../engine/engine-client.js';
import type { MeasureResult, SourceData } from '../engine/protocol.js';
import type { Studio } from './studio.js';
import { until } from './until.js';

export interface ClipSeries {
  readonly times: number[];
  /** Frames that the whole clip has. */
  readonly total: number;
  readonly regionNames: readonly string[];
  readonly skinned: number[];
  readonly corrected: number[];
  /** By region. */
  readonly regionsSkinned: readonly number[][];
  readonly regionsCorrected: readonly number[][];
  /** Empty unless counted. */
  readonly crossingsSkinned: number[];
  readonly crossingsCorrected: number[];
}

export interface Analysis {
  readonly series: ReadonlySignal<ClipSeries | null>;
  /** A large character is measured only when asked. */
  readonly isWaiting: ReadonlySignal<boolean>;
  readonly wanted: Signal<boolean>;
}

const FPS = 30;
const CHUNK = 6;
/** Above this many vertices a person is asked first. */
const MOST_UNASKED = 150_000;
/** Milliseconds without a change before measuring starts. */
const CALM = 400;

export function createAnalysis(studio: Studio, start: () => EngineClient): Analysis {
  const series = signal<ClipSeries | null>(null);
  const isWaiting = signal(false);
  const wanted = signal(false);
  let engine: EngineClient | undefined;
  let opened: SourceData | undefined;
  let round = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function measure(own: number): Promise<void> {
    const isOld = () => own !== round;
    const isCalm = () => until(() => studio.busy.value === ''); // what a person waits for has the processor to itself
    await isCalm();
    if (isOld()) return;
    const { stack, paint, clip, pose } = studio.document.peek();
    const data = studio.openedData;
    if (!data) return;
    engine ??= start();
    if (opened === undefined || !isSame(opened, data)) {
      opened = undefined;
      await engine.open(data);
      opened = data;
    }
    if (isOld()) return;
    const plan = await engine.plan({ stack, paint, kernels: 'auto' });
    let all = createSeries(plan.regions.map(({ name }) => name));
    for (let from = 0; ; ) {
      await isCalm();
      if (isOld()) return;
      const part = await engine.measure({ clip, fps: FPS, from, count: CHUNK, pose, intersections: plan.hasContact });
      if (isOld()) return;
      all = append(all, part);
      from += part.times.length;
      series.value = all;
      if (part.times.length === 0 || from >= part.total) break;
    }
    studio.engine.prepare?.();
  }

  let last: unknown[] = [];
  effect(() => {
    const { source, stack, paint, clip, pose } = studio.document.value;
    const isPlanned = studio.plan.value !== null;
    const count = studio.character.value?.vertexCount ?? 0;
    const isLarge = count > MOST_UNASKED && !wanted.value;
    const base = describeBase(stack); // wrinkles keep the volume
    const inputs = [source, base, paint, clip, pose, isPlanned, isLarge];
    if (inputs.every((value, n) => value === last[n])) return; // only the view has changed
    if (source !== last[0] || clip !== last[3]) series.value = null;
    if (source !== last[0]) wanted.value = false;
    last = inputs;
    const own = ++round;
    clearTimeout(timer);
    isWaiting.value = isLarge;
    if (!isPlanned || isLarge) return; // the first picture comes first
    timer = setTimeout(() => {
      measure(own).catch(() => {
        // The same stack has failed in the studio's engine, which has said why.
        if (own === round) series.value = null;
      });
    }, CALM);
  });

  return { series, isWaiting, wanted };
}

function isSame(a: SourceData, b: SourceData): boolean {
  return a === b || (a.kind === 'demo' && b.kind === 'demo' && a.name === b.name);
}

function createSeries(regionNames: readonly string[]): ClipSeries {
  return {
    times: [],
    total: 0,
    regionNames,
    skinned: [],
    corrected: [],
    regionsSkinned: regionNames.map(() => []),
    regionsCorrected: regionNames.map(() => []),
    crossingsSkinned: [],
    crossingsCorrected: [],
  };
}

function append(series: ClipSeries, part: MeasureResult): ClipSeries {
  const regions = series.regionNames.length;
  const column = (values: Float32Array, s: number) => Array.from(part.times, (_, n) => values[n * regions + s]!);
  return {
    ...series,
    total: part.total,
    times: [...series.times, ...part.times],
    skinned: [...series.skinned, ...part.skinned],
    corrected: [...series.corrected, ...part.corrected],
    regionsSkinned: series.regionsSkinned.map((list, s) => [...list, ...column(part.regionsSkinned, s)]),
    regionsCorrected: series.regionsCorrected.map((list, s) => [...list, ...column(part.regionsCorrected, s)]),
    crossingsSkinned: [...series.crossingsSkinned, ...(part.crossingsSkinned ?? [])],
    crossingsCorrected: [...series.crossingsCorrected, ...(part.crossingsCorrected ?? [])],
  };
}
