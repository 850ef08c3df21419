/**
 * C16 as a file: of the directions in which a family of given shapes may move (core/src/correction/given-shapes.ts: the bend of a region, the
 * twist of a joint) only those that the clips use become targets. A hinge uses one, and what goes together in all clips shares one (merge-directions.ts).
 *
 *   C = Σ_n a(n) a(n)ᵀ = Σ_i σ_i e_i e_iᵀ,        d_i = Σ_r e_i,r d_r,   amount e_i·a(n)
 *
 * A direction whose largest push stays quiet is left out, and the file is judged without it; the amounts of the regions are solved for what is kept.
 */
import { findAxes, findExtents, listFamilies, reduceGiven } from '@isoskin/core/harmonics';
import type { GivenFamily, Shapes } from '@isoskin/core/kernels';
import { runTasks } from '../threads/bake-threads.js';
import type { BakeJob } from './bake-job.js';
import { type FrameBaker, isShapesAlone, moveRegions, type SolveTask } from './create-frame-baker.js';
import { splitSamples } from './list-samples.js';
import { type Direction, mergeDirections } from './merge-directions.js';

export interface ReducedShapes {
  /** φ, and after them the directions that are used. */
  readonly shapes: Shapes;
  /** Region of every shape, and its name. */
  readonly regions: Uint32Array;
  readonly names: readonly string[];
  amountOf(sample: number, shape: number): number;
}

/** What the targets of the shapes are made of. */
export interface ShapeSource extends ReducedShapes {
  /** n̄, #V×3. */
  readonly directions: Float64Array;
}

/** Pushes below this share of the figure's size, or below that of their region's (∛V̄), are quiet; in tolerances. */
const QUIET = { figure: 0.7, region: 20 };

/**
 * Undefined where the stack's volume step is no shapes. Without any clip all directions in which shapes reach far are kept. What is left out is taken
 * out of the amounts of all samples, where the stack is shapes alone.
 *
 * @param here bakes on this thread
 * @param isDriven poses beyond the clips follow: nothing goes together
 */
export async function readShapes(
  job: Omit<BakeJob, 'rowOf' | 'shapes'>,
  here: FrameBaker,
  isDriven: boolean,
  onDone: (count: number) => void,
): Promise<ShapeSource | undefined> {
  const { stack, samples, block, layout, size, tolerance } = job;
  const layer = stack.volume;
  if (!layer?.shapes) return undefined;
  const { shapes } = layer.shapes;
  const measured = (n: number, s: number) => block.measures[n * layout.stride + layout.amounts + s]!;
  const isAlone = isShapesAlone(stack); // else what is left out would come back as an extra target
  const lengthOf = (region: number) => (isAlone ? Math.cbrt(Math.abs(layer.rest[region] ?? 0)) : 0);
  const quiet = (region: number) => tolerance * Math.max(QUIET.figure * size, QUIET.region * lengthOf(region));
  const isStill = !samples.some(({ clip }) => clip >= 0);
  const used = isStill ? [] : findUsed(shapes, samples.length, measured, quiet);
  const kept = isDriven || !isAlone ? used : mergeDirections(used);
  const axes = isStill ? listExtents(shapes) : kept.map(({ axis }) => axis);
  const reduced = reduceHarmonics(shapes, layer.regions.names, axes, measured);
  if (isAlone && shapes.given && !isStill && !job.world) await solveKept(job, here, axes, onDone);
  const table = new Float64Array(reduced.shapes.shapeCount * samples.length);
  for (let i = 0; i < table.length; i++)
    table[i] = reduced.amountOf(i % samples.length, Math.floor(i / samples.length));
  return { ...reduced, amountOf: (n, s) => table[s * samples.length + n]!, directions: layer.directions! };
}

/** Samples that follow each other in a task: few start cold. */
const CHAIN = 32;

