import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests run against the sources, so that a test never passes on a stale build. */
const source = (path: string) => fileURLToPath(new URL(`./packages/${path}/src/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: Object.fromEntries(
      ['core', 'implicit', 'gltf', 'report', 'wasm', 'webgpu', 'three', 'cluster'].map((name) => [
        `@isoskin/${name}`,
        source(name),
      ]),
    ),
  },
  test: {
    include: ['{packages,apps}/*/test/**/*.test.ts'],
    testTimeout: 60_000,
  },
});
