/**
 * What a page pays for each entry, minified and gzipped, three.js not counted: prints it, and fails where it is more than it may be.
 * A bare import of a package must cost next to nothing, so that what is not used is left out. The packages must be built.
 *
 * npm run sizes
 */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from './list-packages.mjs';

/** Name, program, most kB that are loaded at first; what is imported later, when it is needed, is printed beside it. */
const ENTRIES = [
  ['@isoskin/three', `export { preserveVolume } from '@isoskin/three';`, 28],
  ['@isoskin/babylon', `export { preserveVolume } from '@isoskin/babylon';`, 20.5],
  // With bends, twists and creases (C16), swinging flesh, the names of joints in five conventions and mirror images, and the passes of folds behind an interface that WASM fills;
  // contact's pairs bone by bone, and bends that are kept with a draft, were 1.2 kB; flesh and contact's search on WASM frames, and planning without sets, 1 kB more;
  // tables, samples and pairs in flat arrays, and hubs of thousands of spokes, another 1.2; parts that lie on each other planned as one body, and shapes that fade where nothing
  // bends, 6.5; seeds that mirror images share, and places that take less of every push, 0.7; ties broken by place, and sheets of one part that lie on each other, 2; regions
  // joined to a budget of targets, and facets that stay flat, 2.
  ['@isoskin/core, a stack', `export { createFrameSource, planBody, presetStack } from '@isoskin/core';`, 107.5],
  ['@isoskin/core, volumes alone', `export { measureVolume } from '@isoskin/core';`, 2],
  // What a pose has not moved is not made again: which blocks hang on what, and what has changed, are 1.3 kB; flesh that moves a surface where it stands 0.1;
  // a layout that takes over another one's lists, for threads, 0.5.
  ['@isoskin/wasm', `export { createWasmKernels } from '@isoskin/wasm';`, 22.2],
  ['@isoskin/webgpu', `export { createGpuFrame } from '@isoskin/webgpu';`, 20],
];
const BARE = ['core', 'demos', 'soft', 'gltf', 'report', 'wasm', 'webgpu', 'three', 'babylon'].map(
  (name) => `@isoskin/${name}`,
);
const MOST_BARE = 0.1;

let faults = 0;
for (const [name, contents, most] of ENTRIES) await weigh(name, contents, most);
for (const name of BARE) await weigh(`${name}, imported and not used`, `import '${name}';`, MOST_BARE);
if (faults > 0) process.exit(1);

async function weigh(name, contents, most) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: 'out',
    format: 'esm',
    platform: 'browser',
    external: ['three', 'three/*', '@babylonjs/*', 'node:*'],
    logLevel: 'error',
  });
  const paths = Object.keys(metafile.outputs);
  const sizes = new Map(paths.map((path, n) => [path, gzipSync(outputFiles[n].contents, { level: 9 }).length / 1000]));
  const atFirst = listStatic(metafile, 'out/stdin.js');
  const sum = (list) => list.reduce((total, path) => total + sizes.get(path), 0);
  const first = sum(atFirst);
  const later = sum(paths) - first;
  const more = later > 0 ? `, later ${later.toFixed(1)} kB` : '';
  console.log(`${name.padEnd(42)} ${first.toFixed(1).padStart(6)} kB  (at most ${most})${more}`);
  if (first <= most) return;
  console.error(`${name} is larger than it may be: find what it pulls in, or raise the limit with a reason.`);
  faults++;
}

/** A file and all that it imports without asking. */
function listStatic({ outputs }, entry) {
  const found = new Set([entry]);
  for (const path of found)
    for (const { path: next, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) found.add(next);
  return [...found];
}
