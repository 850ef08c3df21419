/**
 * Makes the small files that docs/upstream reports: one triangle, moved by a morph target or a rotation.
 *
 * node scripts/survive/make-reproductions.mjs <folder>    writes the files and says what each tool makes of them
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createIo, listTools } from './list-tools.mjs';
import { planPlayer } from './play-document.mjs';

const [BYTE, SHORT, UNSIGNED_SHORT, FLOAT] = [5120, 5122, 5123, 5126];

const TRIANGLE = Float32Array.of(0, 0, 0, 50, 0, 0, 0, 100, 0);

/**
 * Makes a triangle with sides of 50 and 100. `views` hold its own data, then the times and the values of one track; `target` is the accessor of a
 * morph target, `values` that of the values.
 */
function makeTriangle({ target, views, times, values, path, interpolation = 'LINEAR' }) {
  const all = [TRIANGLE, ...views, Float32Array.from(times), Float32Array.from(values)];
  const isInteger = target && target.componentType !== FLOAT;
  const type = path === 'rotation' ? 'VEC4' : 'SCALAR';
  const accessors = [
    { bufferView: 0, componentType: FLOAT, type: 'VEC3', count: 3, min: [0, 0, 0], max: [50, 100, 0] },
    { componentType: FLOAT, type: 'SCALAR', count: times.length, min: [times[0]], max: [times.at(-1)] },
    { componentType: FLOAT, type, count: values.length / (type === 'VEC4' ? 4 : 1) },
    ...(target ? [{ type: 'VEC3', count: 3, min: [0, 0, 0], ...target }] : []),
  ];
  accessors[1].bufferView = all.length - 2;
  accessors[2].bufferView = all.length - 1;
  const primitive = { attributes: { POSITION: 0 }, ...(target && { targets: [{ POSITION: 3 }] }) };
  const channels = [{ sampler: 0, target: { node: 0, path } }];
  return writeGlb(
    {
      asset: { version: '2.0' },
      ...(isInteger && { extensionsUsed: ['KHR_mesh_quantization'], extensionsRequired: ['KHR_mesh_quantization'] }),
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [primitive], ...(target && { weights: [0] }) }],
      animations: [{ name: 'move', channels, samplers: [{ input: 1, output: 2, interpolation }] }],
      accessors,
    },
    all,
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

/** Each file has the height of its highest vertex at times 0, 1, … and the tool that shows other heights. */
export const REPRODUCTIONS = {
  'sparse-normalized': {
    glb: makeTriangle({
      target: {
        componentType: SHORT,
        normalized: true,
        max: [0, 16384, 0],
        sparse: {
          count: 1,
          indices: { bufferView: 1, componentType: UNSIGNED_SHORT },
          values: { bufferView: 2 },
        },
      },
      views: [Uint16Array.of(2), Int16Array.of(0, 16384, 0)],
      times: [0, 1],
      values: [0, 1],
      path: 'weights',
    }),
    heights: [100, 100 + 16384 / 32767],
    tool: 'glTF-Transform read and write',
  },
  'byte-target': {
    glb: makeTriangle({
      target: { bufferView: 1, componentType: BYTE, normalized: true, max: [0, 127, 0] },
      views: [Int8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 127, 0, 0)],
      times: [0, 1],
      values: [0, 1],
      path: 'weights',
    }),
    heights: [100, 101],
    tool: 'glTF-Transform quantize',
  },
  'cubic-rotation': {
    glb: makeTriangle({
      views: [],
      times: [0, 3],
      // Tangent, value, tangent: no turn, then half a turn about the z axis.
      values: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
      path: 'rotation',
      interpolation: 'CUBICSPLINE',
    }),
    heights: [0, 1, 2, 3].map(turnedHeight),
    tool: 'glTF-Transform optimize --simplify false',
  },
  'weights-beyond-one': {
    glb: makeTriangle({
      target: { bufferView: 1, componentType: FLOAT, max: [0, 10, 0] },
      views: [Float32Array.of(0, 0, 0, 0, 0, 0, 0, 10, 0)],
      times: [0, 1, 2],
      values: [-1, 0, 2],
      path: 'weights',
    }),
    heights: [90, 100, 120],
    tool: 'gltfpack',
  },
};

/** A spline without tangents turns the triangle by half a turn in three seconds; this is its height. */
function turnedHeight(time) {
  const u = time / 3;
  const z = 3 * u ** 2 - 2 * u ** 3;
  const angle = 2 * Math.atan2(z, 1 - z);
  return Math.max(0, 50 * Math.sin(angle), 100 * Math.cos(angle));
}

/** Returns the height of the highest vertex at times 0, 1, … */
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
