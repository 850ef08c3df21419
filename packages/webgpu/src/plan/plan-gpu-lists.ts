/** Everything that the shaders read and that never changes: one u32 array, the rest shape, and the numbers of the uniform block. */

import { IsoskinError } from '@isoskin/core';
import type { FramePlan, VertexValues } from '@isoskin/core/kernels';
import {
  MARK_FIELDS,
  MOST_BONES,
  MOST_REGIONS,
  NO_CEILING,
  NO_SOURCE,
  SHAPE_FIELDS,
  SHARED_REGIONS,
  type ShapeField,
  SLICE,
  STATE_FIELDS,
  TILE,
  WEIGHT_BITS,
  WEIGHT_UNIT,
} from '../constants.js';
import { packRest } from '../wgsl/direction.js';
import { bitsOf, createListWriter, type ListWriter } from './create-list-writer.js';
import type { TrafficWords } from './measure-traffic.js';
import { planApexes } from './plan-apexes.js';
import { planOrder, type VertexOrder } from './plan-order.js';
import { createRingBuilder, measureWidths, type SlicedLists, sliceLists } from './plan-rings.js';
import { packHeaders, planSlices, type SliceItems } from './plan-slices.js';
import { planSystems } from './plan-systems.js';

export interface GpuLists {
  readonly lists: Uint32Array<ArrayBuffer>;
  /** Headers of the slices (SLICE_FIELDS). */
  readonly slices: Uint32Array<ArrayBuffer>;
  /** x̄ and (packed) n̄, #V×4 in the order of the GPU. */
  readonly rest: Float32Array<ArrayBuffer>;
  readonly shape: Readonly<Record<ShapeField, number>>;
  readonly order: VertexOrder;
  readonly pairTileCount: number;
  /** Most shapes of a slice. */
  readonly mostColumns: number;
  /** Influences at places that need no header, and the most of a slice. */
  readonly influences: { readonly ahead: number; readonly most: number };
  /** Regions of the largest component. */
  readonly largestBlock: number;
  readonly words: TrafficWords;
}

export function planGpuLists(plan: FramePlan): GpuLists {
  checkPlan(plan);
  const { volumes, shapes } = plan;
  const { pairVertex, pairCount, regionCount } = volumes;
  const lists = createListWriter();
  const order = planOrder(plan);
  const { place, vertexCount } = order;
  const index = (v: number) => (v < plan.vertexCount ? place[v]! : vertexCount + v - plan.vertexCount);
  const { pairs, items, itemCount } = planItems(plan, order);
  const tileCount = vertexCount / TILE;
  const slices = planSlices(lists, volumes, scaleShapes(plan), items, vertexCount, place);
  const { entries } = slices;
  const blocks = planSystems(lists, shapes.systems, entries, SHARED_REGIONS);
  const apexes = planApexes(lists, plan, index);
  const rings = planRings(plan, order, pairs, index);
  const influences = planInfluences(plan, order);
  const givenVectors = 3 * plan.boneCount + Math.ceil(regionCount / 4);
  const shape: Record<ShapeField, number> = {
    isFirst: 0,
    isFinal: 0,
    instances: 1,
    perGroup: 1,
    vertexCount,
    pointStride: vertexCount + volumes.apexCount + pairVertex.length - pairCount,
    sourceCount: plan.vertexCount,
    tileCount,
    apexCount: volumes.apexCount,
    apexPairCount: pairVertex.length - pairCount,
    regionCount,
    blockCount: shapes.systems.length,
    boneVectors: 3 * plan.boneCount,
    givenVectors,
    inputStride: givenVectors + Math.ceil((shapes.shapeCount - regionCount) / 4),
    stateStride: STATE_FIELDS.length * regionCount + MARK_FIELDS.length * shapes.systems.length,
    partialStride: entries.runs.at(-1)!,
    entryCount: entries.rows.length,
    sumStride: entries.rows.length + regionCount,
    scratchStride: blocks.scratchLength,
    infos: lists.add(packInfos(order, items)),
    columns: slices.columns,
    values: slices.values,
    influences: lists.addAligned(influences.values),
    apexGroups: 0,
    members: apexes.members,
    apexEdges: apexes.apexEdges,
    shares: addShares(lists, plan, pairs),
    componentVolumes: lists.add(Float32Array.from(shapes.componentVolumes)),
    ceilings: lists.add(packCeilings(shapes)),
    runs: lists.add(entries.runs),
    blocks: lists.add(blocks.headers),
  };
  const words = {
    influences: influences.values.length,
    rings: rings.values.length,
    items: itemCount,
    values: slices.valueWords,
    pairValues: slices.pairValueWords,
  };
  const headers = packHeaders(
    slices.headers,
    { ...rings, start: lists.addAligned(rings.values) },
    { ...influences, start: shape.influences },
  );
  const rest = packRestShape(plan, order);
  const pairTileCount = itemCount / TILE - tileCount;
  const most = {
    mostColumns: slices.mostColumns,
    influences: { ahead: influences.ahead, most: influences.most },
    largestBlock: blocks.largest,
  };
  return { lists: lists.finish(), slices: headers, rest, shape, order, pairTileCount, words, ...most };
}

