/** Regions as a person changes them: found, renamed, merged, split, locked, each undone, all of it there after a reload. */
import { describe, expect, it } from 'vitest';
import { findBrowser, type TestPage, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import {
  expectNoErrors,
  openStudio,
  serveTests,
  soon,
  stopAt,
  takePicture,
  waitForStudio,
  waitUntilKept,
} from './studio-page.js';

const browser = await findBrowser(WEBGL_FLAGS);
const server = serveTests(browser);
let page: TestPage;

const names = () => page.locator('.rows .row > .name').allInnerTexts();
const row = (name: string) => page.locator('.rows .row', { has: page.getByText(name, { exact: true }) });
const tool = (name: RegExp) => page.locator('.region-tools').getByRole('button', { name });
const undo = () => page.getByRole('button', { name: 'Undo' }).click();

describe.skipIf(!browser)('regions', { timeout: 180_000 }, () => {
  it('lists what loses most first, and finds by name', async () => {
    page = await openStudio(browser!, server.url);
    await expect.poll(() => page.locator('.plot-head .key').count(), soon).toBeGreaterThan(0); // the clip is measured
    const all = await names();
    expect(all.length).toBeGreaterThan(8);
    await page.getByLabel('Find a region').fill('thumb');
    const found = await names();
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
    for (const name of found) expect(name).toMatch(/thumb/i);
    await page.getByLabel('Find a region').fill('nothing of that name');
    expect(await page.locator('.empty').innerText()).toMatch(/No region is called/);
    await page.getByLabel('Find a region').fill('');
    expect((await names()).sort()).toEqual(all.sort());
  });

  it('renames a region, merges two, splits them, and takes every step back', async () => {
    const [first, second] = await names();
    await row(first!).click();
    await tool(/Rename/).click();
    await page.getByLabel('New name').fill('my finger');
    await page.keyboard.press('Enter');
    await expect.poll(names, soon).toContain('my finger');
    expect(await names()).not.toContain(first);
    await row(second!).click({ modifiers: ['Shift'] });
    await tool(/Merge/).click();
    await page.getByLabel('Name of all').fill('both');
    await page.keyboard.press('Enter');
    await expect.poll(names, soon).toContain('both');
    expect(await names()).not.toContain('my finger');
    await takePicture(page, '20-regions');
    await row('both').click();
    await row('both').click();
    await tool(/Split/).click();
    await expect.poll(names, soon).toEqual(expect.arrayContaining([first, second]));
    await undo();
    await expect.poll(names, soon).toContain('both');
    for (let n = 0; n < 8 && !(await names()).includes(first!); n++) {
      await undo();
      await page.waitForTimeout(300);
    }
    await expect.poll(names, soon).toContain(first);
  });

  it('locks a region, which stays as it was before, and keeps it after a reload', async () => {
    const [first] = await names();
    const figures = () => row(first!).locator('.value').allInnerTexts();
    await row(first!).click();
    await tool(/Lock/).click();
    await expect.poll(() => row(first!).locator('.icon').count(), soon).toBe(1);
    await stopAt(page, 0.5); // the fist is closed: at its ends the clip has nothing to lose
    await expect
      .poll(async () => {
        const [before, after] = await figures();
        return before !== undefined && before === after && before !== '0.0 %';
      }, soon)
      .toBe(true);
    await takePicture(page, '21-locked');
    await waitUntilKept(page, 'saved.document.paint.fixed?.some((fixed) => fixed > 0)');
    await page.reload();
    await waitForStudio(page);
    await expect.poll(() => row(first!).locator('.icon').count(), soon).toBe(1);
    await row(first!).click();
    await tool(/Unlock/).click();
    await expect.poll(() => row(first!).locator('.icon').count(), soon).toBe(0);
    await expectNoErrors(page);
  });
});
