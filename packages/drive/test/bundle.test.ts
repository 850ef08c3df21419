/** What a page pays for a player. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test.for(['three', 'babylon'])('the player for %s: at most 3 kB', async (engine) => {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${engine}.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser', // fails on whatever is not in this package
    write: false,
    metafile: true,
  });
  const bytes = gzipSync(result.outputFiles[0]!.contents, { level: 9 }).length;
  console.log(`@isoskin/drive/${engine}: ${(bytes / 1000).toFixed(2)} kB min+gzip`);
  expect(bytes).toBeLessThan(3000);
  expect(Object.keys(result.metafile.inputs).every((path) => path.includes('drive/src/'))).toBe(true);
});
