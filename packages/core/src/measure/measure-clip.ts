/**
 * Volume over a clip, skinned and corrected: the numbers behind `isoskin measure`, the report and the studio's plots.
 *
 * Volumes are in world units; changes are relative to the target of the frame (rest scaled as the author scales the joints),
 * signed, −0.11 = 11 % lost. `worst` is the change of largest size.
 */

import type { Character } from '../character/character.js';
import { markQuietVertices } from '../quality/mark-quiet-vertices.js';
import { createHarmMeter, type HarmTally, joinHarm } from '../quality/measure-harm.js';
import { measureQuality, planQuality, type Quality, type QualityPlan } from '../quality/measure-quality.js';
import { planFlesh } from '../quality/plan-flesh.js';
import { type HarmPlan, planHarm } from '../quality/plan-harm.js';
import { createTemporalQuality } from '../quality/temporal-quality.js';
import type { Clip } from '../skeleton/clip.js';
import { frameTimes } from '../skeleton/pose.js';
import type { FrameSource } from '../stack/create-frame-source.js';
import { INEXACT, measureRegionError } from '../volume/region-error.js';
import { planVolumeMeter, type VolumeMeter } from './plan-volume-meter.js';

/** What a clip does to the volume, frame by frame and in its worst moment. */
export interface ClipMeasure {
  readonly name: string;
  readonly fps: number;
  readonly duration: number;
  readonly frames: readonly FrameMeasure[];
  readonly worst: Change;
  readonly regions: readonly RegionMeasure[];
  readonly components: readonly RegionMeasure[];
  /** Largest values over the clip; absent unless asked for. */
  readonly quality?: ClipQuality;
  /** Regions of a volume layer that could not be made exact in some frame, with the worst relative error left. */
  readonly inexact: readonly { readonly name: string; readonly error: number }[];
}

/** Relative changes; `corrected` is absent when the stack has no volume layer. */
export interface Change {
  readonly skinned: number;
  readonly corrected?: number;
}

export interface FrameMeasure {
  readonly time: number;
  /** Volumes, world units. */
  readonly skinned: number;
  readonly corrected?: number;
  /** V̄ of this frame. */
  readonly target: number;
  readonly intersections?: { readonly skinned: number; readonly corrected: number };
}

export interface RegionMeasure {
  readonly name: string;
  readonly rest: number;
  readonly worst: Change;
  /** Relative change of every frame. */
  readonly skinned: readonly number[];
  readonly corrected?: readonly number[];
}

export interface ClipQuality {
  readonly flipped: number;
  readonly stretch99: number;
  readonly stretchMax: number;
  readonly roughness: number;
  readonly temporal: number;
  readonly locality: number;
  readonly rms: number;
  /** Q9: share of the body that is not where it was; mean and worst frame. */
  readonly misplaced: Judged;
  /** Q10: flesh that is twice in one place, above the bind shape's own, by the rest volume; mean and worst frame. */
  readonly overlap: Judged;
  /** Q10: largest change of the volume that an eye sees. */
  readonly visible: Pick<Judged, 'worst'>;
  /** Q11: what looks worse than the plain skin, per cent, with the moment and the vertex. */
  readonly harm: HarmTally['worst'];
  readonly intersections?: { readonly skinned: number; readonly corrected: number };
}

/** A figure of the plain skin beside that of the corrected one. */
export interface Judged {
  readonly mean: { readonly skinned: number; readonly corrected: number };
  readonly worst: { readonly skinned: number; readonly corrected: number };
}

export interface MeasureOptions {
  readonly fps?: number;
  readonly quality?: boolean;
  /** Count self-intersections of every frame: slow. */
  readonly intersections?: boolean;
  /** Called after every frame. */
  readonly onFrame?: (done: number, total: number) => void;
}

/** Q5–Q7 look only at frames that move at least this much (RMS, relative to the box). */
const MOVES = 1e-4;
/** Q7: a region that changed by less kept its volume. */
const QUIET = 1e-3;