/** Vertices in the order of the GPU, then the pairs by region and place, each region from a slice on, both padded to whole tiles. */
function planItems({ volumes }: FramePlan, { vertexCount, place, source, region }: VertexOrder) {
  const { pairCount, pairRegion, pairVertex } = volumes;
  const sorted = Uint32Array.from({ length: pairCount }, (_, p) => p);
  sorted.sort((p, q) => pairRegion[p]! - pairRegion[q]! || place[pairVertex[p]!]! - place[pairVertex[q]!]!);
  const pairs: number[] = []; // −1: padding
  const pad = (size: number) => {
    while (pairs.length % size !== 0) pairs.push(-1);
  };
  for (const [n, p] of sorted.entries()) {
    if (n > 0 && pairRegion[p] !== pairRegion[sorted[n - 1]!]) pad(SLICE);
    pairs.push(p);
  }
  pad(TILE);
  const itemCount = vertexCount + pairs.length;
  const items: SliceItems = { vertex: new Int32Array(itemCount).fill(-1), region: new Int32Array(itemCount).fill(-1) };
  for (let n = 0; n < vertexCount; n++) {
    if (source[n] !== NO_SOURCE) items.vertex[n] = source[n]!;
    items.region[n] = region[n]!;
  }
  for (const [n, p] of pairs.entries()) {
    if (p < 0) continue;
    items.vertex[vertexCount + n] = pairVertex[p]!;
    items.region[vertexCount + n] = pairRegion[p]!;
  }
  return { pairs, items, itemCount };
}

/** φ |n̄|₁: directions are stored without their length. */
function scaleShapes({ vertexCount, directions, shapes }: FramePlan): VertexValues {
  const values = shapes.values.slice();
  for (let k = 0; k < vertexCount; k++) {
    const [x, y, z] = [directions[3 * k]!, directions[3 * k + 1]!, directions[3 * k + 2]!];
    const length = Math.abs(x) + Math.abs(y) + Math.abs(z);
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) values[e]! *= length;
  }
  return { offsets: shapes.offsets, shapes: shapes.shapes, values };
}

/** Where an item comes from (vertices: in the character, pairs: on the GPU), and whether it is summed. */
function packInfos({ vertexCount, source, place }: VertexOrder, items: SliceItems): Uint32Array {
  return Uint32Array.from(items.vertex, (k, n) => {
    const from = n < vertexCount ? source[n]! : k < 0 ? 0 : place[k]!;
    return (from << 1) | (items.region[n]! >= 0 ? 1 : 0);
  });
}

/** Λ⁺, Λ⁻ and f of every region. */
function packCeilings({ regionCount, outward, inward, ease }: FramePlan['shapes']): Float32Array {
  const out = new Float32Array(3 * regionCount);
  for (let s = 0; s < regionCount; s++) {
    out[3 * s] = Math.min(outward[s]!, NO_CEILING);
    out[3 * s + 1] = Math.min(inward[s]!, NO_CEILING);
    out[3 * s + 2] = ease[s]!;
  }
  return out;
}

function packRestShape({ positions, directions }: FramePlan, order: VertexOrder): Float32Array<ArrayBuffer> {
  const rest = new Float32Array(4 * order.vertexCount);
  const words = new Uint32Array(rest.buffer);
  writeRest(rest, order, positions);
  for (const [n, k] of order.source.entries()) {
    if (k === NO_SOURCE) continue;
    words[4 * n + 3] = packRest(directions[3 * k]!, directions[3 * k + 1]!, directions[3 * k + 2]!);
  }
  return rest;
}

/** x̄ into the rest shape of the GPU. */
export function writeRest(rest: Float32Array, { source }: VertexOrder, positions: Float64Array): void {
  for (let n = 0; n < source.length; n++) {
    if (source[n] === NO_SOURCE) continue;
    for (let r = 0; r < 3; r++) rest[4 * n + r] = positions[3 * source[n]! + r]!;
  }
}

/** The uniform block of a plan. */
export function packShape(shape: Readonly<Record<ShapeField, number>>): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(SHAPE_FIELDS, (field) => shape[field]);
}

