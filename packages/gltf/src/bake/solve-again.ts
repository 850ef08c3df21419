/**
 * Amounts of the regions, in the samples that are asked for, solved through the deltas as the file holds them: rounded, with what is too small left out, and
 * with the extra targets in place.
 *
 *   V_s(skin(x̄ + Σ_k μ_k ẽ_k + Σ_s λ_s δ̃_s)) = V̄_s        δ̃ read as φ̃ along n̄, at the point that stands for the vertex
 */

import {
  createExtendedPositions,
  createPose,
  createShapeSolver,
  createSolverReport,
  planSkinning,
  samplePose,
} from '@isoskin/core/frames';
import type { GivenAmounts, Shapes } from '@isoskin/core/kernels';
import type { LaidOut, WasmKernels } from '@isoskin/wasm';
import { runTasks } from '../threads/bake-threads.js';
import type { BakeJob } from './bake-job.js';
import type { BakeStack } from './create-frame-baker.js';
import { createShapeFrames, planShapeFrame } from './create-shape-frames.js';
import type { Sample } from './list-samples.js';
import { planBakedSurface } from './plan-baked-surface.js';
import type { ShapeSource } from './reduce-harmonics.js';
import { addDeltas, type SparseDeltas } from './sparse-deltas.js';

interface SolvedTargets {
  readonly shapes: ShapeSource | undefined;
  readonly drafts: readonly {
    readonly group: number;
    readonly used: readonly { readonly amount: number; readonly unit: number }[];
    readonly vectors: readonly Float64Array[];
    readonly moves: readonly SparseDeltas[];
  }[];
  amountOf(sample: number, amount: number): number;
}

/** What the file promises is 10⁻⁴: from the sample before, a step from an error of 10⁻³ leaves 10⁻⁶. */
const ACCURACY = { tolerance: 1e-6, totalTolerance: 1e-6, lastStep: 1e-3 };

/** A region that ends at its ceiling has to end there with fewer deltas too: beyond it by this, at the volume that it had. */
const ROOM = 1.03;
/** Share of its volume within which a region has what it wants. */
const MET = 1e-4;
/** A region whose shape got no target is off by as much as that left out, and is not to be solved for: twice `UNUSED` (bake-targets.ts). */
const LEFT_OUT = 6e-5;
/** Samples of a task. */
const CHUNK = 16;

/** Amounts of samples that were solved for. */
export interface SolvedAmounts {
  amountOf(sample: number, amount: number): number;
  /** Solves for these samples, where that is not done when they are asked for. */
  solve(samples: readonly number[]): Promise<void>;
}

/**
 * @param isExact V̄ is what the stack wants, not what it reaches with everything else that moves the skin.
 * @param kernels that solve what is exact.
 */
export function solveAgain(job: BakeJob, plan: SolvedTargets, isExact: boolean, kernels?: WasmKernels): SolvedAmounts {
  const { drafts, amountOf } = plan;
  const isUsed = drafts.some(({ used }) => used.some(({ amount }) => amount < (plan.shapes?.shapes.regionCount ?? 0)));
  if (!plan.shapes || !isUsed) return { amountOf, solve: async () => {} };
  const { regionCount } = plan.shapes.shapes;
  const out = new Float64Array(job.samples.length * regionCount);
  const isSolved = new Uint8Array(job.samples.length);
  const put = (n: number, amounts: Float64Array, from = 0): void => {
    out.set(amounts.subarray(from, from + regionCount), n * regionCount);
    isSolved[n] = 1;
  };
  const solveAll = kernels && solveByKernels(job, plan, kernels, put);
  const solve = kernels ? undefined : solveBySurface(job, plan, isExact);
  return {
    amountOf(n, a) {
      if (a >= regionCount) return amountOf(n, a);
      if (isSolved[n] === 0) put(n, solve!(n));
      return out[n * regionCount + a]!;
    },
    solve: async (samples) => solveAll?.(samples.filter((n) => isSolved[n] === 0)),
  };
}

/** Sample → its amounts, until the next. */
type Solve = (sample: number) => Float64Array;

/** What kernels solve again: the shapes as the file holds them. Data alone, for threads. */
export interface AgainWork extends Omit<Shapes, 'given'> {
  readonly laidOut: LaidOut;
}

/** Samples, with the λ of the regions before anything was rounded, the amounts of their given shapes and V̄. */
export interface AgainTask {
  readonly samples: readonly Sample[];
  readonly starts: Float64Array;
  readonly given: Float64Array;
  readonly targets: Float64Array;
}

/** Answers with λ of the regions, sample after sample. */
export function createAgainSolver(
  stack: Pick<BakeStack, 'character' | 'volume'>,
  kernels: WasmKernels,
  { laidOut, ...shapes }: AgainWork,
): (task: AgainTask) => Float64Array {
  const { regionCount, shapeCount } = shapes;
  const isGiven = { measure() {} } as unknown as GivenAmounts; // tasks give them
  const frames = createShapeFrames(stack, kernels, { ...shapes, given: isGiven }, LEFT_OUT, laidOut);
  const givenCount = shapeCount - regionCount;
  return ({ samples, starts, given, targets }) => {
    const out = new Float64Array(samples.length * regionCount);
    samples.forEach((sample, n) => {
      const { amounts } = frames(sample, {
        given: given.subarray(n * givenCount, (n + 1) * givenCount),
        targets: targets.subarray(n * regionCount, (n + 1) * regionCount),
        warm: starts.subarray(n * regionCount, (n + 1) * regionCount),
      });
      out.set(amounts!.subarray(0, regionCount), n * regionCount);
    });
    return out;
  };
}

