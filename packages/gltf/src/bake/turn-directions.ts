/**
 * How NORMAL and TANGENT of a group turn with a target, to first order, as the runtimes draw it: with the rest surface that the target pushes. Skinning
 * turns the rest, as it does in the original: where nothing is pushed the light stays as it was.
 *
 *   N = a/|a|,   N' = (1 − N Nᵀ) a'/|a|,   δn_v = (N × N') × n_v,      a' = (a(x̄ + d) − a(x̄ − d))/2
 *
 * a  area vectors of the rest surface, quadratic in d;  d  what weight 1 of the target pushes the welded vertices by, in all groups, as seams are
 * welded across them;  n_v  direction of the file, whose hard edges stay. O(triangles + directions) per target.
 */
import { IsoskinError } from '@isoskin/core';
import { planFans, turnDirections } from '@isoskin/core/kernels';
import { readNumbers } from '../read-numbers.js';
import type { BakeJob } from './bake-job.js';

export interface PartDirections {
  readonly part: number;
  readonly semantic: 'NORMAL' | 'TANGENT';
  /** Numbers of each: 3, or 4 of a tangent. */
  readonly width: number;
  /** Source vertex → point. */
  readonly points: Uint32Array;
  readonly directions: ArrayLike<number>;
}

/** NORMAL and TANGENT of the parts that have them, of a group or of all. */
export function listDirections({ read, source }: Pick<BakeJob, 'read' | 'source'>, group?: number): PartDirections[] {
  return read.character.parts.flatMap((part, p): PartDirections[] => {
    if (group !== undefined && part.group !== group) return [];
    return (['NORMAL', 'TANGENT'] as const).flatMap((semantic) => {
      const accessor = read.sources[p]!.primitive.getAttribute(semantic);
      const width = semantic === 'NORMAL' ? 3 : 4;
      if (!accessor || accessor.getElementSize() !== width || accessor.getCount() !== part.vertexCount) return [];
      const directions = readNumbers(accessor, width, semantic);
      if (!directions.every(Number.isFinite)) {
        const message = `${semantic} holds something that is no number: export the model again without compression`;
        throw new IsoskinError('NOT_FINITE', message, part.name);
      }
      return [{ part: p, semantic, width, points: source.partPoints[p]!, directions }];
    });
  });
}

/** Group → target → what weight 1 of it pushes the group's points by, #×3, in units of POSITION. */
export type GroupPushes = readonly ReadonlyMap<number, Float64Array>[];

/** δn of the given directions for a target, #×3 each. */
export function createTurner({ read, source }: Pick<BakeJob, 'read' | 'source'>, pushes: GroupPushes) {
  const { surface, parts } = read.character;
  const { positions, vertexCount } = surface;
  const normals = listDirections({ read, source }).filter(({ semantic }) => semantic === 'NORMAL');
  const fans = planFans(
    surface,
    parts.map(({ welded }, p) => ({ welded, normals: normals.find(({ part }) => part === p)?.directions })),
  );
  const measure = (at: Float64Array) => {
    const areas = new Float64Array(3 * fans.count);
    fans.measure(areas, at);
    return areas;
  };
  const rest = measure(positions);
  const scales = pushes.map((_, group) => parts.find((part) => part.group === group)?.scale ?? 1);
  const push = new Float64Array(3 * vertexCount);
  return (target: number, directions: readonly PartDirections[]): Float64Array[] => {
    push.fill(0);
    for (const [group, own] of pushes.entries()) {
      const vector = own.get(target);
      const first = source.groupOffsets[group]!;
      for (let i = 0; vector && i < vector.length; i++) {
        push[3 * source.welded[first + Math.trunc(i / 3)]! + (i % 3)] = scales[group]! * vector[i]!;
      }
    }
    const change = measure(positions.map((x, i) => x + push[i]!));
    const back = measure(positions.map((x, i) => x - push[i]!));
    for (let i = 0; i < change.length; i++) change[i] = (change[i]! - back[i]!) / 2;
    return directions.map(({ part, width, directions: n }) =>
      Float64Array.from(turnDirections({ fans: fans.of[part]!, directions: n, width }, rest, change)),
    );
  };
}
