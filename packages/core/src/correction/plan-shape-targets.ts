/**
 * C15 as morph targets: how far every vertex of a drawn mesh goes, and how its normal turns, per unit of an amount, in the mesh's own space.
 *
 *   δ_s,v = M⁻¹ φ_s,k n̄_k
 *   N = Mᵀa_k / |Mᵀa_k|,   N'_s = (1 − N Nᵀ) Mᵀa'_s,k / |Mᵀa_k|,   δn_s,v = (N × N'_s) × n_v
 *
 * v  vertex of the mesh;  k  its welded vertex;  M  3×3, mesh → rest space;  a  area vectors of the rest surface, quadratic in the amounts, so that
 * a'_s = (a(x̄ + d_s) − a(x̄ − d_s))/2 exactly;  n_v  the mesh's own normal (hard edges stay), which turns as the surface's does, to first order.
 * O(K · triangles + entries), once.
 */

import type { FramePlan } from '../kernels/frame-plan.js';
import { sumAreaVectors } from '../kernels/reference-kernels.js';
import { listDrawn } from './few-targets.js';

/** A mesh as it is drawn. */
export interface TargetMesh {
  /** Vertex of the mesh → welded vertex. */
  readonly welded: Uint32Array;
  /** M and M⁻¹, by columns. */
  readonly linear: ArrayLike<number>;
  readonly inverse: ArrayLike<number>;
  /** #×3, in the mesh's space; absent: the targets have none. */
  readonly normals?: ArrayLike<number> | undefined;
}

export interface ShapeTarget {
  readonly shape: number;
  /** δ, #×3. */
  readonly positions: Float32Array;
  /** δn, #×3. */
  readonly normals?: Float32Array;
}

/** The targets of every mesh: one per shape that reaches it. */
export function planShapeTargets(plan: FramePlan, meshes: readonly TargetMesh[]): ShapeTarget[][] {
  const targets = meshes.map((mesh) => listPushes(plan, mesh));
  if (!meshes.some(({ normals }) => normals)) return targets;
  const { vertexCount, positions, directions } = plan;
  const shapes = listDrawn(plan.shapes);
  const { triangles } = plan.volumes.closed.surface;
  const measure = (side: Float64Array, shape: number, sign: number) => {
    const pushed = positions.slice();
    for (let k = 0; k < vertexCount; k++) {
      for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
        if (shapes.shapes[e] !== shape) continue;
        for (let r = 0; r < 3; r++) pushed[3 * k + r]! += sign * shapes.values[e]! * directions[3 * k + r]!;
      }
    }
    sumAreaVectors(side, pushed, triangles, triangles.length / 3, vertexCount);
  };
  const areas = new Float64Array(3 * vertexCount);
  const out = new Float64Array(3 * vertexCount);
  const back = new Float64Array(3 * vertexCount);
  sumAreaVectors(areas, positions, triangles, triangles.length / 3, vertexCount);
  for (let shape = 0; shape < shapes.shapeCount; shape++) {
    measure(out, shape, 1);
    measure(back, shape, -1);
    for (let i = 0; i < out.length; i++) out[i] = (out[i]! - back[i]!) / 2;
    for (const [m, mesh] of meshes.entries()) {
      const t = targets[m]!.findIndex((target) => target.shape === shape);
      if (t < 0 || !mesh.normals) continue;
      const { welded, linear, normals } = mesh;
      const turned = turnDirections({ welded, linear, directions: normals }, areas, out);
      targets[m]![t] = { ...targets[m]![t]!, normals: turned };
    }
  }
  return targets;
}

function listPushes({ directions, shapes: all }: FramePlan, { welded, inverse }: TargetMesh): ShapeTarget[] {
  const shapes = listDrawn(all);
  const targets: (ShapeTarget | undefined)[] = Array.from({ length: shapes.shapeCount });
  for (let v = 0; v < welded.length; v++) {
    const k = welded[v]!;
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
      const shape = shapes.shapes[e]!;
      if (shapes.values[e] === 0) continue;
      targets[shape] ??= { shape, positions: new Float32Array(3 * welded.length) };
      const { positions } = targets[shape];
      for (let r = 0; r < 3; r++) {
        let sum = 0;
        for (let c = 0; c < 3; c++) sum += inverse[3 * c + r]! * directions[3 * k + c]!;
        positions[3 * v + r] = shapes.values[e]! * sum;
      }
    }
  }
  return targets.filter((target) => target !== undefined);
}

/** (N × N') × n of directions n that stand in rest space, or in one that `linear` leads to it. @param width numbers of each direction */
export function turnDirections(
  {
    welded,
    directions,
    linear = IDENTITY,
    width = 3,
  }: {
    readonly welded: Uint32Array;
    readonly directions: ArrayLike<number>;
    readonly linear?: ArrayLike<number>;
    readonly width?: number;
  },
  areas: Float64Array,
  change: Float64Array,
): Float32Array {
  const out = new Float32Array(3 * welded.length);
  const N = [0, 0, 0];
  const D = [0, 0, 0];
  for (let v = 0; v < welded.length; v++) {
    const at = 3 * welded[v]!;
    for (let r = 0; r < 3; r++) {
      N[r] = D[r] = 0;
      for (let c = 0; c < 3; c++) {
        N[r]! += linear[3 * r + c]! * areas[at + c]!;
        D[r]! += linear[3 * r + c]! * change[at + c]!;
      }
    }
    const square = dot(N, N, 0);
    if (!(square > 0) || dot(D, D, 0) === 0) continue;
    const along = dot(N, D, 0) / square;
    for (let r = 0; r < 3; r++) D[r]! -= along * N[r]!;
    const straight = dot(N, directions, width * v) / square;
    const across = dot(D, directions, width * v) / square;
    for (let r = 0; r < 3; r++) out[3 * v + r] = D[r]! * straight - N[r]! * across;
  }
  return out;
}
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function dot(a: ArrayLike<number>, b: ArrayLike<number>, at: number): number {
  return a[0]! * b[at]! + a[1]! * b[at + 1]! + a[2]! * b[at + 2]!;
}
