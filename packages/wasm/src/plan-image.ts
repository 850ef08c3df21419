/**
 * A character as an image of memory: arrays of vertices in their order, blocks, polygons, bases (layout.ts says where). Planned in ordinary arrays, then
 * copied to where there is room, in two parts: its own, and what clones share, so that twenty of them find it in the cache.
 */
import type { FramePlan } from '@isoskin/core/kernels';
import { type BlockPlan, hasSameShapes, INFLUENCES, layOutBlocks, layOutValues } from './lay-out-blocks.js';
import * as at from './layout.js';
import { NO_VERTEX } from './order-vertices.js';
import { type BlockReach, planReach, planShapeReach } from './plan-reach.js';

/** What takes its time of an image: data alone, for other threads. */
export interface LaidOut {
  readonly blocks: BlockPlan;
  readonly reach: BlockReach;
}

export interface FrameImage extends LaidOut {
  /** Of both parts. */
  readonly byteLength: number;
  readonly ownBytes: number;
  readonly sharedBytes: number;
  /** Where arrays stand, from where the two parts do; the shared one else behind the character's own. */
  locate(base: number, shared?: number): Locate;
  /** @param shared where the shared part stands; absent: it is written, too, behind the character's own. */
  write(memory: ArrayBufferLike, base: number, shared?: number): void;
  writeShared(memory: ArrayBufferLike, shared: number): void;
}

/** What a character keeps between its frames. Frames run one after the other, so that clones also share what is written on the way. */
const OWN = ['frame', 'matrices', 'outPositions', 'outNormals', 'outSkinned', 'ownRest'] as const;
const SHARED = [
  'blocks',
  'rings',
  'bases',
  'given',
  'records',
  'rest',
  'restDirections',
  'order',
  'lambda',
  'sums',
  'derivatives',
  'surface',
  'field',
] as const;
type Section = (typeof OWN)[number] | (typeof SHARED)[number];

const ALIGNMENT = 64;

/** @param like a plan that may differ in the shapes alone, and how it is laid out. */
export function layOut(plan: FramePlan, like?: { readonly plan: FramePlan; readonly laidOut: LaidOut }): LaidOut {
  if (like && hasSameShapes(plan, like.plan)) {
    const blocks = layOutValues(plan, like.laidOut.blocks);
    return { blocks, reach: { ...like.laidOut.reach, shapes: planShapeReach(plan, blocks) } };
  }
  const blocks = layOutBlocks(plan);
  return { blocks, reach: planReach(plan, blocks) };
}

export function planImage(plan: FramePlan, { blocks, reach }: LaidOut = layOut(plan)): FrameImage {
  const { count } = blocks;
  const { vertexCount, volumes } = plan;
  const extended = 16 * (count + volumes.apexCount);
  const out = 16 * (vertexCount + 1); // one more: where vertices that only fill up blocks go
  const sizes: Record<Section, number> = {
    frame: at.FRAME_BYTES,
    blocks: at.BLOCK_BYTES * blocks.blocks.length,
    rings: blocks.rings.byteLength,
    bases: blocks.bases.byteLength,
    given: blocks.given.byteLength,
    records: blocks.records.byteLength,
    rest: at.REST_BYTES * count,
    restDirections: 12 * count,
    order: 4 * count,
    matrices: 64 * plan.boneCount,
    lambda: 4 * plan.shapes.shapeCount,
    sums: blocks.sumBytes,
    derivatives: blocks.derivativeBytes,
    surface: extended,
    field: 16 * count,
    outPositions: out,
    outNormals: out,
    outSkinned: out,
    ownRest: at.REST_BYTES * count,
  };
  const sections = {} as Record<Section, number>;
  const layOut = (names: readonly Section[]): number => {
    let bytes = 0;
    for (const name of names) {
      sections[name] = bytes;
      bytes += ALIGNMENT * Math.ceil(sizes[name] / ALIGNMENT);
    }
    return bytes;
  };
  const [ownBytes, sharedBytes] = [layOut(OWN), layOut(SHARED)];

  const isOwn: ReadonlySet<Section> = new Set(OWN);
  const locate =
    (base: number, shared = base + ownBytes) =>
    (name: Section) =>
      (isOwn.has(name) ? base : shared) + sections[name];

  function write(memory: ArrayBufferLike, base: number, shared?: number): void {
    if (shared === undefined) writeShared(memory, base + ownBytes);
    new Uint8Array(memory, base, ownBytes).fill(0); // what was here before is gone
    writeFrame(new Uint32Array(memory, base + sections.frame, sizes.frame >> 2), locate(base, shared));
  }

  function writeShared(memory: ArrayBufferLike, base: number): void {
    new Uint8Array(memory, base, sharedBytes).fill(0);
    const words = (name: Section) => new Uint32Array(memory, base + sections[name], sizes[name] >> 2);
    const floats = (name: Section) => new Float32Array(memory, base + sections[name], sizes[name] >> 2);
    writeBlocks(words('blocks'), blocks, plan, (name) => base + sections[name]);
    for (const name of ['rings', 'bases', 'given', 'records'] as const) words(name).set(blocks[name]);
    for (const pointer of blocks.pointers) words('records')[pointer]! += base + sections.derivatives;
    const bones = new Uint16Array(memory, base + sections.rest, sizes.rest >> 1);
    const rest = floats('rest');
    const order = words('order');
    for (let n = 0; n < count; n++) {
      const k = blocks.vertices[n]!;
      order[n] = 16 * Math.min(k, vertexCount);
      if (k === NO_VERTEX) continue;
      for (let i = 0; i < INFLUENCES; i++) {
        const from = plan.offsets[k]! + i;
        if (from >= plan.offsets[k + 1]!) break;
        bones[((at.REST_BYTES * n + at.REST_BONES) >> 1) + i] = plan.bones[from]!;
        rest[((at.REST_BYTES * n + at.REST_WEIGHTS) >> 2) + i] = plan.weights[from]!;
      }
    }
    writeVectors(rest, at.REST_BYTES, blocks, plan.positions);
    writeVectors(floats('restDirections'), 12, blocks, plan.directions);
  }

  return { blocks, reach, byteLength: ownBytes + sharedBytes, ownBytes, sharedBytes, locate, write, writeShared };
}

