/**
 * Evaluates the stack at a list of samples, cold, and carries every correction back into the space of the file's POSITION.
 *
 * Samples do not depend on each other (what swings is sought from the start of its clip), so that a clip can be spread over
 * threads; the answer is two flat arrays that can be transferred. O(samples · frame).
 */

import type { FrameSource, VolumeMeter } from '@isoskin/core';
import { listUsedLayers, whyNotAccelerated } from '@isoskin/core/frames';
import type { PlayedPlan } from '@isoskin/core/runtime';
import type { LaidOut } from '@isoskin/wasm';
import { createShapeFrames, type LaidOutFrame, planShapeFrame, type ShapeFrame } from './create-shape-frames.js';
import type { Sample } from './list-samples.js';
import { loadBakeKernels } from './load-bake-kernels.js';
import { planBakeMeter } from './plan-bake-meter.js';
import type { SourceSkin } from './plan-source-skin.js';
import { solveBlend } from './solve-blend.js';

export interface FrameBlock {
  /** #samples × #U×3: δ in units of POSITION or, if `world`, the correction itself in world units; none where amounts say it all. */
  readonly deltas: Float32Array<ArrayBuffer>;
  /** #samples × `planMeasureLayout().stride`. */
  readonly measures: Float64Array<ArrayBuffer>;
}

/** What a bake needs of a frame source; one that is shapes alone does without its frames. */
export interface BakeStack extends Pick<FrameSource, 'character' | 'spec'>, Partial<Pick<FrameSource, 'seek'>> {
  readonly volume: (PlayedPlan & Pick<FrameVolume, 'shapes'>) | undefined;
}
type FrameVolume = NonNullable<FrameSource['volume']>;

/** Where the numbers of a sample are inside `FrameBlock.measures`. */
export interface MeasureLayout {
  readonly stride: number;
  /** V̄, skinned and corrected volume of the whole, largest displacement that could not be carried back (world units). */
  readonly target: 0;
  readonly skinned: 1;
  readonly corrected: 2;
  readonly unreached: 3;
  /** First of #components volumes each. */
  readonly skinnedComponents: number;
  readonly correctedComponents: number;
  /** First of #regions volumes each. */
  readonly regionTargets: number;
  readonly skinnedRegions: number;
  readonly correctedRegions: number;
  /** First of the weights of what is drawn, and how many there are. */
  readonly weights: number;
  readonly shapes: number;
}

export function planMeasureLayout({ character, volume }: BakeStack, meter: VolumeMeter): MeasureLayout {
  const components = character.surface.components.length;
  const regions = meter.regions.count;
  const shapes = volume?.shapes?.amounts.length ?? 0;
  const first = 4 + 2 * components;
  return {
    stride: first + 3 * regions + shapes,
    target: 0,
    skinned: 1,
    corrected: 2,
    unreached: 3,
    skinnedComponents: 4,
    correctedComponents: 4 + components,
    regionTargets: first,
    skinnedRegions: first + regions,
    correctedRegions: first + 2 * regions,
    weights: first + 3 * regions,
    shapes,
  };
}

/** The whole correction of this stack is shapes under linear skinning. */
export function isShapesAlone({ spec }: Pick<FrameSource, 'spec'>): boolean {
  const stack = listUsedLayers(spec);
  return !stack.wrinkles && whyNotAccelerated(stack) === '';
}

/** Numbers of a sample in `FrameBlock.deltas`. */
export function countDeltas(stack: Pick<FrameSource, 'spec'>, { pointCount }: SourceSkin, world: boolean): number {
  return isShapesAlone(stack) && !world ? 0 : 3 * pointCount;
}

/** Bakes lists of samples one after the other. */
export interface FrameBaker {
  (samples: readonly Sample[]): FrameBlock;
  /** Where kernels evaluate. */
  readonly frame?: LaidOutFrame | undefined;
}

export interface FrameBakerOptions {
  /** Leave the corrections in world space. */
  readonly world: boolean;
  /** The stack for the kernels, where another thread has laid it out. */
  readonly laidOut?: LaidOut | undefined;
}

