/** The blocks of a character and the lists that they read (layout.ts), from a frame plan. */
import type { FramePlan, SmoothBases } from '@isoskin/core';
import { findHomes, NO_HOME } from './find-homes.js';
import { GrowingWords } from './growing-words.js';
import { APEX, APEX_PAIRS, INNER, ODD_FANS, PAIRS } from './layout.js';
import { NO_VERTEX, orderVertices, type VertexBlock } from './order-vertices.js';
import { ODD, PADDED, type Polygons, planPolygons } from './plan-polygons.js';
import { createPolygon, tracePolygon } from './trace-polygon.js';

/** A block; places in lists and arrays are bytes from their start. */
export interface Block {
  readonly kind: number;
  /** Whose volume its sums belong to; −1: nobody's. */
  readonly region: number;
  readonly first: number;
  readonly count: number;
  readonly rings: number;
  readonly bases: number;
  readonly halo: number;
  /** Its sums; of an apex: its derivatives. */
  readonly sums: number;
  /** Regions of the columns of ∂V/∂λ. */
  readonly columns: readonly number[];
  /** PAIRS: the region that its sums are taken back from; −1: none. */
  readonly home: number;
  readonly place: number;
  readonly large: number;
  readonly largeCount: number;
}

export interface BlockPlan {
  readonly blocks: readonly Block[];
  /** Blocks 0 … vertexBlocks − 1 hold vertices, up to volumeBlocks everything that has a volume, up to fieldBlocks odd fans;
   * then come the apexes. */
  readonly vertexBlocks: number;
  readonly volumeBlocks: number;
  readonly fieldBlocks: number;
  /** Vertices in memory, those that fill up blocks included. */
  readonly count: number;
  /** Vertices and apexes of the plan → place in memory (a number of vertices). */
  readonly places: Uint32Array;
  /** Place in memory → vertex, or NO_VERTEX. */
  readonly vertices: Uint32Array;
  readonly rings: GrowingWords;
  readonly bases: GrowingWords;
  readonly halo: GrowingWords;
  readonly records: GrowingWords;
  /** Words of `records` that point to derivatives. */
  readonly pointers: readonly number[];
  readonly sumBytes: number;
  readonly derivativeBytes: number;
}

/** Influences that the skinning loop takes; the others are added afterwards. */
export const INFLUENCES = 4;
/** Pairs and odd fans of a block. */
const RECORDS = 256;
const EMPTY = {
  first: 0,
  count: 0,
  rings: 0,
  bases: 0,
  halo: 0,
  sums: 0,
  columns: [],
  home: -1,
  place: 0,
  large: 0,
  largeCount: 0,
};

