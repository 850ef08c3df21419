/**
 * C17. Rehearses a stack: plays the clips of a character, judges the frames against plain skinning (judge-harm.ts), and makes the stack gentler
 * where they look worse, until nothing does. All players of the rehearsed stack draw the same frames: a page, a file, a measurement.
 *
 *   const { stack, warnings } = rehearseStack(planBody(character), presetStack());
 *
 * The frames are those of skin and volume alone, cold, in f64: what swings, touches or folds on top is meant to look different. So is a volume layer
 * without a limit, or with other target volumes: those are left as they are. O(moments · #V) per round.
 */
import type { Body } from '../body/plan-body.js';
import { createShapeSolver } from '../correction/create-shape-solver.js';
import { LEAST_LIMIT, type PlanShapesOptions, SHAPE_DEFAULTS } from '../correction/plan-shapes.js';
import { asksVolumes } from '../correction/plan-target-volumes.js';
import { type AmountSamples, planRegionBudget } from '../correction/shape-budget.js';
import type { Warning } from '../error.js';
import type { HarmMoment } from '../quality/measure-harm.js';
import { type HarmPlan, planHarm } from '../quality/plan-harm.js';
import type { Clip } from '../skeleton/clip.js';
import { createPose, samplePose } from '../skeleton/pose.js';
import type { Pose } from '../skeleton/skeleton.js';
import { planSkinning } from '../skinning/plan-skinning.js';
import { planVolume } from '../stack/plan-volume.js';
import type { VolumePlan } from '../stack/plan-volume-with.js';
import { listUsedLayers, type Stack, type StackSpec } from '../stack/stack-spec.js';
import { createExtendedPositions, measureTetrahedra } from '../volume/measure-region-volumes.js';
import { measureRegionError } from '../volume/region-error.js';
import {
  createHarmJudge,
  GATE_KINDS,
  GATE_LIMITS,
  type GateKind,
  joinBlame,
  NO_HARM,
  OF_ALL_FRAMES,
  type PlayedHarm,
  planSolvedBlame,
} from './judge-harm.js';
import { JUMP_STEP, listMoments, type Moment } from './list-moments.js';
import { describeMends, NO_MENDS, softenStack } from './soften-stack.js';

export interface Rehearsal {
  /** The stack, with gentler limits and calm places where they are needed. */
  readonly stack: StackSpec;
  /** A sentence for everything that was made gentler. */
  readonly warnings: readonly Warning[];
  /** Amounts of all shapes at the moments; absent where there are none. */
  readonly samples?: AmountSamples;
  /** What the last round found; absent where nothing is judged. */
  readonly harm: PlayedHarm | undefined;
  readonly moments: number;
  readonly rounds: number;
}

export interface RehearseOptions {
  /** Clips that are played. Default: those of the character. */
  readonly clips?: readonly Clip[] | undefined;
  /** Poses beyond the clips whose amounts the targets must be good for, too: those that a driver is taught. */
  readonly poses?: readonly Pose[];
  /** Moments that are looked at beside those that are chosen: where a bake found harm. */
  readonly more?: readonly HarmMoment[];
}

/** Rounds of gentler settings, at most. */
const MAX_ROUNDS = 12;
/** A moment is played again in the next rounds if a region's loss comes this close to what is allowed. */
const CLOSE = 0.85;
/** Frames between the moments may be worse than these: rehearsals aim lower than the gate. */
const AIM_SHARES: Partial<Record<GateKind, number>> = { jump: 0.95, ledge: 0.7, volume: 0.5, misplaced: 1 };
const AIMS = Object.fromEntries(
  GATE_KINDS.map((kind) => [kind, (AIM_SHARES[kind] ?? 0.95) * GATE_LIMITS[kind]]),
) as Readonly<Record<GateKind, number>>;

/** The last rehearsals of a body: a page asks for the same one whenever something else of its stack changes. */
const memories = new WeakMap<Body, Map<string, Rehearsal>>();
const MAX_REMEMBERED = 4;

