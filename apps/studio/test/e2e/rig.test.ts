/** A skeleton that was found in a mesh, set right by hand: a joint is dragged at rest, and the weights follow. */
import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { findBrowser, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import { stripSkin } from '../strip-skin.js';
import {
  dropFiles,
  expectAccessible,
  expectNoErrors,
  findColour,
  nameOf,
  openStudio,
  serveTests,
  settle,
  settleApart,
  settleBack,
  soon,
  takePicture,
  waitForStudio,
} from './studio-page.js';

const browser = await findBrowser(WEBGL_FLAGS);
const server = serveTests(browser);

describe.skipIf(!browser)('a found skeleton', { timeout: 300_000 }, () => {
  it('has joints that can be dragged, and taken back', async () => {
    const page = await openStudio(browser!, server.url);
    const bare = await stripSkin(await writeCharacter(createDemo('cat')));
    await dropFiles(page, [{ name: 'statue.glb', bytes: bare }]);
    const dialog = page.getByRole('dialog', { name: /statue\.glb.*no skeleton/ });
    await dialog.getByRole('button', { name: 'Bind' }).click(soon);
    await expect.poll(() => nameOf(page), soon).toBe('statue.glb');
    await waitForStudio(page);
    await dialog.waitFor({ ...soon, state: 'detached' });
    await page.getByRole('radio', { name: 'Corrected only' }).click();
    await page.getByRole('tab', { name: 'Joints' }).click();
    const joint = page.locator('.joint-row', { hasText: /^hind\.L\.2/ });
    await joint.click();
    const name = (await joint.innerText()).trim();
    const turned = await settle(page);
    await page.getByRole('switch', { name: 'Move joints at rest' }).click();
    expect(await page.locator('.tool-options p').first().innerText()).toBe(`Drag the arrows to move ${name}.`);
    await page.mouse.move(5, 5); // its tip goes
    const before = await settleApart(page, turned, 50); // arrows instead of rings
    await expectAccessible(page, 'joints at rest');
    const tip = await findColour(page, 1);
    const arrow = { x: tip.x, y: tip.y + 6 };
    await page.mouse.move(arrow.x, arrow.y);
    await page.mouse.down();
    await page.mouse.move(arrow.x, arrow.y - 40, { steps: 6 });
    await takePicture(page, '44-joint-dragged');
    await page.mouse.up();
    const undo = page.getByRole('button', { name: 'Undo' });
    await expect.poll(() => undo.getAttribute('data-tip'), soon).toContain('statue.glb');
    await expect.poll(() => page.locator('.busy').count(), soon).toBe(0);
    await expect.poll(() => joint.getAttribute('aria-pressed'), soon).toBe('true');
    await page.mouse.move(5, 5);
    await settleApart(page, before, 50);
    await takePicture(page, '45-joint-moved');
    await undo.click();
    await page.mouse.move(5, 5);
    await settleBack(page, before, 49);
    await expectNoErrors(page);
  });
});
