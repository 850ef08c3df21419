/** How long a slider takes from the hand to the numbers of the next frame, on a character of about 6 000 vertices. */
import { loadavg } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { findBrowser, type TestPage, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import { openDemo, openStudio, serveTests, soon, stopAt, takePicture } from './studio-page.js';

const browser = await findBrowser(WEBGL_FLAGS);
const server = serveTests(browser);
let page: TestPage;

beforeAll(async () => {
  if (browser) page = await openStudio(browser, server.url);
}, 120_000);

/** Milliseconds that feel like none. */
const SOON = 50;
/** As often as it takes to find a moment in which the machine does nothing else: the view may be drawn, or clips measured. */
const MOST_TRIES = 30;

/** Sets a slider to these values, over and over until the view has once been drawn with what was planned for it within `soon` milliseconds; all times. */
function drag(label: string, values: readonly number[], soon: number): Promise<number[]> {
  return page.evaluate(
    async ([name, list, soon, most]) => {
      const find = () =>
        [...document.querySelectorAll('label')].find((one) => one.textContent === name)!.control as HTMLInputElement;
      const shown = () => document.querySelector('main')!.dataset.plan;
      const times: number[] = [];
      for (let n = 0; n < list.length || (n < most && Math.min(...times) >= soon); n++) {
        const before = shown();
        const start = performance.now();
        const input = find();
        input.value = String(list[n % list.length]);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise<void>((resolve) => {
          const look = () => (shown() !== before ? resolve() : setTimeout(look, 1));
          look();
        });
        times.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      return times;
    },
    [label, values, soon, MOST_TRIES] as const,
  );
}

const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1]!;

describe.skipIf(!browser)('sliders', { timeout: 240_000 }, () => {
  it('amounts and limits answer at once, and a map that is planned anew soon after', async () => {
    await openDemo(page, 'hero');
    await expect.poll(() => page.locator('.next-worst').allInnerTexts(), soon).toEqual([expect.stringMatching(/1 of/)]);
    await page.getByRole('radio', { name: 'Corrected only' }).click();
    await stopAt(page, 0.4);
    await page.waitForTimeout(3000); // what is done while a person looks
    await page.getByRole('button', { name: 'More settings' }).first().click();
    const times = {
      Keep: await drag('Keep', [1.02, 1.05, 1.1, 1.15, 1.2, 1], SOON),
      Strength: await drag('Strength', [0.9, 0.8, 0.7, 0.6, 1], SOON),
      Limit: await drag('Limit', [0.35, 0.3, 0.25, 0.45, 0.4], SOON),
      'Joint focus': await drag('Joint focus', [1.2, 1.4, 1.6, 1.8, 2, 2.2], Infinity),
    };
    await takePicture(page, '36-sliders');
    const words = Object.entries(times).map(
      ([name, list]) =>
        `${name} ${median(list).toFixed(0)} ms (first ${list[0]!.toFixed(0)}, least ${Math.min(...list).toFixed(0)})`,
    );
    console.log(`hero, load ${loadavg()[0]!.toFixed(1)}: ${words.join('; ')}`);
    const least = (name: keyof typeof times) => Math.min(...times[name]);
    // The least of each: the others also wait for a picture that a processor draws. A plan takes many times as long as a number that is only read.
    for (const name of ['Keep', 'Strength', 'Limit'] as const) {
      expect(least(name)).toBeLessThan(SOON);
      expect(least(name)).toBeLessThan(0.6 * least('Joint focus'));
    }
    expect(page.errors).toEqual([]);
  });
});
