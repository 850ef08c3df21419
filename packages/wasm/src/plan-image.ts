/**
 * A character as one image of memory: arrays of vertices in their order, blocks, polygons, bases (layout.ts says where).
 * Planned in ordinary arrays, then copied to where there is room.
 */
import type { FramePlan } from '@isoskin/core';
import * as at from './layout.js';
import { NO_VERTEX } from './order-vertices.js';
import { type BlockPlan, INFLUENCES, planBlocks } from './plan-blocks.js';

export interface FrameImage {
  readonly blocks: BlockPlan;
  readonly byteLength: number;
  /** Bytes from the start of the image to its arrays. */
  readonly sections: Readonly<Record<Section, number>>;
  write(memory: ArrayBufferLike, base: number): void;
}

const SECTIONS = [
  'frame',
  'blocks',
  'rings',
  'bases',
  'halo',
  'records',
  'rest',
  'restDirections',
  'bones',
  'weights',
  'tightness',
  'order',
  'shares',
  'matrices',
  'lambda',
  'activity',
  'sums',
  'derivatives',
  'skin',
  'surface',
  'field1',
  'field2',
  'slopes',
  'fade',
  'outPositions',
  'outNormals',
  'outSkinned',
] as const;
type Section = (typeof SECTIONS)[number];

const ALIGNMENT = 64;
const SHARES = 256;

export function planImage(plan: FramePlan): FrameImage {
  const blocks = planBlocks(plan);
  const { count } = blocks;
  const { vertexCount, volumes, smooth } = plan;
  const extended = 16 * (count + volumes.apexCount);
  const out = 16 * (vertexCount + 1); // one more: where vertices that only fill up blocks go
  const sizes: Record<Section, number> = {
    frame: at.FRAME_BYTES,
    blocks: at.BLOCK_BYTES * blocks.blocks.length,
    rings: blocks.rings.byteLength,
    bases: blocks.bases.byteLength,
    halo: blocks.halo.byteLength,
    records: blocks.records.byteLength,
    rest: 16 * count,
    restDirections: 16 * count,
    bones: 8 * count,
    weights: 16 * count,
    tightness: 4 * count,
    order: 4 * count,
    shares: 4 * SHARES,
    matrices: 64 * plan.boneCount,
    lambda: 4 * volumes.regionCount,
    activity: 4 * (volumes.regionCount + 1), // vertices of no region read one more
    sums: blocks.sumBytes,
    derivatives: blocks.derivativeBytes,
    skin: extended,
    surface: extended,
    field1: 16 * count,
    field2: smooth.sweeps > 1 ? 16 * count : 0,
    slopes: 4 * count,
    fade: 4 * count,
    outPositions: out,
    outNormals: out,
    outSkinned: out,
  };
  const sections = {} as Record<Section, number>;
  let byteLength = 0;
  for (const name of SECTIONS) {
    sections[name] = byteLength;
    byteLength += ALIGNMENT * Math.ceil(sizes[name] / ALIGNMENT);
  }

  function write(memory: ArrayBufferLike, base: number): void {
    new Uint8Array(memory, base, byteLength).fill(0); // what was here before is gone
    const words = (name: Section) => new Uint32Array(memory, base + sections[name], sizes[name] >> 2);
    const floats = (name: Section) => new Float32Array(memory, base + sections[name], sizes[name] >> 2);
    writeFrame(words('frame'), (name) => base + sections[name]);
    writeBlocks(words('blocks'), blocks, plan, (name) => base + sections[name]);
    for (const name of ['rings', 'bases', 'halo', 'records'] as const) words(name).set(blocks[name].view);
    for (const pointer of blocks.pointers) words('records')[pointer]! += base + sections.derivatives;
    const bones = new Uint16Array(memory, base + sections.bones, 4 * count);
    const [weights, tightness] = [floats('weights'), floats('tightness')];
    const order = words('order');
    for (let n = 0; n < count; n++) {
      const k = blocks.vertices[n]!;
      order[n] = 16 * Math.min(k, vertexCount);
      if (k === NO_VERTEX) continue;
      tightness[n] = Math.min(LOOSEST, 1 / smooth.room[k]! ** 2);
      for (let i = 0; i < INFLUENCES; i++) {
        const from = plan.offsets[k]! + i;
        if (from >= plan.offsets[k + 1]!) break;
        bones[INFLUENCES * n + i] = plan.bones[from]!;
        weights[INFLUENCES * n + i] = plan.weights[from]!;
      }
    }
    writeVectors(floats('rest'), blocks, plan.positions);
    writeVectors(floats('restDirections'), blocks, plan.directions);
    const shares = floats('shares');
    for (let n = 1; n < SHARES; n++) shares[n] = 0.5 / n;
  }

  return { blocks, byteLength, sections, write };
}

/** Where r = 0 nothing may move; 1/r² stays finite in f32. */
const LOOSEST = 1e30;

/** Vectors (#V×3) into vertices of 16 bytes in their order. */
export function writeVectors(out: Float32Array, { vertices }: BlockPlan, vectors: Float64Array): void {
  for (let n = 0; n < vertices.length; n++) {
    const k = vertices[n]!;
    if (k === NO_VERTEX) continue;
    out[4 * n] = vectors[3 * k]!;
    out[4 * n + 1] = vectors[3 * k + 1]!;
    out[4 * n + 2] = vectors[3 * k + 2]!;
  }
}

type Locate = (name: Section) => number;

function writeFrame(out: Uint32Array, locate: Locate): void {
  const fields: [byte: number, section: Section][] = [
    [at.FRAME_BLOCKS, 'blocks'],
    [at.FRAME_REST, 'rest'],
    [at.FRAME_REST_DIRECTIONS, 'restDirections'],
    [at.FRAME_BONES, 'bones'],
    [at.FRAME_WEIGHTS, 'weights'],
    [at.FRAME_MATRICES, 'matrices'],
    [at.FRAME_SKIN, 'skin'],
    [at.FRAME_SURFACE, 'surface'],
    [at.FRAME_FIELD, 'surface'], // the directions before the sweep are read no more when y is written
    [at.FRAME_FIELD_1, 'field1'],
    [at.FRAME_FIELD_2, 'field2'],
    [at.FRAME_SLOPES, 'slopes'],
    [at.FRAME_FADE, 'fade'],
    [at.FRAME_TIGHTNESS, 'tightness'],
    [at.FRAME_LAMBDA, 'lambda'],
    [at.FRAME_ACTIVITY, 'activity'],
    [at.FRAME_ORDER, 'order'],
    [at.FRAME_OUT_POSITIONS, 'outPositions'],
    [at.FRAME_OUT_NORMALS, 'outNormals'],
    [at.FRAME_OUT_SKINNED, 'outSkinned'],
    [at.FRAME_SHARES, 'shares'],
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
    set(at.BLOCK_HALO, locate('halo') + block.halo);
    set(at.BLOCK_ANCHOR, block.region < 0 ? 0 : 16 * places[volumes.anchors[block.region]!]!);
    set(at.BLOCK_SUMS, locate(block.kind === at.APEX ? 'derivatives' : 'sums') + block.sums);
    set(at.BLOCK_COLUMNS, block.columns.length);
    set(at.BLOCK_PLACE, block.place);
    set(at.BLOCK_LARGE, locate('records') + block.large);
    set(at.BLOCK_LARGE_COUNT, block.largeCount);
  });
}
