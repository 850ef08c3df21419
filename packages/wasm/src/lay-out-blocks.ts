/** The blocks of a character and the lists that they read (layout.ts), from a frame plan. */
import type { FramePlan, VertexValues } from '@isoskin/core/kernels';
import { addBlock, type Block, type BlockLists, type Columns, createBlockLists, createColumns } from './block-lists.js';
import { findHomes } from './find-homes.js';
import { GrowingWords } from './growing-words.js';
import { APEX, INNER, PAIRS } from './layout.js';
import { NO_VERTEX, orderVertices, type VertexBlock } from './order-vertices.js';
import { addApexBlocks, addPairBlocks, listApexes } from './plan-pairs.js';
import { type Polygons, planPolygons } from './plan-polygons.js';

/** Data alone, for threads. */
export interface BlockPlan extends Pick<BlockLists, 'pointers' | 'sumBytes' | 'derivativeBytes'> {
  readonly blocks: readonly Block[];
  readonly rings: Uint32Array;
  readonly bases: Uint32Array;
  readonly given: Uint32Array;
  readonly records: Uint32Array;
  /** Blocks 0 … vertexBlocks − 1 hold vertices, up to volumeBlocks everything that has a volume; then come the apexes. */
  readonly vertexBlocks: number;
  readonly volumeBlocks: number;
  /** Vertices in memory, those that fill up blocks included. */
  readonly count: number;
  /** Vertices and apexes of the plan → place in memory (a number of vertices). */
  readonly places: Uint32Array;
  /** Place in memory → vertex, or NO_VERTEX. */
  readonly vertices: Uint32Array;
}

/** Influences that the skinning loop takes; the others are added afterwards. */
export const INFLUENCES = 4;

export function layOutBlocks(whole: FramePlan): BlockPlan {
  const { volumes, vertexCount } = whole;
  const { unknown, given } = splitShapes(whole);
  const plan = { ...whole, shapes: { ...whole.shapes, ...unknown } };
  const polygons = planPolygons(volumes.closed.surface);
  const homes = findHomes(plan);
  const ordered = orderVertices(plan, homes, listKinds(polygons, unknown.offsets));
  const { places, vertices } = listPlaces(ordered, vertexCount, volumes.apexCount);
  const lists = createBlockLists();
  for (const block of ordered) addVertices(lists, plan, given, polygons, places, block);
  const vertexBlocks = lists.blocks.length;
  const apexes = listApexes(lists, plan);
  addPairBlocks(lists, plan, { homes, places, apexes });
  const volumeBlocks = lists.blocks.length;
  addApexBlocks(lists, plan, { places, apexes });
  const [rings, bases] = [lists.rings.view.slice(), lists.bases.view.slice()];
  const words = { rings, bases, given: lists.given.view.slice(), records: lists.records.view.slice() };
  return { ...lists, ...words, vertexBlocks, volumeBlocks, count: vertices.length, places, vertices };
}

/** The blocks of a plan that differs from that of `like` in the values of its shapes, and in those of given amounts, alone. */
export function layOutValues(whole: FramePlan, like: BlockPlan): BlockPlan {
  const { unknown, given } = splitShapes(whole);
  const { vertexBlocks, vertices } = like;
  const lists = { bases: new GrowingWords(like.bases.length), given: new GrowingWords() };
  const blocks = like.blocks.map((block, b): Block => {
    if (b >= vertexBlocks) return block;
    const [start, givenShapes] = [lists.given.byteLength, createColumns()];
    const own = vertices.subarray(block.first, block.first + block.count);
    pushAllBases(lists, unknown, given, own, createColumns(), givenShapes);
    return { ...block, given: start, givenShapes: givenShapes.list };
  });
  const records = like.records.slice();
  const floats = new Float32Array(records.buffer);
  for (const { kind, rings, count } of blocks) {
    if (kind !== PAIRS && kind !== APEX) continue;
    for (let n = 0, at = rings >> 2; n < count; n++) {
      const k = vertices[records[kind === PAIRS ? at + 1 : at]! / 16]!;
      at += kind === PAIRS ? 3 + records[at]! / 4 + 2 : 3;
      for (let e = unknown.offsets[k]!; e < unknown.offsets[k + 1]!; e++, at += 2) floats[at + 1] = unknown.values[e]!;
    }
  }
  return { ...like, blocks, bases: lists.bases.view.slice(), given: lists.given.view.slice(), records };
}

/** Every pass reads the shapes that are solved for; those of given amounts only skinning does. */
function splitShapes({ shapes }: FramePlan): { unknown: VertexValues; given: VertexValues } {
  const { regionCount } = shapes;
  return {
    unknown: pickShapes(shapes, 0, regionCount),
    given: pickShapes(shapes, regionCount, Number.POSITIVE_INFINITY),
  };
}

