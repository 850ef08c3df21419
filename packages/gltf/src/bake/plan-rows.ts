/**
 * Corrections of the samples in units of POSITION: as they were evaluated or, where the stack is shapes alone, from its amounts, so that
 * a bake's memory does not grow with its clips.
 *
 *   δ_u = Σ_s λ_s φ_s,k n̄_k / scale        point u at welded vertex k
 */
import type { BakeJob } from './bake-job.js';

export function planRows({ read, stack, source, block, layout }: Omit<BakeJob, 'rowOf'>): BakeJob['rowOf'] {
  const width = 3 * source.pointCount;
  if (block.deltas.length > 0) return (n) => block.deltas.subarray(width * n, width * (n + 1));
  const row = new Float32Array(width);
  const { volume } = stack;
  if (!volume?.shapes) return () => row;
  const { offsets, shapes, values } = volume.shapes.shapes;
  const directions = volume.directions!;
  const scales = new Float64Array(source.groupOffsets.length - 1);
  for (const { group, scale } of read.character.parts) scales[group] = scale;
  return (n) => {
    const amounts = n * layout.stride + layout.amounts;
    for (let g = 0; g < scales.length; g++) {
      for (let u = source.groupOffsets[g]!; u < source.groupOffsets[g + 1]!; u++) {
        const k = source.welded[u]!;
        let push = 0;
        for (let e = offsets[k]!; e < offsets[k + 1]!; e++) push += block.measures[amounts + shapes[e]!]! * values[e]!;
        push /= scales[g]!;
        for (let r = 0; r < 3; r++) row[3 * u + r] = push * directions[3 * k + r]!;
      }
    }
    return row;
  };
}
