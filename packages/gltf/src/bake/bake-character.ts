/**
 * Bakes a stack's correction into the file: a standard glTF that keeps its volume in every viewer.
 *
 * morph: y = skin(p + Σ w δ), δ the corrections carried back through the blended transforms, compressed to few targets.
 * cache: no skin; one target per key pose. The document of `read` is changed: read the file again to bake it differently.
 */
import { type Character, createStack, planVolumeMeter, type Stack, type StackSpec, type Warning } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { bakeFrames, type FrameBlock, type MeasureLayout, planMeasureLayout } from './bake-frames.js';
import { bakeMorphs, type BakedCheck } from './bake-morphs.js';
import { BAKE_DEFAULTS, type BakeOptions, checkBakeOptions } from './bake-options.js';
import { listSampleTimes, type Sample } from './list-samples.js';
import { planSourceSkin, type SourceSkin } from './plan-source-skin.js';
import { writeBinary } from './write-binary.js';
import { writeTargets } from './write-targets.js';
import { writeWeights } from './write-weights.js';

export interface BakeResult {
  readonly glb: Uint8Array<ArrayBuffer>;
  readonly clips: readonly BakedClip[];
  /** New morph targets of every node that got some. */
  readonly targets: readonly { readonly node: string; readonly count: number; readonly keys: number; readonly active: number }[];
  /** Largest position error relative to the diagonal of the box. */
  readonly positionError: number;
  readonly warnings: readonly Warning[];
  readonly stack: StackSpec;
}

/** Volumes over one clip, at every sample. World units. */
export interface BakedClip {
  readonly name: string;
  readonly duration: number;
  readonly times: readonly number[];
  readonly target: readonly number[];
  readonly skinned: readonly number[];
  /** What the stack gives. */
  readonly corrected: readonly number[];
  /** What the file gives. */
  readonly baked: readonly number[];
  readonly regions: readonly BakedRegion[];
  readonly components: readonly BakedRegion[];
  /** Largest relative change, signed. */
  readonly worst: { readonly skinned: number; readonly baked: number; readonly time: number };
  /** Largest position error relative to the diagonal of the box. */
  readonly positionError: number;
}

/** Relative changes of one region or component. */
export interface BakedRegion {
  readonly name: string;
  readonly rest: number;
  readonly skinned: readonly number[];
  readonly corrected: readonly number[];
  readonly baked?: readonly number[];
}

export async function bakeCharacter(read: ReadResult, options: BakeOptions = {}): Promise<BakeResult> {
  const { character } = read;
  checkBakeOptions(options, character.clips.map(({ name }) => name));
  const settings = { ...BAKE_DEFAULTS, ...options };
  const stack = options.planned ?? createStack(character, options.stack);
  const source = planSourceSkin(read);
  const chosen = character.clips.map(({ name }) => !options.clips || options.clips.includes(name));
  const { samples, ranges } = listSamples(character, chosen, settings.fps);
  const warnings: Warning[] = [];
  const size = measureDiagonal(character.surface.positions);
  const layout = planMeasureLayout(character.surface.components.length, countRegions(stack));
  const block = await evaluate(stack, source, samples, options);
  options.signal?.throwIfAborted();

  writeWeights(read, source);
  const morph = bakeMorphs(read, source, samples, block, layout, {
    position: settings.tolerance * size,
    volume: settings.tolerance,
    maxTargets: settings.maxTargets,
    quantise: settings.quantise,
    ranges,
  });
  writeTargets(read, morph.groups, {
    fps: settings.fps,
    sparse: !settings.compress,
    name: (k) => `isoskin ${k}`,
  });
  const clips = character.clips.flatMap((_, c) => (chosen[c] ? [summarise(stack, c, ranges[c]!, samples, block, layout, morph.check, size)] : []));
  const glb = await writeBinary(read, options.compress);
  return {
    glb,
    clips,
    targets: morph.groups.map(({ group, vectors, keys, spans }) => ({
      node: read.groups[group]!.getName(),
      count: vectors.length,
      keys: keys.reduce((sum, { times }) => sum + times.length, 0),
      active: Math.max(...spans.map(({ active }) => active.length)),
    })),
    positionError: Math.max(0, ...clips.map(({ positionError }) => positionError)),
    warnings,
    stack: stack.spec,
  };
}

