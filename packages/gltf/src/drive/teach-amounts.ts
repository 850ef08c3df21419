/**
 * P1. Teaches the amounts as a function of the pose: poses are sampled, solved, and a sparse polynomial is fitted for every shape.
 *
 *   minimise  Σ_n a_n Σ_s ( Σ_t J̃_n,st (λ̂_t(u_n) − λ_nt) )²,   J̃_st = ∂V_s/∂λ_t / w_s,   1/a = (1 + e²/h²)(1 + l²/h²)
 *
 * n  poses;  λ  amounts of the solver (C15);  λ̂  the polynomials (@isoskin/drive);  J̃  what an amount does to the regions;  l, e  errors of
 * linear skinning and of the solver. An error of λ that no region feels is none, nor is one beyond a ceiling that λ is at; what is left
 * counts as a share of what skinning alone would leave. One shape after the other, the others held: terms first, then SWEEPS rounds of
 * coefficients. Amounts that are given by the pose (C16) are fitted as they are.
 * O(poses · (frame + K candidates²)).
 */
import { type FrameSource, POSE_STRIDE, type Pose } from '@isoskin/core';
import type { Shapes } from '@isoskin/core/kernels';
import { type Amounts, type Certificate, createDriver, type Driver, measureRotation } from '@isoskin/drive';
import { listExtents, type ReducedShapes, reduceHarmonics } from '../bake/reduce-harmonics.js';
import { createPoseSampler, type PoseSampler } from './create-pose-sampler.js';
import { fitGiven, fitShapes, type Lessons, POSES } from './fit-shapes.js';
import { listDrivingInputs, listDrivingNodes } from './list-driving-nodes.js';
import { type DriveJudge, planDriveJudge } from './plan-drive-judge.js';

