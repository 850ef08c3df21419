import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createDemo, createDemoInput, createWrinkledStack } from '@isoskin/demos';
import { defineConfig, type Plugin } from 'vite';
import { listSources } from '../../scripts/list-sources.mjs';
import { collectLicences } from './collect-licences.js';
import { packArrays } from './src/engine/pack-arrays.js';
import { SHOWS } from './src/panels/shows.js';

/** The character that the page opens on, made beforehand: half a second less until the first picture. */
const FIRST_DEMO = 'elephant';
const firstDemo: Plugin = {
  name: 'first-demo',
  buildStart() {
    const folder = fileURLToPath(new URL('./public/demos/', import.meta.url));
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}${FIRST_DEMO}.bin`, packArrays(createDemoInput(FIRST_DEMO)));
    // Tools lie on triangles, so they are placed on the very mesh that the page will make.
    for (const { name, flesh } of SHOWS) {
      const stack = { ...createWrinkledStack(name, createDemo(name)), ...(flesh && { flesh: {} }) };
      writeFileSync(`${folder}${name}-show.json`, JSON.stringify(stack));
    }
  },
};

const licences = collectLicences();

export default defineConfig({
  base: './', // works from any path of any web server
  logLevel: 'error',
  plugins: [firstDemo, licences.page],
  resolve: { alias: listSources() }, // no stale build, and what the page does not use is left out,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es', plugins: () => [licences.worker] },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false }, // no inline script
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
});
