/** Another release of three.js for the tests (ISOSKIN_THREE, see scripts/test-three-versions.mjs): where its modules are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const folder = process.env.ISOSKIN_THREE;

/** Earlier WebGPURenderers keep the shader of a mesh whose targets change. */
const FIRST_WEBGPU = 187;

export const hasWebgpu = !folder || readRelease(folder) >= FIRST_WEBGPU;

function readRelease(path: string): number {
  const { version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string };
  return Number(version.split('.')[1]);
}

export const fromOtherThree: Plugin = {
  name: 'other-three',
  setup(bundler) {
    if (!folder) return;
    const none = fileURLToPath(new URL('./no-webgpu.cjs', import.meta.url));
    const find = (path: string) => {
      if (path === 'three') return join(folder, 'build/three.module.js');
      const addon = /^three\/addons\/(.*)$/.exec(path)?.[1];
      if (addon) return join(folder, 'examples/jsm', addon);
      return hasWebgpu ? join(folder, `build/${path.replace('/', '.')}.js`) : none;
    };
    bundler.onResolve({ filter: /^three(\/.*)?$/ }, ({ path }) => ({ path: find(path) }));
  },
};
