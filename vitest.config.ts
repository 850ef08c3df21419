import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Tests run against the sources, so that a test never passes on a stale build. */
const source = (path: string) => fileURLToPath(new URL(`./packages/${path}/src/index.ts`, import.meta.url));

/** Another release of three.js than the installed one (scripts/test-three-versions.mjs). */
const { ISOSKIN_THREE } = process.env;
const otherThree = ISOSKIN_THREE && {
  'three/addons': `${ISOSKIN_THREE}/examples/jsm`,
  three: `${ISOSKIN_THREE}/build/three.module.js`,
};

/** What needs a browser, a registry, Redis or a software GPU, or bakes whole libraries: not in `npm run test:fast`. */
const SLOW = [
  'apps/site/test/site.test.ts',
  'packages/babylon/test/**/*.test.ts',
  'packages/cli/test/{bake-browser,drive-browser,cluster}.test.ts',
  'packages/three/test/{aframe,consumer,examples,native,real-models,toggle}.test.ts',
  'packages/wasm/test/browser.test.ts',
  'packages/webgpu/test/gpu-frame.test.ts',
  'scripts/test/{run-docs,docs-figures}.test.ts',
];

/** Tests that judge time, or start many processes of their own: one after the other, when the others are done. */
const ALONE = ['apps/studio/test/e2e/**/*.test.ts', 'packages/cluster/test/*.test.ts'];

export default defineConfig({
  resolve: {
    alias: {
      ...otherThree,
      '@isoskin/core/methods': fileURLToPath(new URL('./packages/core/src/methods.ts', import.meta.url)),
      '@isoskin/cluster/models': fileURLToPath(
        new URL('./packages/cluster/src/storage/list-models.ts', import.meta.url),
      ),
      '@isoskin/gltf/node': fileURLToPath(new URL('./packages/gltf/src/node.ts', import.meta.url)),
      '@isoskin/three/react': fileURLToPath(new URL('./packages/three/src/react.ts', import.meta.url)),
      '@isoskin/cluster/pieces': fileURLToPath(new URL('./packages/cluster/src/pieces.ts', import.meta.url)),
      '@isoskin/drive/three': fileURLToPath(new URL('./packages/drive/src/three.ts', import.meta.url)),
      '@isoskin/drive/babylon': fileURLToPath(new URL('./packages/drive/src/babylon.ts', import.meta.url)),
      ...Object.fromEntries(
        ['core', 'drive', 'demos', 'soft', 'gltf', 'report', 'wasm', 'webgpu', 'three', 'babylon', 'cluster'].map(
          (name) => [`@isoskin/${name}`, source(name)],
        ),
      ),
    },
  },
  test: {
    testTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['{packages,apps}/*/test/**/*.test.ts', '{fuzz,scripts/test}/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SLOW, ...ALONE],
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'slow', include: SLOW, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
