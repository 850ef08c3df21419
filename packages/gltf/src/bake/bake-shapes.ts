/**
 * C15 as a file: the shapes of the volume step are its morph targets, their amounts its weight tracks, the same targets in every clip.
 *
 *   δ_s,u = φ_s,k n̄_k / scale   for point u at welded vertex k,        w_s(t) = λ_s(t)
 *
 * A player morphs and then skins, which is what the model does: nothing is fitted. The amounts are solved again through what was rounded
 * and left out of the deltas; what remains is keys that are left out. Normals are fitted to those of the corrected surface (fit-directions.ts). O(samples · K + points · entries).
 */
import {
  createExtendedPositions,
  createPose,
  createShapeSolver,
  createSolverReport,
  type FrameSource,
  listUsedLayers,
  planSkinning,
  samplePose,
  whyNotAccelerated,
} from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { MorphBake } from './bake-morphs.js';
import type { BakedGroup, PartTargets, WeightKeys } from './baked-group.js';
import { checkSamples, isOff } from './check-samples.js';
import type { FrameBlock, MeasureLayout } from './create-frame-baker.js';
import { type DirectionFrames, fitDirections } from './fit-directions.js';
import { listDirections, type PartDirections } from './list-directions.js';
import type { Sample } from './list-sample-times.js';
import { listShapeDeltas, type ShapeSource } from './list-shape-deltas.js';
import { type MorphOptions, SHARE, scaleOf } from './morph-options.js';
import { planBakedSurface } from './plan-baked-surface.js';
import { captureDirectionFrames, measureRestFrame, planNearShapes } from './plan-direction-fit.js';
import type { SourceSkin } from './plan-source-skin.js';
import { type DeltaArray, measureReach, quantiseDeltas, readDeltas } from './quantise-deltas.js';
import { type ReducedShapes, reduceHarmonics } from './reduce-harmonics.js';
import { thinKeys } from './thin-keys.js';

/** A shape whose amount never leaves this share of its region's volume gets no target. */
const UNUSED = 1e-5;
/** Pushes that never reach this share of the tolerance are not stored. */
const QUIET = 0.1;
/** Rounding of the deltas, as a share of the tolerance: regions hold through it without being solved again. */
const ROUNDING = 0.01;
/** Largest direction error of quantised normals (½°), and change that is not stored (1°). */
const NORMAL = { tolerance: 0.008, quiet: 0.017 };
/** Shares of the tolerance that thinned keys may use, until the file holds. */
const THINNING = [1, 0.3, 0.1, 0];

/** The whole correction of this stack is shapes under linear skinning. */
export function isShapesAlone({ spec }: FrameSource): boolean {
  const stack = listUsedLayers(spec);
  return !stack.wrinkles && whyNotAccelerated(stack) === '';
}

export function bakeShapes(
  read: ReadResult,
  stack: FrameSource,
  source: SourceSkin,
  samples: readonly Sample[],
  block: FrameBlock,
  layout: MeasureLayout,
  options: MorphOptions,
): MorphBake {
  const { character } = read;
  const rows = samples.map((_, n) => block.deltas.subarray(n * 3 * source.pointCount, (n + 1) * 3 * source.pointCount));
  const surface = planBakedSurface(character, source);
  const measured = (n: number, s: number) => block.measures[n * layout.stride + layout.amounts + s]!;
  const own = getShapes(stack);
  const reduced = reduceHarmonics(own.shapes, samples.length, measured, QUIET * options.position);
  const model: ShapeSource = { ...reduced, directions: own.directions };
  const largest = findLargest(samples.length, reduced, options.taught);
  const frames = captureDirectionFrames(character, source, samples, block, largest, reduced.amountOf);
  const drafts = source.morphs
    .map((_, group) => encodeGroup(read, stack, model, source, group, largest, frames, options))
    .filter((draft) => draft.count > 0);
  const volumesOf = (n: number) => {
    const from = n * layout.stride + layout.correctedComponents;
    return block.measures.subarray(from, from + character.surface.components.length);
  };
  const solved = solveAgain(stack, model, source, drafts, samples, block, layout);
  let groups: BakedGroup[] = [];
  let check = checkSamples(character, source, groups, samples, rows, surface);
  for (const share of THINNING) {
    groups = drafts.map((draft) => ({
      ...draft,
      names: draft.used.map(({ shape }) => nameShape(stack, model, shape)),
      spans: options.ranges.map(([first, end]) => ({ first, end, active: draft.used.map((_, k) => k) })),
      keys: options.ranges.map((range) =>
        thinAmounts(draft, range, samples, solved, model.shapes.regionCount, share, options),
      ),
    }));
    check = checkSamples(character, source, groups, samples, rows, surface);
    if (!samples.some((_, n) => isOff(character, check.volumes, n, volumesOf(n), options.volume))) break;
  }
  return { groups, check };
}

