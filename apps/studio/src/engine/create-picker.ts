/** What lies under the mouse: a ray against the surface of the last frame, through a BVH that is refitted when needed. */

import type { Character, Frame } from '@isoskin/core';
import { type Bvh, castRay, createRayHit, planBvh, refitBvh } from '@isoskin/core/mesh';
import type { PickRequest, PickResult } from './protocol.js';

export interface Picker {
  /** The surface has moved: the next pick looks at it anew. */
  move(frame: Frame): void;
  pick(request: PickRequest): PickResult | null;
}

export function createPicker(character: Character): Picker {
  const { surface, binding, skeleton } = character;
  const positions = surface.positions.slice();
  const hit = createRayHit();
  let bvh: Bvh | undefined;
  let latest: Frame | undefined;
  let fitted = '';

  const fit = (kind: PickRequest['surface']): Bvh => {
    if (latest && fitted !== kind) {
      positions.set(kind === 'skinned' ? latest.skinned : latest.positions);
      if (bvh) refitBvh(bvh, positions);
      fitted = kind;
    }
    bvh ??= planBvh(surface.triangles, positions);
    return bvh;
  };

  return {
    move(frame) {
      latest = frame;
      fitted = '';
    },
    pick({ origin, direction, surface: kind }) {
      const o = Float64Array.from(origin);
      const d = Float64Array.from(direction);
      if (!castRay(hit, fit(kind), positions, o, d, Number.POSITIVE_INFINITY)) return null;
      const { triangle, t } = hit;
      const point = [o[0]! + t * d[0]!, o[1]! + t * d[1]!, o[2]! + t * d[2]!];
      const corners = [0, 1, 2].map((c) => surface.triangles[3 * triangle + c]!);
      const { barycentric, normal } = locate(positions, corners, point);
      const vertex = corners[barycentric.indexOf(Math.max(...barycentric))]!;
      return {
        triangle,
        point,
        normal,
        vertex,
        barycentric,
        joint: skeleton.boneNodes[binding.bones[binding.offsets[vertex]!]!] ?? -1,
      };
    },
  };
}

function locate(x: Float64Array, [i, j, k]: readonly number[], p: readonly number[]) {
  const sub = (a: number, b: number) => [0, 1, 2].map((c) => x[3 * a + c]! - x[3 * b + c]!);
  const u = sub(j!, i!);
  const v = sub(k!, i!);
  const w = p.map((value, c) => value - x[3 * i! + c]!);
  const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  const [uu, uv, vv, wu, wv] = [dot(u, u), dot(u, v), dot(v, v), dot(w, u), dot(w, v)];
  const determinant = uu * vv - uv * uv || 1;
  const b = (vv * wu - uv * wv) / determinant;
  const c = (uu * wv - uv * wu) / determinant;
  const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
  const length = Math.hypot(...n) || 1;
  return { barycentric: [1 - b - c, b, c] as [number, number, number], normal: n.map((a) => a / length) };
}
