/**
 * The passes of one warm frame in C++ (frame.cpp, g++ −O3, for any x86-64 and for this machine's own instructions, compiled here if g++ is there) and in
 * WebAssembly, on the same image of memory, in turns. Undefined when there is no g++.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as layout from '../../packages/wasm/dist/layout.js';
import { openImage } from '../open-passes.mjs';
import { undisturbed } from '../time-tasks.mjs';

/** Turns of the two; each is a burst. */
const TURNS = 5;

let folder;
let compiler = true;

/** Program → flags. */
const BUILDS = { any: ['-O3'], own: ['-O3', '-march=native'] };

/** ms of the passes (lower tenth), the ratios of WASM to C++ for any x86-64 and to C++ for this machine, largest difference of positions. */
export function timeNative(plan, pose) {
  if (!compile()) return undefined;
  const { image, buffer, base, floats, run } = openImage(plan, pose);
  const { blocks } = image;
  writeFileSync(join(folder, 'image'), new Uint8Array(buffer, base, image.byteLength));

  const { vertexBlocks, volumeBlocks } = blocks;
  const all = blocks.blocks.length;
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
  const [any, native, wasm] = [[], [], []];
  const time = (build) => Number(execFileSync(join(folder, build), words, { encoding: 'utf8' }).split(' ')[1]);
  for (let turn = 0; turn < TURNS; turn++) {
    any.push(time('any'));
    native.push(time('own'));
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
    ratio: own / Math.min(...any),
    ownRatio: own / passes,
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
    for (const [build, flags] of Object.entries(BUILDS))
      execFileSync('g++', [...flags, `-I${folder}`, source, '-o', join(folder, build)], { stdio: 'pipe' });
  } catch (error) {
    compiler = false;
    if (error.code !== 'ENOENT') console.error(`The native twin was not compiled: ${error.stderr ?? error.message}`);
  }
  return compiler;
}