/** λ of every sample, solved through the deltas as the file holds them. */
function solveAgain(
  stack: FrameSource,
  { shapes, directions, amountOf }: ShapeSource,
  { leaders, groupOffsets }: SourceSkin,
  drafts: readonly ShapeDraft[],
  samples: readonly Sample[],
  { measures }: FrameBlock,
  layout: MeasureLayout,
): (n: number, s: number) => number {
  const { character } = stack;
  const { shapeCount, regionCount } = shapes;
  const { volumes } = stack.volume!;
  const values = new Float64Array(shapes.values.length);
  // φ that is left of δ̃ along n̄, at the point that stands for the vertex.
  for (const { group, used, vectors } of drafts) {
    const { scale } = character.parts.find((part) => part.group === group)!;
    const [from, to] = [groupOffsets[group]!, groupOffsets[group + 1]!];
    for (let k = 0; k < leaders.length; k++) {
      const u = leaders[k]!;
      if (u < from || u >= to) continue;
      const n = directions.subarray(3 * k, 3 * k + 3);
      const square = n[0]! ** 2 + n[1]! ** 2 + n[2]! ** 2 || 1;
      for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
        const t = used.findIndex(({ shape }) => shape === shapes.shapes[e]);
        if (t < 0) continue;
        const d = vectors[t]!.subarray(3 * (u - from), 3 * (u - from) + 3);
        values[e] = (scale * used[t]!.unit * (d[0]! * n[0]! + d[1]! * n[1]! + d[2]! * n[2]!)) / square;
      }
    }
  }
  const solver = createShapeSolver(volumes, { ...shapes, values });
  const skinning = planSkinning(character, { directions });
  const positions = createExtendedPositions(volumes);
  const turned = new Float64Array(directions.length);
  const targets = new Float64Array(regionCount);
  const frame = {
    positions,
    directions: turned,
    targets,
    bones: skinning.bones,
    report: createSolverReport(regionCount),
  };
  const pose = createPose(character);
  const out = new Float64Array(samples.length * shapeCount);
  samples.forEach(({ clip, time }, n) => {
    samplePose(pose, character, character.clips[clip], time);
    skinning.apply({ positions, directions: turned }, pose);
    const at = n * layout.stride + layout.regionTargets;
    targets.set(measures.subarray(at, at + targets.length));
    for (let s = regionCount; s < shapeCount; s++) solver.amounts[s] = amountOf(n, s);
    solver.apply(frame);
    out.set(solver.amounts, n * shapeCount);
  });
  return (n, s) => out[n * shapeCount + s]!;
}

/** Of every shape the amount of largest size, with its sign; 0 where it is not used. */
function findLargest(count: number, { shapes, amountOf }: ReducedShapes, taught?: Float64Array): Float64Array {
  return Float64Array.from({ length: shapes.shapeCount }, (_, s) => {
    let most = taught?.[s] ?? 0;
    for (let n = 0; n < count; n++) if (Math.abs(amountOf(n, s)) > Math.abs(most)) most = amountOf(n, s);
    return s >= shapes.regionCount || Math.abs(most) > UNUSED ? most : 0;
  });
}

interface ShapeDraft {
  readonly group: number;
  readonly count: number;
  readonly active: number;
  /** Target → shape, its unit (weight = λ · unit), and how far one unit of weight moves a vertex, world units. */
  readonly used: readonly { readonly shape: number; readonly unit: number; readonly reach: number }[];
  readonly vectors: readonly Float64Array[];
  readonly parts: readonly PartTargets[];
}

