import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createDemoInput } from '@isoskin/implicit';
import { defineConfig, type Plugin } from 'vite';
import { packArrays } from './src/engine/pack-arrays.js';

/** The packages are bundled from their sources: no stale build, and what the page does not use is left out. */
const source = (path: string) => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));
const packages = ['core', 'implicit', 'report', 'wasm', 'webgpu', 'gltf'].map((name) => ({
  find: `@isoskin/${name}`,
  replacement: source(`${name}/src/${name === 'gltf' ? 'browser' : 'index'}.ts`),
}));

/** The character that the page opens on, made beforehand: half a second less until the first picture. */
const FIRST_DEMO = 'elephant';
const firstDemo: Plugin = {
  name: 'first-demo',
  buildStart() {
    const folder = fileURLToPath(new URL('./public/demos/', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}${FIRST_DEMO}.bin`, packArrays(createDemoInput(FIRST_DEMO)));
  },
};

export default defineConfig({
  base: './', // works from any path of any web server
  logLevel: 'error',
  plugins: [firstDemo],
  resolve: { alias: packages },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false }, // no inline script
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
});
