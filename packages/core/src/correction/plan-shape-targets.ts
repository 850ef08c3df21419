/**
 * C15 as morph targets: how far every vertex of a drawn mesh goes, and how its normal turns, per unit of an amount, in the mesh's own space.
 *
 *   δ_s,v = M⁻¹ φ_s,k n̄_k
 *   N = Mᵀa_k / |Mᵀa_k|,   N'_s = (1 − N Nᵀ) Mᵀa'_s,k / |Mᵀa_k|,   δn_s,v = (N × N'_s) × n_v
 *
 * v  vertex of the mesh;  k  its welded vertex;  M  3×3, mesh → rest space;  a  area vectors of the rest surface, quadratic in the amounts, so that
 * a'_s = (a(x̄ + d_s) − a(x̄ − d_s))/2 exactly;  n_v  the mesh's own normal (hard edges stay), which turns as the surface's does, to first order.
 * Where a mesh is shaded flat, a is the area vector of the triangles around k whose normal is n_v, so that its facets stay flat.
 * O(K · triangles + entries), once.
 */

import type { FramePlan } from '../kernels/frame-plan.js';
import { sumAreaVectors } from '../kernels/reference-kernels.js';
import type { Surface } from '../mesh/surface.js';

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
  const { shapes } = plan;
  const fans = planFans(plan.volumes.closed.surface, meshes);
  const measure = (side: Float64Array, shape: number, sign: number) => {
    const pushed = positions.slice();
    for (let k = 0; k < vertexCount; k++) {
      for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
        if (shapes.shapes[e] !== shape) continue;
        for (let r = 0; r < 3; r++) pushed[3 * k + r]! += sign * shapes.values[e]! * directions[3 * k + r]!;
      }
    }
    fans.measure(side, pushed);
  };
  const [areas, out, back] = [0, 1, 2].map(() => new Float64Array(3 * fans.count)) as [Areas, Areas, Areas];
  fans.measure(areas, positions);
  for (let shape = 0; shape < shapes.shapeCount; shape++) {
    measure(out, shape, 1);
    measure(back, shape, -1);
    for (let i = 0; i < out.length; i++) out[i] = (out[i]! - back[i]!) / 2;
    for (const [m, mesh] of meshes.entries()) {
      const t = targets[m]!.findIndex((target) => target.shape === shape);
      if (t < 0 || !mesh.normals) continue;
      const { linear, normals } = mesh;
      const turned = turnDirections({ fans: fans.of[m]!, linear, directions: normals }, areas, out);
      targets[m]![t] = { ...targets[m]![t]!, normals: turned };
    }
  }
  return targets;
}

function listPushes({ directions, shapes }: FramePlan, { welded, inverse }: TargetMesh): ShapeTarget[] {
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

type Areas = Float64Array<ArrayBuffer>;

/** A normal this close to a triangle's, and this far from that of the smooth surface, belongs to a facet: 2° and 5°, as cosines. */
const FACET = { own: Math.cos((2 * Math.PI) / 180), smooth: Math.cos((5 * Math.PI) / 180) };

type DrawnFacets = Pick<TargetMesh, 'welded' | 'normals'> & Partial<Pick<TargetMesh, 'linear'>>;

/** Triangles that the vertices of drawn meshes turn with: all around a welded vertex, or those that have the normal of a vertex. */
export interface Fans {
  /** Of both kinds; the first #V are those of the welded vertices. */
  readonly count: number;
  /** Mesh → vertex → fan. */
  readonly of: readonly Uint32Array[];
  /** Area vectors of all fans, #×3. */
  measure(out: Float64Array, positions: Float64Array): void;
}

export function planFans(
  { positions, triangles, corners, vertexCount }: Surface,
  meshes: readonly DrawnFacets[],
): Fans {
  const crosses = new Float64Array(triangles.length);
  const measureCrosses = (x: Float64Array): void => {
    for (let t = 0; t < triangles.length; t += 3) {
      const [i, j, l] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
      for (let r = 0; r < 3; r++) {
        const [p, q] = [(r + 1) % 3, (r + 2) % 3];
        crosses[t + r] =
          ((x[j + p]! - x[i + p]!) * (x[l + q]! - x[i + q]!) - (x[j + q]! - x[i + q]!) * (x[l + p]! - x[i + p]!)) / 6;
      }
    }
  };
  measureCrosses(positions);
  const smooth = new Float64Array(3 * vertexCount);
  sumAreaVectors(smooth, positions, triangles, triangles.length / 3, vertexCount);
  const lists: number[][] = [];
  const of = meshes.map(({ welded, normals, linear = IDENTITY }) => {
    return welded.map((k, v) => {
      if (!normals) return k;
      /** Cosine of the angle between n_v and an area vector. */
      const measureCosine = (areas: Float64Array, at: number): number => {
        let [along, square, length] = [0, 0, 0];
        for (let r = 0; r < 3; r++) {
          const area = dot([linear[3 * r]!, linear[3 * r + 1]!, linear[3 * r + 2]!], areas, at);
          along += area * normals[3 * v + r]!;
          square += area * area;
          length += normals[3 * v + r]! ** 2;
        }
        return square * length > 0 ? along / Math.sqrt(square * length) : 1;
      };
      if (measureCosine(smooth, 3 * k) > FACET.smooth) return k;
      const around = Array.from(corners.values.subarray(corners.offsets[k]!, corners.offsets[k + 1]!));
      const own = around
        .map((corner) => 3 * Math.trunc(corner / 3))
        .filter((t) => measureCosine(crosses, t) > FACET.own);
      return own.length > 0 ? vertexCount + lists.push(own) - 1 : k;
    });
  });
  return {
    count: vertexCount + lists.length,
    of,
    measure(out, x) {
      sumAreaVectors(out, x, triangles, triangles.length / 3, vertexCount);
      if (lists.length === 0) return;
      measureCrosses(x);
      lists.forEach((list, f) => {
        for (let r = 0; r < 3; r++) out[3 * (vertexCount + f) + r] = list.reduce((sum, t) => sum + crosses[t + r]!, 0);
      });
    },
  };
}

/** (N × N') × n of directions n that stand in rest space, or in one that `linear` leads to it. @param width numbers of each direction */
export function turnDirections(
  {
    fans,
    directions,
    linear = IDENTITY,
    width = 3,
  }: {
    /** Direction → row of the areas. */
    readonly fans: Uint32Array;
    readonly directions: ArrayLike<number>;
    readonly linear?: ArrayLike<number>;
    readonly width?: number;
  },
  areas: Float64Array,
  change: Float64Array,
): Float32Array {
  const out = new Float32Array(3 * fans.length);
  const N = [0, 0, 0];
  const D = [0, 0, 0];
  for (let v = 0; v < fans.length; v++) {
    const at = 3 * fans[v]!;
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
