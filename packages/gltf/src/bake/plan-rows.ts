/**
 * Corrections of the samples in units of POSITION: as they were evaluated or, where the stack is shapes alone, from its amounts, so that
 * a bake's memory does not grow with its clips.
 *
 *   δ_u = Σ_s λ_s φ_s,k n̄_k / scale        point u at welded vertex k
 */
import type { BakeJob } from './bake-job.js';
import type { BakeStack } from './create-frame-baker.js';

export function planRows(job: Omit<BakeJob, 'rowOf'>): BakeJob['rowOf'] {
  const { stack, source, block, layout } = job;
  const width = 3 * source.pointCount;
  if (block.deltas.length > 0) return (n) => block.deltas.subarray(width * n, width * (n + 1));
  const rowOf = planShapeRow(stack, source);
  return (n) => rowOf(block.measures, n * layout.stride + layout.amounts);
}

/** From amounts, the first of them at `from`; valid until the next. */
export function planShapeRow(
  { character, volume }: Pick<BakeStack, 'character' | 'volume'>,
  source: BakeJob['source'],
): (amounts: Float64Array, from: number) => Float32Array {
  const row = new Float32Array(3 * source.pointCount);
  if (!volume?.shapes) return () => row;
  const { offsets, shapes, values } = volume.shapes.shapes;
  const { directions } = volume;
  const scales = new Float64Array(source.groupOffsets.length - 1);
  for (const { group, scale } of character.parts) scales[group] = scale;
  return (amounts, from) => {
    for (let g = 0; g < scales.length; g++) {
      for (let u = source.groupOffsets[g]!; u < source.groupOffsets[g + 1]!; u++) {
        const k = source.welded[u]!;
        let push = 0;
        for (let e = offsets[k]!; e < offsets[k + 1]!; e++) push += amounts[from + shapes[e]!]! * values[e]!;
        push /= scales[g]!;
        row[3 * u] = push * directions[3 * k]!;
        row[3 * u + 1] = push * directions[3 * k + 1]!;
        row[3 * u + 2] = push * directions[3 * k + 2]!;
      }
    }
    return row;
  };
}
