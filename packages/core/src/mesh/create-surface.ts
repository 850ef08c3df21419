/**
 * B3. Makes the closed, oriented surface that all geometry is computed on from welded vertices and raw triangles.
 *
 * Bad triangles are dropped, orientation is repaired where it is unambiguous, components are told apart, holes are capped.
 * Everything that was found is counted in `defects` and said in words. O(#V + #T).
 */
import type { Warning } from '../error.js';
import { cleanTriangles } from './clean-triangles.js';
import { describeDefects } from './describe-defects.js';
import { createDisjointSets, findRoot, uniteSets } from './disjoint-sets.js';
import { groupItems } from './group-items.js';
import { measureComponents, measureFullness, SOLID_SHARE } from './measure-components.js';
import { orientTriangles, reverseTriangle } from './orient-triangles.js';
import { planCaps } from './plan-caps.js';
import { type Edges, edgeEnd, edgeStart, planEdges, rememberEdges } from './plan-edges.js';
import { type Caps, type Component, type Csr, NO_COMPONENT, type Surface } from './surface.js';

export interface SurfaceInput {
  /** x̄, #V×3; kept, not copied. */
  readonly positions: Float64Array;
  /** Any triangles over these vertices. */
  readonly triangles: Uint32Array;
  /** Source part of every vertex, #V; default: all of part 0. */
  readonly vertexParts?: Uint32Array;
  readonly parts?: readonly { readonly name: string; readonly group: number }[];
}

export interface CreatedSurface {
  readonly surface: Surface;
  readonly warnings: readonly Warning[];
}

export function createSurface(input: SurfaceInput): CreatedSurface {
  const { positions, vertexParts, parts = [{ name: 'surface', group: 0 }] } = input;
  const vertexCount = positions.length / 3;
  const clean = cleanTriangles(input.triangles);
  const { triangles } = clean;
  let edges = planEdges(triangles, vertexCount);
  const orientation = orientTriangles(triangles, edges);
  if (orientation.flipped > 0) edges = planEdges(triangles, vertexCount);

  const split = splitComponents(triangles, vertexCount);
  const neighbours = listNeighbours(triangles, edges, vertexCount);
  const caps = planCaps(triangles, edges, split.vertexComponent);
  const { volumes, areas } = measureComponents(positions, triangles, split.triangleComponent, caps, split.count);
  // Signed volumes of a closed character add up to something positive; if not, the whole winding is inside out.
  const insideOut = volumes.reduce((sum, v) => sum + v, 0) < 0;
  if (insideOut) {
    for (let t = 0; t < triangles.length / 3; t++) reverseTriangle(triangles, t);
    for (let e = 0; e < caps.edges.values.length; e += 2) caps.edges.values.subarray(e, e + 2).reverse();
    for (let c = 0; c < volumes.length; c++) volumes[c] = -volumes[c]!;
  }

  if (!insideOut) rememberEdges(triangles, edges);

  const firstPart = new Uint32Array(split.count).fill(NO_COMPONENT);
  const vertexCounts = new Uint32Array(split.count);
  const triangleCounts = new Uint32Array(split.count);
  const loopCounts = new Uint32Array(split.count);
  let unusedVertices = 0;
  for (let v = 0; v < vertexCount; v++) {
    const c = split.vertexComponent[v]!;
    if (c === NO_COMPONENT) unusedVertices++;
    else {
      vertexCounts[c]!++;
      firstPart[c] = Math.min(firstPart[c]!, vertexParts?.[v] ?? 0);
    }
  }
  for (const c of split.triangleComponent) triangleCounts[c]!++;
  for (const c of caps.component) loopCounts[c]!++;
  const isBand = findBands(split, orientation.contradictory, triangleCounts, caps);
  const components = Array.from(
    volumes,
    (volume, c): Component => ({
      name: parts[firstPart[c]!]!.name,
      group: parts[firstPart[c]!]!.group,
      vertexCount: vertexCounts[c]!,
      triangleCount: triangleCounts[c]!,
      boundaryLoops: loopCounts[c]!,
      volume,
      solid: isBand[c] === 0 && measureFullness(volume, areas[c]!) >= SOLID_SHARE,
    }),
  );

  let nonManifoldEdges = 0;
  for (let e = 0; e < edges.count; e++) if (edges.offsets[e + 1]! - edges.offsets[e]! > 2) nonManifoldEdges++;
  const surface: Surface = {
    vertexCount,
    positions,
    triangles,
    triangleComponent: split.triangleComponent,
    vertexComponent: split.vertexComponent,
    components,
    corners: groupItems(vertexCount, triangles.length, (i) => triangles[i]!),
    neighbours,
    caps,
    defects: {
      nonManifoldEdges,
      boundaryEdges: caps.edges.values.length / 2,
      boundaryLoops: caps.count,
      degenerateTriangles: clean.degenerate,
      duplicateTriangles: clean.duplicate,
      flippedTriangles: insideOut ? triangles.length / 3 - orientation.flipped : orientation.flipped,
      unusedVertices,
    },
  };
  return { surface, warnings: describeDefects(surface, insideOut, orientation, isBand) };
}

