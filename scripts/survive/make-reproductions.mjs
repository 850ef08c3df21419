/**
 * The smallest files that show what docs/upstream reports: a triangle whose third vertex a morph target moves up.
 *
 * node scripts/survive/make-reproductions.mjs <folder>    writes the files and says what each tool makes of them
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createIo, listTools } from './list-tools.mjs';
import { planPlayer } from './play-document.mjs';

const [BYTE, SHORT, UNSIGNED_SHORT, FLOAT] = [5120, 5122, 5123, 5126];

/** A triangle with sides of 50 and 100, a target (an accessor over the views 1 and 2) and a track of its weight (views 3 and 4). */
function makeTriangle(target, targetData, weights) {
  const views = [
    Float32Array.of(0, 0, 0, 50, 0, 0, 0, 100, 0),
    ...targetData,
    Float32Array.from(weights, (_, n) => n),
    Float32Array.from(weights),
  ];
  const scalar = (bufferView) => ({ bufferView, componentType: FLOAT, type: 'SCALAR', count: weights.length });
  const [times, values] = [scalar(views.length - 2), scalar(views.length - 1)];
  const isInteger = target.componentType !== FLOAT;
  return writeGlb(
    {
      asset: { version: '2.0' },
      ...(isInteger && { extensionsUsed: ['KHR_mesh_quantization'], extensionsRequired: ['KHR_mesh_quantization'] }),
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }] }], weights: [0] }],
      animations: [
        {
          name: 'move',
          channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }],
          samplers: [{ input: 2, output: 3 }],
        },
      ],
      accessors: [
        { bufferView: 0, componentType: FLOAT, type: 'VEC3', count: 3, min: [0, 0, 0], max: [50, 100, 0] },
        { type: 'VEC3', count: 3, ...target },
        { ...times, min: [0], max: [weights.length - 1] },
        values,
      ],
    },
    views,
  );
}

function writeGlb(json, views) {
  const pad = (bytes, filler) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)]);
  const chunks = views.map((view) => pad(Buffer.from(view.buffer), 0));
  let byteOffset = 0;
  const bufferViews = chunks.map(({ length }, n) => {
    const isByte = views[n] instanceof Int8Array; // vertices begin at multiples of four bytes
    const view = { buffer: 0, byteOffset, byteLength: views[n].byteLength, ...(isByte && { byteStride: 4 }) };
    byteOffset += length;
    return view;
  });
  const binary = Buffer.concat(chunks);
  const text = pad(
    Buffer.from(JSON.stringify({ ...json, bufferViews, buffers: [{ byteLength: binary.length }] })),
    ' ',
  );
  const head = (...numbers) => Buffer.from(Uint32Array.from(numbers).buffer);
  const length = 28 + text.length + binary.length;
  const parts = [
    head(0x46546c67, 2, length),
    head(text.length, 0x4e4f534a),
    text,
    head(binary.length, 0x004e4942),
    binary,
  ];
  return new Uint8Array(Buffer.concat(parts));
}

/** Name → file, the height of the third vertex at times 0, 1, …, and the tool that shows another height. */
export const REPRODUCTIONS = {
  'sparse-normalized': {
    glb: makeTriangle(
      {
        componentType: SHORT,
        normalized: true,
        min: [0, 0, 0],
        max: [0, 16384, 0],
        sparse: {
          count: 1,
          indices: { bufferView: 1, componentType: UNSIGNED_SHORT },
          values: { bufferView: 2 },
        },
      },
      [Uint16Array.of(2), Int16Array.of(0, 16384, 0)],
      [0, 1],
    ),
    heights: [100, 100 + 16384 / 32767],
    tool: 'glTF-Transform read and write',
  },
  'byte-target': {
    glb: makeTriangle(
      { bufferView: 1, componentType: BYTE, normalized: true, min: [0, 0, 0], max: [0, 127, 0] },
      [Int8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0)],
      [0, 1],
    ),
    heights: [100, 101],
    tool: 'glTF-Transform quantize',
  },
  'weights-beyond-one': {
    glb: makeTriangle(
      { bufferView: 1, componentType: FLOAT, min: [0, 0, 0], max: [0, 10, 0] },
      [Float32Array.of(0, 0, 0, 0, 0, 0, 0, 10, 0)],
      [-1, 0, 2],
    ),
    heights: [90, 100, 120],
    tool: 'gltfpack',
  },
};

/** Heights of the third vertex that a file shows. */
export async function playHeights(bytes, times) {
  const { play } = planPlayer(await (await createIo()).readBinary(bytes));
  return Array.from({ length: times }, (_, time) => Math.max(...play(0, time)));
}

async function main(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, { glb, heights, tool }] of Object.entries(REPRODUCTIONS)) {
    writeFileSync(join(folder, `${name}.glb`), glb);
    const { run, version } = listTools().find((one) => one.name === tool);
    const shown = await playHeights(await run(glb), heights.length);
    const list = (numbers) => numbers.map((number) => number.toFixed(2)).join(', ');
    console.log(`${name}.glb: heights ${list(heights)}; after ${tool} ${version}: ${list(shown)}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2] ?? '.');
