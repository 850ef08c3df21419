/** The runtime for three.js in a real browser: one page that lives through all of it. */

import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { bundle, findBrowser, PAGE, serve, WEBGL_FLAGS } from '../../packages/three/test/browser.js';
import { type Acts, choose, listModels, measurePage, megabytes, SMALL_DEMOS } from './acts.js';

interface Soak {
  live(url: string, isWasm: boolean, preset: string, share: number): Promise<string>;
  measure(): { geometries: number; textures: number; programs: number; wasm: number };
}

export async function openActs(): Promise<Acts> {
  const models: [string, Uint8Array][] = listModels();
  for (const name of SMALL_DEMOS) models.push([`${name}.glb`, await writeCharacter(createDemo(name))]);
  const browser = await findBrowser(WEBGL_FLAGS);
  if (!browser) throw new Error('There is no browser here.');
  const files = Object.fromEntries(models.map(([name, bytes]) => [`/${name}`, bytes]));
  const script = await bundle(`import '../../../benchmarks/soak/runtime-page.ts'`);
  const server = await serve({ '/': PAGE, '/page.js': script, ...files });
  const page = await browser.open(server.url);
  await page.waitForFunction(() => 'soak' in window, undefined, { timeout: 60_000 });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return {
    async act(random) {
      const [name] = choose(models, random);
      const given = [
        `/${name}`,
        random() < 0.5,
        choose(['organic', 'rubber', 'global'], random),
        choose([0.2, 0.6], random),
      ] as const;
      const word = await page.evaluate(
        (values) => (window as unknown as { soak: Soak }).soak.live(...values),
        given as unknown as [string, boolean, string, number],
      );
      if (page.errors.length > 0) throw new Error(page.errors.join('\n'));
      return { name: `live ${given.join(' ')}`, word };
    },
    async measure() {
      const { wasm, geometries, textures, programs } = await page.evaluate(() =>
        (window as unknown as { soak: Soak }).soak.measure(),
      );
      const figures = await measurePage(session);
      return { ...figures, heap: figures.heap! + megabytes(wasm), geometries, textures, programs };
    },
    bounded: ['heap', 'nodes', 'listeners', 'renderers', 'geometries', 'textures', 'programs'],
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
