/**
 * What a page pays for each entry, minified and gzipped, three.js not counted: prints it, and fails where it is more than it may be.
 * A bare import of a package must cost next to nothing, so that what is not used is left out. The packages must be built.
 *
 * npm run sizes
 */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from './list-packages.mjs';

/** Name, program, most kB. */
const ENTRIES = [
  ['@isoskin/three, WASM loaded later', `export { preserveVolume } from '@isoskin/three';`, 45, ['@isoskin/wasm']],
  [
    '@isoskin/three with WASM',
    `export { preserveVolume } from '@isoskin/three'; export { createWasmKernels } from '@isoskin/wasm';`,
    60,
  ],
  ['@isoskin/babylon, WASM loaded later', `export { preserveVolume } from '@isoskin/babylon';`, 45, ['@isoskin/wasm']],
  ['@isoskin/core, a stack', `export { createStack, presetStack } from '@isoskin/core';`, 70],
  ['@isoskin/core, volumes alone', `export { measureVolume } from '@isoskin/core';`, 2],
  ['@isoskin/wasm', `export { createWasmKernels } from '@isoskin/wasm';`, 20],
  ['@isoskin/webgpu', `export { createGpuFrame } from '@isoskin/webgpu';`, 20],
];
const BARE = ['core', 'implicit', 'gltf', 'report', 'wasm', 'webgpu', 'three', 'babylon'].map(
  (name) => `@isoskin/${name}`,
);
const MOST_BARE = 0.1;

let faults = 0;
for (const [name, contents, most, later] of ENTRIES) await weigh(name, contents, most, later);
for (const name of BARE) await weigh(`${name}, imported and not used`, `import '${name}';`, MOST_BARE);
if (faults > 0) process.exit(1);

async function weigh(name, contents, most, later = []) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    external: ['three', 'three/*', '@babylonjs/*', 'node:*', ...later],
    logLevel: 'error',
  });
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000;
  console.log(`${name.padEnd(42)} ${size.toFixed(1).padStart(6)} kB  (at most ${most})`);
  if (size <= most) return;
  console.error(`${name} is larger than it may be: find what it pulls in, or raise the limit with a reason.`);
  faults++;
}
