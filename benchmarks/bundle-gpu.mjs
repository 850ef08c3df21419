// One plain JavaScript file of benchmarks/gpu.mjs, for machines that have nothing but Node and a driver: out/gpu-bench.mjs.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { listSources } from '../scripts/list-sources.mjs';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
await build({
  entryPoints: [path('benchmarks/gpu.mjs')],
  outfile: path('out/gpu-bench.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['webgpu'],
  alias: listSources(),
});
console.log('wrote out/gpu-bench.mjs');
