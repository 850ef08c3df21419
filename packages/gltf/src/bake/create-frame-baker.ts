/**
 * Evaluates the stack at a list of samples, cold, and carries every correction back into the space of the file's POSITION.
 *
 * Samples do not depend on each other (what swings is sought from the start of its clip), so that a clip can be spread over
 * threads; the answer is two flat arrays that can be transferred. O(samples · frame).
 */
import { type FrameSource, planVolumeMeter, type VolumeMeter } from '@isoskin/core';
import { measureVolumes, planClosedSurface } from '@isoskin/core/mesh';
import { listUsedLayers, whyNotAccelerated } from '@isoskin/core/stack';
import { createShapeFrames, type ShapeFrame } from './create-shape-frames.js';
import type { Sample } from './list-samples.js';
import type { SourceSkin } from './plan-source-skin.js';
import { solveBlend } from './solve-blend.js';

export interface FrameBlock {
  /** #samples × #U×3: δ in units of POSITION or, if `world`, the correction itself in world units; none where amounts say it all. */
  readonly deltas: Float32Array<ArrayBuffer>;
  /** #samples × `planMeasureLayout().stride`. */
  readonly measures: Float64Array<ArrayBuffer>;
}

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
  /** First of the amounts of the shapes, and how many there are. */
  readonly amounts: number;
  readonly shapes: number;
}

export function planMeasureLayout({ character, volume }: FrameSource, meter: VolumeMeter): MeasureLayout {
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
    amounts: first + 3 * regions,
    shapes,
  };
}

/** The whole correction of this stack is shapes under linear skinning. */
export function isShapesAlone({ spec }: FrameSource): boolean {
  const stack = listUsedLayers(spec);
  return !stack.wrinkles && whyNotAccelerated(stack) === '';
}

/** Numbers of a sample in `FrameBlock.deltas`. */
export function countDeltas(stack: FrameSource, { pointCount }: SourceSkin, world: boolean): number {
  return isShapesAlone(stack) && !world ? 0 : 3 * pointCount;
}

/** Bakes lists of samples one after the other. */
export type FrameBaker = (samples: readonly Sample[]) => FrameBlock;

export interface FrameBakerOptions {
  /** Measure the regions too, for a report; else their numbers are 0. */
  readonly regions: boolean;
  /** Leave the corrections in world space. */
  readonly world: boolean;
}

export function createFrameBaker(
  stack: FrameSource,
  source: SourceSkin,
  options: FrameBakerOptions,
  meter = planVolumeMeter(stack.character, stack.volume),
): FrameBaker {
  const { character } = stack;
  const { world } = options;
  // What is beside the shapes is solved again by what the regions have become.
  const regions = options.regions || !isShapesAlone(stack);
  const amounts = stack.volume?.shapes?.amounts;
  const layout = planMeasureLayout(stack, meter);
  const width = countDeltas(stack, source, world);
  const skinned = new Float64Array(width);
  const blends = new Float64Array(3 * width);
  const closed = planClosedSurface(character.surface);
  const extended = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  const volumes = new Float64Array(character.surface.components.length);
  const measure = (out: Float64Array, positions: Float64Array, components: number, first: number): number => {
    if (regions) {
      const sum = meter.measure(positions);
      out.set(meter.componentVolumes, components);
      out.set(meter.regionVolumes, first);
      return sum;
    }
    extended.set(positions);
    const sum = measureVolumes(volumes, closed, extended);
    out.set(volumes, components);
    return sum;
  };
  const seek = isShapesAlone(stack)
    ? createShapeFrames(stack)
    : ({ clip, time }: Sample): ShapeFrame => ({ ...stack.seek(character.clips[clip], time), amounts });
  const bake = (row: Float32Array, numbers: Float64Array, sample: Sample): void => {
    const { time } = sample;
    const frame = seek(sample);
    if (width > 0) {
      source.apply(skinned, blends, frame.pose);
      numbers[layout.unreached] = carryBack(row, source, frame.positions, skinned, world ? undefined : blends);
    }
    numbers[layout.target] = meter.measureTargets(frame.bones, time, frame.pose.morphWeights);
    if (frame.amounts) numbers.set(frame.amounts, layout.amounts);
    numbers.set(meter.targets, layout.regionTargets);
    numbers[layout.skinned] = measure(numbers, frame.skinned, layout.skinnedComponents, layout.skinnedRegions);
    numbers[layout.corrected] = measure(numbers, frame.positions, layout.correctedComponents, layout.correctedRegions);
  };
  return (samples) => {
    const deltas = new Float32Array(samples.length * width);
    const measures = new Float64Array(samples.length * layout.stride);
    samples.forEach((sample, n) => {
      const row = deltas.subarray(n * width, (n + 1) * width);
      bake(row, measures.subarray(n * layout.stride, (n + 1) * layout.stride), sample);
    });
    return { deltas, measures };
  };
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
