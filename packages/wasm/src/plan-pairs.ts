/** Blocks of (region, vertex) and (region, apex) pairs and of the apexes themselves (B4). */
import type { FramePlan } from '@isoskin/core/kernels';
import { addBlock, type BlockLists, type Columns, createColumns } from './block-lists.js';
import { NO_HOME } from './find-homes.js';
import { APEX, APEX_PAIRS, PAIRS } from './layout.js';
import { tracePolygon } from './trace-polygon.js';

export interface Apex {
  /** Real vertices that it is a weighted mean of. */
  readonly members: readonly (readonly [vertex: number, weight: number])[];
  readonly columns: Columns;
  /** Where its derivatives stand. */
  readonly at: number;
}

export interface PairPlaces {
  readonly homes: Uint32Array;
  readonly places: Uint32Array;
  readonly apexes: readonly Apex[];
}

/** Pairs of a block. */
const RECORDS = 256;

/** The apexes come last in the table of blocks, but the pairs need to know where their derivatives will stand. */
export function listApexes(lists: BlockLists, plan: FramePlan): Apex[] {
  const { offsets, shapes } = plan.shapes;
  return listMembers(plan).map((members) => {
    const columns = createColumns();
    for (const [k] of members) for (let e = offsets[k]!; e < offsets[k + 1]!; e++) columns.find(shapes[e]!);
    const at = lists.derivativeBytes;
    lists.derivativeBytes += 16 * columns.list.length;
    return { members, columns, at };
  });
}

export function addPairBlocks(lists: BlockLists, plan: FramePlan, where: PairPlaces): void {
  const { pairCount, pairRegion, pairVertex } = plan.volumes;
  const homeOf = (p: number) => where.homes[pairVertex[p]!]!;
  const pairs = Uint32Array.from({ length: pairCount }, (_, p) => p)
    .filter((p) => homeOf(p) !== pairRegion[p])
    .sort((p, q) => pairRegion[p]! - pairRegion[q]! || homeOf(p) - homeOf(q) || p - q);
  const isLike = (p: number, q: number) => pairRegion[p] === pairRegion[q] && homeOf(p) === homeOf(q);
  for (const run of listRuns(pairs, isLike)) addPairs(lists, plan, where, run);
  const apexPairs = Uint32Array.from({ length: pairRegion.length - pairCount }, (_, n) => pairCount + n);
  for (const run of listRuns(apexPairs, (p, q) => pairRegion[p] === pairRegion[q])) {
    addApexPairs(lists, plan, where, run);
  }
}

/** Runs of like items, at most RECORDS long. */
function* listRuns(items: Uint32Array, isLike: (a: number, b: number) => boolean): Generator<Uint32Array> {
  for (let from = 0, to = 0; from < items.length; from = to) {
    while (to < items.length && to - from < RECORDS && isLike(items[from]!, items[to]!)) to++;
    yield items.subarray(from, to);
  }
}

function addPairs(lists: BlockLists, plan: FramePlan, { homes, places }: PairPlaces, list: Uint32Array): void {
  const { volumes, shapes } = plan;
  const { records } = lists;
  const columns = createColumns();
  const rings = records.byteLength;
  const region = volumes.pairRegion[list[0]!]!;
  const home = homes[volumes.pairVertex[list[0]!]!]!;
  for (const p of list) {
    const k = volumes.pairVertex[p]!;
    const points = tracePair(plan, p);
    records.push(4 * (points.length - 2));
    records.push(16 * places[k]!);
    records.push(shapes.offsets[k + 1]! - shapes.offsets[k]!);
    for (const point of points) records.push(16 * places[point]!);
    pushEntries(lists, plan, k, columns);
  }
  const place = 16 * places[volumes.anchors[home === NO_HOME ? region : home]!]!;
  const from = home === NO_HOME ? -1 : home;
  addBlock(lists, { kind: PAIRS, region, home: from, place, count: list.length, rings }, columns);
}

function addApexPairs(lists: BlockLists, plan: FramePlan, { places, apexes }: PairPlaces, list: Uint32Array): void {
  const { volumes, vertexCount } = plan;
  const { records, pointers } = lists;
  const columns = createColumns();
  const rings = records.byteLength;
  for (const p of list) {
    const apex = apexes[volumes.pairVertex[p]! - vertexCount]!;
    const points = tracePair(plan, p);
    records.push(4 * (points.length - 2));
    records.push(16 * places[volumes.pairVertex[p]!]!);
    pointers.push(records.length);
    records.push(apex.at);
    records.push(apex.columns.list.length);
    for (const point of points) records.push(16 * places[point]!);
    for (const shape of apex.columns.list) records.push(16 * columns.find(shape));
  }
  const region = volumes.pairRegion[list[0]!]!;
  addBlock(lists, { kind: APEX_PAIRS, region, count: list.length, rings }, columns);
}

export function addApexBlocks(
  lists: BlockLists,
  plan: FramePlan,
  { places, apexes }: Pick<PairPlaces, 'places' | 'apexes'>,
): void {
  const { records } = lists;
  const { offsets } = plan.shapes;
  for (const [a, { members, columns, at }] of apexes.entries()) {
    const rings = records.byteLength;
    for (const [k, weight] of members) {
      records.push(16 * places[k]!);
      records.pushFloat(weight);
      records.push(offsets[k + 1]! - offsets[k]!);
      pushEntries(lists, plan, k, columns);
    }
    const place = 16 * places[plan.vertexCount + a]!;
    addBlock(lists, { kind: APEX, count: members.length, rings, sums: at, place }, columns);
  }
}

/** φ of one vertex: column·16, value. */
function pushEntries({ records }: BlockLists, { shapes }: FramePlan, k: number, columns: Columns): void {
  for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
    records.push(16 * columns.find(shapes.shapes[e]!));
    records.pushFloat(shapes.values[e]!);
  }
}

const polygon: number[] = [];

function tracePair({ volumes }: FramePlan, p: number): readonly number[] {
  const { offsets, values } = volumes.pairEdges;
  const edges = values.subarray(2 * offsets[p]!, 2 * offsets[p + 1]!);
  tracePolygon(polygon, edges, volumes.pairVertex[p]!);
  return polygon;
}

/** Every apex as a weighted mean of real vertices: an apex below another one counts through its own members. */
function listMembers({ volumes, vertexCount }: FramePlan): Apex['members'][] {
  const { offsets, values } = volumes.members;
  const all: Apex['members'][] = [];
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
