/** The page on small screens and on a tablet, in both themes: nothing lies on what is to be read. Pictures are kept, to be looked at. */
import { beforeAll, describe, expect, it } from 'vitest';
import { findBrowser, type TestPage, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import { expectNoErrors, openStudio, serveTests, settle, takePicture } from './studio-page.js';

const browser = await findBrowser(WEBGL_FLAGS);
const server = serveTests(browser);
let page: TestPage;

beforeAll(async () => {
  if (!browser) return;
  page = await openStudio(browser, server.url);
  await page.waitForSelector('.next-worst span', { timeout: 60_000 });
  await page.locator('main canvas').focus();
  await page.keyboard.press(' '); // stops
}, 120_000);

/** Pairs of the named parts that lie on each other, and those that stick out of the view. */
function findOverlaps(): string[] {
  const view = document.querySelector('main')!.getBoundingClientRect();
  const names = ['.tool-bar', '.view-bar', '.side-label.before', '.side-label.after', '.next-worst', '.badge'];
  const boxes = names.map((name) => document.querySelector(name)?.getBoundingClientRect());
  const found: string[] = [];
  boxes.forEach((a, i) => {
    if (!a) return;
    if (a.left < view.left || a.right > view.right || a.top < view.top || a.bottom > view.bottom) {
      found.push(`${names[i]} sticks out`);
    }
    for (let k = i + 1; k < boxes.length; k++) {
      const b = boxes[k];
      if (!b || a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top) continue;
      found.push(`${names[i]} and ${names[k]}`);
    }
  });
  return found;
}

/** How many buttons each row of the view's bar has. */
function countRows(): number[] {
  const rows = new Map<number, number>();
  for (const one of document.querySelector('.view-bar')!.children) {
    const { top, height } = one.getBoundingClientRect();
    const middle = Math.round((top + height / 2) / 10);
    rows.set(middle, (rows.get(middle) ?? 0) + 1);
  }
  return [...rows.values()];
}

describe.skipIf(!browser)('sizes', { timeout: 240_000 }, () => {
  it.each([
    [1024, 700, 1],
    [1280, 720, 1],
    [820, 1180, 2],
    [768, 1024, 2],
  ])('%i × %i: captions, tools and bars keep clear of each other', async (width, height, rows) => {
    await page.setViewportSize({ width, height });
    for (const layout of ['Split', 'Side by side']) {
      await page.getByRole('radio', { name: layout }).click();
      await settle(page);
      expect(await page.evaluate(findOverlaps), layout).toEqual([]);
    }
    const buttons = await page.evaluate(countRows);
    expect(buttons).toHaveLength(rows);
    expect(Math.min(...buttons)).toBeGreaterThan(1); // nobody stands alone
    await takePicture(page, `50-${width}-dark`);
    await page.getByRole('button', { name: 'Light theme' }).click();
    await settle(page);
    await takePicture(page, `50-${width}-light`);
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await expectNoErrors(page);
  });
});
