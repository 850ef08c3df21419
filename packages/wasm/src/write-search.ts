/** What the search of contact reads (layout.ts), in a memory of its own. */
import { MOST_PAIRS, measureRestScales, type SearchPlan, WIDER } from '@isoskin/core/kernels';
import { GrowingWords } from './growing-words.js';
import * as at from './layout.js';
import { tracePolygon } from './trace-polygon.js';

/** Where the record stands. */
export const BASE = 4096;
const PAGE = 65536;
const MATRIX_BYTES = 64;

type View = <T>(Type: new (buffer: ArrayBuffer, at: number, length: number) => T, field: number, length: number) => T;

export function writeSearch(plan: SearchPlan) {
  const { character, samples, near, constants } = plan;
  const { count, tree, vertices } = samples;
  const { surface, skeleton } = character;
  const { lists, far, reaches } = near;
  const quadCount = lists.reduce((sum, { keys }) => sum + Math.ceil(keys.length / 4), 0);
  const linkCount = lists.reduce((sum, { links }) => sum + links.length, 0);
  const farCount = Math.ceil(far.length / 8);
  const most = MOST_PAIRS * count;
  const sections: [field: number, bytes: number][] = [
    [at.SEARCH_POINTS, 16 * count],
    [at.SEARCH_SKIN, 16 * surface.vertexCount],
    [at.SEARCH_NORMALS, 16 * count],
    [at.SEARCH_WIDE_NORMALS, 24 * count],
    [at.SEARCH_SAMPLES, at.SAMPLE_BYTES * count],
    [at.SEARCH_RINGS, listRings(character, vertices).byteLength],
    [at.SEARCH_INFLUENCES, 8 * countInfluences(character, vertices)],
    [at.SEARCH_MATRICES, MATRIX_BYTES * skeleton.boneCount],
    [at.SEARCH_LISTS, at.LIST_BYTES * lists.length],
    [at.SEARCH_LINKS, at.LINK_BYTES * linkCount],
    [at.SEARCH_TURNS, 8 * near.motions.turns.length],
    [at.SEARCH_SHIFTS, 8 * near.motions.turns.length],
    [at.SEARCH_KEYS, 8 * quadCount],
    [at.SEARCH_QUADS, at.QUAD_BYTES * quadCount],
    [at.SEARCH_FAR, at.QUAD_BYTES * farCount],
    [at.SEARCH_NODES, 16 * tree.nodeCount],
    [at.SEARCH_BALLS, 16 * tree.nodeCount],
    [at.SEARCH_STACK, tree.stack.byteLength],
    [at.SEARCH_FOUND, at.PAIR_BYTES * most],
    [at.SEARCH_OUT_PAIRS, 8 * most],
    [at.SEARCH_OUT_INVERSES, 8 * most],
    [at.SEARCH_HITS, 4 * Math.max(quadCount, farCount)],
    [at.SEARCH_ASKED, 4 * (count + 1)],
    [at.SEARCH_MARKS, 16 * Math.ceil(count / 16)],
  ];
  const align = (bytes: number) => 16 * Math.ceil(bytes / 16);
  const bytes = sections.reduce((sum, [, size]) => sum + align(size), BASE + at.SEARCH_BYTES);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
  const { buffer } = memory;
  const head = new Uint32Array(buffer, BASE, at.SEARCH_BYTES >> 2);
  let next = BASE + at.SEARCH_BYTES;
  for (const [field, size] of sections) {
    head[field >> 2] = next;
    next += align(size);
  }
  const locate = (field: number) => head[field >> 2]!;
  const view: View = (Type, field, length) => new Type(buffer, locate(field), length);
  const settings = new Float32Array(buffer, BASE, at.SEARCH_BYTES >> 2);
  head[at.SEARCH_COUNT >> 2] = count;
  head[at.SEARCH_LIST_COUNT >> 2] = lists.length;
  head[at.SEARCH_FAR_COUNT >> 2] = farCount;
  head[at.SEARCH_NODE_COUNT >> 2] = tree.nodeCount;
  head[at.SEARCH_MOST >> 2] = most;
  settings[at.SEARCH_WIDER >> 2] = WIDER;
  settings[at.SEARCH_REACH >> 2] = constants.reach;
  settings[at.SEARCH_CLOSER >> 2] = constants.closer;
  settings[at.SEARCH_HIDDEN >> 2] = constants.hidden;

  const quads = view(Uint32Array, at.SEARCH_FAR, 12 * farCount).fill(locate(at.SEARCH_BALLS));
  const farReaches = view(Float32Array, at.SEARCH_FAR, 12 * farCount);
  for (let i = 0; i < 4 * farCount; i++) {
    const [quad, a, b] = [12 * (i >> 2), far[2 * i], far[2 * i + 1]];
    farReaches[quad + 8 + (i & 3)] = a === undefined ? Number.NaN : Math.min(reaches[a]!, reaches[b!]!);
    quads[quad + 2 * (i & 3)]! += 16 * (a ?? 0);
    quads[quad + 2 * (i & 3) + 1]! += 16 * (b ?? 0);
  }
  const nodes = view(Uint32Array, at.SEARCH_NODES, 4 * tree.nodeCount);
  const nodeReaches = view(Float32Array, at.SEARCH_NODES, 4 * tree.nodeCount);
  for (let n = 0; n < tree.nodeCount; n++) {
    nodes.set([16 * tree.starts[n]!, 16 * tree.ends[n]!, 16 * tree.seconds[n]!], 4 * n);
    nodeReaches[4 * n + 3] = reaches[n]!;
  }
  writeLists(plan, view, locate);
  writeSamples(plan, view, locate);
  return { memory, head, view };
}

