import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../check-dependencies.mjs', import.meta.url));
let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'isoskin-rooms-'));
});
afterEach(() => rm(root, { recursive: true }));

async function check(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  return { status, stderr };
}

const manifest = (name: string, dependencies: Record<string, string> = {}, more: object = {}) =>
  JSON.stringify({ name, dependencies, ...more });
const core = { 'packages/core/package.json': manifest('@isoskin/core') };

describe('check-dependencies', () => {
  it('finds nothing wrong in this repository', () => {
    const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('core imports nothing but itself', async () => {
    const { status, stderr } = await check({
      'packages/core/package.json': manifest('@isoskin/core', { three: '1' }),
      'packages/core/src/a.ts': "import { x } from 'three';\nimport { b } from './b.js';",
    });
    expect(status).toBe(1);
    expect(stderr).toContain('packages/core/src/a.ts imports "three": core depends on nothing');
  });

  it('a lower floor does not import a higher one, nor its neighbour', async () => {
    const { stderr } = await check({
      ...core,
      'packages/gltf/package.json': manifest('@isoskin/gltf', { isoskin: '1', '@isoskin/report': '1' }),
      'packages/gltf/src/a.ts': "export * from 'isoskin';\nconst r = await import('@isoskin/report');",
      'packages/report/package.json': manifest('@isoskin/report'),
      'packages/cli/package.json': manifest('isoskin'),
    });
    expect(stderr).toContain('gltf must not depend on cli');
    expect(stderr).toContain('gltf must not depend on report');
  });

  it('undeclared packages, other packages’ files, unknown rooms', async () => {
    const { stderr } = await check({
      ...core,
      'packages/cli/package.json': manifest('isoskin', { '@isoskin/core': '1' }),
      'packages/cli/src/a.ts': [
        "import type { C } from 'commander';",
        "import { v } from '@isoskin/core/dist/volume.js';",
        "import { w } from '../../core/src/w.js';",
        "// import 'commented';",
      ].join('\n'),
      'packages/attic/package.json': manifest('attic'),
    });
    expect(stderr).toContain('"commander": not declared');
    expect(stderr).toContain('"@isoskin/core/dist/volume.js": not an entry of core');
    expect(stderr).toContain('"../../core/src/w.js": a file outside its own src folder');
    expect(stderr).toContain('"attic" is on no floor');
    expect(stderr).not.toContain('commented');
  });

  it('what browsers load has no Node built-in', async () => {
    const exports = { '.': { default: './dist/index.js' }, './node': { default: './dist/node.js' } };
    const { stderr } = await check({
      'packages/core/package.json': manifest('@isoskin/core'),
      'packages/core/src/a.ts': "import fs from 'fs';",
      'packages/gltf/package.json': manifest('@isoskin/gltf', {}, { exports }),
      'packages/gltf/src/node.ts': "import 'node:fs';",
      'packages/gltf/src/index.ts': "export * from './read.js';",
      'packages/gltf/src/read.ts': "import { join } from 'node:path';",
    });
    expect(stderr).toContain('packages/core/src/a.ts imports "fs": a Node built-in');
    expect(stderr).toContain('packages/gltf/src/read.ts imports "node:path": a Node built-in');
    expect(stderr).not.toContain('packages/gltf/src/node.ts');
  });
});