function countRegions(stack: Stack): number {
  return planVolumeMeter(stack.character, stack.volumeLayers.at(-1)).regions.count;
}

function listSamples(character: Character, chosen: readonly boolean[], fps: number) {
  const samples: Sample[] = [];
  const ranges = character.clips.map((clip, c): [number, number] => {
    const first = samples.length;
    if (chosen[c]) for (const time of listSampleTimes(clip, fps)) samples.push({ clip: c, time });
    return [first, samples.length];
  });
  return { samples, ranges };
}

async function evaluate(stack: Stack, source: SourceSkin, samples: readonly Sample[], options: BakeOptions): Promise<FrameBlock> {
  const onFrame = (done: number): void => {
    options.signal?.throwIfAborted();
    options.onProgress?.(done, samples.length, 'frames');
  };
  return options.evaluate ? options.evaluate(samples, onFrame) : bakeFrames(stack, source, samples, onFrame);
}

export function measureDiagonal(positions: Float64Array): number {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
    high[i % 3] = Math.max(high[i % 3]!, positions[i]!);
  }
  return Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!) || 1;
}

function summarise(
  stack: Stack,
  c: number,
  [first, end]: readonly [number, number],
  samples: readonly Sample[],
  { measures }: FrameBlock,
  layout: MeasureLayout,
  check: BakedCheck,
  size: number,
): BakedClip {
  const { character } = stack;
  const clip = character.clips[c]!;
  const count = character.surface.components.length;
  const list = Array.from({ length: end - first }, (_, i) => first + i);
  const pick = (at: number) => list.map((n) => measures[n * layout.stride + at]!);
  const target = pick(layout.target);
  const skinned = pick(layout.skinned);
  const baked = list.map((n) => check.volumes.subarray(n * count, (n + 1) * count).reduce((sum, v) => sum + v, 0));
  const change = (volumes: readonly number[]) => volumes.map((v, i) => (target[i] === 0 ? 0 : v / target[i]! - 1));
  const [worstSkinned, worstBaked] = [largest(change(skinned)), largest(change(baked))];
  const layer = stack.volumeLayers.at(-1);
  const regions = (layer?.regions.names ?? []).map((name, s): BakedRegion => {
    const goal = pick(layout.regionTargets + s);
    const floor = (i: number) => Math.max(Math.abs(goal[i]!), 1e-3 * Math.abs(target[i]!)) || 1;
    const relative = (volumes: readonly number[]) => volumes.map((v, i) => (v - goal[i]!) / floor(i));
    return {
      name,
      rest: layer!.rest[s]!,
      skinned: relative(pick(layout.skinnedRegions + s)),
      corrected: relative(pick(layout.correctedRegions + s)),
    };
  });
  const components = character.surface.components.map(({ name, volume }, k): BakedRegion => {
    const exact = pick(layout.correctedComponents + k);
    const relative = (volumes: readonly number[]) => volumes.map((v, i) => (exact[i] === 0 ? 0 : v / exact[i]! - 1));
    return {
      name,
      rest: volume,
      skinned: relative(pick(layout.skinnedComponents + k)),
      corrected: exact.map(() => 0),
      baked: relative(list.map((n) => check.volumes[n * count + k]!)),
    };
  });
  return {
    name: clip.name,
    duration: clip.duration,
    times: list.map((n) => samples[n]!.time),
    target,
    skinned,
    corrected: pick(layout.corrected),
    baked,
    regions,
    components,
    worst: {
      skinned: worstSkinned.value,
      baked: worstBaked.value,
      time: samples[first + worstSkinned.index]?.time ?? 0,
    },
    positionError: list.reduce((most, n) => Math.max(most, check.errors[n]!), 0) / size,
  };
}

function largest(changes: readonly number[]): { value: number; index: number } {
  let index = 0;
  for (let i = 1; i < changes.length; i++) if (Math.abs(changes[i]!) > Math.abs(changes[index]!)) index = i;
  return { value: changes[index] ?? 0, index };
}
