/**
 * The passes of one warm frame in C++ (frame.cpp, g++ −O3, compiled here if g++ is there) and in WebAssembly, on the same image
 * of memory, in turns. Undefined when there is no g++.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { detectFeatures } from '@isoskin/wasm';
import { FRAME_CODE } from '../../packages/wasm/dist/generated/frame-code.js';
import * as layout from '../../packages/wasm/dist/layout.js';
import { openSlabs } from '../../packages/wasm/dist/open-slabs.js';
import { planImage } from '../../packages/wasm/dist/plan-image.js';
import { median, undisturbed } from '../time-tasks.mjs';

/** Turns of the two; each is a burst. */
const TURNS = 5;
const code = FRAME_CODE[detectFeatures().relaxedSimd ? 'relaxed' : 'plain'];
const module = new WebAssembly.Module(Buffer.from(code, 'base64'));

let folder;
let compiler = true;

/** { vertices, passes, wasm, ratio, difference }: ms of the passes (lower tenth), their ratio, largest difference of positions. */
export function timeNative(plan, { bones }) {
  if (!compile()) return undefined;
  const image = planImage(plan);
  const { slab, base } = openSlabs({ module, shared: false }).find(image.byteLength);
  const { buffer } = slab.memory;
  const { blocks } = image;
  image.write(buffer, base);
  const floats = (name, length) => new Float32Array(buffer, image.locate(base)(name), length);
  const matrices = floats('matrices', 16 * plan.boneCount);
  bones.forEach((value, n) => void (matrices[4 * Math.floor(n / 3) + (n % 3)] = value));
  floats('lambda', plan.shapes.shapeCount).forEach((_, s, list) => void (list[s] = 0.02 * Math.sin(s)));
  writeFileSync(join(folder, 'image'), new Uint8Array(buffer, base, image.byteLength));

  const { vertexBlocks, volumeBlocks } = blocks;
  const all = blocks.blocks.length;
  const run = (phase, flags, from, to) => slab.code.runBlocks(base, phase, flags, from, to);
  const frame = () => {
    run(layout.SKIN, layout.WITH_DIRECTIONS | layout.WITH_AMOUNTS, 0, vertexBlocks);
    run(layout.APEXES, 0, volumeBlocks, all);
    run(layout.EVALUATE, 0, 0, volumeBlocks);
    run(layout.DISPLACE, layout.WITH_POSITIONS, 0, vertexBlocks);
  };
  const rounds = Math.max(10, Math.min(2000, Math.round(4e6 / plan.vertexCount)));
  const outBytes = 16 * plan.vertexCount;
  const numbers = [image.byteLength, base, vertexBlocks, volumeBlocks, all, rounds].map(String);
  const words = [join(folder, 'image'), ...numbers, join(folder, 'out'), String(outBytes)];
  const [native, wasm] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    native.push(Number(execFileSync(join(folder, 'frame'), words, { encoding: 'utf8' }).split(' ')[1]));
    const samples = [];
    for (let n = 0; n < rounds; n++) {
      const start = performance.now();
      frame();
      samples.push(performance.now() - start);
    }
    wasm.push(undisturbed(samples));
  }
  const out = readFileSync(join(folder, 'out'));
  const expected = new Float32Array(out.buffer, out.byteOffset, outBytes >> 2);
  const difference = floats('outPositions', outBytes >> 2).reduce(
    (most, x, n) => Math.max(most, n % 4 < 3 ? Math.abs(x - expected[n]) : 0),
    0,
  );
  const [passes, own] = [Math.min(...native), Math.min(...wasm)];
  return {
    vertices: plan.vertexCount,
    passes,
    wasm: own,
    ratio: own / passes,
    medianRatio: median(wasm) / median(native),
    difference,
  };
}

function compile() {
  if (folder || !compiler) return compiler;
  folder = mkdtempSync(join(tmpdir(), 'isoskin-native-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const lines = Object.entries(layout).map(([name, value]) => `#define ${name} ${value}u`);
  writeFileSync(join(folder, 'layout.h'), `${lines.join('\n')}\n`);
  const source = fileURLToPath(new URL('./frame.cpp', import.meta.url));
  try {
    execFileSync('g++', ['-O3', '-march=native', `-I${folder}`, source, '-o', join(folder, 'frame')], {
      stdio: 'pipe',
    });
  } catch (error) {
    compiler = false;
    if (error.code !== 'ENOENT') console.error(`The native twin was not compiled: ${error.stderr ?? error.message}`);
  }
  return compiler;
}