function encodeGroup(
  read: ReadResult,
  stack: FrameSource,
  model: ShapeSource,
  source: SourceSkin,
  group: number,
  largest: Float64Array,
  frames: DirectionFrames,
  options: MorphOptions,
): ShapeDraft {
  const { character } = read;
  const scale = scaleOf(character, group);
  const parts = [...character.parts.keys()].filter((p) => character.parts[p]!.group === group);
  const directions = listDirections(read, source, group);
  const first = source.groupOffsets[group]!;
  const used: { shape: number; unit: number; reach: number }[] = [];
  const vectors: Float64Array[] = [];
  const targets: PartTargets[] = parts.map((part) => ({ part, targets: [] }));
  const moving = new Map<number, Float64Array>();
  for (const [shape, amount] of largest.entries()) {
    const vector = amount === 0 ? undefined : listShapeDeltas(read, model, source, group, shape);
    if (vector && measureReach(vector) > 0) moving.set(shape, vector);
  }
  const rest = measureRestFrame(character, character.parts[parts[0]!]!.scale);
  const near = planNearShapes(stack, model, new Set(moving.keys()));
  const fitted = directions.map((one) => fitDirections(one, source.welded, rest, frames, near));
  for (const [shape, vector] of moving) {
    const size = Math.abs(largest[shape]!);
    const turned = fitted.map((deltas) => deltas[shape]!.map((d) => d / size)); // per unit of the amount
    const unit = options.quantise ? Math.max(measureReach(vector), ...turned.map(measureReach)) : 1 / size;
    const fine = (tolerance: number) => (options.quantise ? tolerance / size : 0);
    const quiet = (QUIET * options.position) / (scale * size);
    const position = quantiseDeltas(vector, unit, fine((ROUNDING * options.position) / scale), quiet);
    for (const { part, targets: list } of targets) {
      const normal = (semantic: PartDirections['semantic']) => {
        const d = directions.findIndex((one) => one.part === part && one.semantic === semantic);
        return d < 0 ? undefined : quantiseDeltas(turned[d]!, unit, fine(NORMAL.tolerance), NORMAL.quiet / size);
      };
      list.push({
        position: gather(position, source.partPoints[part]!, first),
        normal: normal('NORMAL'),
        tangent: normal('TANGENT'),
      });
    }
    used.push({ shape, unit, reach: Math.sqrt(3) * measureReach(readDeltas(position)) * scale });
    vectors.push(readDeltas(position));
  }
  return { group, count: used.length, active: used.length, used, vectors, parts: targets };
}

function nameShape(stack: FrameSource, { shapes, regions }: ShapeSource, shape: number): string {
  const name = stack.volume!.regions.names[regions[shape]!] ?? `shape ${shape}`;
  const before = regions.subarray(shapes.regionCount, shape).filter((s) => s === regions[shape]).length;
  return shape < shapes.regionCount ? name : `${name} bend ${before + 1}`;
}

function getShapes(stack: FrameSource) {
  const layer = stack.volume!;
  return { shapes: layer.shapes!.shapes, directions: layer.directions! };
}

function gather(values: DeltaArray, points: Uint32Array, first: number): DeltaArray {
  const out = new (values.constructor as Int8ArrayConstructor)(3 * points.length);
  points.forEach((u, v) => {
    for (let r = 0; r < 3; r++) out[3 * v + r] = values[3 * (u - first) + r]!;
  });
  return out;
}

/** Keys of a group's weights in one clip: as few as the positions and every region's volume allow. */
function thinAmounts(
  { used }: ShapeDraft,
  [first, end]: readonly [number, number],
  samples: readonly Sample[],
  amountOf: (n: number, s: number) => number,
  regionCount: number,
  share: number,
  options: MorphOptions,
): WeightKeys {
  const count = used.length;
  const isStill = !used.some(({ shape }) => {
    for (let n = first; n < end; n++) if (amountOf(n, shape) !== 0) return true;
    return false;
  });
  if (end === first || isStill) return { times: Float32Array.of(0), values: new Float32Array(count) };
  const times = samples.slice(first, end).map(({ time }) => time);
  const limits = { position: share * SHARE.thin * options.position, volume: share * 0.15 * options.volume };
  const keys = thinKeys(times, new Set(), (a, b, m, u) => {
    let moved = 0;
    for (const { shape, unit, reach } of used) {
      const at = amountOf(first + a, shape);
      const change = at + u * (amountOf(first + b, shape) - at) - amountOf(first + m, shape);
      if (shape < regionCount && Math.abs(change) > limits.volume) return false; // λ = 1 is the region's own volume
      moved += Math.abs(change) * unit * reach;
    }
    return moved <= limits.position;
  });
  const values = new Float32Array(keys.length * count);
  keys.forEach((key, i) => {
    used.forEach(({ shape, unit }, k) => {
      values[i * count + k] = amountOf(first + key, shape) * unit;
    });
  });
  return { times: Float32Array.from(keys, (key) => times[key]!), values };
}
