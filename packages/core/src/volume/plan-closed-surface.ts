/**
 * B3. The surface with its holes closed: every cap becomes triangles around an apex that is the mean of the loop.
 *
 * Apexes are numbered after the real vertices, so positions of a closed surface are (#V + #apexes)×3 ("extended"). Being
 * affine in the vertices, the caps leave the volume invariant under rigid motion and its gradient exact.
 */
import type { Csr, Surface } from '../mesh/surface.js';

export interface ClosedSurface {
  readonly surface: Surface;
  readonly vertexCount: number;
  readonly apexCount: number;
  /** Surface triangles first, then the caps', ×3. */
  readonly triangles: Uint32Array;
  readonly triangleCount: number;
  /** Component of every triangle, caps included. */
  readonly triangleComponent: Uint32Array;
  /** Apex → vertices whose mean it is. */
  readonly members: Csr;
}

export function planClosedSurface(surface: Surface): ClosedSurface {
  const { caps, vertexCount } = surface;
  const capTriangles = caps.edges.offsets[caps.count] ?? 0;
  const ownCount = surface.triangleComponent.length;
  const triangleCount = ownCount + capTriangles;
  const members = caps.members;
  const common = { surface, vertexCount, apexCount: caps.count, triangleCount, members };
  // A surface without holes is closed already.
  if (capTriangles === 0)
    return { ...common, triangles: surface.triangles, triangleComponent: surface.triangleComponent };
  const triangles = new Uint32Array(3 * triangleCount);
  const triangleComponent = new Uint32Array(triangleCount);
  triangles.set(surface.triangles);
  triangleComponent.set(surface.triangleComponent);
  let t = ownCount;
  for (let a = 0; a < caps.count; a++) {
    for (let e = caps.edges.offsets[a]!; e < caps.edges.offsets[a + 1]!; e++, t++) {
      triangles[3 * t] = caps.edges.values[2 * e]!;
      triangles[3 * t + 1] = caps.edges.values[2 * e + 1]!;
      triangles[3 * t + 2] = vertexCount + a;
      triangleComponent[t] = caps.component[a]!;
    }
  }
  return { ...common, triangles, triangleComponent };
}

/** Sets the apexes of extended positions, from `first` on, to the mean of their members. */
export function applyApexes(extended: Float64Array, first: number, members: Csr): void {
  const { offsets, values } = members;
  for (let a = 0; a + 1 < offsets.length; a++) {
    const from = offsets[a]!;
    const to = offsets[a + 1]!;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = from; i < to; i++) {
      const k = 3 * values[i]!;
      x += extended[k]!;
      y += extended[k + 1]!;
      z += extended[k + 2]!;
    }
    const at = 3 * (first + a);
    extended[at] = x / (to - from);
    extended[at + 1] = y / (to - from);
    extended[at + 2] = z / (to - from);
  }
}