/** The lists, one behind the other. */
function writeLists({ near: { lists } }: SearchPlan, view: View, locate: (field: number) => number): void {
  const quadCount = lists.reduce((sum, { keys }) => sum + Math.ceil(keys.length / 4), 0);
  const linkCount = lists.reduce((sum, { links }) => sum + links.length, 0);
  const records = view(Uint32Array, at.SEARCH_LISTS, (at.LIST_BYTES >> 2) * lists.length);
  const least = view(Float64Array, at.SEARCH_KEYS, quadCount);
  const places = view(Uint32Array, at.SEARCH_LINKS, 4 * linkCount);
  const arms = view(Float64Array, at.SEARCH_LINKS, places.length / 2);
  const size = at.QUAD_BYTES >> 2;
  const words = view(Uint32Array, at.SEARCH_QUADS, size * quadCount);
  const limits = view(Float32Array, at.SEARCH_QUADS, words.length).fill(-1);
  const pointAt = (place: number) => locate(at.SEARCH_POINTS) + (16 * place) / 3;
  let [link, quad] = [0, 0];
  lists.forEach(({ links, levers, keys, pairs, inverses }, n) => {
    const start = locate(at.SEARCH_LINKS) + at.LINK_BYTES * link;
    const first = locate(at.SEARCH_QUADS) + at.QUAD_BYTES * quad;
    const own = [locate(at.SEARCH_KEYS) + 8 * quad, first, Math.ceil(keys.length / 4)];
    records.set([start, start + at.LINK_BYTES * links.length, ...own], (at.LIST_BYTES >> 2) * n);
    for (let i = 0; i < links.length; i++, link++) {
      places[4 * link] = 8 * links[i]!;
      arms[2 * link + 1] = levers[i]!;
    }
    for (let i = 0; i < 4 * Math.ceil(keys.length / 4); i++) {
      const at = size * (quad + (i >> 2));
      words[at + 2 * (i & 3)] = pointAt(pairs[2 * i] ?? 0);
      words[at + 2 * (i & 3) + 1] = pointAt(pairs[2 * i + 1] ?? 0);
      if ((i & 3) === 0) least[quad + (i >> 2)] = keys[i]!;
      if (i < keys.length) limits[at + 8 + (i & 3)] = (WIDER * WIDER) / inverses[i]!;
    }
    quad += Math.ceil(keys.length / 4);
  });
}

/** How samples are carried, and the polygons around them. */
function writeSamples({ character, samples }: SearchPlan, view: View, locate: (field: number) => number): void {
  const { count, vertices } = samples;
  const { surface, binding } = character;
  const size = at.SAMPLE_BYTES >> 2;
  const records = view(Uint32Array, at.SEARCH_SAMPLES, size * count);
  const numbers = view(Float32Array, at.SEARCH_SAMPLES, size * count);
  const scales = measureRestScales(surface, vertices);
  const influences = countInfluences(character, vertices);
  const bones = view(Uint32Array, at.SEARCH_INFLUENCES, 2 * influences);
  const weights = view(Float32Array, at.SEARCH_INFLUENCES, 2 * influences);
  const rings = listRings(character, vertices);
  const words = view(Uint32Array, at.SEARCH_RINGS, rings.length);
  let influence = 0;
  let ring = 0;
  for (let s = 0; s < count; s++) {
    numbers.set(samples.positions.subarray(3 * s, 3 * s + 3), size * s);
    numbers[size * s + 3] = samples.thickness[s]!;
    numbers.set(samples.normals.subarray(3 * s, 3 * s + 3), size * s + 4);
    numbers[size * s + 7] = scales[s]!;
    records[size * s + (at.SAMPLE_RING >> 2)] = locate(at.SEARCH_RINGS) + 4 * ring;
    const end = ring + 3 + (rings.view[ring]! >> 2);
    words[ring] = rings.view[ring]!;
    for (ring++; ring < end; ring++) words[ring] = locate(at.SEARCH_SKIN) + 16 * rings.view[ring]!;
    records[size * s + (at.SAMPLE_INFLUENCES >> 2)] = locate(at.SEARCH_INFLUENCES) + 8 * influence;
    for (let e = binding.offsets[vertices[s]!]!; e < binding.offsets[vertices[s]! + 1]!; e++) {
      bones[2 * influence] = MATRIX_BYTES * binding.bones[e]!;
      weights[2 * influence++ + 1] = binding.weights[e]!;
    }
    records[size * s + (at.SAMPLE_INFLUENCES_END >> 2)] = locate(at.SEARCH_INFLUENCES) + 8 * influence;
  }
}

function countInfluences({ binding: { offsets } }: SearchPlan['character'], vertices: Uint32Array): number {
  return vertices.reduce((sum, v) => sum + offsets[v + 1]! - offsets[v]!, 0);
}

/** Bytes but for two points, then the vertices of the polygon, sample by sample. */
function listRings({ surface: { triangles, corners } }: SearchPlan['character'], vertices: Uint32Array): GrowingWords {
  const out = new GrowingWords();
  const polygon: number[] = [];
  for (const k of vertices) {
    const edges: number[] = [];
    for (const corner of corners.values.subarray(corners.offsets[k]!, corners.offsets[k + 1]!)) {
      const first = corner - (corner % 3);
      edges.push(triangles[first + ((corner + 1) % 3)]!, triangles[first + ((corner + 2) % 3)]!);
    }
    tracePolygon(polygon, edges, k);
    out.push(4 * (polygon.length - 2));
    for (const point of polygon) out.push(point);
  }
  return out;
}
