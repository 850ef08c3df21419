/**
 * Amounts of the regions, in the samples that are asked for, solved through the deltas as the file holds them: rounded, with what is too small left out, and
 * with the extra targets in place.
 *
 *   V_s(skin(x̄ + Σ_k μ_k ẽ_k + Σ_s λ_s δ̃_s)) = V̄_s        δ̃ read as φ̃ along n̄, at the point that stands for the vertex
 */

import { createPose, samplePose } from '@isoskin/core';
import { createShapeSolver, createSolverReport, planSkinning } from '@isoskin/core/kernels';
import { createExtendedPositions } from '@isoskin/core/mesh';
import type { WasmKernels } from '@isoskin/wasm';
import type { BakeJob } from './bake-job.js';
import { createShapeFrames } from './create-shape-frames.js';
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

/**
 * @param isExact V̄ is what the stack wants, not what it reaches with everything else that moves the skin.
 * @param kernels that solve what is exact.
 */
export function solveAgain(
  job: BakeJob,
  plan: SolvedTargets,
  isExact: boolean,
  kernels?: WasmKernels,
): SolvedTargets['amountOf'] {
  const { drafts, amountOf } = plan;
  const isUsed = drafts.some(({ used }) => used.some(({ amount }) => amount < (plan.shapes?.shapes.regionCount ?? 0)));
  if (!plan.shapes || !isUsed) return amountOf;
  const { regionCount } = plan.shapes.shapes;
  const solve = kernels ? solveByKernels(job, plan, kernels) : solveBySurface(job, plan, isExact);
  const out = new Float64Array(job.samples.length * regionCount);
  const isSolved = new Uint8Array(job.samples.length);
  return (n, a) => {
    if (a >= regionCount) return amountOf(n, a);
    if (isSolved[n] === 0) out.set(solve(n).subarray(0, regionCount), n * regionCount);
    isSolved[n] = 1;
    return out[n * regionCount + a]!;
  };
}

/** Sample → its amounts, until the next. */
type Solve = (sample: number) => Float64Array;

function solveByKernels(job: BakeJob, plan: SolvedTargets, kernels: WasmKernels): Solve {
  const { samples, block, layout } = job;
  const { shapes } = plan.shapes!;
  const widen = (ceilings: Float64Array) => ceilings.map((ceiling) => ROOM * ceiling);
  const { outward, inward } = shapes;
  const rounded = { ...shapes, outward: widen(outward), inward: widen(inward), values: readValues(job, plan) };
  const frames = createShapeFrames(job.stack, kernels, rounded, LEFT_OUT);
  const targets = new Float64Array(shapes.regionCount);
  const given = new Float64Array(shapes.shapeCount - shapes.regionCount);
  return (n) => {
    const read = (from: number) =>
      block.measures.subarray(n * layout.stride + from, n * layout.stride + from + targets.length);
    const reached = read(layout.correctedRegions);
    targets.set(read(layout.regionTargets));
    targets.forEach((wanted, s) => {
      if (Math.abs(reached[s]! - wanted) > MET * Math.abs(wanted)) targets[s] = reached[s]!;
    });
    for (let i = 0; i < given.length; i++) given[i] = plan.amountOf(n, shapes.regionCount + i);
    return frames(samples[n]!, { targets, given, warm: true }).amounts!;
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
function readValues({ source, stack }: BakeJob, { shapes: model, drafts }: SolvedTargets): Float64Array {
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
