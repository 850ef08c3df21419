/**
 * Bakes a stack's correction into the file: a standard glTF that keeps its volume in every viewer.
 *
 * morph: y = skin(p + Σ w δ), δ the corrections carried back through the blended transforms, compressed to few targets.
 * cache: no skin; one target per key pose. The document of `read` is changed: read the file again to bake it differently.
 */
import type { Node } from '@gltf-transform/core';
import {
  createStack,
  measureDiagonal,
  planVolumeMeter,
  type Stack,
  type StackSpec,
  type Surface,
  type Warning,
} from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { bakeCache } from './bake-cache.js';
import { bakeMorphs } from './bake-morphs.js';
import { BAKE_DEFAULTS, type BakeOptions, checkBakeOptions } from './bake-options.js';
import type { GroupBake } from './baked-group.js';
import type { BakedCheck } from './check-samples.js';
import {
  createFrameBaker,
  type FrameBlock,
  joinBlocks,
  type MeasureLayout,
  planMeasureLayout,
} from './create-frame-baker.js';
import type { Sample } from './list-sample-times.js';
import { listSamples } from './list-samples.js';
import { mendGlitches } from './mend-glitches.js';
import { scaleOf } from './morph-options.js';
import { planSourceSkin, type SourceSkin } from './plan-source-skin.js';
import { refineRead } from './refine-read.js';
import { splitSamples } from './split-samples.js';
import { type BakedClip, planDetails, summariseClip } from './summarise-clip.js';
import { writeBinary } from './write-binary.js';
import { writeCache } from './write-cache.js';
import { writeTargets } from './write-targets.js';
import { writeWeights } from './write-weights.js';

export interface BakeResult {
  readonly glb: Uint8Array<ArrayBuffer>;
  readonly clips: readonly BakedClip[];
  /** New morph targets of every node that got some. */
  readonly targets: readonly {
    readonly node: string;
    readonly count: number;
    readonly keys: number;
    readonly active: number;
  }[];
  /** Largest position error relative to the diagonal of the box. */
  readonly positionError: number;
  readonly warnings: readonly Warning[];
  readonly stack: StackSpec;
  /** The finer surface that was baked, where wrinkles asked for one: poses in `clips` are on its vertices. */
  readonly refined?: Pick<Surface, 'vertexCount' | 'triangles'>;
}

