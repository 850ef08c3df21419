/**
 * Bakes a stack's correction into the file: a standard glTF that keeps its volume in every viewer.
 *
 * morph: y = skin(p + Σ w δ), δ the corrections carried back through the blended transforms, compressed to few targets.
 * cache: no skin; one target per key pose. The file is patched, never rewritten, and what is claimed is what the bytes play.
 */
import {
  checkBudget,
  createFrameSource,
  type FrameSource,
  measureDiagonal,
  planBody,
  planVolumeMeter,
  type StackSpec,
  type Surface,
  type Warning,
} from '@isoskin/core';
import type { Amounts } from '@isoskin/drive';
import { teachForFile } from '../drive/teach-for-file.js';
import { writeAmounts } from '../drive/write-amounts.js';
import type { AllowedKind } from '../judge/allowed-changes.js';
import type { WorstRegion } from '../judge/check-played.js';
import { copyFile } from '../patch/gltf-file.js';
import { ownMesh } from '../patch/own-mesh.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { bakeCache } from './bake-cache.js';
import { bakeMorphs } from './bake-morphs.js';
import { BAKE_DEFAULTS, type BakeOptions, checkBakeOptions } from './bake-options.js';
import { bakeShapes, isShapesAlone } from './bake-shapes.js';
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
import { writeCache } from './write-cache.js';
import { writeJudged } from './write-judged.js';
import { type WrittenGroup, writeMorphs } from './write-morphs.js';
import { writeRegions } from './write-regions.js';
import { writeSkinWeights } from './write-skin-weights.js';

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
  /** The region that changes most, as skinned and as the file plays. */
  readonly worstRegion: { readonly skinned: WorstRegion; readonly baked: WorstRegion } | undefined;
  readonly warnings: readonly Warning[];
  /** The amounts as a function of the pose, where that was asked for. */
  readonly drive?: Amounts;
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
  const { maxWork, maxMemory } = options;
  const played = input.character.clips.filter(({ name }) => options.clips?.includes(name) ?? true);
  // Whoever bakes comes through here; between two frames there is a moment that is looked at too.
  checkBudget(input.character, { clips: played, rate: 2 * settings.fps, maxWork, maxMemory });
  const planned = options.planned ?? createFrameSource(planBody(input.character), options.stack);
  const { samples, ranges } = listSamples(input.character, settings);
  // Folded skin needs a finer mesh: from here on the refined file is baked.
  const refined = await refineRead(input, planned, samples);
  const { read, stack } = refined ?? { read: input, stack: planned };
  const { character } = read;
  const source = planSourceSkin(read);
  const chosen = character.clips.map(({ name }) => !options.clips || options.clips.includes(name));
  const warnings: Warning[] = [];
  const size = measureDiagonal(character.surface.positions);
  const shapeCount = stack.volume?.shapes?.amounts.length;
  const layout = planMeasureLayout(character.surface.components.length, countRegions(stack), shapeCount);
  const block = await evaluate(stack, source, samples, options);
  options.signal?.throwIfAborted();

  // Shapes are a function of the pose: what jumps is the pose itself.
  const isShapes = settings.as !== 'cache' && isShapesAlone(stack);
  const taught = options.drive ? teachForFile(read, stack, isShapes, options) : undefined;
  const mended = isShapes
    ? 0
    : mendGlitches(block.deltas, source, ranges, (group) => {
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
  };
  const file = copyFile(read.file);
  const kinds: AllowedKind[] = ['targets', 'tracks', 'skinWeights', 'regions'];
  if (refined) kinds.push('refined');
  if (options.compress) kinds.push('compressed');
  let groups: readonly GroupBake[];
  let check: BakedCheck;
  let places: readonly WrittenGroup[];
  const isCache = settings.as === 'cache';
  if (isCache && ranges.some(([first, end]) => end > first)) {
    const cache = bakeCache(read, source, samples, block, layout, common);
    ({ groups, check } = cache);
    places = writeCache(file, read, cache.base, warnings);
    kinds.push('cache');
  } else {
    const limits = { ...common, maxTargets: settings.maxTargets, taught: taught?.largest };
    const asTargets = isShapes ? bakeShapes : bakeMorphs;
    const morph = isCache ? undefined : asTargets(read, stack, source, samples, block, layout, limits);
    groups = morph?.groups ?? [];
    check = morph?.check ?? EMPTY_CHECK;
    if (!isCache) writeSkinWeights(file, read, source);
    places = placeGroups(file, read, groups);
    if (!isCache) warnings.push(...listMorphWarnings(samples, block, layout, common.position, size));
  }
  if (!isCache && !refined) writeRegions(file, read, stack, places);
  writeMorphs(file, places, groups, {
    fps: settings.fps,
    sparse: !settings.compress && !isCache,
    name: (k, group) =>
      isCache ? `pose ${k}` : `isoskin ${groups.find((one) => one.group === group)?.names?.[k] ?? k}`,
  });
  const drive = taught && writeAmounts(file, read, source, taught, groups, places);
  if (drive) kinds.push('amounts');
  const { glb, told } = await writeJudged(file, warnings, {
    ...{ input, read, stack, source, samples, block, layout, kinds, size, onSample: details?.onSample },
    nodes: places.map(({ node }) => node),
    claimed: groups.length > 0 ? check : undefined,
    tolerance: settings.tolerance,
    world: isCache,
    compress: options.compress,
  });
  const clips = [...character.clips.keys()]
    .filter((c) => chosen[c])
    .map((c) => summariseClip(stack, c, ranges[c]!, samples, block, layout, told, size, details));
  const positionError = clips.reduce((most, clip) => (clip.positionError <= most ? most : clip.positionError), 0);
  warnings.push(...listMisses(clips, positionError, settings.tolerance, !drive));
  return {
    glb,
    clips,
    targets: groups.map(({ group, count, keys, active }) => ({
      node: file.json.nodes![places[group]!.node]!.name ?? '',
      count,
      keys: keys.reduce((sum, { times }) => sum + times.length, 0),
      active,
    })),
    positionError,
    worstRegion: told.regions,
    warnings,
    ...(drive && { drive }),
    stack: stack.spec,
    ...(refined && { refined: pickSurface(character.surface) }),
  };
}