/** Measures clips under one frame source; planned once. */
export interface ClipMeter {
  readonly meter: VolumeMeter;
  measure(clip: Clip, options?: MeasureOptions): ClipMeasure;
}

/** Measures clips as plain skinning and as the source gives them. */
export function planClipMeter(source: FrameSource): ClipMeter {
  const { character, frame, volume: layer } = source;
  const meter = planVolumeMeter(character, layer);
  const quiet = new Uint8Array(character.surface.vertexCount);
  let qualityPlan: QualityPlan | undefined;
  let flesh: FleshJudge | undefined;
  let harmPlan: HarmPlan | undefined;

  function measure(clip: Clip, options: MeasureOptions = {}): ClipMeasure {
    const { fps = 30, quality = false, intersections = false, onFrame } = options;
    const times = frameTimes(clip, fps);
    const regions = createSeries(meter.regions.names, meter.restRegions, layer !== undefined);
    const components = createSeries(
      character.surface.components.map(({ name }) => name),
      meter.restComponents,
      layer !== undefined,
    );
    const frames: FrameMeasure[] = [];
    const temporal = createTemporalQuality(character.surface.vertexCount);
    const qualities: Quality[] = [];
    if (quality) flesh ??= createFleshJudge(source.character);
    flesh?.start();
    if (quality) harmPlan ??= planHarm(character.surface);
    const harm = quality ? createHarmMeter(harmPlan!) : undefined;
    if (quality || intersections) qualityPlan ??= planQuality(character.surface, { intersections: true });
    let scale = 1;
    const regionChange = (volume: number, s: number) =>
      measureRegionError(volume, meter.targets[s]!, meter.componentOfRegion[s]!);
    const componentChange = (volume: number, c: number) =>
      measureRegionError(volume, scale * meter.restComponents[c]!, scale * meter.restComponents[c]!);
    for (const [n, time] of times.entries()) {
      source.seek(clip, time);
      const target = meter.measureTargets(frame.bones, time, frame.pose.morphWeights);
      scale = meter.rest !== 0 ? target / meter.rest : 1;
      const skinned = meter.measure(frame.skinned);
      pushChanges(regions, 'skinned', meter.regionVolumes, regionChange);
      pushChanges(components, 'skinned', meter.componentVolumes, componentChange);
      if (quality) {
        const { triangleRegion } = meter.regions;
        markQuietVertices(quiet, character.surface, triangleRegion, meter.regionVolumes, meter.targets, QUIET);
        flesh?.add(frame.skinned, frame.positions, scale);
        harm!.follow(frame.skinned, frame.positions, { clip: clip.name, time });
        harm!.add(frame.skinned, frame.positions, { clip: clip.name, time });
      }
      let corrected: number | undefined;
      if (layer) {
        corrected = meter.measure(frame.positions);
        pushChanges(regions, 'corrected', meter.regionVolumes, regionChange);
        pushChanges(components, 'corrected', meter.componentVolumes, componentChange);
      }
      let counted: Quality['intersections'] = null;
      if (qualityPlan && (quality || intersections)) {
        const q = measureQuality(qualityPlan, frame.skinned, frame.positions, { intersections, quiet });
        counted = q.intersections;
        qualities.push(q);
        temporal.push(frame.skinned, frame.positions);
      }
      frames.push({
        time,
        skinned,
        ...(corrected !== undefined && { corrected }),
        target,
        ...(counted && { intersections: counted }),
      });
      onFrame?.(n + 1, times.length);
    }
    return {
      name: clip.name,
      fps,
      duration: clip.duration,
      frames,
      worst: {
        skinned: largest(frames.map((f) => f.skinned / f.target - 1)),
        ...(layer && { corrected: largest(frames.map((f) => f.corrected! / f.target - 1)) }),
      },
      regions: regions.map(finishSeries),
      components: components.map(finishSeries),
      inexact: regions
        .filter((series) => series.corrected && Math.abs(largest(series.corrected)) > INEXACT)
        .map((series) => ({ name: series.name, error: Math.abs(largest(series.corrected!)) })),
      ...(quality && {
        quality: { ...summarise(qualities, temporal.value), ...flesh!.finish(), harm: joinHarm([harm!.tally]) },
      }),
    };
  }

  return { meter, measure };
}

