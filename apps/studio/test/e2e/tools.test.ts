/** Presets with pictures of the character, poses that are mirrored and kept, what is fixed: done by hand, undone, there after a reload. */
import { describe, expect, it } from 'vitest';
import { findBrowser, type TestPage, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import {
  expectAccessible,
  expectNoErrors,
  findColour,
  openDemo,
  openStudio,
  serveTests,
  settle,
  soon,
  stopAt,
  takePicture,
  waitForStudio,
  waitUntilKept,
} from './studio-page.js';

const browser = await findBrowser(WEBGL_FLAGS);
const server = serveTests(browser);
let page: TestPage;

const undoTip = () => page.getByRole('button', { name: 'Undo' }).getAttribute('data-tip');

describe.skipIf(!browser)('tools', { timeout: 240_000 }, () => {
  it('shows every preset on this character, and takes one', async () => {
    page = await openStudio(browser!, server.url);
    await page.getByRole('button', { name: 'Compare them on this character' }).click();
    await expect.poll(() => page.locator('.dialog .card img').count(), soon).toBe(8);
    const pictures = await page
      .locator('.dialog .card img')
      .evaluateAll((list) => list.map((one) => (one as HTMLImageElement).src));
    expect(new Set(pictures).size).toBe(8);
    await takePicture(page, '31-presets');
    await expectAccessible(page, 'presets');
    await page.locator('.card', { hasText: /^rubber/i }).click();
    await expect.poll(() => page.getByLabel('Preset').inputValue(), soon).toBe('rubber');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.getByLabel('Preset').inputValue(), soon).toBe('natural');
  });

  it('turns both sides of a symmetric character, and keeps the pose for later', async () => {
    await openDemo(page, 'hero');
    await page.waitForSelector('.next-worst', soon);
    await page.getByRole('button', { name: /^Pause/ }).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('4');
    await page.keyboard.press('Shift+F');
    await page.getByRole('tab', { name: 'Joints' }).click();
    await page.keyboard.press('r');
    await page
      .locator('.joint-row', { hasText: /upper.?arm\.L|arm\.L/i })
      .first()
      .click();
    await page.getByRole('switch', { name: 'Mirror left and right' }).click();
    await settle(page);
    const ring = await findColour(page, 0);
    await page.mouse.move(ring.x, ring.y);
    await page.mouse.down();
    await page.mouse.move(ring.x + 30, ring.y + 60, { steps: 6 });
    await page.mouse.up();
    await expect.poll(() => page.locator('.joint-row .value').count(), soon).toBe(2);
    await page.getByRole('button', { name: 'Save this pose' }).click();
    await page.getByLabel('Name of the pose').fill('arms down');
    await page.keyboard.press('Enter');
    await takePicture(page, '32-mirrored');
    await expectAccessible(page, 'pose');
    await page.getByRole('button', { name: 'Reset all' }).click();
    await expect.poll(() => page.locator('.joint-row .value').count(), soon).toBe(0);
    await page.getByRole('button', { name: 'arms down', exact: true }).click();
    await expect.poll(() => page.locator('.joint-row .value').count(), soon).toBe(2);
    await waitUntilKept(page, `saved.document.poses.some(({ name }) => name === 'arms down')`);
    await page.reload();
    await waitForStudio(page);
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'arms down', exact: true }).waitFor(soon);
  });

  it('fixes the skin under a brush', async () => {
    await stopAt(page, 0); // the brush meets the skin where it stands
    await page.keyboard.press('p');
    await page.getByRole('radio', { name: 'Fixed' }).click();
    const box = (await page.locator('main canvas').boundingBox())!;
    const at = { x: box.x + 0.5 * box.width, y: box.y + 0.5 * box.height };
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 20, at.y + 40, { steps: 6 });
    await page.mouse.up();
    await expect.poll(undoTip, soon).toContain('what is fixed');
    await settle(page);
    await takePicture(page, '33-fixed');
    await page.getByRole('button', { name: 'Light theme' }).click();
    await page.setViewportSize({ width: 1024, height: 700 });
    await expectAccessible(page, 'paint, light');
    await takePicture(page, '34-light-1024');
    await page.setViewportSize({ width: 820, height: 1180 });
    await settle(page);
    await takePicture(page, '35-tablet');
    await expectNoErrors(page);
  });
});
