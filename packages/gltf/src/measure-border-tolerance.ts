/**
 * How far apart the two sides of a seam can be in a quantised file.
 *
 * Coordinates lie on a grid per primitive, so one point in two primitives differs by up to half a step each, in each
 * axis: √3 · step. The step is the smallest gap between different coordinates. O(n log n) in the vertices.
 */
import type { PartInput } from '@isoskin/core';

/** Sparse vertices can have no two neighbours on the grid; the gap then says little. 10 bits is the coarsest in use. */
const COARSEST = 1e-3;

/** Relative to the diagonal of the whole, as `CharacterInput.borderTolerance`; undefined when nothing is quantised. */
export function measureBorderTolerance(
  parts: readonly PartInput[],
  isQuantised: (part: number) => boolean,
): number | undefined {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let step = 0;
  parts.forEach(({ positions, scale = 1 }, p) => {
    let gap = Infinity;
    const sorted = isQuantised(p) ? new Float32Array(positions.length / 3) : undefined;
    for (let axis = 0; axis < 3; axis++) {
      for (let v = 0, i = axis; i < positions.length; v++, i += 3) {
        const x = positions[i]!;
        if (sorted) sorted[v] = x;
        low[axis] = Math.min(low[axis]!, x * scale);
        high[axis] = Math.max(high[axis]!, x * scale);
      }
      sorted?.sort();
      for (let v = 1; sorted && v < sorted.length; v++) {
        const d = sorted[v]! - sorted[v - 1]!;
        if (d > 0 && d < gap) gap = d;
      }
    }
    if (Number.isFinite(gap)) step = Math.max(step, gap * Math.abs(scale));
  });
  const diagonal = Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
  return step > 0 && diagonal > 0 ? Math.min((1.8 * step) / diagonal, COARSEST) : undefined;
}