const EMPTY_CHECK: BakedCheck = { volumes: new Float64Array(0), errors: new Float64Array(0) };

/** Groups that get targets have a mesh of their own. */
function placeGroups(
  file: ReadResult['file'],
  { groupIndices, sources, character }: ReadResult,
  groups: readonly GroupBake[],
): WrittenGroup[] {
  return groupIndices.map((node, group) => {
    const isBaked = groups.some((one) => one.group === group);
    const mesh = isBaked ? ownMesh(file, node) : file.json.nodes![node]!.mesh!;
    const parts = [...character.parts.keys()].filter((p) => character.parts[p]!.group === group);
    return { node, mesh, primitives: new Map(parts.map((p) => [p, sources[p]!.primitiveIndex])) };
  });
}

function listMisses(
  clips: readonly BakedClip[],
  positionError: number,
  tolerance: number,
  needsClips: boolean,
): Warning[] {
  const out: Warning[] = [];
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
  if (!(positionError <= tolerance)) {
    const message = `The file is off by up to ${percent(positionError)} of the size: allow more targets (--max-targets) or bake a cache (--as cache)`;
    out.push({ code: 'BAKE_TOLERANCE_MISSED', message, place: '' });
  }
  for (const { name, worst } of clips) {
    if (Math.abs(worst.baked) <= 2 * tolerance) continue;
    const message = `The volume of the clip "${name}" changes by ${percent(worst.baked)} (skinned ${percent(worst.skinned)}), more than the tolerance`;
    out.push({ code: 'BAKE_VOLUME_MISSED', message, place: name });
  }
  if (clips.length === 0 && needsClips) {
    const message = 'The model has no clip, so there is nothing to bake: the output is a copy';
    out.push({ code: 'NOTHING_TO_BAKE', message, place: '' });
  }
  return out;
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

function countRegions(stack: FrameSource): number {
  return stack.volume?.regions.count ?? planVolumeMeter(stack.character).regions.count;
}

/** Samples that are evaluated before the caller hears of them again. */
const CHUNK = 8;

async function evaluate(
  stack: FrameSource,
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
