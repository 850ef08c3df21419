/** What the steps of a bake share. */
import type { Character, FrameSource, VolumeMeter } from '@isoskin/core';
import type { HarmPlan } from '@isoskin/core/quality';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { BakeThreads } from '../threads/bake-threads.js';
import type { FrameBlock, MeasureLayout } from './create-frame-baker.js';
import type { LaidOutFrame } from './create-shape-frames.js';
import type { DrawnSource } from './drawn-shapes.js';
import type { Sample, SampleRange } from './list-samples.js';
import type { SourceSkin } from './plan-source-skin.js';

export interface BakeJob {
  /** What is baked: the file that was opened or, where skin folds, a finer one. */
  readonly read: ReadResult;
  readonly stack: FrameSource;
  readonly meter: VolumeMeter;
  readonly source: SourceSkin;
  readonly samples: readonly Sample[];
  /** Clip → its samples. */
  readonly ranges: readonly SampleRange[];
  readonly block: FrameBlock;
  /** Shapes that become targets, where the volume step is shapes. */
  readonly drawn: DrawnSource | undefined;
  /** Correction of sample n, #U×3; valid until the next. */
  rowOf(n: number): Float32Array;
  readonly layout: MeasureLayout;
  /** Diagonal of the box, and the tolerance as a share of it and of volumes. */
  readonly size: number;
  readonly tolerance: number;
  /** Deltas are normalised integers. */
  readonly compact: boolean;
  /** Targets beside the shapes, at most. */
  readonly maxTargets: number;
  /** Corrections are in world units (a cache), else in units of POSITION. */
  readonly world: boolean;
  readonly threads: BakeThreads | undefined;
  /** The stack on the kernels, where they evaluate it. */
  readonly frame: LaidOutFrame | undefined;
  /** For the gate (judge/judge-harm.ts); absent where folds or other volumes are asked for. */
  readonly harm: HarmPlan | undefined;
}

/** Volumes of the components that the stack gives in sample n. */
export function exactVolumes({ block, layout, stack }: BakeJob, n: number): Float64Array {
  const from = n * layout.stride + layout.correctedComponents;
  return block.measures.subarray(from, from + stack.character.surface.components.length);
}

/** World units per unit of POSITION in a group. */
export function scaleOf({ parts }: Character, group: number): number {
  return Math.abs(parts.find((part) => part.group === group)!.scale);
}

export function partsOf({ parts }: Character, group: number): number[] {
  return [...parts.keys()].filter((p) => parts[p]!.group === group);
}
