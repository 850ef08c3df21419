/** What a web page pays, and that it pays for nothing that it does not use. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { fromSources, ROOT } from './browser.js';

/** What is imported when it is needed, in files of its own. */
const leaveLater: Plugin = {
  name: 'leave-later',
  setup: (bundler) =>
    bundler.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
};

/** @param isOnItsOwn what is imported when it is needed is in files of its own: WASM kernels, the planner, the sparse form */
async function measure(contents: string, isOnItsOwn: boolean): Promise<{ bytes: number; files: string[] }> {
  const result = await build({
    stdin: { contents, resolveDir: join(ROOT, 'packages/three/test'), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser', // fails on a Node built-in
    external: ['three'],
    metafile: true,
    write: false,
    plugins: isOnItsOwn ? [leaveLater, fromSources] : [fromSources],
  });
  const used = Object.entries(Object.values(result.metafile.outputs)[0]!.inputs).filter(
    ([, { bytesInOutput }]) => bytesInOutput > 0,
  );
  return { bytes: gzipSync(result.outputFiles[0]!.contents, { level: 9 }).length, files: used.map(([path]) => path) };
}

test('what a page loads at first: at most 28 kB, and nothing of the planner, WASM, WebGPU or the full stack', async () => {
  const { bytes, files } = await measure(`export { preserveVolume, VolumeSkinnedMesh } from '@isoskin/three';`, true);
  console.log(`@isoskin/three: ${(bytes / 1000).toFixed(1)} kB min+gzip`);
  expect(bytes).toBeLessThan(28_000);
  expect(
    files.filter((file) =>
      /packages\/(wasm|webgpu|drive)\/|full-stack|create-stack|contact-layer|sparse-|plan-(regions|bases|shapes|harmonics|twists|character|store)\b|measure-thickness/.test(
        file,
      ),
    ),
  ).toEqual([]);
});

test('what a page loads that is driven: at most 3 kB', async () => {
  const { bytes } = await measure(`export { driveVolume } from '@isoskin/three/drive';`, true);
  console.log(`@isoskin/three/drive: ${(bytes / 1000).toFixed(1)} kB min+gzip`);
  expect(bytes).toBeLessThan(3000);
});

// Frames with contact are solved by the kernels, too; plans in flat tables and layouts that threads share are 0.8 kB.
// Parts that lie on each other planned as one body, and shapes that fade where nothing bends, 7.4 kB; sheets of one part, ties broken by place, and bumpy bends, 2.3 kB.
// The planner rehearses the clips with the meter of harm, 12 kB that a worker loads; regions joined to a budget of targets are 2 kB.
test('with WASM and the planner in the same file: at most 115 kB', async () => {
  const { bytes } = await measure(
    `export { preserveVolume } from '@isoskin/three'; export { createWasmKernels } from '@isoskin/wasm';`,
    false,
  );
  console.log(`@isoskin/three with WASM: ${(bytes / 1000).toFixed(1)} kB min+gzip`);
  expect(bytes).toBeLessThan(115_000);
});

test('an import that is not used costs nothing', async () => {
  const { bytes } = await measure(`import '@isoskin/three';`, true);
  expect(bytes).toBeLessThan(100);
});
