/** The shapes of a stack's volume step that a bake draws, and their amounts in the samples. */
import { listShapeNames, type Shapes } from '@isoskin/core/kernels';
import type { BakeJob } from './bake-job.js';
import type { BakeStack } from './create-frame-baker.js';

export interface DrawnSource {
  readonly shapes: Shapes;
  readonly names: readonly string[];
  /** n̄, #V×3. */
  readonly directions: Float64Array;
  weightOf(sample: number, shape: number): number;
}

/** Undefined where the stack's volume step is no shapes. */
export function readDrawn(
  { volume }: Pick<BakeStack, 'volume'>,
  { block, layout }: Pick<BakeJob, 'block' | 'layout'>,
): DrawnSource | undefined {
  if (!volume?.shapes) return undefined;
  const { shapes } = volume.shapes;
  return {
    shapes,
    names: listShapeNames(shapes, volume.regions.names),
    directions: volume.directions!,
    weightOf: (n, s) => block.measures[n * layout.stride + layout.weights + s]!,
  };
}

/** What weight 1 pushes the points of a group by, before anything is rounded: δ_u = φ_k n̄_k / scale for point u at welded vertex k, units of POSITION. */
export function listPushes(
  { read, source: { welded, groupOffsets } }: Pick<BakeJob, 'read' | 'source'>,
  { shapes, directions }: DrawnSource,
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