export function rehearseStack(
  body: Body,
  spec: StackSpec,
  { clips = body.character.clips, more = [], poses = [] }: RehearseOptions = {},
): Rehearsal {
  const { skin, volume } = listUsedLayers(spec);
  const known = memories.get(body) ?? new Map<string, Rehearsal>();
  memories.set(body, known);
  const key = JSON.stringify([skin, volume, clips.map(({ name }) => name), more, poses.length]);
  const found = known.get(key);
  if (found) return { ...found, stack: { ...spec, ...(volume && { volume: found.stack.volume! }) } };
  const moments = isShapes({ skin, ...(volume && { volume }) }) ? listMoments(body.character, clips, more) : [];
  const small = fitBudget(body, spec, [...moments.map(poseAt(body)), ...poses]);
  const judged = rehearse(body, small, moments);
  // Bends beyond the clips are not worth targets of their own.
  const samples = judged.samples ?? solvePoses(body, judged.stack, poses);
  const rehearsal = samples.length > 0 ? { ...judged, samples } : judged;
  known.set(key, rehearsal);
  for (const old of [...known.keys()].slice(0, -MAX_REMEMBERED)) known.delete(old);
  return rehearsal;
}

/** C18: the stack with regions joined, where its shapes would be more than its morph targets may be. */
function fitBudget(body: Body, spec: StackSpec, poses: readonly Pose[]): StackSpec {
  const { skin, volume } = listUsedLayers(spec);
  if (!volume || poses.length === 0 || !isShapes({ skin, volume })) return spec;
  const given: PlanShapesOptions = volume.options ?? {};
  const { targets: budget, limit } = { ...SHAPE_DEFAULTS, ...given };
  if (!(budget > 0) || limit === 0 || asksVolumes(volume)) return spec;
  const plan = planVolume(body, volume);
  const { shapes } = plan.framePlan();
  if (shapes.shapeCount < budget) return spec;
  const { joined, alone } = planRegionBudget(plan, shapes, plan.rest, solvePoses(body, spec, poses), budget);
  const names = joined.map((list) => list.map((s) => plan.regions.names[s]!));
  const join = [...(volume.regions?.join ?? []), ...names];
  const small = { ...volume, regions: { ...volume.regions, ...(join.length > 0 && { join }) } };
  if (alone.length === 0) return { ...spec, volume: small };
  // Names may have other numbers now.
  const { regions } = planVolume(body, small);
  const nameOf = (s: number) => regions.names[regions.triangleRegion[plan.regions.triangleRegion.indexOf(s)]!]!;
  const limits = { ...given.limits, ...Object.fromEntries(alone.map((s) => [nameOf(s), LEAST_LIMIT])) };
  return { ...spec, volume: { ...small, options: { ...given, limits } } };
}

function rehearse(body: Body, spec: StackSpec, moments: readonly Moment[]): Rehearsal {
  const used = listUsedLayers(spec);
  if (moments.length === 0) return { stack: spec, warnings: [], harm: undefined, moments: 0, rounds: 0 };
  const isMended = canBeMended(used);
  const plan = planHarm(body.character.surface);
  let stack = spec;
  let mends = NO_MENDS;
  let watched = moments;
  for (let rounds = 1; ; rounds++) {
    const volume = planVolume(body, listUsedLayers(stack).volume!);
    const { harm, close, samples } = playMoments(body, volume, used, plan, watched);
    const done = { stack, warnings: describeMends(spec, mends), samples, harm, moments: moments.length, rounds };
    if (!isMended) return { ...done, harm: undefined };
    if (harm.broken.length === 0 && watched === moments) return done;
    const softer =
      harm.broken.length > 0 && rounds < MAX_ROUNDS
        ? softenStack(spec, harm, volume.regions.names, mends, false, plan, body.room)
        : undefined;
    // Where nothing can be gentler, and once the moments that broke a limit are mended, all are played again.
    if (!softer && watched === moments) return done;
    if (softer) ({ stack, mends } = softer);
    watched = softer && isLocal(harm) ? close : moments;
  }
}

function isShapes({ volume }: Stack): boolean {
  return volume !== undefined && (volume.method ?? 'shapes') === 'shapes' && !volume.progressive;
}

/** Not where every region is to be exact whatever it looks like, or to have another volume. */
function canBeMended({ volume }: Stack): boolean {
  const { limit } = { ...SHAPE_DEFAULTS, ...volume!.options };
  return limit > 0 && !asksVolumes(volume!);
}

/** Whether single moments are to blame, not all of them together. */
function isLocal({ broken }: PlayedHarm): boolean {
  return !broken.some((kind) => OF_ALL_FRAMES.includes(kind));
}

