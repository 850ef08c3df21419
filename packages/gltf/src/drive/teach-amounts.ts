/**
 * P1. Teaches the weights of what is drawn as a function of the pose: poses are sampled, solved, and a sparse polynomial is fitted for every shape.
 *
 *   minimise  Σ_n a_n |L (ŵ(u_n) − w_n)|²,   L Lᵀ = G,   1/a = (1 + e²/h²)(1 + l²/h²)
 *
 * n  poses;  w  weights of the frame (C15, C18);  ŵ  the polynomials (@isoskin/drive);  G  what an error does to the skin and to the regions
 * (measure-metric.ts);  l, e  errors of linear skinning and of the frame. An error beyond an end of its range that w is at is none. One shape after the other,
 * the others held: terms first, then SWEEPS rounds of coefficients. O(poses · (frame + K candidates²)).
 */
import { type FrameSource, POSE_STRIDE, type Pose } from '@isoskin/core';
import { listShapeNames } from '@isoskin/core/kernels';
import { type Amounts, type Certificate, createDriver, type Driver, measureRotation } from '@isoskin/drive';
import { createPoseSampler, type PoseSampler } from './create-pose-sampler.js';
import { fitShapes, type Lessons, POSES } from './fit-shapes.js';
import { listDrivingInputs, listDrivingNodes } from './list-driving-nodes.js';
import { measureMetric } from './measure-metric.js';
import { type DriveJudge, planDriveJudge } from './plan-drive-judge.js';

export interface TeachOptions {
  /** Degrees that every joint may turn; default: from the clips, widened. */
  readonly range?: number | undefined;
  /** Most terms of a shape. Default 60. */
  readonly terms?: number;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TaughtAmounts {
  /** Nodes of the skeleton and morph targets of the character, in the order of the inputs. */
  readonly nodes: readonly number[];
  readonly morphs: readonly number[];
  /** As in the file, but without targets; inputs are numbered by `nodes`, then `morphs`. */
  readonly amounts: Amounts;
  /** Least and largest weight of every shape that was taught. */
  readonly ranges: readonly (readonly [number, number])[];
}

export const TEACH_DEFAULTS = { terms: 60 };
/** Seeds of the poses. */
export const TEACH_SEEDS = { taught: 1, judged: 2 };
/** h: error of skinning, or of the solver, at which a pose counts half. */
const HELD = 0.05;
/** Digits of a coefficient. */
const DIGITS = 4;

export function teachAmounts(stack: FrameSource, options: TeachOptions = {}): TaughtAmounts {
  const { character } = stack;
  const { regions, shapes: solved } = stack.volume!;
  const driving = listDrivingNodes(character, regions, solved!.shapes);
  const { nodes, morphs } = listDrivingInputs(stack);
  const judge = planDriveJudge(stack);
  const { taught, aside, judged } = POSES;
  const total = taught + aside + judged;
  const onPose = (done: number) => {
    options.signal?.throwIfAborted();
    options.onProgress?.(done, total);
  };
  const sampler = createPoseSampler(character, { nodes, morphs, seed: TEACH_SEEDS.taught, range: options.range });
  const lessons = solvePoses(stack, judge, sampler, nodes, morphs, taught + aside, onPose);
  const ranges = Array.from({ length: judge.weights.length }, (_, s) =>
    measureRange(lessons.weights, s, judge.weights.length),
  );
  const fits = fitShapes(lessons, ranges, driving, nodes, morphs, options.terms ?? TEACH_DEFAULTS.terms);
  const names = listShapeNames(solved!.shapes, regions.names);
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
  const told = { ...certificate, ...(options.range !== undefined && { range: options.range }) };
  return { nodes, morphs, amounts: { ...draft, certificate: told }, ranges };
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
  judge: DriveJudge,
  { pose, next }: PoseSampler,
  nodes: readonly number[],
  morphs: readonly number[],
  count: number,
  onPose: (done: number) => void,
): Lessons {
  const K = judge.weights.length;
  const { character } = stack;
  const { locals } = character.skeleton;
  const variables = Array.from({ length: 9 * nodes.length + morphs.length }, () => new Float64Array(count));
  const weights = new Float64Array(count * K);
  const worth = new Float64Array(count);
  const reaches = new Float64Array(nodes.length);
  const u = new Float64Array(9);
  for (let n = 0; n < count; n++) {
    next();
    judge.pose(pose);
    weights.set(judge.weights, n * K);
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
  const metric = factor(measureMetric(stack), K);
  return { count, variables, reaches, weights, metric, worth };
}

/** Lᵀ of a Gram matrix, by rows; what depends on the shapes before it counts as itself, a little. */
function factor(gram: Float64Array, n: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let t = 0; t < n; t++) {
    for (let s = 0; s <= t; s++) {
      let sum = gram[t * n + s]!;
      for (let k = 0; k < s; k++) sum -= out[k * n + t]! * out[k * n + s]!;
      if (s === t) out[t * n + t] = Math.sqrt(Math.max(sum, 1e-6 * gram[t * n + t]!, Number.MIN_VALUE));
      else out[s * n + t] = sum / out[s * n + s]!;
    }
  }
  return out;
}

/** Least and largest weight of a shape. */
function measureRange(weights: Float64Array, s: number, K: number): [number, number] {
  let low = 0;
  let high = 0;
  for (let at = s; at < weights.length; at += K) {
    low = Math.min(low, weights[at]!);
    high = Math.max(high, weights[at]!);
  }
  return [low, high];
}

function round(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
