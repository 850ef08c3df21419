import { describe, expect, it } from 'vitest';
import { findBrowser, type TestBrowser, type TestPage, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import {
  expectAccessible,
  expectNoErrors,
  nameOf,
  openStudio,
  serveTests,
  settle,
  settleApart,
  soon,
  stopAt,
  takePicture,
  waitForStudio,
} from './studio-page.js';

const browser: TestBrowser | undefined = await findBrowser(WEBGL_FLAGS);
const server = serveTests(browser);
let page: TestPage;

const layers = () =>
  page.locator('.layer:not(.off)').evaluateAll((list) => list.map((one) => (one as HTMLElement).dataset.layer));

const folds = () => page.locator('.folds').innerText();

async function openCard(name: RegExp): Promise<void> {
  await page.locator('.document-name').click();
  await page
    .locator('.card')
    .filter({ has: page.locator('b', { hasText: name }) })
    .click();
}

describe.skipIf(!browser)('studio: wrinkles and simulations', { timeout: 180_000 }, () => {
  it('folds the skin where a wrinkle is drawn, and its sliders change it', async () => {
    page = await openStudio(browser!, server.url);
    await openCard(/^finger$/i);
    await expect.poll(() => nameOf(page), soon).toMatch(/finger/i);
    await waitForStudio(page);
    await page.getByRole('radio', { name: 'Corrected only' }).click();
    await stopAt(page, 0.45);
    const curled = await settle(page);
    await stopAt(page, 0);
    await page.keyboard.press('Shift+F'); // the whole finger
    await settle(page);
    await page.getByRole('button', { name: 'Draw wrinkles' }).click();
    const box = (await page.locator('main canvas').boundingBox())!;
    const [x, y] = [box.x + 0.575 * box.width, box.y + 0.52 * box.height];
    await page.mouse.move(x, y - 60);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.move(x, y + 45, { steps: 4 });
    await page.mouse.up();
    await expect.poll(layers, soon).toEqual(['skin', 'volume', 'wrinkles']);
    await expect.poll(folds, soon).toMatch(/^Nothing folds in this pose/);
    await stopAt(page, 0.45);
    await expect.poll(folds, soon).toMatch(/^Folds: the skin here is [\d.]+ % shorter/);
    await expect.poll(() => page.locator('.badge').innerText(), soon).toContain('wrinkles');
    const folded = await settle(page);
    await takePicture(page, '20-wrinkle');
    await page.getByLabel('Strength, exact').last().fill('0');
    await page.getByLabel('Strength, exact').last().press('Enter');
    await settleApart(page, folded, 100);
    await expect.poll(folds, soon).toMatch(/strength is 0/);
    await page.getByLabel('Strength, exact').last().fill('100');
    await page.getByLabel('Strength, exact').last().press('Enter');
    // Finer folds on the coarse ones, along the skin.
    await page.getByLabel('Levels, exact').fill('2');
    await page.getByLabel('Levels, exact').press('Enter');
    expect(await page.getByLabel('Fine share, exact').inputValue()).toBe('20');
    const isCurved = () => page.getByRole('switch', { name: 'Follow the skin' }).getAttribute('aria-checked');
    const was = await isCurved();
    await page.getByRole('switch', { name: 'Follow the skin' }).click();
    await expect.poll(isCurved, soon).not.toBe(was);
    await expect.poll(folds, soon).toMatch(/^Folds/);
    await settleApart(page, folded, 20);
    await takePicture(page, '21-wrinkle-levels');
    await expectAccessible(page, 'wrinkles');
    await page.getByRole('button', { name: 'Rest length from this pose' }).click();
    await expect.poll(folds, soon).toMatch(/^Nothing folds in this pose: .* about as long as/);
    await page.getByRole('button', { name: 'Light theme' }).click();
    await page.setViewportSize({ width: 1024, height: 700 });
    await expectAccessible(page, 'wrinkles, light');
    await takePicture(page, '22-wrinkle-light');
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('button', { name: 'Dark theme' }).click();
    while ((await layers()).includes('wrinkles')) await page.getByRole('button', { name: 'Undo' }).click();
    await page.keyboard.press('Escape'); // the tool and its line are put away
    await expect.poll(layers, soon).toEqual(['skin', 'volume']);
    expect(curled.length).toBeGreaterThan(0);
    await expectNoErrors(page);
  });

  it('plays a simulation as it is computed, and undo leads back to the character', async () => {
    await openCard(/^merge$/i);
    await page.waitForSelector('.scene-label', { timeout: 60_000 });
    await expect.poll(async () => Number(await page.locator('.clock b').innerText()), soon).toBeGreaterThan(0.05);
    const change = Number(/([−+]?)([\d.]+) %/.exec(await page.locator('.scene-label').innerText())![2]);
    expect(change).toBeLessThan(5);
    await takePicture(page, '21-simulation');
    await page.locator('main canvas').focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => nameOf(page), soon).toMatch(/finger/i);
    await waitForStudio(page);
    await expectNoErrors(page);
  });

  it('plays the demos with flesh and wrinkles on', async () => {
    for (const [label, clip, wanted] of [
      ['Hero: trousers', 'knees', ['skin', 'volume', 'wrinkles']],
      ['Hand: a creased wrist', 'wrist', ['skin', 'volume', 'wrinkles']],
      ['Elephant: swinging belly', 'trot', ['skin', 'flesh', 'volume', 'wrinkles']],
    ] as const) {
      await page.locator('.document-name').click();
      await page.getByRole('button', { name: label }).click();
      const chosen = page.getByLabel('Clip', { exact: true }).locator('option:checked');
      await expect.poll(() => chosen.innerText(), soon).toBe(clip);
      await expect.poll(layers, soon).toEqual(wanted);
      await waitForStudio(page);
      await stopAt(page, 0.45);
      await expect.poll(() => page.locator('.badge').innerText(), soon).toContain('wrinkles');
      await takePicture(page, `22-${clip}`);
    }
    await expectNoErrors(page);
  });
});