function checkPlan({ vertexCount, boneCount, shapes }: FramePlan): void {
  if (vertexCount >= NO_SOURCE) {
    throw new IsoskinError(
      'GPU_TOO_MANY_VERTICES',
      `The GPU frame takes fewer than ${NO_SOURCE} vertices: split the mesh`,
    );
  }
  if (boneCount > MOST_BONES) {
    throw new IsoskinError('GPU_TOO_MANY_BONES', `The GPU frame takes at most ${MOST_BONES} bones: use createStack`);
  }
  for (const block of shapes.systems) {
    if (block.length > MOST_REGIONS) {
      throw new IsoskinError(
        'GPU_TOO_MANY_REGIONS',
        `One component has ${block.length} regions, the GPU frame takes ${MOST_REGIONS}: merge regions or use createStack`,
      );
    }
  }
}

function planRings(
  plan: FramePlan,
  { source, vertexCount }: VertexOrder,
  pairs: readonly number[],
  index: (v: number) => number,
): SlicedLists {
  const { surface } = plan.volumes.closed;
  const { triangles, corners } = surface;
  const { pairEdges, pairVertex } = plan.volumes;
  const rings = createRingBuilder(vertexCount + pairs.length, triangles.length + pairEdges.values.length);
  for (let n = 0; n < vertexCount; n++) {
    const k = source[n]!;
    if (k !== NO_SOURCE) {
      for (let c = corners.offsets[k]!; c < corners.offsets[k + 1]!; c++) {
        const corner = corners.values[c]!;
        const t = corner - (corner % 3);
        rings.addEdge(index(triangles[t + ((corner + 1) % 3)]!), index(triangles[t + ((corner + 2) % 3)]!));
      }
    }
    rings.finish(n);
  }
  for (const p of pairs) {
    if (p >= 0) {
      for (let e = pairEdges.offsets[p]!; e < pairEdges.offsets[p + 1]!; e++) {
        rings.addEdge(index(pairEdges.values[2 * e]!), index(pairEdges.values[2 * e + 1]!));
      }
    }
    rings.finish(p < 0 ? 0 : index(pairVertex[p]!));
  }
  return rings.pack();
}

/** Bone and weight of an influence in one word; the rounding goes to the strongest bone, so that weights sum to 1. */
function planInfluences(
  { offsets, bones, weights }: FramePlan,
  { source, vertexCount }: VertexOrder,
): SlicedLists & { readonly ahead: number; readonly most: number } {
  const starts = new Uint32Array(vertexCount + 1);
  for (let n = 0; n < vertexCount; n++) {
    const k = source[n]!;
    starts[n + 1] = starts[n]! + (k === NO_SOURCE ? 0 : offsets[k + 1]! - offsets[k]!);
  }
  const words = new Uint32Array(starts[vertexCount]!);
  for (let n = 0; n < vertexCount; n++) {
    const k = source[n]!;
    if (k === NO_SOURCE) continue;
    let left = WEIGHT_UNIT;
    for (let e = offsets[k + 1]! - 1; e >= offsets[k]!; e--) {
      const weight = e === offsets[k] ? left : Math.min(left, Math.round(WEIGHT_UNIT * weights[e]!));
      left -= weight;
      words[starts[n]! + e - offsets[k]!] = ((bones[e]! << WEIGHT_BITS) | weight) >>> 0;
    }
  }
  const widths = measureWidths(starts);
  const most = widths.reduce((most, width) => Math.max(most, width), 1);
  const mean = widths.reduce((sum, width) => sum + width, 0) / widths.length;
  const ahead = most <= 2 * mean ? most : Math.max(1, Math.round(mean)); // padding is read, too
  return { ahead, most, ...sliceLists(starts, ahead, (e, pad) => (pad ? 0 : words[e]!)) };
}

/** Pair → (apex pair, share): absolute offsets, then the lists. */
function addShares(lists: ListWriter, { volumes }: FramePlan, pairs: readonly number[]): number {
  const { pairApexes, pairShares, pairCount } = volumes;
  const offsets = new Uint32Array(pairs.length + 1);
  const values = new Uint32Array(2 * pairShares.length);
  const base = lists.length + offsets.length;
  let at = 0;
  for (const [n, p] of pairs.entries()) {
    offsets[n] = base + at;
    if (p < 0) continue;
    for (let e = pairApexes.offsets[p]!; e < pairApexes.offsets[p + 1]!; e++) {
      values[at++] = pairApexes.values[e]! - pairCount;
      values[at++] = bitsOf(pairShares[e]!);
    }
  }
  offsets[pairs.length] = base + at;
  const start = lists.add(offsets);
  lists.add(values);
  return start;
}
