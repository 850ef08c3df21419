/** What blocks hang on: bones and shapes, where vertices stand in them, and the blocks that they read. */
import type { FramePlan } from '@isoskin/core/kernels';
import type { Csr } from '@isoskin/core/mesh';
import { GrowingWords } from './growing-words.js';
import type { BlockPlan } from './lay-out-blocks.js';
import { APEX, APEX_PAIRS, PAIRS } from './layout.js';
import { NO_VERTEX } from './order-vertices.js';

/** Row → some of `columns` values, each once. */
export interface Reach extends Csr {
  readonly columns: number;
}

export interface BlockReach {
  /** Block of vertices → bones that move some of them. */
  readonly bones: Reach;
  /** Block of vertices → shapes that do, those of given amounts included. */
  readonly shapes: Reach;
  /** Block → blocks of vertices that its polygons, members and origins stand in. */
  readonly blocks: Reach;
}

export function planReach(plan: FramePlan, lists: BlockPlan): BlockReach {
  const { blocks, vertexBlocks, volumeBlocks, vertices, places, count } = lists;
  const blockOf = new Uint32Array(count);
  for (let b = 0; b < vertexBlocks; b++) blockOf.fill(b, blocks[b]!.first, blocks[b]!.first + blocks[b]!.count);
  const bones = collect(vertexBlocks, plan.boneCount, (b, add) => {
    const { first, count } = blocks[b]!;
    for (const k of vertices.subarray(first, first + count)) {
      if (k === NO_VERTEX) continue;
      for (let i = plan.offsets[k]!; i < plan.offsets[k + 1]!; i++) if (plan.weights[i] !== 0) add(plan.bones[i]!);
    }
  });
  const apexes = collect(plan.volumes.apexCount, vertexBlocks, (a, add) => {
    visitPoints(lists, volumeBlocks + a, (place) => add(blockOf[place]!));
  });
  const read = collect(blocks.length, vertexBlocks, (b, add) => {
    const addPlace = (place: number) => {
      if (place < count) return add(blockOf[place]!);
      for (let i = apexes.offsets[place - count]!; i < apexes.offsets[place - count + 1]!; i++) add(apexes.values[i]!);
    };
    const { region, kind, place } = blocks[b]!;
    if (region >= 0) addPlace(places[plan.volumes.anchors[region]!]!);
    if (kind === PAIRS) addPlace(place / 16);
    visitPoints(lists, b, addPlace);
  });
  return { bones, shapes: planShapeReach(plan, lists), blocks: read };
}

export function planShapeReach({ shapes }: FramePlan, { vertexBlocks, blocks }: BlockPlan): Reach {
  return collect(vertexBlocks, shapes.shapeCount, (b, add) => {
    for (const shape of [...blocks[b]!.columns, ...blocks[b]!.givenShapes]) add(shape);
  });
}

/** Places of the points of a block (layout.ts says how they are written). */
function visitPoints({ blocks, rings, records }: BlockPlan, b: number, visit: (place: number) => void): void {
  const { kind, count, rings: start } = blocks[b]!;
  const words = kind < PAIRS ? rings : records;
  let at = start >> 2;
  for (let n = 0; n < count; n++) {
    if (kind === APEX) {
      visit(words[at]! / 16);
      at += 3 + 2 * words[at + 2]!;
      continue;
    }
    const points = words[at]! / 4 + 2;
    if (kind >= PAIRS) visit(words[at + 1]! / 16);
    const first = at + (kind < PAIRS ? 1 : kind === PAIRS ? 3 : 4);
    for (let i = first; i < first + points; i++) visit(words[i]! / 16);
    const entries = kind === PAIRS ? 2 * words[at + 2]! : kind === APEX_PAIRS ? words[at + 3]! : 0;
    at = first + points + entries;
  }
}

function collect(rows: number, columns: number, list: (row: number, add: (value: number) => void) => void): Reach {
  const seen = new Uint32Array(columns); // by row + 1
  const offsets = new Uint32Array(rows + 1);
  const values = new GrowingWords();
  for (let row = 0; row < rows; row++) {
    list(row, (value) => {
      if (seen[value] === row + 1) return;
      seen[value] = row + 1;
      values.push(value);
    });
    offsets[row + 1] = values.length;
  }
  return { offsets, values: values.view.slice(), columns };
}
