import { configDefaults, defineConfig } from 'vitest/config';
import { listSources } from './scripts/list-sources.mjs';

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
      ...listSources(), // a test never passes on a stale build
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
