/**
 * Finds crossing triangles among those that are marked, without looking at the rest of the surface (F5, F6): only the boxes
 * above marked triangles are fitted and walked. O(marked · log #T).
 */
import type { Surface } from '../mesh/surface.js';
import { type Bvh, planBvh, refitBvh } from './bvh.js';
import { measureCrossing } from './measure-crossing.js';
import { type PairVisitor, visitOverlappingPairs } from './visit-overlapping-pairs.js';

export interface Crossings {
  /** Marks the triangles at a vertex. */
  mark(vertex: number): void;
  /** Mean edge of the surface at rest. */
  readonly edge: number;
  /** 1 for every marked triangle, #T. */
  readonly marked: Uint8Array;
  /** Calls `visit` for every marked pair that crosses, with the length of the crossing in mean edges; returns their number. */
  find(positions: Float64Array, visit: CrossingVisitor): number;
  /** Unmarks everything. */
  clear(): void;
}

/** False: the pair does not count. */
export type CrossingVisitor = (a: number, b: number, length: number) => boolean;

export function planCrossings(surface: Surface): Crossings {
  const { triangles, corners } = surface;
  const bvh = planBvh(triangles, surface.positions);
  const parents = planParents(bvh);
  const leaves = planLeaves(bvh);
  const edge = measureMeanEdge(surface);
  const nodes = new Uint8Array(bvh.nodeCount);
  const marked = new Uint8Array(bvh.triangleCount);
  let any = false;
  let visitor: CrossingVisitor | undefined;

  const visitPair: PairVisitor = (_, positions, a, b) => {
    const [i, j] = [3 * a, 3 * b];
    const length = measureCrossing(
      positions,
      triangles[i]!,
      triangles[i + 1]!,
      triangles[i + 2]!,
      triangles[j]!,
      triangles[j + 1]!,
      triangles[j + 2]!,
    );
    return length > 0 && visitor!(a, b, length / edge);
  };

  return {
    edge,
    marked,
    mark(vertex) {
      any = true;
      for (let i = corners.offsets[vertex]!; i < corners.offsets[vertex + 1]!; i++) {
        const t = (corners.values[i]! / 3) | 0;
        if (marked[t] === 1) continue;
        marked[t] = 1;
        for (let node = leaves[t]!; nodes[node] === 0; node = parents[node]!) nodes[node] = 1;
      }
    },
    find(positions, visit) {
      if (!any) return 0;
      visitor = visit;
      refitBvh(bvh, positions, nodes);
      return visitOverlappingPairs(bvh, positions, 0, visitPair, nodes, marked);
    },
    clear() {
      if (!any) return;
      any = false;
      nodes.fill(0);
      marked.fill(0);
    },
  };
}

/** Parent of every node, and 0 for the root itself. */
function planParents(bvh: Bvh): Uint32Array {
  const parents = new Uint32Array(bvh.nodeCount);
  for (let node = 0; node < bvh.nodeCount; node++) {
    if (bvh.size[node] === 0 && bvh.triangleCount > 0) parents[bvh.first[node]!] = parents[bvh.first[node]! + 1] = node;
  }
  return parents;
}

/** Leaf of every triangle. */
function planLeaves(bvh: Bvh): Uint32Array {
  const leaves = new Uint32Array(bvh.triangleCount);
  for (let node = 0; node < bvh.nodeCount; node++) {
    for (let i = 0; i < bvh.size[node]!; i++) leaves[bvh.order[bvh.first[node]! + i]!] = node;
  }
  return leaves;
}

function measureMeanEdge({ triangles, positions: x }: Surface): number {
  let sum = 0;
  for (let c = 0; c < triangles.length; c++) {
    const i = 3 * triangles[c]!;
    const j = 3 * triangles[c % 3 === 2 ? c - 2 : c + 1]!;
    sum += Math.hypot(x[i]! - x[j]!, x[i + 1]! - x[j + 1]!, x[i + 2]! - x[j + 2]!);
  }
  return sum / triangles.length || 1;
}
