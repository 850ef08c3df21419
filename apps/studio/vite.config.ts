import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createDemo, createDemoInput, createWrinkledStack, demoNames } from '@isoskin/demos';
import { defineConfig, type Plugin } from 'vite';
import { listSources } from '../../scripts/list-sources.mjs';
import { collectLicences } from './collect-licences.js';
import { measureDemos } from './src/engine/measure-demos.js';
import { packArrays } from './src/engine/pack-arrays.js';
import { SHOWS } from './src/panels/shows.js';
import { FIRST_DEMO } from './src/state/studio-document.js';

const firstDemo: Plugin = {
  name: 'first-demo',
  async buildStart() {
    const folder = fileURLToPath(new URL('./public/demos/', import.meta.url));
    mkdirSync(folder, { recursive: true });
    // Made beforehand: half a second less until the first picture.
    writeFileSync(`${folder}${FIRST_DEMO}.bin`, packArrays(createDemoInput(FIRST_DEMO)));
    // Tools lie on triangles, so they are placed on the very mesh that the page will make.
    for (const { name, flesh } of SHOWS) {
      const stack = { ...createWrinkledStack(name, createDemo(name)), ...(flesh && { flesh: {} }) };
      writeFileSync(`${folder}${name}-show.json`, JSON.stringify(stack));
    }
    await writeLosses(`${folder}losses.json`);
  },
};

/** Measured anew only when what is measured, or what measures, has changed. */
async function writeLosses(file: string): Promise<void> {
  const newest = ['../../packages/core/src', '../../packages/demos/src', './src/engine/measure-demos.ts']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .flatMap((path) => [
      path,
      ...(path.endsWith('.ts') ? [] : readdirSync(path, { recursive: true }).map((name) => `${path}/${name}`)),
    ])
    .reduce((latest, path) => Math.max(latest, statSync(path).mtimeMs), 0);
  if (existsSync(file) && statSync(file).mtimeMs > newest) return;
  writeFileSync(file, JSON.stringify(await measureDemos(demoNames)));
}

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