export function planBlocks(plan: FramePlan): BlockPlan {
  const { volumes, smooth, vertexCount } = plan;
  const polygons = planPolygons(volumes.closed.surface);
  const homes = findHomes(plan);
  const ordered = orderVertices(plan, homes, listShapes(polygons, smooth));
  const { places, vertices } = listPlaces(ordered, vertexCount, volumes.apexCount);
  const [rings, bases, halo, records] = [0, 0, 0, 0].map(() => new GrowingWords()) as [
    GrowingWords,
    GrowingWords,
    GrowingWords,
    GrowingWords,
  ];
  const blocks: Block[] = [];
  const pointers: number[] = [];
  let sumBytes = 0;
  let derivativeBytes = 0;

  function addVertices({ kind, region, first, vertices: list }: VertexBlock): void {
    const columns = createColumns();
    const start = { rings: rings.byteLength, bases: bases.byteLength, halo: halo.byteLength };
    for (const k of list) pushPolygon(k);
    for (let n = 0; n < list.length; n += 4) {
      pushBases(list.subarray(n, n + 4), columns);
      pushHalo(list.subarray(n, n + 4), region);
    }
    const large = records.byteLength;
    let largeCount = 0;
    for (const k of list) largeCount += pushLarge(k);
    const own = kind === INNER;
    blocks.push({
      ...EMPTY,
      kind,
      region: own ? region : -1,
      first,
      place: 4 * region,
      count: list.length,
      ...start,
      large,
      largeCount,
      ...sumsOf(columns),
    });
  }

  function sumsOf(columns: Columns): Pick<Block, 'sums' | 'columns'> {
    const sums = sumBytes;
    sumBytes += 16 * (1 + columns.list.length);
    return { sums, columns: columns.list };
  }

  function pushPolygon(k: number): void {
    if (k === NO_VERTEX) {
      for (const word of [ODD, 0, 0]) rings.push(word);
      return;
    }
    const from = polygons.offsets[k]!;
    const to = polygons.offsets[k + 1]!;
    rings.push(((to - from - 2) << 2) | polygons.flags[k]!);
    for (let i = from; i < to; i++) rings.push(16 * places[polygons.points[i]!]!);
  }

  /** φ of four vertices. */
  function pushBases(four: Uint32Array, columns: Columns): void {
    const rows = joinValues(smooth.bases, four);
    bases.push(20 * rows.size);
    for (const [region, row] of rows) pushRow(bases, 4 * region + ((16 * columns.find(region)) << 16), row);
  }

  /** ψ of four vertices; bit 0 stands for ψ = 1 of the block's own region. */
  function pushHalo(four: Uint32Array, own: number): void {
    const rows = joinValues(smooth.halo, four);
    const home = rows.get(own)?.every((value, n) => value === 1 || four[n] === NO_VERTEX) ? 1 : 0;
    if (home) rows.delete(own);
    halo.push(20 * rows.size + home);
    for (const [region, row] of rows) pushRow(halo, 4 * region, row);
  }

  function pushLarge(k: number): number {
    if (k === NO_VERTEX) return 0;
    const from = plan.offsets[k]! + INFLUENCES;
    for (let i = from; i < plan.offsets[k + 1]!; i++) {
      records.push(16 * places[k]!);
      records.push(plan.bones[i]!);
      records.pushFloat(plan.weights[i]!);
    }
    return Math.max(0, plan.offsets[k + 1]! - from);
  }

  const polygon = createPolygon();
  function tracePair(p: number): void {
    const { offsets, values } = volumes.pairEdges;
    const edges = values.subarray(2 * offsets[p]!, 2 * offsets[p + 1]!);
    tracePolygon(polygon, edges, edges.length / 2, volumes.pairVertex[p]!);
  }

  function addPairs(list: Uint32Array): void {
    const columns = createColumns();
    const start = records.byteLength;
    const region = volumes.pairRegion[list[0]!]!;
    const home = homes[volumes.pairVertex[list[0]!]!]!;
    for (const p of list) {
      const k = volumes.pairVertex[p]!;
      const [first, last] = [smooth.bases.offsets[k]!, smooth.bases.offsets[k + 1]!];
      tracePair(p);
      records.push(4 * (polygon.points.length - 2));
      records.push(16 * places[k]!);
      records.push(last - first);
      for (const point of polygon.points) records.push(16 * places[point]!);
      for (let e = first; e < last; e++) {
        records.push(16 * columns.find(smooth.bases.regions[e]!));
        records.pushFloat(smooth.bases.values[e]!);
      }
    }
    blocks.push({
      ...EMPTY,
      kind: PAIRS,
      region,
      home: home === NO_HOME ? -1 : home,
      place: 16 * places[volumes.anchors[home === NO_HOME ? region : home]!]!,
      count: list.length,
      rings: start,
      ...sumsOf(columns),
    });
  }

  /** Apexes come last in the table, but the pairs need to know where their derivatives will stand. */
  const apexes = listMembers(plan).map((members) => {
    const columns = createColumns();
    for (const [k] of members) {
      for (let e = smooth.bases.offsets[k]!; e < smooth.bases.offsets[k + 1]!; e++)
        columns.find(smooth.bases.regions[e]!);
    }
    const at = derivativeBytes;
    derivativeBytes += 16 * columns.list.length;
    return { members, columns, at };
  });

  function addApexPairs(list: Uint32Array): void {
    const columns = createColumns();
    const start = records.byteLength;
    const region = volumes.pairRegion[list[0]!]!;
    for (const p of list) {
      const apex = apexes[volumes.pairVertex[p]! - vertexCount]!;
      tracePair(p);
      records.push(4 * (polygon.points.length - 2));
      records.push(16 * places[volumes.pairVertex[p]!]!);
      pointers.push(records.length);
      records.push(apex.at);
      records.push(apex.columns.list.length);
      for (const point of polygon.points) records.push(16 * places[point]!);
      for (const column of apex.columns.list) records.push(16 * columns.find(column));
    }
    blocks.push({ ...EMPTY, kind: APEX_PAIRS, region, count: list.length, rings: start, ...sumsOf(columns) });
  }

  function addOddFans(list: readonly number[]): void {
    const { offsets, values } = plan.neighbours;
    const start = records.byteLength;
    for (const k of list) {
      records.push(16 * places[k]!);
      records.push(offsets[k + 1]! - offsets[k]!);
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) records.push(16 * places[values[e]!]!);
    }
    blocks.push({ ...EMPTY, kind: ODD_FANS, region: -1, count: list.length, rings: start });
  }

  function addApex(a: number): void {
    const { members, columns, at } = apexes[a]!;
    const start = records.byteLength;
    for (const [k, weight] of members) {
      const [first, last] = [smooth.bases.offsets[k]!, smooth.bases.offsets[k + 1]!];
      records.push(16 * places[k]!);
      records.pushFloat(weight);
      records.push(last - first);
      for (let e = first; e < last; e++) {
        records.push(16 * columns.find(smooth.bases.regions[e]!));
        records.pushFloat(smooth.bases.values[e]!);
      }
    }
    const place = 16 * places[vertexCount + a]!;
    blocks.push({
      ...EMPTY,
      kind: APEX,
      region: -1,
      count: members.length,
      rings: start,
      sums: at,
      columns: columns.list,
      place,
    });
  }

  for (const block of ordered) addVertices(block);
  const vertexBlocks = blocks.length;
  const { pairCount, pairRegion, pairVertex } = volumes;
  const homeOf = (p: number) => homes[pairVertex[p]!]!;
  const pairs = Uint32Array.from({ length: pairCount }, (_, p) => p)
    .filter((p) => homeOf(p) !== pairRegion[p])
    .sort((p, q) => pairRegion[p]! - pairRegion[q]! || homeOf(p) - homeOf(q) || p - q);
  const isLike = (p: number, q: number) => pairRegion[p] === pairRegion[q] && homeOf(p) === homeOf(q);
  for (const run of listRuns(pairs, isLike)) addPairs(run);
  const apexPairs = Uint32Array.from({ length: pairRegion.length - pairCount }, (_, n) => pairCount + n);
  for (const run of listRuns(apexPairs, (p, q) => pairRegion[p] === pairRegion[q])) addApexPairs(run);
  const volumeBlocks = blocks.length;
  const odd = [...vertices].filter((k) => k !== NO_VERTEX && (polygons.flags[k]! & ODD) !== 0);
  for (let i = 0; i < odd.length; i += RECORDS) addOddFans(odd.slice(i, i + RECORDS));
  const fieldBlocks = blocks.length;
  for (let a = 0; a < volumes.apexCount; a++) addApex(a);
  const count = vertices.length;
  const lists = { rings, bases, halo, records, pointers, sumBytes, derivativeBytes };
  return { blocks, vertexBlocks, volumeBlocks, fieldBlocks, count, places, vertices, ...lists };
}

