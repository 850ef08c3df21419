/**
 * Corrections of the samples in units of POSITION: as they were evaluated or, where the stack is shapes alone, from its weights, so that
 * a bake's memory does not grow with its clips.
 *
 *   δ_u = Σ_s w_s φ_s,k n̄_k / scale        point u at welded vertex k
 */
import { openRoom } from '@isoskin/wasm/bake';
import type { BakeJob } from './bake-job.js';
import type { BakeStack } from './create-frame-baker.js';

export function planRows(job: Omit<BakeJob, 'rowOf'>): BakeJob['rowOf'] {
  const { stack, source, block, layout } = job;
  const width = 3 * source.pointCount;
  if (block.deltas.length > 0) return (n) => block.deltas.subarray(width * n, width * (n + 1));
  const rowOf = planShapeRow(stack, source);
  return (n) => rowOf(block.measures, n * layout.stride + layout.weights);
}

/** The exact corrections of samples: weights of the shapes and, where those do not say it all, #U×3 each. Data alone, for threads. */
export interface ExactRows {
  readonly weights: Float64Array;
  readonly rows?: Float32Array;
}

export function cutRows({ block, layout, source }: Omit<BakeJob, 'rowOf'>, samples: readonly number[]): ExactRows {
  const weights = new Float64Array(samples.length * layout.shapes);
  samples.forEach((n, i) => {
    const from = n * layout.stride + layout.weights;
    weights.set(block.measures.subarray(from, from + layout.shapes), i * layout.shapes);
  });
  if (block.deltas.length === 0) return { weights };
  const width = 3 * source.pointCount;
  const rows = new Float32Array(samples.length * width);
  samples.forEach((n, i) => void rows.set(block.deltas.subarray(n * width, (n + 1) * width), i * width));
  return { weights, rows };
}

/** Row i of `count`; valid until the next. */
export function planRowReader(stack: Pick<BakeStack, 'character' | 'volume'>, source: BakeJob['source']) {
  const shapeRow = planShapeRow(stack, source);
  const width = 3 * source.pointCount;
  return ({ weights, rows }: ExactRows, i: number, count: number): Float32Array =>
    rows ? rows.subarray(i * width, (i + 1) * width) : shapeRow(weights, (i * weights.length) / count);
}

/** From weights, the first of them at `from`; valid until the next. */
function planShapeRow(
  { character, volume }: Pick<BakeStack, 'character' | 'volume'>,
  source: BakeJob['source'],
): (weights: Float64Array, from: number) => Float32Array {
  const { pointCount: count, welded, groupOffsets } = source;
  if (!volume?.shapes?.shapes.shapeCount) {
    const row = new Float32Array(3 * count);
    return () => row;
  }
  const { offsets, shapes, values, shapeCount } = volume.shapes.shapes;
  const scales = new Float64Array(count);
  for (const { group, scale } of character.parts) scales.fill(scale, groupOffsets[group], groupOffsets[group + 1]);
  const { code, lists, at } = openRoom({
    welded,
    scales,
    offsets: Uint32Array.from(offsets),
    shapes: Uint32Array.from(shapes),
    values,
    directions: volume.directions!,
    weights: new Float64Array(shapeCount),
    row: new Float32Array(3 * count),
  });
  return (weights, from) => {
    lists.weights.set(weights.subarray(from, from + shapeCount));
    const { row, welded, scales, offsets, shapes, values, directions } = at;
    code.pushPoints(row, welded, scales, offsets, shapes, values, directions, at.weights, count);
    return lists.row;
  };
}
