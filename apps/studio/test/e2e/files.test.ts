/** Files as people have them, and screens as small as theirs: what is kept after a reload, Draco in and out, nothing covered. */
/// <reference path="../../../../packages/gltf/src/draco3dgltf.d.ts" />
import { WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { createDemo } from '@isoskin/demos';
import { copyFile, readCharacterFromBytes, writeCharacter, writeGlb } from '@isoskin/gltf';
import draco3d from 'draco3dgltf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StudioServer } from '../../../../packages/cli/src/serve-studio.js';
import { findBrowser, type TestPage, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import {
  dropFiles,
  expectNoErrors,
  nameOf,
  openStudio,
  saveBy,
  soon,
  startServer,
  stopAt,
  takePicture,
  waitForStudio,
  waitUntilKept,
} from './studio-page.js';

const browser = await findBrowser(WEBGL_FLAGS);
let server: StudioServer;
let given: Uint8Array;

beforeAll(async () => {
  given = await writeCharacter(createDemo('tube'));
  server = await startServer({ name: 'given.glb', read: async () => given });
});
afterAll(async () => {
  await browser?.close();
  await server.close();
});

const keepOf = (page: TestPage) => page.getByLabel('Keep, exact').inputValue();

describe.skipIf(!browser)('files', { timeout: 180_000 }, () => {
  let page: TestPage;

  it('brings the work on a given file back after a reload, and drops it for other bytes', async () => {
    page = await openStudio(browser!, server.url);
    await expect.poll(() => nameOf(page), soon).toBe('given.glb');
    await page.getByLabel('Keep, exact').fill('120');
    await page.keyboard.press('Enter');
    await waitUntilKept(page, 'saved.document.stack.volume.target?.all === 1.2');
    await page.reload();
    await waitForStudio(page);
    expect(await nameOf(page)).toBe('given.glb');
    expect(await keepOf(page)).toBe('120');
    given = await writeCharacter(createDemo('finger'));
    await page.reload();
    await waitForStudio(page);
    expect(await nameOf(page)).toBe('given.glb');
    expect(await keepOf(page)).toBe('100');
    await expectNoErrors(page);
  });

  it('opens the demo, and says why, when the given file is none', async () => {
    given = new TextEncoder().encode('not a model');
    await page.reload();
    await waitForStudio(page);
    await expect.poll(() => page.locator('.notice.error').innerText(), soon).toContain('given.glb');
    expect(await nameOf(page)).toMatch(/hand/i);
  });

  it('exports a file that came compressed with Draco', async () => {
    const io = new WebIO()
      .registerExtensions(ALL_EXTENSIONS)
      .registerDependencies({ 'draco3d.encoder': await draco3d.createEncoderModule() });
    const document = await io.readBinary(await writeCharacter(createDemo('finger')));
    document.createExtension(KHRDracoMeshCompression).setRequired(true);
    await dropFiles(page, [{ name: 'pressed.glb', bytes: await io.writeBinary(document) }]);
    await expect.poll(() => nameOf(page), soon).toBe('pressed.glb');
    await waitForStudio(page);
    await page.waitForSelector('main[data-look=author]', soon); // three.js has decoded it too
    await page.locator('main canvas').focus();
    await page.keyboard.press('Control+e');
    await page.getByRole('button', { name: 'Bake', exact: true }).click();
    await page.waitForSelector('.export-files', { timeout: 150_000 });
    await takePicture(page, '30-draco');
    const saved = await saveBy(page, () => page.getByRole('button', { name: 'Save pressed-kept.glb' }).click());
    const { character } = await readCharacterFromBytes(new Uint8Array(saved.bytes), {
      draco: () => draco3d.createDecoderModule(),
    });
    expect(character.morphs.length).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.dialog').count(), soon).toBe(0);
  });

  it('opens an avatar, shows its materials, and exports one', async () => {
    const { file } = await readCharacterFromBytes(await writeCharacter(createDemo('toy')));
    const avatar = copyFile(file);
    const VRMC_vrm = { specVersion: '1.0', humanoid: { humanBones: { hips: { node: 0 } } } };
    avatar.json.extensions = { VRMC_vrm };
    avatar.json.extensionsUsed = ['VRMC_vrm'];
    await dropFiles(page, [{ name: 'me.vrm', bytes: await writeGlb(avatar) }]);
    await expect.poll(() => nameOf(page), soon).toBe('me.vrm');
    await waitForStudio(page);
    await page.waitForSelector('main[data-look=author]', soon);
    await page.waitForSelector('.next-worst', soon);
    await takePicture(page, '30-vrm');
    await page.locator('main canvas').focus();
    await page.keyboard.press('Control+e');
    await page.getByRole('button', { name: 'Bake', exact: true }).click();
    await page.waitForSelector('.export-files', { timeout: 150_000 });
    const saved = await saveBy(page, () => page.getByRole('button', { name: 'Save me-kept.vrm' }).click());
    const { file: kept } = await readCharacterFromBytes(new Uint8Array(saved.bytes));
    expect(kept.json.extensions).toMatchObject({ VRMC_vrm });
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.dialog').count(), soon).toBe(0);
  });

  it.each([
    [960, 600],
    [1024, 700],
    [1280, 720],
  ])('covers no button of the view at %d × %d', async (width, height) => {
    await page.setViewportSize({ width, height });
    await stopAt(page, 0);
    await takePicture(page, `31-${width}`);
    const covered = await page.evaluate(() => {
      const found: string[] = [];
      const view = document.querySelector('main')!.getBoundingClientRect();
      for (const button of document.querySelectorAll('main button, main select, main input')) {
        const box = button.getBoundingClientRect();
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const isInside = box.left >= view.left && box.right <= view.right && box.bottom <= view.bottom;
        if (!isInside || !(button.contains(top) || top?.contains(button))) {
          found.push(button.getAttribute('aria-label') ?? button.textContent ?? '');
        }
      }
      return found;
    });
    expect(covered).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });
});