function solveByKernels(
  { samples, block, layout, stack, threads, ...job }: BakeJob,
  plan: SolvedTargets,
  kernels: WasmKernels,
  put: (sample: number, amounts: Float64Array, from: number) => void,
): (samples: readonly number[]) => Promise<void> {
  const { given: _, ...shapes } = plan.shapes!.shapes;
  const { outward, inward, regionCount, shapeCount } = shapes;
  const widen = (ceilings: Float64Array) => ceilings.map((ceiling) => ROOM * ceiling);
  const values = readValues({ source: job.source, stack }, plan);
  const again = { ...shapes, outward: widen(outward), inward: widen(inward), values };
  const work: AgainWork = { ...again, laidOut: kernels.layOut(planShapeFrame(stack, again), job.frame) };
  threads?.share('again', work);
  let here: ((task: AgainTask) => Float64Array) | undefined;
  const planTask = (list: readonly number[]): AgainTask => {
    const amounts = (from: number, to: number) =>
      Float64Array.from(list.flatMap((n) => Array.from({ length: to - from }, (_, i) => plan.amountOf(n, from + i))));
    const targets = list.flatMap((n) => {
      const at = n * layout.stride;
      const reached = block.measures.subarray(at + layout.correctedRegions, at + layout.correctedRegions + regionCount);
      const wanted = block.measures.subarray(at + layout.regionTargets, at + layout.regionTargets + regionCount);
      const isMet = (s: number) => Math.abs(reached[s]! - wanted[s]!) <= MET * Math.abs(wanted[s]!);
      return Array.from(wanted, (volume, s) => (isMet(s) ? volume : reached[s]!));
    });
    return {
      samples: list.map((n) => samples[n]!),
      starts: amounts(0, regionCount),
      given: amounts(regionCount, shapeCount),
      targets: Float64Array.from(targets),
    };
  };
  return async (wanted) => {
    const parts = Array.from({ length: Math.ceil(wanted.length / CHUNK) }, (_, i) =>
      wanted.slice(CHUNK * i, CHUNK * (i + 1)),
    );
    const found = await runTasks(threads, 'again', parts.map(planTask), (task) => {
      here ??= createAgainSolver(stack, kernels, work);
      return here(task);
    });
    for (const [p, part] of parts.entries()) for (const [i, n] of part.entries()) put(n, found[p]!, i * regionCount);
  };
}

function solveBySurface(job: BakeJob, plan: SolvedTargets, isExact: boolean): Solve {
  const { stack, samples, block, layout } = job;
  const { drafts, amountOf } = plan;
  const { shapes, directions } = plan.shapes!;
  const { character } = stack;
  const { shapeCount, regionCount } = shapes;
  const { volumes } = stack.volume!;
  const solver = createShapeSolver(volumes, { ...shapes, values: readValues(job, plan) }, ACCURACY);
  const skinning = planSkinning(character, { directions });
  const positions = createExtendedPositions(volumes);
  const turned = new Float64Array(directions.length);
  const targets = new Float64Array(regionCount);
  const report = createSolverReport(regionCount);
  const frame = { positions, directions: turned, targets, bones: skinning.bones, report, warm: true };
  const pose = createPose(character);
  const surface = isExact ? undefined : planBakedSurface(job);
  return (n) => {
    const sample = samples[n]!;
    samplePose(pose, character, character.clips[sample.clip], sample.time);
    skinning.apply({ positions, directions: turned }, pose);
    if (surface) {
      surface.pose(sample);
      surface.offsets.fill(0);
      for (const { used, moves } of drafts) {
        for (const [k, { amount, unit }] of used.entries()) {
          if (amount >= shapeCount) addDeltas(surface.offsets, moves[k]!, amountOf(n, amount) * unit);
        }
      }
      surface.place();
      positions.set(surface.positions);
    }
    const at = n * layout.stride + (isExact ? layout.regionTargets : layout.correctedRegions);
    targets.set(block.measures.subarray(at, at + regionCount));
    solver.apply(frame);
    return solver.amounts;
  };
}

/** φ̃ of every entry of the shapes. */
function readValues(
  { source, stack }: Pick<BakeJob, 'source' | 'stack'>,
  { shapes: model, drafts }: SolvedTargets,
): Float64Array {
  const { shapes, directions } = model!;
  const { leaders, groupOffsets } = source;
  const values = new Float64Array(shapes.values.length);
  for (const { group, used, vectors } of drafts) {
    const { scale } = stack.character.parts.find((part) => part.group === group)!;
    const [from, to] = [groupOffsets[group]!, groupOffsets[group + 1]!];
    const targetOf = new Map(used.map(({ amount }, t) => [amount, t]));
    for (let k = 0; k < leaders.length; k++) {
      const u = leaders[k]!;
      if (u < from || u >= to) continue;
      const n = directions.subarray(3 * k, 3 * k + 3);
      const square = n[0]! ** 2 + n[1]! ** 2 + n[2]! ** 2 || 1;
      for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
        const t = targetOf.get(shapes.shapes[e]!);
        if (t === undefined) continue;
        const d = vectors[t]!.subarray(3 * (u - from), 3 * (u - from) + 3);
        values[e] = (scale * used[t]!.unit * (d[0]! * n[0]! + d[1]! * n[1]! + d[2]! * n[2]!)) / square;
      }
    }
  }
  return values;
}
