/** What a web page pays, and that it pays for nothing that it does not use. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { fromSources, ROOT } from './browser.js';

async function measure(contents: string): Promise<{ bytes: number; files: string[] }> {
  const result = await build({
    stdin: { contents, resolveDir: join(ROOT, 'packages/three/test'), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser', // fails on a Node built-in
    external: ['three', 'three/webgpu'],
    metafile: true,
    write: false,
    plugins: [fromSources],
  });
  const used = Object.entries(Object.values(result.metafile.outputs)[0]!.inputs).filter(
    ([, { bytesInOutput }]) => bytesInOutput > 0,
  );
  return { bytes: gzipSync(result.outputFiles[0]!.contents, { level: 9 }).length, files: used.map(([path]) => path) };
}

test('without WASM: at most 41 kB, and nothing of WASM or WebGPU', async () => {
  const { bytes, files } = await measure(`export { preserveVolume, VolumeSkinnedMesh } from '@isoskin/three';`);
  console.log(`@isoskin/three: ${(bytes / 1000).toFixed(1)} kB min+gzip`);
  expect(bytes).toBeLessThan(41_000);
  expect(files.filter((file) => /packages\/(wasm|webgpu)\//.test(file))).toEqual([]);
});

test('with WASM: at most 80 kB', async () => {
  const { bytes } = await measure(
    `export { preserveVolume } from '@isoskin/three'; export { createWasmKernels } from '@isoskin/three/wasm';`,
  );
  console.log(`@isoskin/three with WASM: ${(bytes / 1000).toFixed(1)} kB min+gzip`);
  expect(bytes).toBeLessThan(80_000);
});

test('with WebGPU, for the record', async () => {
  const { bytes } = await measure(
    `export { preserveVolume } from '@isoskin/three'; export { webgpu } from '@isoskin/three/webgpu';`,
  );
  console.log(`@isoskin/three with WebGPU: ${(bytes / 1000).toFixed(1)} kB min+gzip`);
  expect(bytes).toBeLessThan(80_000);
});

test('an import that is not used costs nothing', async () => {
  const { bytes } = await measure(`import '@isoskin/three';`);
  expect(bytes).toBeLessThan(100);
});
