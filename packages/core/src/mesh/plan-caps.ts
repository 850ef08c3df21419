/**
 * B3. Closes every hole with a fan of triangles around the mean of its vertices.
 *
 * An edge whose triangles do not run along it equally often in both directions is a border; the missing directions,
 * |net| of them, are the border's directed edges. Borders that share vertices are one hole with one apex
 * m = mean of its vertices, an affine function of them: the closed volume stays rigid invariant. O(#V + #E).
 */
import { createDisjointSets, findRoot, uniteSets } from './disjoint-sets.js';
import { groupItems, NO_GROUP } from './group-items.js';
import { type Edges, edgeEnd, edgeStart, measureImbalance } from './plan-edges.js';
import type { Caps } from './surface.js';

export function planCaps(triangles: Uint32Array, allEdges: Edges, vertexComponent: Uint32Array): Caps {
  const border = listBorder(triangles, allEdges);
  const vertexCount = vertexComponent.length;
  const sets = createDisjointSets(border.length === 0 ? 0 : vertexCount);
  const onBorder = new Uint8Array(sets.length);
  for (let e = 0; e < border.length; e += 2) {
    uniteSets(sets, border[e]!, border[e + 1]!);
    onBorder[border[e]!] = onBorder[border[e + 1]!] = 1;
  }
  const capOf = new Uint32Array(sets.length);
  const component: number[] = [];
  for (let v = 0; v < sets.length; v++) {
    if (onBorder[v] === 0) continue;
    const root = findRoot(sets, v);
    if (root === v) {
      capOf[v] = component.length;
      component.push(vertexComponent[v]!);
    } else capOf[v] = capOf[root]!;
  }
  const count = component.length;
  const members = groupItems(count, sets.length, (v) => (onBorder[v] === 1 ? capOf[v]! : NO_GROUP));
  const edges = groupItems(count, border.length / 2, (e) => capOf[border[2 * e]!]!);
  const pairs = border.map((_, i) => border[2 * edges.values[i >> 1]! + (i & 1)]!);
  return {
    count,
    members,
    edges: { offsets: edges.offsets, values: pairs },
    component: Uint32Array.from(component),
  };
}

/** The directed edges that are missing to make the surface closed, as pairs. */
export function listBorder(triangles: Uint32Array, edges: Edges): Uint32Array {
  let count = 0;
  for (let e = 0; e < edges.count; e++) count += Math.abs(measureImbalance(edges, triangles, e));
  const pairs = new Uint32Array(2 * count);
  for (let e = 0, p = 0; e < edges.count; e++) {
    const net = measureImbalance(edges, triangles, e);
    if (net === 0) continue;
    const h = edges.halfEdges[edges.offsets[e]!]!;
    const a = Math.min(edgeStart(triangles, h), edgeEnd(triangles, h));
    const b = Math.max(edgeStart(triangles, h), edgeEnd(triangles, h));
    for (let r = Math.abs(net); r > 0; r--) {
      pairs[p++] = net > 0 ? b : a;
      pairs[p++] = net > 0 ? a : b;
    }
  }
  return pairs;
}
