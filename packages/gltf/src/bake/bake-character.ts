/**
 * Bakes a stack's correction into the file: a standard glTF that keeps its volume in every viewer.
 *
 * morph: y = skin(p + Σ w δ), δ the shapes and, for what they cannot say, few extra targets, carried back through the blended transforms.
 * cache: no skin; one target per key pose. The file is patched, never rewritten, and what is claimed is what the bytes play.
 */
import {
  type Character,
  type Clip,
  checkBudget,
  createFrameSource,
  createPose,
  type FrameSource,
  planBody,
  type StackSpec,
  type Surface,
  samplePose,
  type Warning,
} from '@isoskin/core';
import { describeRigidParts, measureDiagonal } from '@isoskin/core/mesh';
import { savePlan } from '@isoskin/core/planner';
import { type HarmMoment, planHarm } from '@isoskin/core/quality';
import {
  describeMends,
  listUsedLayers,
  measureGravity,
  NO_MENDS,
  type PlayedHarm,
  softenStack,
} from '@isoskin/core/stack';
import type { Amounts } from '@isoskin/drive';
import { detectFeatures } from '@isoskin/wasm';
import { listDrivenPoses, teachForFile } from '../drive/teach-for-file.js';
import { findWorseRegions, findWorstRegion, type JudgedRegion, WORSE_REGION } from '../judge/check-played.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { runTasks } from '../threads/bake-threads.js';
import type { FrameWork } from '../threads/create-bake-thread.js';
import { type BakeJob, scaleOf } from './bake-job.js';
import { BAKE_DEFAULTS, type BakeOptions, checkBakeOptions, findClips } from './bake-options.js';
import {
  countDeltas,
  createFrameBaker,
  type FrameBaker,
  type FrameBlock,
  isShapesAlone,
  joinBlocks,
  planMeasureLayout,
} from './create-frame-baker.js';
import { planShapeFrame } from './create-shape-frames.js';
import { readDrawn } from './drawn-shapes.js';
import { listMisses, listRemarks } from './list-misses.js';
import { listSamples, splitSamples } from './list-samples.js';
import { mendGlitches } from './mend-glitches.js';
import { planBakeMeter } from './plan-bake-meter.js';
import { planRows } from './plan-rows.js';
import { planSourceSkin, type SourceSkin } from './plan-source-skin.js';
import { refineDocument } from './refine-document.js';
import { type BakedClip, planDetails, summariseClip } from './summarise-clip.js';
import { writeBaked } from './write-baked.js';

export interface BakeResult {
  readonly glb: Uint8Array<ArrayBuffer>;
  readonly clips: readonly BakedClip[];
  /** New morph targets of every node that got some. */
  readonly targets: readonly {
    readonly node: string;
    readonly count: number;
    readonly keys: number;
    readonly active: number;
    /** How many of them say what shapes cannot. */
    readonly extra: number;
  }[];
  /** Largest position error relative to the diagonal of the box. */
  readonly positionError: number;
  /** The region that changes most, as skinned and as the file plays; in all clips, and in each. */
  readonly worstRegion: JudgedRegion | undefined;
  readonly worstRegions: readonly JudgedRegion[];
  /** Every region of every clip that the file plays worse than plain skinning does, by 1 % of its volume or more; the worst first. */
  readonly worseRegions: readonly JudgedRegion[];
  /** What the file shows worse than plain skinning, in per cent, and the kinds that pass their limit; absent where folds or other volumes are asked for. */
  readonly harm: Pick<PlayedHarm, 'worst' | 'broken'> | undefined;
  /** How many regions the planner cut, and how many pieces it joined: with the layers that they lie on, as too short for a volume of their own, and to need fewer targets. */
  readonly regions: { readonly count: number; readonly layered: number; readonly short: number; readonly few: number };
  readonly warnings: readonly Warning[];
  /** The amounts as a function of the pose, where that was asked for. */
  readonly drive?: Amounts;
  readonly stack: StackSpec;
  /** The finer surface that was baked, where wrinkles asked for one: poses in `clips` are on its vertices. */
  readonly refined?: RefinedSkin;
}

type RefinedSkin = Pick<Surface, 'vertexCount' | 'triangles' | 'positions'> & Pick<Character, 'binding'>;

