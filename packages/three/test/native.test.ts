/** Clones, exports, several renderers, lost contexts, leaks: what works with a stock mesh works with one whose volume is kept. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER_FLAGS, bundle, findBrowser, PAGE, serve, type TestBrowser, type TestPage } from './browser.js';
import { distance } from './create-skinned-mesh.js';
import type * as Native from './native-page.js';
import { hasWebgpu } from './other-three.js';
import type * as Plain from './plain-page.js';

const PLAIN_PAGE = PAGE.replace('/page.js', '/plain.js');

const FORMS = ['morph', 'sparse'] as const;

describe('a stock mesh', () => {
  let browser: TestBrowser | undefined;
  let url = '';
  let close = async () => {};
  let page: TestPage;

  beforeAll(async () => {
    browser = await findBrowser([...BROWSER_FLAGS, '--js-flags=--expose-gc', '--enable-precise-memory-info']);
    if (!browser) return;
    const [script, plain] = await Promise.all([
      bundle(`import * as page from './native-page.ts'; Object.assign(window, { page });`),
      bundle(`import * as page from './plain-page.ts'; Object.assign(window, { page });`),
    ]);
    expect(plain).not.toMatch(/isoskin/);
    ({ url, close } = await serve({ '/': PAGE, '/page.js': script, '/plain/': PLAIN_PAGE, '/plain.js': plain }));
    page = await browser.open(url);
    await page.waitForFunction('window.page');
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await close();
  });

  const pairs = (['webgl', 'webgpu'] as const).flatMap((kind) => FORMS.map((form) => [kind, form] as const));
  for (const [kind, form] of pairs) {
    test(`is cloned, each clone in its own pose: ${kind}, ${form}`, { timeout: 120_000 }, async (context) => {
      if (!browser) return context.skip('no browser');
      if (kind === 'webgpu' && !hasWebgpu) return context.skip('no three/webgpu');
      const call = `page.drawClones('${kind}', '${form}')`;
      const { error, volume, shared, plain } = (await page.evaluate(call)) as Awaited<
        ReturnType<typeof Native.drawClones>
      >;
      expect(shared).toBe(true);
      expect(error).toBeLessThan(1e-5);
      expect(volume).toBeLessThan(1e-5);
      expect(plain).toBeLessThan(1e-5);
      expect(page.errors).toEqual([]);
    });
  }

  for (const form of FORMS) {
    test(`is exported as .glb and as JSON, and plays in a page without isoskin: ${form}`, {
      timeout: 120_000,
    }, async (context) => {
      if (!browser) return context.skip('no browser');
      const { times, frames, json, glb } = (await page.evaluate(`page.exportScene('${form}')`)) as Awaited<
        ReturnType<typeof Native.exportScene>
      >;
      const other = await browser.open(`${url}plain/`);
      await other.waitForFunction('window.page');
      const played = await other.evaluate(
        ([text, bytes, moments]) =>
          (window as unknown as { page: typeof Plain }).page.playExported(text, bytes, moments),
        [json, glb, times] as const,
      );
      for (const list of [played.glb, played.json]) {
        for (const [n, frame] of frames.entries()) expect(distance(list[n]!, frame)).toBeLessThan(1e-4);
      }
      expect(distance(played.glb[0]!, played.glb[3]!)).toBeGreaterThan(0.5);
      expect([...page.errors, ...other.errors]).toEqual([]);
      await other.close();
    });

    test(`is drawn by two renderers, and after a lost context: ${form}`, { timeout: 120_000 }, async (context) => {
      if (!browser) return context.skip('no browser');
      const result = (await page.evaluate(`page.loseContext('${form}')`)) as Awaited<
        ReturnType<typeof Native.loseContext>
      >;
      expect(result.lit).toBeGreaterThan(100);
      expect(result.other).toBe(0);
      expect(result.moved).toBeGreaterThan(20);
      expect(result.both).toBe(0);
      expect(page.errors.filter((text) => !/context lost/i.test(text))).toEqual([]);
      page.errors.length = 0;
    });

    test(`500 bodies made and given back leave nothing behind: ${form}`, { timeout: 300_000 }, async (context) => {
      if (!browser) return context.skip('no browser');
      const { before, after } = (await page.evaluate(`page.repeat(500, '${form}')`)) as Awaited<
        ReturnType<typeof Native.repeat>
      >;
      console.log(`heap ${(before.heap / 1e6).toFixed(1)} MB, after 500 cycles ${(after.heap / 1e6).toFixed(1)} MB`);
      expect({ ...after, heap: 0 }).toEqual({ ...before, heap: 0 });
      expect(after.heap - before.heap).toBeLessThan(3e6); // one body is 0.1 MB
      expect(page.errors).toEqual([]);
    });
  }
});
