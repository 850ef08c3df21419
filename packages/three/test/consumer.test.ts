/**
 * A stranger's project: the packed tarballs installed into an empty Vite app, without a network, type-checked, built, run.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findBrowser, ROOT, serve } from './browser.js';

const PACKAGES = ['core', 'wasm', 'webgpu', 'drive', 'three'];

const MAIN = `
import { preserveVolume } from '@isoskin/three';
import * as THREE from 'three';

const geometry = new THREE.CapsuleGeometry(0.4, 2, 8, 24, 12);
const { count } = geometry.attributes.position;
const [index, weight] = [new Uint16Array(4 * count), new Float32Array(4 * count)];
for (let i = 0; i < count; i++) {
  const t = THREE.MathUtils.smoothstep(geometry.attributes.position.getY(i), -0.5, 0.5);
  index[4 * i + 1] = 1;
  weight.set([1 - t, t], 4 * i);
}
geometry.setAttribute('skinIndex', new THREE.BufferAttribute(index, 4));
geometry.setAttribute('skinWeight', new THREE.BufferAttribute(weight, 4));
const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshStandardMaterial({ color: 0xd9a066 }));
const bones = [new THREE.Bone(), new THREE.Bone()];
bones[0].position.y = -1.4;
bones[1].position.y = 1.4;
bones[0].add(bones[1]);
mesh.add(bones[0]);
mesh.bind(new THREE.Skeleton(bones));
const scene = new THREE.Scene();
scene.add(mesh, new THREE.HemisphereLight(0xffffff, 0x444444, 3));

const kept = preserveVolume(scene, { preset: 'organic', detail: { far: 100 } });

const renderer = new THREE.WebGLRenderer();
document.body.append(renderer.domElement);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 100);
camera.position.z = 7;
await kept.ready;
bones[1].rotation.z = 1; // no limit holds anything back
renderer.render(scene, camera);
const { report, path } = kept.bodies[0];
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b);
Object.assign(window, { result: { path, ratio: sum(report.volumes) / sum(report.targets), drawn: !!mesh.morphTargetInfluences?.some((amount) => amount !== 0) } });
`;

const app = mkdtempSync(join(tmpdir(), 'isoskin-consumer-'));
afterAll(() => rmSync(app, { recursive: true, force: true }));

test('tarballs in an empty Vite app: installed, typed, built and run', { timeout: 300_000 }, async (context) => {
  const built = PACKAGES.every((name) => existsSync(join(ROOT, 'packages', name, 'dist/index.js')));
  if (!built) return context.skip('the packages are not built: npm run build');
  const npm = (...values: string[]) =>
    execFileSync('npm', values, { cwd: app, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const tool = (path: string, ...values: string[]) => {
    try {
      return execFileSync(process.execPath, [join(ROOT, 'node_modules', path), ...values], {
        cwd: app,
        encoding: 'utf8',
      });
    } catch (error) {
      throw new Error((error as { stdout: string }).stdout);
    }
  };
  npm(
    'pack',
    '--silent',
    '--ignore-scripts',
    '--pack-destination',
    app,
    ...PACKAGES.map((name) => join(ROOT, 'packages', name)),
  );
  const tarballs = readdirSync(app).filter((name) => name.endsWith('.tgz'));
  expect(tarballs).toHaveLength(PACKAGES.length);

  // three.js comes from the workspace, so that nothing is downloaded.
  const linked = { three: `file:${join(ROOT, 'node_modules/three')}` };
  const packed = Object.fromEntries(
    PACKAGES.map((name) => [
      `@isoskin/${name}`,
      `file:${tarballs.find((file) => file.startsWith(`isoskin-${name}-`))}`,
    ]),
  );
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ name: 'app', private: true, type: 'module', dependencies: { ...linked, ...packed } }),
  );
  writeFileSync(
    join(app, 'index.html'),
    '<!doctype html><title>app</title><body><script type="module" src="/main.ts"></script>',
  );
  writeFileSync(join(app, 'main.ts'), MAIN);
  const compilerOptions = {
    target: 'ES2023',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    strict: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  npm('install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts');
  mkdirSync(join(app, 'node_modules/@types'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules/@types/three'), join(app, 'node_modules/@types/three'));

  tool('typescript/bin/tsc', '-p', '.'); // library types are checked, too: no skipLibCheck
  tool('vite/bin/vite.js', 'build', '--logLevel', 'warn', '--target', 'es2022');
  const dist = join(app, 'dist');
  const files: Record<string, Uint8Array> = {};
  for (const path of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!path.isFile()) continue;
    const file = join(path.parentPath, path.name);
    files[`/${relative(dist, file).replaceAll(sep, '/')}`] = readFileSync(file);
  }
  expect(Object.keys(files).filter((file) => /plan-worker/.test(file))).toHaveLength(1);
  const browser = await findBrowser();
  if (!browser) return;
  const server = await serve(files);
  try {
    const page = await browser.open(server.url);
    await page.waitForFunction('window.result', undefined, { timeout: 60_000 });
    const result = (await page.evaluate('result')) as { path: string; ratio: number; drawn: boolean };
    expect(result.path).toBe('wasm');
    expect(result.ratio).toBeCloseTo(1, 4);
    expect(result.drawn).toBe(true);
    expect(page.errors).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
});
