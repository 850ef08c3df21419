/**
 * C16 as a file: of the three directions in which the flesh of a region may be shifted (core/src/correction/plan-harmonics.ts) only those
 * that the clips use become targets. A hinge uses one.
 *
 *   C_s = Σ_n a_s(n) a_s(n)ᵀ = Σ_i σ_i e_i e_iᵀ,        d_s,i = Σ_r e_i,r d_s,r,   amount e_i·a_s(n)
 *
 * A direction is left out where its largest push stays below `quiet`; the amounts of the regions are solved again without it.
 */
import type { Shapes } from '@isoskin/core/kernels';
import type { BakeJob } from './bake-job.js';

export interface ReducedShapes {
  /** φ, and after them the directions that are used. */
  readonly shapes: Shapes;
  /** Region of every shape. */
  readonly regions: Uint32Array;
  amountOf(sample: number, shape: number): number;
}

/** What the targets of the shapes are made of. */
export interface ShapeSource extends ReducedShapes {
  /** n̄, #V×3. */
  readonly directions: Float64Array;
}

/** Undefined where the stack's volume step is no shapes. */
export function readShapes({ stack, samples, block, layout }: BakeJob, quiet: number): ShapeSource | undefined {
  const layer = stack.volume;
  if (!layer?.shapes) return undefined;
  const measured = (n: number, s: number) => block.measures[n * layout.stride + layout.amounts + s]!;
  return {
    ...reduceHarmonics(layer.shapes.shapes, samples.length, measured, quiet),
    directions: layer.directions!,
  };
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

/** @param quiet largest push that is left out, of a vertex, world units. */
export function reduceHarmonics(
  shapes: Shapes,
  sampleCount: number,
  amountOf: (sample: number, shape: number) => number,
  quiet: number,
): ReducedShapes {
  const { regionCount: K, harmonics, ...rest } = shapes;
  const regions = Array.from({ length: K }, (_, s) => s);
  if (!harmonics) return { shapes, regions: Uint32Array.from(regions), amountOf };
  const reach = measureReach(shapes);
  const directions: number[][] = [];
  for (let s = 0; s < K; s++) {
    const amounts = (n: number) => [0, 1, 2].map((r) => amountOf(n, K + 3 * s + r));
    const matrix = new Float64Array(9);
    for (let n = 0; n < sampleCount; n++) {
      const a = amounts(n);
      for (let i = 0; i < 9; i++) matrix[i]! += a[(i / 3) | 0]! * a[i % 3]!;
    }
    for (const e of findAxes(matrix)) {
      let most = 0;
      for (let n = 0; n < sampleCount; n++) most = Math.max(most, Math.abs(dot(e, amounts(n))));
      if (!(most * reach[s]! > quiet)) continue;
      directions.push(e);
      regions.push(s);
    }
  }
  return {
    shapes: { ...rest, regionCount: K, ...combine(shapes, regions, directions), shapeCount: regions.length },
    regions: Uint32Array.from(regions),
    amountOf(n, shape) {
      if (shape < K) return amountOf(n, shape);
      const s = regions[shape]!;
      return dot(
        directions[shape - K]!,
        [0, 1, 2].map((r) => amountOf(n, K + 3 * s + r)),
      );
    },
  };
}

/** How far a unit of a region's harmonics moves a vertex, at most. */
function measureReach({ regionCount: K, shapes, values }: Shapes): Float64Array {
  const out = new Float64Array(K);
  for (const [e, shape] of shapes.entries()) {
    const s = ((shape - K) / 3) | 0;
    if (shape >= K) out[s] = Math.max(out[s]!, Math.sqrt(3) * Math.abs(values[e]!));
  }
  return out;
}

function combine(
  { regionCount: K, offsets, shapes, values }: Shapes,
  regions: readonly number[],
  directions: readonly number[][],
) {
  const out = { offsets: new Uint32Array(offsets.length), shapes: [] as number[], values: [] as number[] };
  const ofRegion = new Map<number, number[]>();
  for (let shape = K; shape < regions.length; shape++) {
    ofRegion.set(regions[shape]!, [...(ofRegion.get(regions[shape]!) ?? []), shape]);
  }
  for (let k = 0; k + 1 < offsets.length; k++) {
    const vectors = new Map<number, number[]>();
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      if (shapes[e]! < K) {
        out.shapes.push(shapes[e]!);
        out.values.push(values[e]!);
        continue;
      }
      const s = ((shapes[e]! - K) / 3) | 0;
      if (!vectors.has(s)) vectors.set(s, [0, 0, 0]);
      vectors.get(s)![(shapes[e]! - K) % 3] = values[e]!;
    }
    for (const [s, vector] of vectors) {
      for (const shape of ofRegion.get(s) ?? []) {
        out.shapes.push(shape);
        out.values.push(dot(directions[shape - K]!, vector));
      }
    }
    out.offsets[k + 1] = out.shapes.length;
  }
  return { offsets: out.offsets, shapes: Uint32Array.from(out.shapes), values: Float64Array.from(out.values) };
}

/** Eigenvectors of a symmetric 3×3 matrix, by Jacobi rotations. */
export function findAxes(matrix: Float64Array): number[][] {
  const m = matrix.slice();
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < 12; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      if (m[3 * p + q] === 0) continue;
      const angle = 0.5 * Math.atan2(2 * m[3 * p + q]!, m[4 * q]! - m[4 * p]!);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let r = 0; r < 3; r++) {
        const [a, b] = [m[3 * r + p]!, m[3 * r + q]!];
        m[3 * r + p] = c * a - s * b;
        m[3 * r + q] = s * a + c * b;
      }
      for (let r = 0; r < 3; r++) {
        const [a, b] = [m[3 * p + r]!, m[3 * q + r]!];
        m[3 * p + r] = c * a - s * b;
        m[3 * q + r] = s * a + c * b;
        const [u, v] = [axes[p]![r]!, axes[q]![r]!];
        axes[p]![r] = c * u - s * v;
        axes[q]![r] = s * u + c * v;
      }
    }
  }
  return axes;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