/** Runs of like items, at most RECORDS long. */
function* listRuns(items: Uint32Array, isLike: (a: number, b: number) => boolean): Generator<Uint32Array> {
  for (let from = 0, to = 0; from < items.length; from = to) {
    while (to < items.length && to - from < RECORDS && isLike(items[from]!, items[to]!)) to++;
    yield items.subarray(from, to);
  }
}

interface Columns {
  readonly list: number[];
  /** Number of a region among the columns; added when new. */
  find(region: number): number;
}

function createColumns(): Columns {
  const list: number[] = [];
  const numbers = new Map<number, number>();
  return {
    list,
    find(region) {
      let number = numbers.get(region);
      if (number === undefined) {
        number = list.length;
        numbers.set(region, number);
        list.push(region);
      }
      return number;
    },
  };
}

/** The regions in the lists of four vertices, with a value for each vertex. */
function joinValues({ offsets, regions, values }: SmoothBases['bases'], four: Uint32Array): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  four.forEach((k, n) => {
    if (k === NO_VERTEX) return;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      if (!rows.has(regions[e]!)) rows.set(regions[e]!, [0, 0, 0, 0]);
      rows.get(regions[e]!)![n] = values[e]!;
    }
  });
  return rows;
}

function pushRow(out: GrowingWords, head: number, row: readonly number[]): void {
  out.push(head);
  for (const value of row) out.pushFloat(value);
}

/** Vertices with as many neighbours, bases and halos: what the loops over a block run through. */
function listShapes({ offsets, flags }: Polygons, { bases, halo }: SmoothBases): Uint32Array {
  return Uint32Array.from(flags, (flag, k) => {
    const points = Math.min(255, offsets[k + 1]! - offsets[k]!);
    const entries = Math.min(15, bases.offsets[k + 1]! - bases.offsets[k]!);
    const halos = Math.min(15, halo.offsets[k + 1]! - halo.offsets[k]!);
    return ((flag & ODD) << 17) | (points << 10) | ((flag & PADDED) << 9) | (entries << 4) | halos;
  });
}

function listPlaces(ordered: readonly VertexBlock[], vertexCount: number, apexCount: number) {
  const last = ordered.at(-1);
  const vertices = new Uint32Array(last ? last.first + last.vertices.length : 0).fill(NO_VERTEX);
  const places = new Uint32Array(vertexCount + apexCount);
  for (const block of ordered) vertices.set(block.vertices, block.first);
  for (let n = 0; n < vertices.length; n++) if (vertices[n] !== NO_VERTEX) places[vertices[n]!] = n;
  for (let a = 0; a < apexCount; a++) places[vertexCount + a] = vertices.length + a;
  return { places, vertices };
}

/** Every apex as a weighted mean of real vertices: an apex below another one counts through its own members. */
function listMembers({ volumes, vertexCount }: FramePlan): (readonly (readonly [vertex: number, weight: number])[])[] {
  const { offsets, values } = volumes.members;
  const all: [number, number][][] = [];
  for (let a = 0; a < volumes.apexCount; a++) {
    const weights = new Map<number, number>();
    const share = 1 / (offsets[a + 1]! - offsets[a]!);
    for (let i = offsets[a]!; i < offsets[a + 1]!; i++) {
      const v = values[i]!;
      for (const [k, w] of v < vertexCount ? [[v, 1] as const] : all[v - vertexCount]!) {
        weights.set(k, (weights.get(k) ?? 0) + share * w);
      }
    }
    all.push([...weights]);
  }
  return all;
}