export async function bakeCharacter(input: ReadResult, given: BakeOptions = {}): Promise<BakeResult> {
  checkBakeOptions(given);
  const clipNames = given.clips?.flatMap((name) => findClips(input.character.clips, name).map((clip) => clip.name));
  const asked = input.character.clips.filter(({ name }) => clipNames?.includes(name) ?? true);
  const corrected = given.as === 'cache' ? [] : asked.filter((clip) => isCorrected(input.character, clip));
  const played = asked.filter((clip) => !corrected.includes(clip));
  const isSome = clipNames !== undefined || corrected.length > 0;
  const options = { ...given, ...(isSome && { clips: played.map(({ name }) => name) }) };
  const settings = { ...BAKE_DEFAULTS, ...options };
  const { maxWork, maxMemory } = options;
  // Whoever bakes comes through here; between two frames there is a moment that is looked at too.
  checkBudget(input.character, { clips: played, rate: 2 * settings.fps, maxWork, maxMemory });
  const clips = options.clips && { clips: played };
  const body = options.planned?.body ?? planBody(input.character);
  let first = options.planned ?? createFrameSource(body, options.stack, { rehearse: clips ?? true });
  // What is taught beyond the clips needs targets, too.
  const poses = options.drive ? listDrivenPoses(first, options.range) : undefined;
  if (poses) first = createFrameSource(body, options.stack, { rehearse: { ...clips, poses } });
  let planned = first;
  let mends = NO_MENDS;
  const seen: HarmMoment[] = [];
  /** Gentler frames: rehearsed with the moments that looked worse or, where that changes nothing, with the regions to blame held back. */
  const soften = (harm: PlayedHarm, plan: JobPlan, isLast: boolean): FrameSource | undefined => {
    if (!isLast && planned.rehearsal?.moments) {
      seen.push(...harm.close.slice(0, MAX_SEEN));
      const again = createFrameSource(body, options.stack, {
        rehearse: { ...clips, ...(poses && { poses }), more: seen },
      });
      if (JSON.stringify(again.spec) !== JSON.stringify(planned.spec)) return again;
    }
    const names = planned.volume?.regions.names ?? [];
    const softer = softenStack(planned.spec, harm, names, mends, isLast, plan.job.harm, body.room);
    if (!softer) return undefined;
    ({ mends } = softer);
    return createFrameSource(body, softer.stack, { rehearse: { ...clips, ...(poses && { poses }), more: seen } });
  };
  let plan = await planJob(input, { ...options, planned });
  let best: { result: BakeResult; told: PlayedHarm | undefined; warnings: Warning[] } | undefined;
  for (let retry = 1; ; retry++) {
    const warnings = [...(planned.rehearsal?.warnings ?? []), ...describeMends(planned.spec, mends)];
    const baked = { ...(await bakeJob(input, plan, options)), warnings };
    if (!best || measureGravity(baked.told) < measureGravity(best.told)) best = baked;
    if (!baked.told?.broken.length || retry > MAX_RETRIES) break;
    const gentler = soften(baked.told, plan, retry > FIRM_RETRY);
    if (!gentler) break;
    planned = gentler;
    // What evaluates elsewhere has the stack that did the harm.
    const { evaluate: _, ...here } = options;
    plan = await planJob(input, { ...here, stack: gentler.spec, planned: gentler });
  }
  return { ...best.result, warnings: [...describeCorrected(corrected), ...best.warnings, ...best.result.warnings] };
}

/** Whether an earlier bake corrected the clip: nothing is corrected twice. */
function isCorrected(character: Character, clip: Clip): boolean {
  const isBaked = character.morphs.map(({ corrects }) => corrects === 'bake');
  if (!isBaked.includes(true)) return false;
  const pose = createPose(character);
  return Array.from({ length: LOOKS }, (_, n) => (clip.duration * (n + 0.5)) / LOOKS).some((time) => {
    samplePose(pose, character, clip, time);
    return pose.morphWeights.some((weight, m) => weight !== 0 && isBaked[m]);
  });
}
const LOOKS = 16;

