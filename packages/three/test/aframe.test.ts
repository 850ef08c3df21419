/** The component of examples/aframe in a page of A-Frame, which brings its own three.js. A-Frame is fetched by `npm pack` once and kept. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { findBrowser, fromSources, ROOT, serve, WEBGL_FLAGS } from './browser.js';

const VERSION = '1.8.0';
const EXAMPLE = join(ROOT, 'examples/aframe');
const PAGE = `<!doctype html><title>A-Frame</title><script src="aframe.js"></script><script src="component.js"></script>
<a-scene xr-mode-ui="enabled: false"><a-entity id="finger" gltf-model="finger.glb" preserve-volume position="-4 0 -12"></a-entity></a-scene>`;

test('ten lines keep the volume in A-Frame', { timeout: 180_000 }, async (context) => {
  const aframe = fetchAframe();
  if (!aframe) return context.skip('A-Frame cannot be fetched: npm pack aframe');
  const browser = await findBrowser(WEBGL_FLAGS);
  if (!browser) return context.skip('no browser');
  const { outputFiles } = await build({
    entryPoints: [join(EXAMPLE, 'preserve-volume.js')],
    alias: { three: join(EXAMPLE, 'three-of-aframe.cjs') },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    external: ['node:*'],
    plugins: [fromSources],
  });
  const glb = await writeCharacter(createDemo('finger', { vertices: 700 }));
  const files = { '/': PAGE, '/aframe.js': aframe, '/component.js': outputFiles[0]!.contents, '/finger.glb': glb };
  const server = await serve(files);
  try {
    const page = await browser.open(server.url);
    const component = `document.querySelector('#finger')?.components['preserve-volume']`;
    await page.waitForFunction(`${component}?.volume`);
    const read = `(async () => {
      const { el, volume } = ${component};
      const model = el.getObject3D('mesh');
      await volume.ready;
      const mixer = new AFRAME.THREE.AnimationMixer(model);
      mixer.clipAction(model.animations.find((clip) => clip.name === 'curl')).play();
      mixer.setTime(1.2);
      const { report } = volume.bodies[0];
      for (let n = 0; n < 1000 && report.evaluations < 2; n++) await new Promise(requestAnimationFrame); // one is enough at rest
      const error = Math.max(...report.volumes.map((v, s) => Math.abs(v / report.targets[s] - 1)));
      return { error, evaluations: report.evaluations };
    })()`;
    const { error, evaluations } = (await page.evaluate(read)) as { error: number; evaluations: number };
    expect(error).toBeLessThan(1e-4);
    expect(evaluations).toBeGreaterThan(1);
    await page.evaluate(`document.querySelector('#finger').removeAttribute('preserve-volume')`);
    const left = `document.querySelector('#finger').getObject3D('mesh').getObjectByProperty('isSkinnedMesh', true).morphTargetInfluences`;
    expect(await page.evaluate(`${left} ?? null`)).toBe(null);
    expect(page.errors.filter((text) => !/favicon/.test(text))).toEqual([]);
  } finally {
    await server.close();
    await browser.close();
  }
});

/** A-Frame as one file; undefined where npm gives none. */
function fetchAframe(): Uint8Array | undefined {
  const cache = join(ROOT, 'node_modules/.cache');
  const kept = join(cache, `package/dist/aframe-v${VERSION}.min.js`);
  if (existsSync(kept)) return readFileSync(kept);
  const folder = mkdtempSync(join(tmpdir(), 'isoskin-aframe-'));
  try {
    execFileSync('npm', ['pack', '--silent', `aframe@${VERSION}`], { cwd: folder, stdio: 'ignore', timeout: 60_000 });
    mkdirSync(cache, { recursive: true });
    const archive = join(folder, `aframe-${VERSION}.tgz`);
    execFileSync('tar', ['xzf', archive, '-C', cache, `package/dist/aframe-v${VERSION}.min.js`]);
    return readFileSync(kept);
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
