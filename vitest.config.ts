import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { listSources } from './scripts/list-sources.mjs';

/** Another release of three.js than the installed one (scripts/test-three-versions.mjs). */
const { ISOSKIN_THREE } = process.env;
const otherThree = ISOSKIN_THREE && {
  'three/addons': `${ISOSKIN_THREE}/examples/jsm`,
  three: `${ISOSKIN_THREE}/build/three.module.js`,
};

/**
 * Not in `npm run test:fast`: what needs a browser, a registry, Redis or a software GPU; what starts the built command again and again;
 * whole films, libraries and clips of real models. A file that takes more than ten seconds of processor belongs here.
 */
const SLOW = [
  'apps/site/test/site.test.ts',
  'fuzz/*.test.ts',
  'packages/babylon/test/**/*.test.ts',
  'packages/cli/test/**/!(bake-file|format-output|plain-text).test.ts',
  'packages/core/test/**/{demos,pops,real-models}.test.ts',
  'packages/gltf/test/bake/{bake-again,bake-character,bake-models,baked-normals,odd-files,refine-models}.test.ts',
  'packages/gltf/test/drive/drive-file.test.ts',
  'packages/gltf/test/read-real-models.test.ts',
  'packages/soft/test/{ragdoll/drop-character,scene/create-simulation,soft/volume-control}.test.ts',
  'packages/three/test/{aframe,consumer,delayed,drive,examples,native,real-models,toggle}.test.ts',
  'packages/wasm/test/{browser,frame-table}.test.ts',
  'packages/webgpu/test/gpu-frame.test.ts',
  'scripts/test/{deploy,docs-figures,run-docs}.test.ts',
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
    maxWorkers: Math.max(2, availableParallelism() - 1), // two cores run two files at once
    expect: { poll: { timeout: 60_000 } }, // on a machine that does other things too
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
