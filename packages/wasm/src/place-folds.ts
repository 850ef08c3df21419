/**
 * Where the vertices of folds stand in memory: old ones that are only read, with one that is none, old ones of the patches, then new ones level by level, regular
 * ones first; in each of these alike ones follow each other (stencils of one length, polygons of six points, full fades, the same tools), so that the loops are predictable.
 */
import type { FoldPlan } from '@isoskin/core/kernels';
import { createRefinedTopology } from '@isoskin/core/wrinkles';

export const pad = (count: number) => 4 * Math.ceil(count / 4);

/** New vertices by level: behind all vertices that they are made of. */
export interface FoldLevel {
  readonly regular: readonly number[];
  readonly others: readonly number[];
}

export function placeVertices(plan: FoldPlan) {
  const { vertexCount, baseCount, stencils } = plan.refinement;
  const measureKind = planKinds(plan);
  const sort = (list: readonly number[], measure = measureKind) => {
    const kinds = new Map(list.map((v) => [v, measure(v)]));
    return [...list].sort((a, b) => kinds.get(a)! - kinds.get(b)!);
  };
  const near = sort([...plan.near]);
  const isNear = new Set(near);
  const far = [...new Set([...plan.rim, ...stencils.vertices])].filter((v) => v < baseCount && !isNear.has(v));
  const first = pad(far.length + 1);
  const places = new Uint32Array(vertexCount).fill(16 * (first - 1));
  const put = (list: readonly number[], from: number) => list.forEach((v, i) => void (places[v] = 16 * (from + i)));
  put(far, 0);
  put(near, first);
  const old = first + pad(near.length);
  const countEntries = (v: number) => stencils.offsets[v - baseCount + 1]! - stencils.offsets[v - baseCount]!;
  const levels = listLevels(plan).map(({ regular, others }) => ({
    regular: sort(regular),
    others: sort(others, (v) => 2 ** 24 * countEntries(v) + measureKind(v)),
  }));
  let last = old;
  for (const { regular, others } of levels) {
    put(regular, last);
    last += pad(regular.length);
    put(others, last);
    last += others.length;
  }
  return { first, old, levels, places, count: pad(last) };
}

/** Alike vertices have the same: how far from six their triangles are at the finest levels, whether they fade in full, which tools move them. */
function planKinds({ refinement, members, rim }: FoldPlan): (v: number) => number {
  const topology = createRefinedTopology(refinement);
  topology.update(topology.levels.slice());
  const counts = new Uint32Array(refinement.vertexCount);
  const isFull = new Uint8Array(refinement.vertexCount);
  for (const v of rim) counts[v]!++;
  for (const v of topology.triangles.subarray(refinement.still.length, 3 * topology.triangleCount)) counts[v]!++;
  const movers = new Uint16Array(refinement.vertexCount);
  members.forEach(({ vertices, masks }, k) => {
    vertices.forEach((v, i) => {
      isFull[v]! |= masks[i]! < 1 ? 0 : 1;
      movers[v]! |= 1 << (k & 15);
    });
  });
  return (v) => 65536 * (2 * Math.min(127, Math.abs(counts[v]! - 6)) + (isFull[v] ? 0 : 1)) + movers[v]!;
}

function listLevels({ refinement }: FoldPlan): FoldLevel[] {
  const { parents, stencils, vertexCount, baseCount } = refinement;
  const depths = new Uint8Array(vertexCount);
  const levels: { regular: number[]; others: number[] }[] = [];
  for (let v = baseCount, i = 0; v < vertexCount; v++, i++) {
    const [from, to] = [stencils.offsets[i]!, stencils.offsets[i + 1]!];
    let depth = Math.max(depths[parents[2 * i]!]!, depths[parents[2 * i + 1]!]!);
    for (let n = from; n < to; n++) depth = Math.max(depth, depths[stencils.vertices[n]!]!);
    depths[v] = depth + 1;
    const isRegular = to - from === 8 && REGULAR.every((weight, k) => stencils.weights[from + k] === weight);
    levels[depth] ??= { regular: [], others: [] };
    levels[depth][isRegular ? 'regular' : 'others'].push(v);
  }
  return levels;
}
const REGULAR = [1 / 2, 1 / 2, 1 / 8, 1 / 8, -1 / 16, -1 / 16, -1 / 16, -1 / 16];

/** Vertices in fours that stand in a row: the place of each row, and where a vertex stands in the words of all. */
export interface FoldQuads {
  readonly rows: readonly number[];
  readonly slots: Uint32Array;
}

export function listQuads(vertices: Uint32Array, places: Uint32Array): FoldQuads {
  const rows = [...new Set(Array.from(vertices, (v) => places[v]! & ~63))].sort((a, b) => a - b);
  const rowAt = new Map(rows.map((place, q) => [place, q]));
  return { rows, slots: vertices.map((v) => 16 * rowAt.get(places[v]! & ~63)! + ((places[v]! >> 4) & 3)) };
}

/** Where the lift of a vertex stands, from its place in the words of all fours. */
export const liftAt = (slot: number) => 32 * (slot >> 4) + 4 * (slot & 3);
