/**
 * A skeleton for a bare mesh: its inside as cells, what sticks out of it as branches, joints along these, names by symmetry and shape.
 *
 *   const skeleton = rigMesh(character.surface);
 *   const binding = autoWeights(character.surface, skeleton);
 *
 * O(#T + cells). The same mesh gives the same skeleton.
 */
import { IsoskinError } from '../error.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import type { Surface } from '../mesh/surface.js';
import { POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.js';
import { planClosedSurface } from '../volume/plan-closed-surface.js';
import { nameLimbs } from './name-limbs.js';
import { planBranches } from './plan-branches.js';
import { planInterior } from './plan-interior.js';
import { planJoints } from './plan-joints.js';

const CELLS = 80_000;
/** A body that fills less than this share of the cube of its size is a sheet. */
const THINNEST = 1e-5;
const MOST_TORN = 0.1;
const LEAST_COVERED = 0.7;

export function rigMesh(surface: Surface): Skeleton {
  const size = measureDiagonal(surface.positions);
  const volume = surface.components.reduce((sum, one) => sum + Math.max(0, one.volume), 0);
  if (!(volume > THINNEST * size ** 3)) {
    return refuse(
      'The mesh has no inside to put a skeleton in: it is flat, or a sheet. Give it thickness, or bind it with “isoskin weights”.',
    );
  }
  const interior = planInterior(planClosedSurface(surface), volume, CELLS);
  if (interior.torn > MOST_TORN) {
    return refuse(
      'The mesh is open in so many places that its inside cannot be told from its outside: close its holes first.',
    );
  }
  const { branches, covered } = planBranches(interior, size);
  if (covered < LEAST_COVERED) {
    const share = Math.round(100 * (1 - covered));
    return refuse(
      `The mesh is made of parts that do not touch: ${share} % of it hangs on nothing. Join the parts, or bind each with “isoskin weights”.`,
    );
  }
  const planned = planJoints(branches, size);
  if (planned.length < 3) return refuse('The mesh has no limbs: nothing of it is longer than it is wide.');
  const { names, points } = nameLimbs(planned, interior, size);
  const count = planned.length;
  const locals = new Float64Array(POSE_STRIDE * count);
  const inverseBinds = new Float64Array(16 * count);
  planned.forEach(({ parent }, j) => {
    const from = parent < 0 ? [0, 0, 0] : points[parent]!;
    locals.set([...points[j]!.map((x, r) => x - from[r]!), 0, 0, 0, 1, 1, 1, 1], POSE_STRIDE * j);
    inverseBinds.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...points[j]!.map((x) => -x), 1], 16 * j);
  });
  return {
    nodeCount: count,
    names,
    parents: Int32Array.from(planned, ({ parent }) => parent),
    locals,
    fixedMatrices: new Map(),
    boneCount: count,
    boneNodes: Uint32Array.from({ length: count }, (_, j) => j),
    inverseBinds,
  };
}

function refuse(message: string): never {
  throw new IsoskinError('RIG_IMPOSSIBLE', message);
}
