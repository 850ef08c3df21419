/** Another release of three.js for the tests (ISOSKIN_THREE, see scripts/test-three-versions.mjs): where its modules are. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const folder = process.env.ISOSKIN_THREE;

/** `three/webgpu` and `three/tsl` are there, as they are since 0.171. */
export const hasWebgpu = !folder || existsSync(join(folder, 'build/three.tsl.js'));

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