function describeCorrected(clips: readonly Clip[]): Warning[] {
  if (clips.length === 0) return [];
  const names = clips.map(({ name }) => `"${name}"`).join(', ');
  const message = `Corrected already, by the targets of an earlier bake, and left as it is: ${names}. Bake the original file to correct it in another way.`;
  return [{ code: 'CLIP_CORRECTED', message, place: '' }];
}

/** Bakes with gentler limits where the written bytes look worse after all; from FIRM_RETRY on regions to blame hardly move. */
const MAX_RETRIES = 5;
const FIRM_RETRY = 3;
/** Moments of a bake that looked worse and are rehearsed then, at most. */
const MAX_SEEN = 240;

interface JobPlan {
  readonly job: BakeJob;
  /** Folds asked for a finer mesh. */
  readonly isRefined: boolean;
}

async function bakeJob(
  input: ReadResult,
  { job, isRefined }: JobPlan,
  options: BakeOptions,
): Promise<{ result: BakeResult; told: PlayedHarm | undefined }> {
  const settings = { ...BAKE_DEFAULTS, ...options };
  const warnings: Warning[] = [];
  const { stack } = job;
  const { character } = job.read;
  const isCache = settings.as === 'cache';
  warnings.push(...describeRigidParts(character, stack.volume?.regions.rigid ?? []));
  const isShapes = !isCache && isShapesAlone(stack);
  const taught = options.drive ? teachForFile(job, isShapes, options) : undefined;
  // Shapes are a function of the pose: what jumps is the pose itself.
  if (!isShapes) smoothGlitches(job, isCache, warnings);
  const details = options.details ? planDetails(job) : undefined;
  if (!isCache) warnings.push(...listMorphWarnings(job));
  const written = await writeBaked(job, { input, isRefined, options, taught, details });
  const { glb, told, file, groups, places, drive } = written;
  warnings.push(...written.warnings);
  const clips = [...character.clips.keys()]
    .filter((c) => !options.clips || options.clips.includes(character.clips[c]!.name))
    .map((c) => summariseClip(job, c, told, details));
  const positionError = clips.reduce((most, clip) => (clip.positionError <= most ? most : clip.positionError), 0);
  warnings.push(...listMisses(clips, positionError, settings.tolerance, !drive && character.clips.length === 0));
  const worse = findWorseRegions(told.regions, settings.tolerance);
  const worseRegions = findWorseRegions(worse, WORSE_REGION);
  warnings.push(...listRemarks(worse.slice(worseRegions.length)));
  const result = {
    glb,
    clips,
    targets: groups.map(({ group, names, keys, active, extra }) => ({
      node: file.json.nodes![places[group]!.node]!.name ?? '',
      count: names.length,
      keys: keys.reduce((sum, { times }) => sum + times.length, 0),
      active,
      extra,
    })),
    positionError,
    worstRegion: findWorstRegion(told.regions),
    worstRegions: clips.flatMap(
      ({ name }) => findWorstRegion(told.regions.filter(({ baked }) => baked.clip === name)) ?? [],
    ),
    worseRegions,
    harm: told.harm && { worst: told.harm.worst, broken: told.harm.broken },
    regions: { layered: 0, short: 0, few: 0, ...stack.volume?.regions.joined, count: stack.volume?.regions.count ?? 0 },
    warnings,
    ...(drive && { drive }),
    stack: stack.spec,
    ...(isRefined && { refined: pickSkin(character) }),
  };
  return { result, told: told.harm };
}

