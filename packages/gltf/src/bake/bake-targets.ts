/**
 * C15 as a file: the shapes of the volume step are morph targets, their amounts weight tracks, the same targets in every clip.
 *
 *   δ_s,u = φ_s,k n̄_k / scale   for point u at welded vertex k,        w_s(t) = λ_s(t)
 *
 * A player morphs and then skins, which is what the model does: nothing is fitted. What else moves the skin gets few targets beside them
 * (plan-extras.ts). The amounts are solved again through what was rounded and left out of the deltas; what remains is keys that are
 * left out. Normals are fitted to those of the corrected surface (fit-directions.ts). O(samples · K + points · entries).
 */
import { type BakeJob, exactVolumes, partsOf, scaleOf } from './bake-job.js';
import type { BakedGroup, PartTargets, WeightKeys } from './baked-group.js';
import { checkSamples } from './check-samples.js';
import { type DirectionFit, planFits } from './create-direction-fitter.js';
import { isShapesAlone } from './create-frame-baker.js';
import { countTurned, fitAll, NORMAL } from './fit-all.js';
import type { DirectionFrames } from './fit-directions.js';
import type { SampleRange } from './list-samples.js';
import { loadBakeKernels } from './load-bake-kernels.js';
import { planBakedSurface } from './plan-baked-surface.js';
import { captureDirectionFrames, listDirections, listOwnShapes, measureRestFrame } from './plan-direction-fit.js';
import { type Extra, planExtras } from './plan-extras.js';
import { planTurns, type Turn } from './plan-turns.js';
import { type DeltaArray, measureReach, quantiseDeltas, readDeltas } from './quantise-deltas.js';
import { listShapeDeltas, type ShapeSource } from './reduce-harmonics.js';
import { type SolvedAmounts, solveAgain } from './solve-again.js';
import { pickDeltas, type SparseDeltas } from './sparse-deltas.js';
import { thinKeys } from './thin-keys.js';

export interface MorphBake {
  readonly groups: readonly BakedGroup[];
  /** Volumes of the components that the file is to play, #samples×#components. */
  readonly claimed: Float64Array;
}

/** A shape whose amount never leaves this share of its region's volume gets no target: frames know it to a third of that. */
const UNUSED = 3e-5;
/** Parts of the tolerance: pushes that are not stored, rounding of the deltas (regions hold through it), thinned keys: positions, regions, their sum. */
const SHARE = { quiet: 0.25, rounding: 0.05, thin: 0.3, volume: 0.8, total: 0.12 };
/** Of a shape that hardly pushes no more than this share of its largest push is left out: the rest has to carry the volume. */
const FRINGE = 0.05;
const NO_REGIONS = new Uint32Array(0);

/** Every amount is a number in every sample: those of the shapes, of the extra targets, and the turns of joints, for normals alone. */
interface TargetPlan {
  readonly shapes: ShapeSource | undefined;
  readonly extras: readonly Extra[];
  readonly turns: readonly Turn[];
  /** Of every amount that of largest size, with its sign; 0 where it is not used. */
  readonly largest: Float64Array;
  readonly frames: DirectionFrames;
  readonly drafts: readonly Draft[];
  amountOf(sample: number, amount: number): number;
}

interface Draft {
  readonly group: number;
  /** Target → amount, its unit (weight = amount · unit), and how far a unit of weight moves a vertex, world units, and turns a normal. */
  readonly used: readonly {
    readonly amount: number;
    readonly unit: number;
    readonly reach: number;
    readonly turn: number;
  }[];
  /** Deltas of the group's points for weight 1, dense and sparse. */
  readonly vectors: readonly Float64Array[];
  readonly moves: readonly SparseDeltas[];
  readonly parts: readonly PartTargets[];
}

/**
 * The targets, for a share of the tolerance that thinned keys and extra targets may use.
 *
 * @param taught amounts that shapes must be good for beyond the samples: of every shape that of largest size, with its sign.
 */
export async function bakeTargets(job: BakeJob, taught?: Float64Array): Promise<(share: number) => Promise<MorphBake>> {
  const { stack, samples, ranges } = job;
  const isExact = isShapesAlone(stack);
  const kernels = isExact ? await loadBakeKernels() : undefined;
  let plan = await planTargets(job, 1, taught);
  let solved = solveAgain(job, plan, isExact, kernels);
  return async (share) => {
    if (share < 1 && !isExact) {
      plan = await planTargets(job, share, taught);
      solved = solveAgain(job, plan, isExact);
    }
    const { shapes, extras, drafts } = plan;
    const shapeCount = shapes?.shapes.shapeCount ?? 0;
    const isFirst = isExact && share === 1;
    if (!isFirst) await solved.solve([...samples.keys()]);
    const amounts = isFirst ? plan : solved;
    const kept = drafts.map((draft) => ranges.map((range) => thinAmounts(job, draft, range, share, plan, amounts)));
    // Solved again only where they are written.
    await solved.solve([...new Set(kept.flat(2))].sort((a, b) => a - b));
    const groups = drafts.map(
      (draft, d): BakedGroup => ({
        ...draft,
        names: draft.used.map(({ amount }) => nameAmount(plan, amount)),
        active: draft.used.length,
        extra: draft.used.filter(({ amount }) => amount >= shapeCount && amount < shapeCount + extras.length).length,
        turns: draft.used.filter(({ amount }) => amount >= shapeCount + extras.length).length,
        keys: kept[d]!.map((keys) => writeKeys(job, draft, keys, solved)),
      }),
    );
    const claimed = isExact
      ? Float64Array.from(samples.flatMap((_, n) => [...exactVolumes(job, n)]))
      : checkSamples(job, groups, planBakedSurface(job));
    return { groups, claimed };
  };
}

