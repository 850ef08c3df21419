/**
 * C16 as a file: of the directions in which a family of given shapes may move (core/src/correction/given-shapes.ts: the bend of a region, the
 * twist of a joint) only those that the clips use become targets. A hinge uses one.
 *
 *   C = Σ_n a(n) a(n)ᵀ = Σ_i σ_i e_i e_iᵀ,        d_i = Σ_r e_i,r d_r,   amount e_i·a(n)
 *
 * A direction is left out where its largest push stays below `quiet`; the amounts of the regions are solved again without it.
 */
import { type FamilyAxes, findAxes, findExtents, listFamilies, reduceGiven } from '@isoskin/core/harmonics';
import { type GivenFamily, listShapeNames, type Shapes } from '@isoskin/core/kernels';
import type { BakeJob } from './bake-job.js';

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

/** Undefined where the stack's volume step is no shapes. Without any clip all directions in which shapes reach far are kept. */
export function readShapes({ stack, samples, block, layout }: BakeJob, quiet: number): ShapeSource | undefined {
  const layer = stack.volume;
  if (!layer?.shapes) return undefined;
  const { shapes } = layer.shapes;
  const measured = (n: number, s: number) => block.measures[n * layout.stride + layout.amounts + s]!;
  const isStill = !samples.some(({ clip }) => clip >= 0);
  const axes = isStill ? findExtents(shapes) : findUsedAxes(shapes, samples.length, measured, quiet);
  return { ...reduceHarmonics(shapes, layer.regions.names, axes, measured), directions: layer.directions! };
}

/** What one shape moves before it is rounded: δ_u = φ_k n̄_k / scale for point u at welded vertex k, of a group, units of POSITION. */
export function listShapeDeltas(
  { read, source: { welded, groupOffsets } }: BakeJob,
  { shapes, directions }: ShapeSource,
  group: number,
  shape: number,
): Float64Array {
  const { scale } = read.character.parts.find((part) => part.group === group)!;
  const [from, to] = [groupOffsets[group]!, groupOffsets[group + 1]!];
  const out = new Float64Array(3 * (to - from));
  for (let u = from; u < to; u++) {
    const k = welded[u]!;
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
      if (shapes.shapes[e] !== shape) continue;
      for (let r = 0; r < 3; r++) out[3 * (u - from) + r] = (shapes.values[e]! * directions[3 * k + r]!) / scale;
    }
  }
  return out;
}

/** The directions of every family that the samples use. @param quiet largest push that is left out, of a vertex, world units. */
export function findUsedAxes(
  shapes: Shapes,
  sampleCount: number,
  amountOf: (sample: number, shape: number) => number,
  quiet: number,
): FamilyAxes {
  const families = shapes.given?.families ?? [];
  const { firsts } = listFamilies(families);
  const vectors = listVectors(shapes, firsts, families);
  return families.map(({ size }, f) => {
    const first = shapes.regionCount + firsts[f]!;
    const amounts = (n: number) => Array.from({ length: size }, (_, r) => amountOf(n, first + r));
    const matrix = new Float64Array(size * size);
    for (let n = 0; n < sampleCount; n++) {
      const a = amounts(n);
      for (let i = 0; i < matrix.length; i++) matrix[i]! += a[Math.floor(i / size)]! * a[i % size]!;
    }
    const isUsed = (axis: readonly number[]) => {
      let [reach, most] = [0, 0];
      for (const vector of vectors[f]!) reach = Math.max(reach, Math.abs(dot(axis, vector)));
      for (let n = 0; n < sampleCount; n++) most = Math.max(most, Math.abs(dot(axis, amounts(n))));
      return most * reach > quiet;
    };
    return findAxes(matrix, size)
      .map(({ axis }) => axis)
      .filter(isUsed);
  });
}

/** @param names of the regions. */
export function reduceHarmonics(
  shapes: Shapes,
  names: readonly string[],
  axes: FamilyAxes,
  amountOf: (sample: number, shape: number) => number,
): ReducedShapes {
  const K = shapes.regionCount;
  const families = shapes.given?.families ?? [];
  const { firsts } = listFamilies(families);
  const directions = axes.flatMap((list, f) =>
    list.map((axis) => ({ axis, first: K + firsts[f]!, region: families[f]!.region })),
  );
  const reduced = reduceGiven(shapes, axes);
  const all = Array.from({ length: K }, (_, s) => names[s] ?? `shape ${s}`);
  return {
    shapes: reduced,
    regions: Uint32Array.from([...all.keys(), ...directions.map(({ region }) => region)]),
    names: listShapeNames(reduced, all),
    amountOf(n, shape) {
      if (shape < K) return amountOf(n, shape);
      const { axis, first } = directions[shape - K]!;
      return axis.reduce((sum, e, r) => sum + e * amountOf(n, first + r), 0);
    },
  };
}

/** Family → what its shapes push every vertex by that they reach. */
function listVectors(
  { offsets, shapes, values, regionCount: K }: Shapes,
  firsts: readonly number[],
  families: readonly GivenFamily[],
): number[][][] {
  const { familyOf } = listFamilies(families);
  const out: number[][][] = families.map(() => []);
  for (let k = 0; k + 1 < offsets.length; k++) {
    const own = new Map<number, number[]>();
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      const f = familyOf[shapes[e]! - K];
      if (f === undefined) continue;
      if (!own.has(f)) own.set(f, new Array(families[f]!.size).fill(0));
      own.get(f)![shapes[e]! - K - firsts[f]!] = values[e]!;
    }
    for (const [f, vector] of own) out[f]!.push(vector);
  }
  return out;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, r) => sum + x * b[r]!, 0);
}
