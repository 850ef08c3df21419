import { type Basis, measureLargest, planBasis } from './plan-basis.js';

/** Which targets a group gets and which of them each clip uses. */
export interface TargetPlan {
  readonly vectors: Float64Array[];
  /** Clip → indices of `vectors`. */
  readonly uses: number[][];
  /** Clip → largest distance left, in the units of the rows. */
  readonly errors: number[];
}

export interface TargetOptions {
  /** Targets that may be active in one frame. */
  readonly limit: number;
  /** Largest distance that may be left. */
  readonly tolerance: number;
  /** Rows that move less than this need no target. */
  readonly still: number;
  /** Clip → targets that it must have at least, if it moves at all. */
  readonly minimum: readonly number[];
}

/**
 * The fewest targets: one basis for all clips where `limit` vectors suffice for all of them and that is fewer than one basis
 * per clip, else one per clip. `rows`: clip → displacement rows of the group.
 */
export function planTargets(rows: readonly (readonly Float32Array[])[], options: TargetOptions): TargetPlan {
  const { limit, tolerance, still, minimum } = options;
  const moves = rows.map((list) => measureLargest(list) > still);
  const local = rows.map((list, c): Basis => {
    if (!moves[c]) return { vectors: [], error: 0 };
    return planBasis(list, limit, tolerance, Math.min(limit, minimum[c]!));
  });
  const sum = local.reduce((total, { vectors }) => total + vectors.length, 0);
  const moving = rows.filter((_, c) => moves[c]);
  const most = Math.min(limit, sum - 1);
  if (moving.length > 1 && most > 0) {
    const least = Math.min(most, Math.max(...minimum.filter((_, c) => moves[c])));
    const { vectors, error } = planBasis(moving.flat(), most, tolerance, least);
    if (error <= tolerance) {
      const all = [...vectors.keys()];
      return { vectors: [...vectors], uses: moves.map((m) => (m ? all : [])), errors: moves.map((m) => (m ? error : 0)) };
    }
  }
  let first = 0;
  const uses = local.map(({ vectors }) => {
    first += vectors.length;
    return vectors.map((_, k) => first - vectors.length + k);
  });
  return { vectors: local.flatMap(({ vectors }) => vectors), uses, errors: local.map(({ error }) => error) };
}
