/** How long it takes from a file to its first corrected frame: the first time, and when its plan is kept; beside what three.js alone takes. */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { WebIO } from '@gltf-transform/core';
import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { encodePng } from '@isoskin/report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StudioServer } from '../../../../packages/cli/src/serve-studio.js';
import {
  bundle,
  findBrowser,
  PAGE,
  serve,
  type TestPage,
  WEBGL_FLAGS,
} from '../../../../packages/three/test/browser.js';
import { openStudio, startServer, takePicture } from './studio-page.js';

const browser = await findBrowser(WEBGL_FLAGS);
let server: StudioServer;
let page: TestPage;
let file: Uint8Array;

beforeAll(async () => {
  server = await startServer();
  file = await createFile();
  if (browser) page = await openStudio(browser, server.url);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server.close();
});

/** A character of 5 762 vertices with a picture on its skin: 3 MB. */
async function createFile(): Promise<Uint8Array> {
  const io = new WebIO();
  const document = await io.readBinary(await writeCharacter(createDemo('elephant')));
  const size = 960;
  let seed = 1;
  const rgba = Uint8ClampedArray.from({ length: 4 * size * size }, (_, i) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
    return i % 4 === 3 ? 255 : 120 + (seed >>> 25);
  });
  const image = await encodePng({ width: size, height: size, rgba });
  const texture = document.createTexture('skin').setImage(image).setMimeType('image/png');
  const material = document.createMaterial('skin').setBaseColorTexture(texture).setRoughnessFactor(0.8);
  for (const primitive of document
    .getRoot()
    .listMeshes()
    .flatMap((mesh) => mesh.listPrimitives())) {
    const places = primitive.getAttribute('POSITION')!;
    const uv = new Float32Array(2 * places.getCount());
    for (let i = 0; i < places.getCount(); i++) uv.set(places.getElement(i, []).slice(0, 2), 2 * i);
    const buffer = document.getRoot().listBuffers()[0]!;
    const accessor = document.createAccessor().setType('VEC2').setArray(uv).setBuffer(buffer);
    primitive.setMaterial(material).setAttribute('TEXCOORD_0', accessor);
  }
  return io.writeBinary(document);
}

/** Milliseconds until the first picture, and until a corrected frame is there, with its volumes beside it. */
function drop(name: string): Promise<{ shown: number; corrected: number }> {
  return page.evaluate(
    async ([text, name]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(text!), (letter) => letter.charCodeAt(0))], name!));
      const start = performance.now();
      document
        .querySelector('main canvas')!
        .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      const until = (isDone: () => boolean) =>
        new Promise<number>((resolve) => {
          const look = () => (isDone() ? resolve(performance.now() - start) : requestAnimationFrame(look));
          look();
        });
      const isOpen = () => document.querySelector('.document-name')?.textContent?.includes(name!) === true;
      const shown = await until(() => isOpen() && document.querySelector('main[data-ready=true]') !== null);
      await until(() => isOpen() && !document.querySelector('.busy'));
      const corrected = await until(() => /%/.test(document.querySelector('.side-label.after b')?.textContent ?? ''));
      return { shown, corrected };
    },
    [Buffer.from(file).toString('base64'), name],
  );
}

/** Until the materials of the file are drawn, and as many plans are kept as it takes. */
async function rest(plans: number): Promise<void> {
  await page.waitForSelector('main[data-look=author]', { timeout: 60_000 });
  await expect.poll(() => page.evaluate(countPlans), { timeout: 60_000 }).toBe(plans);
}

/** In the browser's database. */
function countPlans(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('isoskin-plans');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const count = opening.result.transaction('drafts').objectStore('drafts').count();
      count.onsuccess = () => resolve(count.result);
      count.onerror = () => reject(count.error);
      opening.result.close();
    };
  });
}

async function measurePlain(): Promise<number> {
  const path = fileURLToPath(new URL('./plain-scene.ts', import.meta.url));
  const plain = await serve({ '/': PAGE, '/page.js': await bundle(`import ${JSON.stringify(path)};`), '/m.glb': file });
  const other = await browser!.open(plain.url);
  await other.waitForFunction('window.drawPlain');
  const time = await other.evaluate(async () => {
    const start = performance.now();
    const settings = { width: 640, height: 480, bounds: [0, 0, 0, 1, 1, 1], clip: 0, time: 0.5, brightness: 0.6 };
    await (window as unknown as { drawPlain(url: string, s: unknown): Promise<unknown> }).drawPlain('/m.glb', settings);
    return performance.now() - start;
  });
  await other.close();
  await plain.close();
  return time;
}

describe.skipIf(!browser)('opening', { timeout: 240_000 }, () => {
  it('plans once for a file: the second opening finds what was planned', async () => {
    const first = await drop('first.glb');
    await takePicture(page, '30-opened');
    await rest(2); // of the page's first character, and of this one
    await takePicture(page, '31-opened-materials');
    const second = await drop('second.glb');
    await rest(2);
    const third = await drop('third.glb');
    await rest(2);
    const fourth = await drop('fourth.glb');
    const plain = await measurePlain();
    const say = ({ shown, corrected }: typeof first) => `${shown.toFixed(0)} ms, corrected ${corrected.toFixed(0)} ms`;
    console.log(
      `${(file.length / 1e6).toFixed(2)} MB, load ${loadavg()[0]!.toFixed(1)}: first ${say(first)}; second ${say(second)}; third ${say(third)}; fourth ${say(fourth)}; three.js alone ${plain.toFixed(0)} ms`,
    );
    const again = Math.min(second.corrected, third.corrected, fourth.corrected);
    expect(again).toBeLessThan(0.75 * first.corrected);
    // With the clips rehearsed, which takes most of it; plain skinning is shown until then. (1.8 on a busy machine.)
    expect(first.corrected).toBeLessThan(3 * plain);
    expect(first.shown).toBeLessThan(plain);
    expect(page.errors).toEqual([]);
  });
});