export async function createFrameBaker(
  stack: BakeStack,
  source: SourceSkin,
  { world, laidOut: known }: FrameBakerOptions,
  meter = planBakeMeter(stack),
): Promise<FrameBaker> {
  const { character } = stack;
  const layout = planMeasureLayout(stack, meter);
  const width = countDeltas(stack, source, world);
  const skinned = new Float64Array(width);
  const blends = new Float64Array(3 * width);
  const { shapes, amounts: weights } = stack.volume?.shapes ?? {};
  const kernels = shapes && isShapesAlone(stack) ? await loadBakeKernels() : undefined;
  const plan = kernels && planShapeFrame(stack, shapes!);
  const frame = plan && { plan, laidOut: known ?? kernels.layOut(plan) };
  const frames = kernels && createShapeFrames(stack, kernels, frame!.laidOut);
  const wants = { skinned: true, positions: width > 0 };
  const seek = (sample: Sample): ShapeFrame =>
    frames?.(sample, wants) ?? { ...stack.seek!(character.clips[sample.clip], sample.time), weights };
  const bake = (row: Float32Array, numbers: Float64Array, sample: Sample): void => {
    const { time } = sample;
    const frame = seek(sample);
    if (width > 0) {
      source.apply(skinned, blends, frame.pose);
      numbers[layout.unreached] = carryBack(row, source, frame.positions, skinned, world ? undefined : blends);
    }
    numbers[layout.target] = meter.measureTargets(frame.bones, time, frame.pose.morphWeights);
    if (frame.weights) numbers.set(frame.weights, layout.weights);
    numbers.set(meter.targets, layout.regionTargets);
    numbers[layout.skinned] = meter.measure(frame.skinned);
    numbers.set(meter.componentVolumes, layout.skinnedComponents);
    numbers.set(meter.regionVolumes, layout.skinnedRegions);
    const isKnown = frame.volumes !== undefined;
    numbers[layout.corrected] = isKnown ? moveRegions(meter, frame.volumes!) : meter.measure(frame.positions);
    numbers.set(meter.componentVolumes, layout.correctedComponents);
    numbers.set(meter.regionVolumes, layout.correctedRegions);
  };
  const bakeAll = (samples: readonly Sample[]): FrameBlock => {
    const deltas = new Float32Array(samples.length * width);
    const measures = new Float64Array(samples.length * layout.stride);
    samples.forEach((sample, n) => {
      const row = deltas.subarray(n * width, (n + 1) * width);
      bake(row, measures.subarray(n * layout.stride, (n + 1) * layout.stride), sample);
    });
    return { deltas, measures };
  };
  return Object.assign(bakeAll, { frame });
}

/** What was measured last becomes what it is with other volumes of the regions; returns the whole. */
function moveRegions(
  { regions, componentVolumes, regionVolumes }: Pick<VolumeMeter, 'regions' | 'componentVolumes' | 'regionVolumes'>,
  volumes: Float64Array,
): number {
  for (let s = 0; s < volumes.length; s++) componentVolumes[regions.component[s]!]! += volumes[s]! - regionVolumes[s]!;
  regionVolumes.set(volumes);
  return componentVolumes.reduce((sum, v) => sum + v, 0);
}

/** Blocks of samples that follow each other, as one. */
export function joinBlocks(blocks: readonly FrameBlock[]): FrameBlock {
  const sum = (kind: keyof FrameBlock) => blocks.reduce((total, block) => total + block[kind].length, 0);
  const out = { deltas: new Float32Array(sum('deltas')), measures: new Float64Array(sum('measures')) };
  const at = { deltas: 0, measures: 0 };
  for (const block of blocks) {
    for (const kind of ['deltas', 'measures'] as const) {
      out[kind].set(block[kind], at[kind]);
      at[kind] += block[kind].length;
    }
  }
  return out;
}

/** Correction of every point; returns the largest distance that is left between the point and its welded vertex. */
function carryBack(
  out: Float32Array,
  { pointCount, welded }: SourceSkin,
  positions: Float64Array,
  skinned: Float64Array,
  blends: Float64Array | undefined,
): number {
  let largest = 0;
  for (let u = 0; u < pointCount; u++) {
    const k = 3 * u;
    const v = 3 * welded[u]!;
    const x = positions[v]! - skinned[k]!;
    const y = positions[v + 1]! - skinned[k + 1]!;
    const z = positions[v + 2]! - skinned[k + 2]!;
    if (x === 0 && y === 0 && z === 0) continue;
    if (!blends) {
      out[k] = x;
      out[k + 1] = y;
      out[k + 2] = z;
      continue;
    }
    const b = 9 * u;
    solveBlend(out, k, blends, b, x, y, z);
    const [p, q, r] = [out[k]!, out[k + 1]!, out[k + 2]!];
    const ex = blends[b]! * p + blends[b + 3]! * q + blends[b + 6]! * r - x;
    const ey = blends[b + 1]! * p + blends[b + 4]! * q + blends[b + 7]! * r - y;
    const ez = blends[b + 2]! * p + blends[b + 5]! * q + blends[b + 8]! * r - z;
    largest = Math.max(largest, ex * ex + ey * ey + ez * ez);
  }
  return Math.sqrt(largest);
}