/** Border edges of a sheet of T triangles, over √T: 4 for a square or a band, below 1 for a body with a few holes. */
const SHEET = 1.5;

/**
 * Components that are bands with one side: most of their triangles cannot be oriented, and they are sheets rather than bodies. A
 * volume of theirs means nothing. A body with a bad patch somewhere is no such thing, and keeps its volume.
 */
function findBands(split: Split, contradictory: Uint8Array, triangleCounts: Uint32Array, caps: Caps): Uint8Array {
  const bad = new Uint32Array(split.count);
  const borders = new Uint32Array(split.count);
  for (let t = 0; t < contradictory.length; t++) bad[split.triangleComponent[t]!]! += contradictory[t]!;
  for (let a = 0; a < caps.count; a++) {
    borders[caps.component[a]!]! += caps.edges.offsets[a + 1]! - caps.edges.offsets[a]!;
  }
  return Uint8Array.from(bad, (count, c) => {
    const total = triangleCounts[c]!;
    return 2 * count > total && borders[c]! > SHEET * Math.sqrt(total) ? 1 : 0;
  });
}

interface Split {
  readonly count: number;
  readonly vertexComponent: Uint32Array;
  readonly triangleComponent: Uint32Array;
}

/** Components hang together through shared vertices and are numbered by their first vertex. */
function splitComponents(triangles: Uint32Array, vertexCount: number): Split {
  const sets = createDisjointSets(vertexCount);
  const vertexComponent = new Uint32Array(vertexCount).fill(NO_COMPONENT);
  const triangleComponent = new Uint32Array(triangles.length / 3);
  for (let t = 0; t < triangles.length; t += 3) {
    uniteSets(sets, triangles[t]!, triangles[t + 1]!);
    uniteSets(sets, triangles[t]!, triangles[t + 2]!);
  }
  for (let i = 0; i < triangles.length; i++) vertexComponent[triangles[i]!] = 0;
  let count = 0;
  for (let v = 0; v < vertexCount; v++) {
    if (vertexComponent[v] === NO_COMPONENT) continue;
    const root = findRoot(sets, v);
    vertexComponent[v] = root === v ? count++ : vertexComponent[root]!;
  }
  for (let t = 0; t < triangleComponent.length; t++) triangleComponent[t] = vertexComponent[triangles[3 * t]!]!;
  return { count, vertexComponent, triangleComponent };
}

/** Edges come sorted by smaller, then larger vertex, so every list comes out ascending. */
function listNeighbours(triangles: Uint32Array, edges: Edges, vertexCount: number): Csr {
  const offsets = new Uint32Array(vertexCount + 1);
  const values = new Uint32Array(2 * edges.count);
  for (let e = 0; e < edges.count; e++) {
    const h = edges.halfEdges[edges.offsets[e]!]!;
    offsets[edgeStart(triangles, h) + 1]!++;
    offsets[edgeEnd(triangles, h) + 1]!++;
  }
  for (let v = 0; v < vertexCount; v++) offsets[v + 1]! += offsets[v]!;
  const next = offsets.slice();
  for (let e = 0; e < edges.count; e++) {
    const h = edges.halfEdges[edges.offsets[e]!]!;
    const a = edgeStart(triangles, h);
    const b = edgeEnd(triangles, h);
    values[next[a]!++] = b;
    values[next[b]!++] = a;
  }
  return { offsets, values };
}