/** Plans the stack and evaluates it at every sample. */
async function planJob(
  input: ReadResult,
  options: BakeOptions & Pick<Required<BakeOptions>, 'planned'>,
): Promise<JobPlan> {
  const { tolerance, compact, maxTargets, as } = { ...BAKE_DEFAULTS, ...options };
  const { planned } = options;
  const { samples, ranges } = listSamples(input.character, options);
  // Folded skin needs a finer mesh: from here on the refined file is baked.
  const refined = await refineDocument(input, planned, samples);
  const { read, stack } = refined ?? { read: input, stack: planned };
  const source = planSourceSkin(read);
  const threads = samples.length < FEW_SAMPLES ? undefined : options.threads;
  const world = as === 'cache';
  threads?.share('stack', planFrameWork(stack, source, world));
  const meter = planBakeMeter(stack);
  const layout = planMeasureLayout(stack, meter);
  const size = measureDiagonal(read.character.surface.positions);
  const plans = { read, stack, meter, source, samples, ranges, layout };
  const here = await createFrameBaker(stack, source, { world }, meter);
  const { frame } = here;
  threads?.share('frames', frame?.laidOut);
  const { wrinkles, volume } = listUsedLayers(stack.spec);
  const isWilled = wrinkles !== undefined || volume?.target?.all !== undefined || volume?.target?.regions !== undefined;
  const harm = isWilled ? undefined : planHarm(read.character.surface);
  const common = { ...plans, size, tolerance, compact, maxTargets, world, threads, frame, harm };
  let done = 0;
  const onDone = (count: number): void => {
    options.signal?.throwIfAborted();
    done = Math.min(samples.length, done + count);
    options.onProgress?.(done, samples.length);
  };
  const block = await evaluate(common, here, onDone, options.evaluate);
  options.signal?.throwIfAborted();
  const drawn = readDrawn(stack, { block, layout });
  const evaluated = { ...common, block, drawn };
  return { job: { ...evaluated, rowOf: planRows(evaluated) }, isRefined: refined !== undefined };
}

/** What threads are told of the stack: shapes are planned already. */
function planFrameWork(stack: FrameSource, source: SourceSkin, world: boolean): FrameWork {
  const { character, spec, volume } = stack;
  const isPlanned = isShapesAlone(stack) && detectFeatures().simd;
  const plan = () => savePlan({ ...volume!, framePlan: () => planShapeFrame(stack, volume!.shapes!.shapes) }, NO_KEY);
  return { character, skin: source.data, spec, world, plan: isPlanned ? plan() : undefined };
}

function smoothGlitches(
  { read, source, block, ranges, samples, tolerance, size }: BakeJob,
  isCache: boolean,
  out: Warning[],
): void {
  const mended = mendGlitches(block.deltas, source, ranges, (group) => {
    const floor = 0.25 * tolerance * size;
    return isCache ? floor : floor / scaleOf(read.character, group);
  });
  if (mended === 0) return;
  const message = `In ${mended} of ${samples.length} samples the correction jumped for a moment; it was smoothed there`;
  out.push({ code: 'GLITCHES_SMOOTHED', message, place: '' });
}

function pickSkin({ surface: { vertexCount, triangles, positions }, binding }: Character): RefinedSkin {
  return { vertexCount, triangles, positions, binding };
}

function listMorphWarnings({ samples, block: { measures }, layout, size, tolerance }: BakeJob): Warning[] {
  let missed = 0;
  let largest = 0;
  for (let n = 0; n < samples.length; n++) {
    const distance = measures[n * layout.stride + layout.unreached]!;
    if (distance > tolerance * size) missed++;
    largest = Math.max(largest, distance);
  }
  if (missed > 0) {
    const message = `In ${missed} of ${samples.length} samples a limb is twisted so far that its skin cannot carry the correction (off by ${((100 * largest) / size).toFixed(2)} % of the size): bake with --as cache`;
    return [{ code: 'CACHE_NEEDED', message, place: '' }];
  }
  return [];
}

/** Samples of a task: few, so that all threads end together. */
const CHUNK = 8;
/** So few are done before a thread has been told about them. */
const FEW_SAMPLES = 32;
const NO_KEY = new Uint8Array(16);

async function evaluate(
  { stack, source, samples, world, threads }: Omit<BakeJob, 'block' | 'drawn' | 'rowOf'>,
  here: FrameBaker,
  onDone: (count: number) => void,
  elsewhere: BakeOptions['evaluate'],
): Promise<FrameBlock> {
  if (elsewhere) {
    const block = await elsewhere(samples, here, onDone);
    // Whoever does not know of refinement answers for the coarse mesh.
    if (block.deltas.length === countDeltas(stack, source, world) * samples.length) return block;
  }
  const tasks = splitSamples(samples, stack.spec, CHUNK).map(([first, end]) => samples.slice(first, end));
  return joinBlocks(await runTasks(threads, 'frames', tasks, here, (task) => onDone(task.length)));
}