function poseAt({ character }: Body): (moment: Moment) => Pose {
  return ({ clip, time }) => {
    const pose = createPose(character);
    samplePose(pose, character, clip, time);
    return pose;
  };
}

/** Amounts of all shapes in single poses. */
function solvePoses(body: Body, stack: StackSpec, poses: readonly Pose[]): AmountSamples {
  const { skin, volume } = listUsedLayers(stack);
  if (poses.length === 0 || !isShapes({ skin, ...(volume && { volume }) })) return [];
  const solve = planFrames(body, planVolume(body, volume), skin);
  return poses.map((pose) => {
    const { solver } = solve(pose, 0);
    return solver.amounts.slice();
  });
}

/** The harm of these moments, and those among them that come close to a limit. */
function playMoments(
  body: Body,
  plan: VolumePlan,
  { skin }: Stack,
  harmPlan: HarmPlan,
  moments: readonly Moment[],
): { harm: PlayedHarm; close: Moment[]; samples: AmountSamples } {
  const { character } = body;
  const { surface } = character;
  const { regions, volumes } = plan;
  const { block, judge } = createHarmJudge(character, planSolvedBlame(plan.framePlan().shapes), harmPlan)();
  const evaluate = planFrames(body, plan, skin);
  const pose = createPose(character);
  const before = new Float64Array(regions.count);
  const rest = plan.rest.reduce((sum, volume) => sum + volume, 0);
  const losses = regions.names.map(() => NO_HARM);
  const isClose = new Uint8Array(moments.length);
  const samples: Float64Array[] = [];
  for (const [i, { clip, time, isLook }] of moments.entries()) {
    samplePose(pose, character, clip, time);
    const { x, extended, solver, report } = evaluate(pose, time, (skinned) =>
      measureTetrahedra(before, volumes, skinned),
    );
    const y = extended.subarray(0, x.length);
    const target = report.targets.reduce((sum, volume) => sum + volume, 0);
    const scale = rest !== 0 ? target / rest : 1;
    samples.push(solver.amounts.slice());
    const figure = judge({ clip: clip.name, time, x, y, amounts: samples.at(-1)!, scale, isLook });
    let lost = 0;
    for (let s = 0; s < regions.count; s++) {
      const component = surface.components[regions.component[s]!]!.volume;
      const measure = (volume: number) => Math.abs(measureRegionError(volume, report.targets[s]!, component));
      const value = 100 * (measure(report.volumes[s]!) - measure(before[s]!));
      if (value > losses[s]!.value) losses[s] = { value, clip: clip.name, time, vertex: -1 };
      lost = Math.max(lost, value / AIMS.volume);
    }
    if (figure > 0 || lost > CLOSE) isClose[i] = 1;
  }
  const close = moments.filter((one, i) => {
    // The three moments of a jump stay together.
    for (let n = Math.max(0, i - 2); n <= i + 2 && n < moments.length; n++) {
      const { clip, time } = moments[n]!;
      if (isClose[n] && clip === one.clip && Math.abs(time - one.time) < 2.1 * JUMP_STEP) return true;
    }
    return false;
  });
  return { harm: joinBlame([block], regions.names, losses, AIMS), close, samples };
}

/** Frames of skin and volume, cold: plain skinning x, the corrected surface with its apexes, the solver and its report; overwritten by the next. */
function planFrames({ character }: Body, plan: VolumePlan, skin: Stack['skin']) {
  const { volumes, targets, directions } = plan;
  const { shapes, solver: options } = plan.framePlan();
  const solver = createShapeSolver(volumes, shapes, options);
  const skinning = planSkinning(character, { ...skin, directions });
  const report = plan.createReport();
  const extended = createExtendedPositions(volumes);
  const turned = new Float64Array(3 * character.surface.vertexCount);
  const x = new Float64Array(turned.length);
  return (pose: Pose, time: number, onSkin?: (skinned: Float64Array) => void) => {
    skinning.apply({ positions: extended, directions: turned }, pose);
    x.set(extended.subarray(0, x.length));
    onSkin?.(extended);
    targets.measure(report.targets, skinning.bones, time, pose.morphWeights);
    const frame = { positions: extended, directions: turned, targets: report.targets, bones: skinning.bones, report };
    solver.apply({ ...frame, warm: false });
    return { x, extended, solver, report };
  };
}