/** Whether the shapes that are solved for push the same vertices in both plans, in the same order. */
export function hasSameShapes(a: FramePlan, b: FramePlan): boolean {
  const [{ unknown: own }, { unknown: other }] = [splitShapes(a), splitShapes(b)];
  const isSame = (x: ArrayLike<number>, y: ArrayLike<number>) => {
    let n = x.length === y.length ? x.length : -1;
    while (n > 0 && x[n - 1] === y[n - 1]) n--;
    return n === 0;
  };
  return isSame(own.offsets, other.offsets) && isSame(own.shapes, other.shapes);
}

function addVertices(
  lists: BlockLists,
  plan: FramePlan,
  given: VertexValues,
  polygons: Polygons,
  places: Uint32Array,
  { kind, region, first, vertices }: VertexBlock,
): void {
  const { rings, bases, records } = lists;
  const columns = createColumns();
  const start = {
    rings: rings.byteLength,
    bases: bases.byteLength,
    given: lists.given.byteLength,
    large: records.byteLength,
  };
  for (const k of vertices) pushPolygon(lists, polygons, places, k);
  const givenShapes = createColumns();
  pushAllBases(lists, plan.shapes, given, vertices, columns, givenShapes);
  let largeCount = 0;
  for (const k of vertices) largeCount += pushLarge(lists, plan, places, k);
  const own = kind === INNER ? region : -1;
  const block = { kind, region: own, first, count: vertices.length, ...start, largeCount };
  addBlock(lists, { ...block, givenShapes: givenShapes.list }, columns);
}

/** Bytes of the points after the second, points. */
function pushPolygon({ rings }: BlockLists, { offsets, points }: Polygons, places: Uint32Array, k: number): void {
  if (k === NO_VERTEX) {
    for (let n = 0; n < 3; n++) rings.push(0);
    return;
  }
  rings.push(4 * (offsets[k + 1]! - offsets[k]! - 2));
  for (let i = offsets[k]!; i < offsets[k + 1]!; i++) rings.push(16 * places[points[i]!]!);
}

function pushAllBases(
  lists: Pick<BlockLists, 'bases' | 'given'>,
  unknown: VertexValues,
  given: VertexValues,
  vertices: Uint32Array,
  columns: Columns,
  givenShapes: Columns,
): void {
  for (let n = 0; n < vertices.length; n += 4) {
    pushBases(lists.bases, unknown, vertices.subarray(n, n + 4), columns);
    if (given.values.length > 0) pushBases(lists.given, given, vertices.subarray(n, n + 4), givenShapes);
  }
}

/** Shapes of four vertices, and their values there. */
const fourShapes: number[] = [];
const fourValues: number[] = [];

/** φ of four vertices: the shapes in their lists, with a value for each vertex. */
function pushBases(bases: GrowingWords, shapes: VertexValues, four: Uint32Array, columns: Columns): void {
  fourShapes.length = 0;
  fourValues.length = 0;
  for (let n = 0; n < four.length; n++) {
    const k = four[n]!;
    if (k === NO_VERTEX) continue;
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
      let row = fourShapes.indexOf(shapes.shapes[e]!);
      if (row < 0) {
        row = fourShapes.push(shapes.shapes[e]!) - 1;
        fourValues.push(0, 0, 0, 0);
      }
      fourValues[4 * row + n]! += shapes.values[e]!;
    }
  }
  bases.push(20 * fourShapes.length);
  for (let row = 0; row < fourShapes.length; row++) {
    const shape = fourShapes[row]!;
    bases.push(4 * shape + ((16 * columns.find(shape)) << 16));
    for (let n = 0; n < 4; n++) bases.pushFloat(fourValues[4 * row + n]!);
  }
}

function pushLarge(
  { records }: BlockLists,
  { offsets, bones, weights }: FramePlan,
  places: Uint32Array,
  k: number,
): number {
  if (k === NO_VERTEX) return 0;
  const from = offsets[k]! + INFLUENCES;
  for (let i = from; i < offsets[k + 1]!; i++) {
    records.push(places[k]!);
    records.push(bones[i]!);
    records.pushFloat(weights[i]!);
  }
  return Math.max(0, offsets[k + 1]! - from);
}

/** Of the shapes from … to − 1. */
function pickShapes({ offsets, shapes, values }: VertexValues, from: number, to: number): VertexValues {
  const starts = new Uint32Array(offsets.length);
  const numbers = new Uint32Array(shapes.length);
  const kept = new Float64Array(values.length);
  let end = 0;
  for (let k = 0; k + 1 < offsets.length; k++) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      if (shapes[e]! < from || shapes[e]! >= to) continue;
      numbers[end] = shapes[e]!;
      kept[end++] = values[e]!;
    }
    starts[k + 1] = end;
  }
  return { offsets: starts, shapes: numbers.subarray(0, end), values: kept.subarray(0, end) };
}

/** Vertices with as many neighbours and shapes: what the loops over a block run through. */
function listKinds(polygons: Polygons, offsets: Uint32Array): Uint32Array {
  return Uint32Array.from({ length: offsets.length - 1 }, (_, k) => {
    const points = polygons.offsets[k + 1]! - polygons.offsets[k]!;
    return 256 * points + Math.min(255, offsets[k + 1]! - offsets[k]!);
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
