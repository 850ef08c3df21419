import { edgeEnd, edgeStart, recallEdges } from '../mesh/plan-edges.js';
import type { ClosedSurface } from '../volume/plan-closed-surface.js';

/** Connected patches of equal label, and the pairs of patches that share a border. */
export interface RegionPatches {
  readonly count: number;
  readonly trianglePatch: Uint32Array;
  readonly label: Int32Array;
  readonly component: Uint32Array;
  /** Border edges: patch, patch, vertex, vertex, flat. */
  readonly borders: Uint32Array;
}

export function findPatches(closed: ClosedSurface, labels: Int32Array): RegionPatches {
  const { triangles, triangleCount, vertexCount, apexCount, triangleComponent } = closed;
  const { count, offsets, halfEdges } = recallEdges(triangles, vertexCount + apexCount);
  const parent = Uint32Array.from({ length: triangleCount }, (_, t) => t);
  const find = (t: number): number => {
    let root = t;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!;
      root = parent[root]!;
    }
    return root;
  };
  for (let e = 0; e < count; e++) {
    // Where parts touch in an edge it has more than two triangles: each is compared with each, so that their order decides nothing.
    for (let i = offsets[e]! + 1; i < offsets[e + 1]!; i++) {
      const t = (halfEdges[i]! / 3) | 0;
      for (let j = offsets[e]!; j < i; j++) {
        const other = (halfEdges[j]! / 3) | 0;
        if (labels[t] === labels[other]) parent[find(t)] = find(other);
      }
    }
  }
  const trianglePatch = new Uint32Array(triangleCount);
  const number = new Map<number, number>();
  const label: number[] = [];
  const component: number[] = [];
  for (let t = 0; t < triangleCount; t++) {
    const root = find(t);
    let patch = number.get(root);
    if (patch === undefined) {
      number.set(root, (patch = number.size));
      label.push(labels[t]!);
      component.push(triangleComponent[t]!);
    }
    trianglePatch[t] = patch;
  }
  const borders: number[] = [];
  for (let e = 0; e < count; e++) {
    for (let i = offsets[e]! + 1; i < offsets[e + 1]!; i++) {
      const q = trianglePatch[(halfEdges[i]! / 3) | 0]!;
      for (let j = offsets[e]!; j < i; j++) {
        const h = halfEdges[j]!;
        const p = trianglePatch[(h / 3) | 0]!;
        const isOpposite = edgeStart(triangles, h) !== edgeStart(triangles, halfEdges[i]!);
        if (p !== q && isOpposite) borders.push(p, q, edgeStart(triangles, h), edgeEnd(triangles, h));
      }
    }
  }
  return {
    count: number.size,
    trianglePatch,
    label: Int32Array.from(label),
    component: Uint32Array.from(component),
    borders: Uint32Array.from(borders),
  };
}