/** Amounts of the samples without what is in no axis, a ← Σ_i e_i (e_i·a), those of the regions for what is left, and what they correct. */
async function solveKept(
  { stack, samples, block, layout, threads, meter }: Omit<BakeJob, 'rowOf' | 'shapes'>,
  { solve }: FrameBaker,
  axes: readonly (readonly number[])[],
  onDone: (count: number) => void,
): Promise<void> {
  const firstGiven = layout.amounts + stack.volume!.shapes!.shapes.regionCount;
  const numbersOf = (n: number) => block.measures.subarray(n * layout.stride, (n + 1) * layout.stride);
  const terms = axes.map(listTerms);
  for (const n of samples.keys()) {
    const given = numbersOf(n).subarray(firstGiven);
    const amounts = terms.map((own) => own.reduce((sum, { e, g }) => sum + e * given[g]!, 0));
    given.fill(0);
    for (const [i, own] of terms.entries()) for (const { e, g } of own) given[g]! += e * amounts[i]!;
  }
  if (!solve) return;
  threads?.share('solved', undefined);
  const ranges = splitSamples(samples, stack.spec, CHAIN);
  const count = layout.stride - firstGiven;
  const tasks = ranges.map(([first, end]): SolveTask => {
    const given = new Float64Array((end - first) * count);
    for (let n = first; n < end; n++) given.set(numbersOf(n).subarray(firstGiven), (n - first) * count);
    return { samples: samples.slice(first, end), given };
  });
  const found = await runTasks(threads, 'solved', tasks, solve, (task) => onDone(task.samples.length));
  const { regions } = meter;
  for (const [t, [first, end]] of ranges.entries()) {
    const width = found[t]!.length / (end - first);
    for (let n = first; n < end; n++) {
      const numbers = numbersOf(n);
      const own = found[t]!.subarray((n - first) * width, (n - first + 1) * width);
      numbers.set(own.subarray(0, layout.shapes), layout.amounts);
      numbers.copyWithin(layout.correctedComponents, layout.skinnedComponents, layout.correctedComponents);
      numbers.copyWithin(layout.correctedRegions, layout.skinnedRegions, layout.correctedRegions);
      const componentVolumes = numbers.subarray(layout.correctedComponents, layout.regionTargets);
      const regionVolumes = numbers.subarray(layout.correctedRegions, layout.amounts);
      numbers[layout.corrected] = moveRegions(
        { regions, componentVolumes, regionVolumes },
        own.subarray(layout.shapes),
      );
    }
  }
}

/** What shapes move before it is rounded: δ_u = φ_k n̄_k / scale for point u at welded vertex k, of a group, units of POSITION. */
export function listShapeDeltas(
  { read, source: { welded, groupOffsets } }: BakeJob,
  { shapes, directions }: ShapeSource,
  group: number,
  wanted: readonly number[],
): Map<number, Float64Array> {
  const { scale } = read.character.parts.find((part) => part.group === group)!;
  const [from, to] = [groupOffsets[group]!, groupOffsets[group + 1]!];
  const out = new Map(wanted.map((shape) => [shape, new Float64Array(3 * (to - from))]));
  const lists = Array.from({ length: shapes.shapeCount }, (_, shape) => out.get(shape));
  for (let u = from; u < to; u++) {
    const k = welded[u]!;
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
      const list = lists[shapes.shapes[e]!];
      if (!list) continue;
      for (let r = 0; r < 3; r++) list[3 * (u - from) + r] = (shapes.values[e]! * directions[3 * k + r]!) / scale;
    }
  }
  return out;
}

/** The directions of every family that the samples use. @param quiet largest push that is left out of a region, world units. */
export function findUsed(
  shapes: Shapes,
  sampleCount: number,
  amountOf: (sample: number, shape: number) => number,
  quiet: (region: number) => number,
): Direction[] {
  const families = shapes.given?.families ?? [];
  const { firsts } = listFamilies(families);
  const vectors = listVectors(shapes, firsts, families);
  return families.flatMap(({ size, region }, f) => {
    const first = shapes.regionCount + firsts[f]!;
    const amounts = new Float64Array(size * sampleCount);
    for (let n = 0, at = 0; n < sampleCount; n++) for (let r = 0; r < size; r++) amounts[at++] = amountOf(n, first + r);
    const matrix = new Float64Array(size * size);
    for (let at = 0; at < amounts.length; at += size) {
      for (let r = 0, i = 0; r < size; r++)
        for (let c = 0; c < size; c++) matrix[i++]! += amounts[at + r]! * amounts[at + c]!;
    }
    return findAxes(matrix, size)
      .map(({ axis }): Direction => {
        const reach = project(vectors[f]!, axis).reduce((most, push) => Math.max(most, Math.abs(push)), 0);
        const own = project(amounts, axis);
        return { axis: spread(shapes, firsts[f]!, axis), amounts: own, reach: reach / quiet(region), off: 0 };
      })
      .filter(({ amounts: own, reach }) => own.some((a) => Math.abs(a) * reach > 1));
  });
}