/** @param share of the tolerance that extra targets may leave. */
async function planTargets(job: BakeJob, share: number, taught?: Float64Array): Promise<TargetPlan> {
  const { stack, samples, source, shapes } = job;
  const extras = isShapesAlone(stack) ? [] : planExtras(job, shapes, share);
  const shapeCount = shapes?.shapes.shapeCount ?? 0;
  const regionCount = shapes?.shapes.regionCount ?? 0;
  const turns = planTurns(job);
  const beside = [...extras, ...turns];
  const amountOf = (n: number, a: number) =>
    a < shapeCount ? shapes!.amountOf(n, a) : beside[a - shapeCount]!.amounts[n]!;
  const largest = Float64Array.from({ length: shapeCount + beside.length }, (_, a) => {
    let most = taught?.[a] ?? 0;
    for (let n = 0; n < samples.length; n++) if (Math.abs(amountOf(n, a)) > Math.abs(most)) most = amountOf(n, a);
    return a >= regionCount || Math.abs(most) > UNUSED ? most : 0;
  });
  const frames = await captureDirectionFrames(job, largest, amountOf);
  const plan = { shapes, extras, turns, largest, frames, amountOf };
  const drafts: Draft[] = [];
  for (const group of source.morphs.keys()) drafts.push(await encodeGroup(job, plan, group));
  return { ...plan, drafts: drafts.filter(({ used }) => used.length > 0) };
}

async function encodeGroup(job: BakeJob, plan: Omit<TargetPlan, 'drafts'>, group: number): Promise<Draft> {
  const { source, size: diagonal, tolerance, quantise } = job;
  const { character } = job.read;
  const { shapes, extras, turns, largest, frames } = plan;
  const [firstExtra, firstTurn] = [largest.length - turns.length - extras.length, largest.length - turns.length];
  const limit = tolerance * diagonal;
  const scale = scaleOf(character, group);
  const parts = partsOf(character, group);
  const directions = listDirections(job, group);
  const active = [...largest.keys()].filter((a) => a < firstTurn && largest[a] !== 0);
  const pushes =
    shapes &&
    listShapeDeltas(
      job,
      shapes,
      group,
      active.filter((a) => a < firstExtra),
    );
  const moving = new Map<number, Float64Array>();
  for (const a of active) {
    const extra = extras[a - firstExtra];
    if (extra && extra.group !== group) continue;
    const vector = extra?.vector ?? pushes!.get(a)!;
    if (measureReach(vector) > 0) moving.set(a, vector);
  }
  const rest = measureRestFrame(character, character.parts[parts[0]!]!.scale);
  const offered = moving.size > 0 ? turns.map(({ node }, i) => [firstTurn + i, node] as const) : [];
  const near = {
    moving: [...moving.keys()],
    own: listOwnShapes(moving, largest),
    regions: shapes?.regions ?? NO_REGIONS,
  };
  const work = { ...near, firstPoint: source.groupOffsets[group]!, directions, rest, frames };
  const fitted = await fitAll(directions.length, frames.count, offered, planFits(job, work));
  const still = new Float64Array(3 * (source.groupOffsets[group + 1]! - source.groupOffsets[group]!));
  for (const [a] of offered) if (fitted.some((fit) => countTurned(fit, a) > 0)) moving.set(a, still);
  const turnedBy = fitted.map((fit) => listDeltas(fit, moving.keys()));
  const used: Draft['used'][number][] = [];
  const vectors: Float64Array[] = [];
  const targets: PartTargets[] = parts.map((part) => ({ part, targets: [] }));
  for (const [amount, vector] of moving) {
    const size = Math.abs(largest[amount]!);
    const turned = turnedBy.map((list) => list.get(amount)!.map((d) => d / size));
    const unit = quantise ? Math.max(measureReach(vector), ...turned.map(measureReach)) : 1 / size;
    const fine = (error: number) => (quantise ? error / size : 0);
    const quiet = Math.min((SHARE.quiet * limit) / (scale * size), FRINGE * measureReach(vector));
    const position = quantiseDeltas(vector, unit, fine((SHARE.rounding * limit) / scale), quiet);
    for (const { part, targets: list } of targets) {
      const turn = (semantic: 'NORMAL' | 'TANGENT') => {
        const d = directions.findIndex((one) => one.part === part && one.semantic === semantic);
        return d < 0 ? undefined : quantiseDeltas(turned[d]!, unit, fine(NORMAL.tolerance), NORMAL.quiet / size);
      };
      const gathered = gather(position, source.partPoints[part]!, source.groupOffsets[group]!);
      list.push({ position: gathered, normal: turn('NORMAL'), tangent: turn('TANGENT') });
    }
    const turn = Math.max(0, ...turned.map(measureReach)) / unit;
    const stored = readDeltas(position);
    used.push({ amount, unit, turn, reach: Math.sqrt(3) * measureReach(stored) * scale });
    vectors.push(stored);
  }
  const moves = vectors.map((vector) => pickDeltas(vector, 3 * source.groupOffsets[group]!));
  return { group, used, vectors, moves, parts: targets };
}

