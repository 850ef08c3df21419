/** Materials that are hard to keep: textures as KTX2, and skin that wrinkles fold. */
import { WebIO } from '@gltf-transform/core';
import { KHRTextureBasisu } from '@gltf-transform/extensions';
import { createDemo, createWrinkledStack } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { beforeAll, describe, expect, it } from 'vitest';
import { findBrowser, type TestPage, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import { createKtx2 } from './create-ktx2.js';
import {
  countGreen,
  dropFiles,
  expectNoErrors,
  openFile,
  openStudio,
  serveTests,
  settle,
  settleApart,
  soon,
  stopAt,
  takePicture,
} from './studio-page.js';

const browser = await findBrowser(WEBGL_FLAGS);
const head = createDemo('head');
const server = serveTests(browser);
let page: TestPage;

beforeAll(async () => {
  if (browser) page = await openStudio(browser, server.url);
}, 120_000);

/** The head with a green picture on it, which is Basis Universal and nothing else. */
async function createGreenHead(): Promise<Uint8Array> {
  const io = new WebIO().registerExtensions([KHRTextureBasisu]);
  const document = await io.readBinary(await writeCharacter(head));
  document.createExtension(KHRTextureBasisu).setRequired(true);
  const texture = document
    .createTexture('skin')
    .setImage(createKtx2(16, [40, 170, 60]))
    .setMimeType('image/ktx2');
  const material = document.createMaterial('skin').setBaseColorTexture(texture).setRoughnessFactor(0.9);
  const [buffer] = document.getRoot().listBuffers();
  for (const mesh of document.getRoot().listMeshes()) {
    for (const primitive of mesh.listPrimitives()) {
      const uv = new Float32Array(2 * primitive.getAttribute('POSITION')!.getCount());
      const accessor = document.createAccessor().setType('VEC2').setArray(uv).setBuffer(buffer!);
      primitive.setMaterial(material).setAttribute('TEXCOORD_0', accessor);
    }
  }
  return io.writeBinary(document);
}

describe.skipIf(!browser)('materials', { timeout: 240_000 }, () => {
  it('draws KTX2 textures, with a transcoder of its own', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await openFile(page, 'green.glb', await createGreenHead());
    await page.waitForSelector('main[data-look=author]', soon);
    await page.getByRole('radio', { name: 'Corrected only' }).click();
    await stopAt(page, 0.5);
    await page.keyboard.press('Shift+F');
    await expect.poll(async () => countGreen(await settle(page)), soon).toBeGreaterThan(5000);
    expect(asked.some((url) => /basis_transcoder.*wasm$/.test(url))).toBe(true);
    expect(asked.filter((url) => !url.startsWith(server.url) && !url.startsWith('blob:'))).toEqual([]);
    await takePicture(page, '40-ktx2');
    await expectNoErrors(page);
  });

  it('folds the skin in the materials of the file', async () => {
    const smooth = await settle(page);
    const green = await countGreen(smooth);
    const stack = new TextEncoder().encode(JSON.stringify(createWrinkledStack('head', head)));
    await dropFiles(page, [{ name: 'stack.json', bytes: stack }]);
    const folded = await settleApart(page, smooth, 300);
    await takePicture(page, '41-folded-materials');
    expect(await countGreen(folded)).toBeGreaterThan(0.95 * green);
    // The shade of the folds, not their clay.
    await page.keyboard.press('c');
    await expect.poll(async () => countGreen(await settle(page)), soon).toBeLessThan(0.05 * green);
    await page.keyboard.press('c');
    await expectNoErrors(page);
  });
});