/** e · v of vectors one after the other. */
function project(vectors: ArrayLike<number>, axis: readonly number[]): Float64Array {
  const out = new Float64Array(vectors.length / axis.length);
  for (let n = 0, at = 0; n < out.length; n++)
    for (let r = 0; r < axis.length; r++) out[n]! += axis[r]! * vectors[at++]!;
  return out;
}

/** All directions in which the shapes of a family reach far. */
export function listExtents(shapes: Shapes): number[][] {
  const { firsts } = listFamilies(shapes.given?.families ?? []);
  return findExtents(shapes).flatMap((list, f) => list.map((axis) => spread(shapes, firsts[f]!, axis)));
}

/** A direction of the family from `first` on as one over all given shapes. */
function spread({ shapeCount, regionCount }: Shapes, first: number, axis: readonly number[]): number[] {
  return Array.from({ length: shapeCount - regionCount }, (_, g) => axis[g - first] ?? 0);
}

/** @param names of the regions. @param axes over all given shapes, orthonormal. */
export function reduceHarmonics(
  shapes: Shapes,
  names: readonly string[],
  axes: readonly (readonly number[])[],
  amountOf: (sample: number, shape: number) => number,
): ReducedShapes {
  const { given, regionCount: K } = shapes;
  const all = Array.from({ length: K }, (_, s) => names[s] ?? `shape ${s}`);
  const regions = [...all.keys()];
  if (!given) return { shapes, regions: Uint32Array.from(regions), names: all, amountOf };
  // Named after the family that it moves most.
  const { familyOf } = listFamilies(given.families);
  for (const axis of axes) {
    const most = axis.reduce((at, e, g) => (Math.abs(e) > Math.abs(axis[at]!) ? g : at), 0);
    const { name, region } = given.families[familyOf[most]!]!;
    regions.push(region);
    let i = 1;
    while (all.includes(`${name} ${i}`)) i++;
    all.push(`${name} ${i}`);
  }
  const whole = [{ name: 'given', size: shapes.shapeCount - K, region: 0 }];
  const joined = { ...given, families: whole, plan: { ...given.plan, families: whole } };
  const terms = axes.map(listTerms);
  return {
    shapes: reduceGiven({ ...shapes, given: joined }, [axes]),
    regions: Uint32Array.from(regions),
    names: all,
    amountOf: (n, shape) =>
      shape < K ? amountOf(n, shape) : terms[shape - K]!.reduce((sum, { e, g }) => sum + e * amountOf(n, K + g), 0),
  };
}

/** Family → what its shapes push every vertex by that they reach, as many numbers as it has shapes. */
function listVectors(
  { offsets, shapes, values, regionCount: K }: Shapes,
  firsts: readonly number[],
  families: readonly GivenFamily[],
): number[][] {
  const { familyOf } = listFamilies(families);
  const out: number[][] = families.map(() => []);
  const last = new Int32Array(families.length).fill(-1); // vertex
  for (let k = 0; k + 1 < offsets.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const f = familyOf[shapes[e]! - K];
      if (f === undefined) continue;
      const { size } = families[f]!;
      if (last[f] !== k) for (let r = 0; r < size; r++) out[f]!.push(0);
      last[f] = k;
      out[f]![out[f]!.length - size + shapes[e]! - K - firsts[f]!] = values[e]!;
    }
  }
  return out;
}

/** What of an axis is not 0, and where. */
function listTerms(axis: readonly number[]): { readonly e: number; readonly g: number }[] {
  return axis.flatMap((e, g) => (e === 0 ? [] : [{ e, g }]));
}