/** What amounts turn directions by where they are largest, #×3 each. */
function listDeltas({ shapes, deltas }: DirectionFit, amounts: Iterable<number>): Map<number, Float64Array> {
  const out = new Map(Array.from(amounts, (amount) => [amount, new Float64Array(3 * shapes.length)]));
  for (let v = 0; v < shapes.length; v++) {
    for (let i = 0; i < shapes[v]!.length; i++) {
      out.get(shapes[v]![i]!)?.set(deltas[v]!.subarray(3 * i, 3 * i + 3), 3 * v);
    }
  }
  return out;
}

function nameAmount({ shapes: source, extras, turns }: TargetPlan, amount: number): string {
  const shapeCount = source?.shapes.shapeCount ?? 0;
  if (amount >= shapeCount + extras.length) return turns[amount - shapeCount - extras.length]!.name;
  if (amount >= shapeCount) return `extra ${amount - shapeCount + 1}`;
  return source!.names[amount]!;
}

function gather(values: DeltaArray, points: Uint32Array, first: number): DeltaArray {
  const out = new (values.constructor as Int8ArrayConstructor)(3 * points.length);
  points.forEach((u, v) => {
    for (let r = 0; r < 3; r++) out[3 * v + r] = values[3 * (u - first) + r]!;
  });
  return out;
}

/** Samples of a clip that become keys of a group's weights: as few as the positions and every region's volume allow; none where nothing moves. */
function thinAmounts(
  { samples, tolerance, size, stack }: BakeJob,
  { used }: Draft,
  [first, end]: SampleRange,
  share: number,
  { shapes }: TargetPlan,
  { amountOf }: Pick<TargetPlan, 'amountOf'>,
): number[] {
  const { regionCount, shapeCount } = shapes?.shapes ?? { regionCount: 0, shapeCount: 0 };
  const isStill = !used.some(({ amount }) => {
    for (let n = first; n < end; n++) if (amountOf(n, amount) !== 0) return true;
    return false;
  });
  if (end === first || isStill) return [];
  const times = samples.slice(first, end).map(({ time }) => time);
  const limits = {
    position: share * SHARE.thin * tolerance * size,
    volume: share * SHARE.volume * tolerance,
    total: share * SHARE.total * tolerance,
    direction: NORMAL.keys,
  };
  const rest = stack.volume?.rest ?? new Float64Array(0);
  const whole = rest.reduce((sum, volume) => sum + volume, 0);
  const keys = thinKeys(times, (a, b, m, u) => {
    let [moved, most, lost] = [0, 0, 0];
    for (const { amount, unit, reach, turn } of used) {
      const at = amountOf(first + a, amount);
      const change = at + u * (amountOf(first + b, amount) - at) - amountOf(first + m, amount);
      if (amount < regionCount && Math.abs(change) > limits.volume) return false; // λ = 1 is the region's own volume
      if (amount < regionCount) lost += (change * rest[amount]!) / whole;
      if (Math.abs(change) * unit * turn > limits.direction) return false;
      // Shapes stand side by side, extra targets everywhere.
      const push = Math.abs(change) * unit * reach;
      if (amount < shapeCount) most = Math.max(most, push);
      else moved += push;
    }
    return moved + most <= limits.position && Math.abs(lost) <= limits.total;
  });
  return keys.map((key) => first + key);
}

function writeKeys(
  { samples }: BakeJob,
  { used }: Draft,
  keys: readonly number[],
  { amountOf }: SolvedAmounts,
): WeightKeys {
  const count = used.length;
  if (keys.length === 0) return { times: Float32Array.of(0), values: new Float32Array(count) };
  const values = new Float32Array(keys.length * count);
  keys.forEach((n, i) => {
    used.forEach(({ amount, unit }, k) => {
      values[i * count + k] = amountOf(n, amount) * unit;
    });
  });
  return { times: Float32Array.from(keys, (n) => samples[n]!.time), values };
}