export interface TeachOptions {
  /** Degrees that every joint may turn; default: from the clips, widened. */
  readonly range?: number | undefined;
  /** Most terms of a region's shape. Default 60. */
  readonly terms?: number;
  /** The shapes that are driven, and their names. Default: all that the stack has. */
  readonly source?: Pick<ReducedShapes, 'shapes' | 'names'>;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TaughtAmounts {
  /** Nodes of the skeleton and morph targets of the character, in the order of the inputs. */
  readonly nodes: readonly number[];
  readonly morphs: readonly number[];
  /** Those that are driven. */
  readonly shapes: Shapes;
  /** As in the file, but without targets; inputs are numbered by `nodes`, then `morphs`. */
  readonly amounts: Amounts;
  /** Of every shape the taught amount of largest size, with its sign. */
  readonly largest: Float64Array;
}

export const TEACH_DEFAULTS = { terms: 60 };
/** Seeds of the poses. */
export const TEACH_SEEDS = { taught: 1, judged: 2 };
/** Terms of a shape whose amount is given by the pose, of a region's: it is smooth, and no volume hangs on it. */
export const GIVEN_SHARE = 0.25;
/** h: error of skinning, or of the solver, at which a pose counts half. */
const HELD = 0.05;
/** Ceilings where the solver has none, in largest amounts. */
const FAR = 4;
/** Digits of a coefficient. */
const DIGITS = 4;

export function teachAmounts(stack: FrameSource, options: TeachOptions = {}): TaughtAmounts {
  const { character } = stack;
  const layer = stack.volume!;
  const { shapes, names } = options.source ?? listAllShapes(stack);
  const driving = listDrivingNodes(character, layer.regions, shapes);
  const { nodes, morphs } = listDrivingInputs(stack);
  const judge = planDriveJudge(stack, shapes);
  const { taught, aside, judged } = POSES;
  const total = taught + aside + judged;
  const onPose = (done: number) => {
    options.signal?.throwIfAborted();
    options.onProgress?.(done, total);
  };
  const sampler = createPoseSampler(character, { nodes, morphs, seed: TEACH_SEEDS.taught, range: options.range });
  const lessons = solvePoses(stack, shapes, judge, sampler, nodes, morphs, taught + aside, onPose);
  const K = shapes.regionCount;
  const { terms: most = TEACH_DEFAULTS.terms } = options;
  const given = Array.from({ length: shapes.shapeCount - K }, (_, g) =>
    measureRange(lessons.given, g, shapes.shapeCount - K),
  );
  const ceilings = Array.from({ length: K }, (_, s) => chooseCeilings(lessons.amounts, s, shapes));
  const fits = fitShapes(lessons, ceilings, driving, nodes, morphs, most);
  fits.push(...fitGiven(lessons, driving, nodes, morphs, Math.ceil(GIVEN_SHARE * most)));
  const ranges = [...ceilings, ...given];
  const rests = nodes.map((n) => [...character.skeleton.locals.subarray(POSE_STRIDE * n + 3, POSE_STRIDE * n + 7)]);
  const draft = {
    version: 1,
    inputs: [
      ...rests.map((rest, node) => ({ node, rest: rest.map(round), reach: round(lessons.reaches[node]!) })),
      ...morphs.map((weight) => ({ node: 0, weight })),
    ],
    shapes: fits.map(({ terms, coefficients }, s) => ({
      name: names[s]!,
      targets: [],
      range: ranges[s]!.map(round),
      terms: terms.map((term, t) => [round(coefficients[t]!), ...term]),
    })),
  } as const;
  const fresh = createPoseSampler(character, { nodes, morphs, seed: TEACH_SEEDS.judged, range: options.range });
  const driver = createDriver(draft as unknown as Amounts);
  const certificate = certify(judge, fresh, driver, { nodes, morphs }, judged, (n) => onPose(taught + aside + n));
  const seen = [...ceilings.map((_, s) => measureRange(lessons.amounts, s, K)), ...given];
  const largest = Float64Array.from(seen, ([low, high]) => (-low > high ? low : high));
  const told = { ...certificate, ...(options.range !== undefined && { range: options.range }) };
  return { nodes, morphs, shapes, amounts: { ...draft, certificate: told }, largest };
}

function listAllShapes({ volume }: FrameSource): Pick<ReducedShapes, 'shapes' | 'names'> {
  const { shapes } = volume!.shapes!;
  return reduceHarmonics(shapes, volume!.regions.names, listExtents(shapes), () => 0);
}

/** Errors of the regions on poses that a sampler gives. */
export function certify(
  judge: DriveJudge,
  sampler: PoseSampler,
  driver: Driver,
  inputs: { readonly nodes: readonly number[]; readonly morphs: readonly number[] },
  count: number,
  onPose?: (done: number) => void,
): Certificate {
  const linear: number[] = [];
  const solver: number[] = [];
  const driven: number[] = [];
  for (let n = 0; n < count; n++) {
    sampler.next();
    judge.pose(sampler.pose);
    linear.push(judge.measureLinear());
    solver.push(judge.measureSolved());
    driven.push(judge.measureDriven(measureDriven(driver, sampler.pose, inputs)));
    onPose?.(n + 1);
  }
  return { poses: count, ...summarise(driven), linear: summarise(linear), solver: summarise(solver) };
}

/** λ of a driver for a pose of the character that it was taught on. */
export function measureDriven(
  driver: Driver,
  { locals, morphWeights }: Pose,
  { nodes, morphs }: { readonly nodes: readonly number[]; readonly morphs: readonly number[] },
): Float64Array {
  nodes.forEach((n, i) => {
    const at = POSE_STRIDE * n + 3;
    driver.turn(i, locals[at]!, locals[at + 1]!, locals[at + 2]!, locals[at + 3]!);
  });
  morphs.forEach((m, i) => {
    driver.weigh(nodes.length + i, morphWeights[m]!);
  });
  return driver.measure();
}

export function summarise(errors: readonly number[]): { worst: number; median: number } {
  const sorted = errors.toSorted((a, b) => a - b);
  return { worst: round(sorted.at(-1) ?? 0), median: round(sorted[sorted.length >> 1] ?? 0) };
}

function solvePoses(
  stack: FrameSource,
  shapes: Shapes,
  judge: DriveJudge,
  { pose, next }: PoseSampler,
  nodes: readonly number[],
  morphs: readonly number[],
  count: number,
  onPose: (done: number) => void,
): Lessons {
  const K = shapes.regionCount;
  const given = new Float64Array(count * (shapes.shapeCount - K));
  const { locals } = stack.character.skeleton;
  const variables = Array.from({ length: 9 * nodes.length + morphs.length }, () => new Float64Array(count));
  const amounts = new Float64Array(count * K);
  const slopes: Float32Array[] = [];
  const worth = new Float64Array(count);
  const reaches = new Float64Array(nodes.length);
  const u = new Float64Array(9);
  for (let n = 0; n < count; n++) {
    next();
    judge.pose(pose);
    amounts.set(judge.amounts.subarray(0, K), n * K);
    shapes.given?.measure(given, (n * given.length) / count, stack.frame.bones);
    slopes.push(new Float32Array(K * K));
    judge.measureSlopes(slopes[n]!);
    worth[n] = 1 / ((1 + (judge.measureSolved() / HELD) ** 2) * (1 + (judge.measureLinear() / HELD) ** 2));
    nodes.forEach((node, i) => {
      const at = POSE_STRIDE * node + 3;
      const [x, y, z, w] = pose.locals.subarray(at, at + 4) as unknown as [number, number, number, number];
      const angle = measureRotation(u, 0, [...locals.subarray(at, at + 4)], x, y, z, w);
      reaches[i] = Math.max(reaches[i]!, angle);
      for (let k = 0; k < 9; k++) variables[9 * i + k]![n] = u[k]!;
    });
    morphs.forEach((m, i) => {
      variables[9 * nodes.length + i]![n] = pose.morphWeights[m]!;
    });
    onPose(n + 1);
  }
  return { count, variables, reaches, amounts, given, slopes, worth };
}

/** The solver's ceilings; without any, so far out that what was taught does not feel them. */
function chooseCeilings(amounts: Float64Array, s: number, { inward, outward, regionCount }: Shapes): [number, number] {
  const [low, high] = measureRange(amounts, s, regionCount);
  const far = FAR * Math.max(-low, high, 0.1);
  return [-Math.min(inward[s]!, far), Math.min(outward[s]!, far)];
}

/** Least and largest amount of a shape. */
function measureRange(amounts: Float64Array, s: number, K: number): [number, number] {
  let low = 0;
  let high = 0;
  for (let at = s; at < amounts.length; at += K) {
    low = Math.min(low, amounts[at]!);
    high = Math.max(high, amounts[at]!);
  }
  return [low, high];
}

function round(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