/** Vectors (#V×3) into their order, `bytes` apart. */
export function writeVectors(
  out: Float32Array,
  bytes: number,
  { vertices }: Pick<BlockPlan, 'vertices'>,
  vectors: Float64Array,
): void {
  const stride = bytes >> 2;
  for (let n = 0; n < vertices.length; n++) {
    const k = vertices[n]!;
    if (k === NO_VERTEX) continue;
    out[stride * n] = vectors[3 * k]!;
    out[stride * n + 1] = vectors[3 * k + 1]!;
    out[stride * n + 2] = vectors[3 * k + 2]!;
  }
}

export type Locate = (name: Section) => number;

function writeFrame(out: Uint32Array, locate: Locate): void {
  const fields: [byte: number, section: Section][] = [
    [at.FRAME_BLOCKS, 'blocks'],
    [at.FRAME_REST, 'rest'],
    [at.FRAME_REST_DIRECTIONS, 'restDirections'],
    [at.FRAME_MATRICES, 'matrices'],
    [at.FRAME_SURFACE, 'surface'],
    [at.FRAME_FIELD, 'field'],
    [at.FRAME_LAMBDA, 'lambda'],
    [at.FRAME_ORDER, 'order'],
    [at.FRAME_OUT_POSITIONS, 'outPositions'],
    [at.FRAME_OUT_NORMALS, 'outNormals'],
    [at.FRAME_OUT_SKINNED, 'outSkinned'],
  ];
  for (const [byte, section] of fields) out[byte >> 2] = locate(section);
}

function writeBlocks(out: Uint32Array, { blocks, places }: BlockPlan, { volumes }: FramePlan, locate: Locate): void {
  blocks.forEach((block, b) => {
    const set = (byte: number, word: number) => void (out[(b * at.BLOCK_BYTES + byte) >> 2] = word);
    const isVertices = block.kind === at.INNER || block.kind === at.BORDER;
    set(at.BLOCK_KIND, block.kind);
    set(at.BLOCK_FIRST, block.first);
    set(at.BLOCK_COUNT, block.count);
    set(at.BLOCK_RINGS, locate(isVertices ? 'rings' : 'records') + block.rings);
    set(at.BLOCK_BASES, locate('bases') + block.bases);
    set(at.BLOCK_GIVEN, locate('given') + block.given);
    set(at.BLOCK_ANCHOR, block.region < 0 ? 0 : 16 * places[volumes.anchors[block.region]!]!);
    set(at.BLOCK_SUMS, locate(block.kind === at.APEX ? 'derivatives' : 'sums') + block.sums);
    set(at.BLOCK_COLUMNS, block.columns.length);
    set(at.BLOCK_PLACE, block.place);
    set(at.BLOCK_LARGE, locate('records') + block.large);
    set(at.BLOCK_LARGE_COUNT, block.largeCount);
  });
}