/** Q9 and Q10 over a clip. */
interface FleshJudge {
  start(): void;
  add(skinned: Float64Array, corrected: Float64Array, scale: number): void;
  finish(): Pick<ClipQuality, 'misplaced' | 'overlap' | 'visible'>;
}

function createFleshJudge(character: Character): FleshJudge {
  const flesh = planFlesh(character);
  const misplaced = createJudgement();
  const overlap = createJudgement();
  const visible = createJudgement();
  const judge = (kind: 'skinned' | 'corrected', positions: Float64Array, scale: number): void => {
    const figures = flesh.measure(positions, scale);
    misplaced.add(kind, figures.misplaced);
    overlap.add(kind, figures.overlap);
    visible.add(kind, Math.abs(figures.visible));
  };
  return {
    start() {
      for (const one of [misplaced, overlap, visible]) one.start();
    },
    add(skinned, corrected, scale) {
      judge('skinned', skinned, scale);
      judge('corrected', corrected, scale);
    },
    finish: () => ({ misplaced: misplaced.finish(), overlap: overlap.finish(), visible: visible.finish() }),
  };
}

function createJudgement() {
  const sum = { skinned: 0, corrected: 0 };
  const worst = { skinned: 0, corrected: 0 };
  let count = 0;
  return {
    start() {
      sum.skinned = sum.corrected = worst.skinned = worst.corrected = count = 0;
    },
    add(kind: 'skinned' | 'corrected', value: number) {
      sum[kind] += value;
      worst[kind] = Math.max(worst[kind], value);
      if (kind === 'corrected') count++;
    },
    finish: (): Judged => ({
      mean: { skinned: sum.skinned / (count || 1), corrected: sum.corrected / (count || 1) },
      worst: { ...worst },
    }),
  };
}

interface Series {
  name: string;
  rest: number;
  skinned: number[];
  corrected?: number[];
}

function createSeries(names: readonly string[], rest: Float64Array, corrected: boolean): Series[] {
  return names.map((name, s) => ({ name, rest: rest[s]!, skinned: [], ...(corrected && { corrected: [] }) }));
}

function largest(changes: readonly number[]): number {
  return changes.reduce((worst, change) => (Math.abs(change) > Math.abs(worst) ? change : worst), 0);
}

function finishSeries(series: Series): RegionMeasure {
  const { corrected } = series;
  return {
    ...series,
    worst: { skinned: largest(series.skinned), ...(corrected && { corrected: largest(corrected) }) },
  };
}

function pushChanges(
  series: readonly Series[],
  kind: 'skinned' | 'corrected',
  volumes: Float64Array,
  change: (volume: number, s: number) => number,
): void {
  for (const [s, one] of series.entries()) one[kind]!.push(change(volumes[s]!, s));
}

function summarise(
  all: readonly Quality[],
  temporal: number,
): Omit<ClipQuality, 'misplaced' | 'overlap' | 'visible' | 'harm'> {
  const moving = all.filter(({ rms }) => rms > MOVES);
  const worst = (list: readonly Quality[], pick: (q: Quality) => number): number => Math.max(0, ...list.map(pick));
  const counted = all.some((q) => q.intersections);
  const sum = (kind: 'skinned' | 'corrected') => all.reduce((total, q) => total + (q.intersections?.[kind] ?? 0), 0);
  return {
    flipped: worst(all, (q) => q.flipped),
    stretch99: worst(all, (q) => q.stretch99),
    stretchMax: worst(all, (q) => q.stretchMax),
    roughness: worst(moving, (q) => q.roughness),
    temporal: moving.length > 0 ? temporal : 0,
    locality: worst(moving, (q) => q.locality ?? 0),
    rms: worst(all, (q) => q.rms),
    ...(counted && { intersections: { skinned: sum('skinned'), corrected: sum('corrected') } }),
  };
}