export async function bakeCharacter(input: ReadResult, options: BakeOptions = {}): Promise<BakeResult> {
  checkBakeOptions(
    options,
    input.character.clips.map(({ name }) => name),
  );
  const settings = { ...BAKE_DEFAULTS, ...options };
  const planned = options.planned ?? createStack(input.character, options.stack);
  const { samples, ranges } = listSamples(input.character, settings);
  // Folded skin needs a finer mesh: from here on the refined file is baked.
  const refined = await refineRead(input, planned, samples);
  const { read, stack } = refined ?? { read: input, stack: planned };
  const { character } = read;
  const source = planSourceSkin(read);
  const chosen = character.clips.map(({ name }) => !options.clips || options.clips.includes(name));
  const warnings: Warning[] = [];
  const size = measureDiagonal(character.surface.positions);
  const layout = planMeasureLayout(character.surface.components.length, countRegions(stack));
  const block = await evaluate(stack, source, samples, options);
  options.signal?.throwIfAborted();

  const mended = mendGlitches(block.deltas, source, ranges, (group) => {
    const floor = 0.25 * settings.tolerance * size;
    return settings.as === 'cache' ? floor : floor / scaleOf(character, group);
  });
  if (mended > 0) {
    const message = `In ${mended} of ${samples.length} samples the correction jumped for a moment; it was smoothed there`;
    warnings.push({ code: 'GLITCHES_SMOOTHED', message, place: '' });
  }
  const details = options.details ? planDetails(stack, ranges, samples, block, layout) : undefined;
  const common = {
    position: settings.tolerance * size,
    volume: settings.tolerance,
    quantise: settings.quantise,
    ranges,
    onSample: details?.onSample,
  };
  let groups: readonly GroupBake[];
  let check: BakedCheck;
  let nodes: readonly Node[] = read.groups;
  if (settings.as === 'cache') {
    const cache = bakeCache(read, source, samples, block, layout, common);
    ({ groups, check } = cache);
    if (ranges.some(([first, end]) => end > first)) nodes = writeCache(read, cache.base, warnings);
    else groups = [];
  } else {
    const morph = bakeMorphs(read, stack, source, samples, block, layout, {
      ...common,
      maxTargets: settings.maxTargets,
    });
    ({ groups, check } = morph);
    writeWeights(read, source);
    warnings.push(...listMorphWarnings(samples, block, layout, common.position, size));
  }
  writeTargets(read, nodes, groups, {
    fps: settings.fps,
    sparse: !settings.compress && settings.as === 'morph',
    name: (k) => (settings.as === 'cache' ? `pose ${k}` : `isoskin ${k}`),
  });
  const clips = [...character.clips.keys()]
    .filter((c) => chosen[c])
    .map((c) => summariseClip(stack, c, ranges[c]!, samples, block, layout, check, size, details));
  const positionError = Math.max(0, ...clips.map((clip) => clip.positionError));
  if (positionError > settings.tolerance) {
    const message = `The file is off by up to ${(100 * positionError).toFixed(2)} % of the size: allow more targets (--max-targets) or bake a cache (--as cache)`;
    warnings.push({ code: 'BAKE_TOLERANCE_MISSED', message, place: '' });
  }
  if (clips.length === 0) {
    const message = 'The model has no clip, so there is nothing to bake: the output is a copy';
    warnings.push({ code: 'NOTHING_TO_BAKE', message, place: '' });
  }
  const glb = await writeBinary(read, options.compress);
  return {
    glb,
    clips,
    targets: groups.map(({ group, count, keys, active }) => ({
      node: nodes[group]!.getName(),
      count,
      keys: keys.reduce((sum, { times }) => sum + times.length, 0),
      active,
    })),
    positionError,
    warnings,
    stack: stack.spec,
    ...(refined && { refined: pickSurface(character.surface) }),
  };
}

function pickSurface({ vertexCount, triangles }: Surface): Pick<Surface, 'vertexCount' | 'triangles'> {
  return { vertexCount, triangles };
}

function listMorphWarnings(
  samples: readonly Sample[],
  { measures }: FrameBlock,
  layout: MeasureLayout,
  limit: number,
  size: number,
): Warning[] {
  let missed = 0;
  let largest = 0;
  for (let n = 0; n < samples.length; n++) {
    const distance = measures[n * layout.stride + layout.unreached]!;
    if (distance > limit) missed++;
    largest = Math.max(largest, distance);
  }
  if (missed > 0) {
    const message = `In ${missed} of ${samples.length} samples a limb is twisted so far that its skin cannot carry the correction (off by ${((100 * largest) / size).toFixed(2)} % of the size): bake with --as cache`;
    return [{ code: 'CACHE_NEEDED', message, place: '' }];
  }
  return [];
}

function countRegions(stack: Stack): number {
  return planVolumeMeter(stack.character, stack.volumeLayers.at(-1)).regions.count;
}

/** Samples that are evaluated before the caller hears of them again. */
const CHUNK = 8;

async function evaluate(
  stack: Stack,
  source: SourceSkin,
  samples: readonly Sample[],
  options: BakeOptions,
): Promise<FrameBlock> {
  const here = createFrameBaker(stack, source, { regions: options.details ?? false, world: options.as === 'cache' });
  let done = 0;
  const onDone = (count: number): void => {
    options.signal?.throwIfAborted();
    done += count;
    options.onProgress?.(done, samples.length);
  };
  if (options.evaluate) {
    const block = await options.evaluate(samples, here, onDone);
    // Whoever does not know of refinement answers for the coarse mesh.
    if (block.deltas.length === 3 * source.pointCount * samples.length) return block;
    done = 0;
  }
  const blocks: FrameBlock[] = [];
  for (const [first, end] of splitSamples(samples, stack.spec, CHUNK)) {
    blocks.push(here(samples.slice(first, end)));
    onDone(end - first);
  }
  return joinBlocks(blocks);
}
