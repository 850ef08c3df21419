/** A crowd on the GPU, in a real browser: what is drawn is the core's frame of every character, and nothing stays behind. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, findBrowser, PAGE, serve, type TestBrowser, type TestPage } from './browser.js';
import type * as Crowd from './crowd-page.js';
import { hasWebgpu } from './other-three.js';

type Answer<Name extends keyof typeof Crowd> = Awaited<ReturnType<(typeof Crowd)[Name]>>;

describe.runIf(hasWebgpu)('a crowd', () => {
  let browser: TestBrowser | undefined;
  let close = async () => {};
  let page: TestPage;

  beforeAll(async () => {
    browser = await findBrowser();
    if (!browser) return;
    const script = await bundle(`import * as page from './crowd-page.ts'; Object.assign(window, { page });`);
    const server = await serve({ '/': PAGE, '/page.js': script });
    close = server.close;
    page = await browser.open(server.url);
    await page.waitForFunction('window.page');
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await close();
  });

  test('is drawn as the core says, each in its own pose', { timeout: 240_000 }, async (context) => {
    if (!browser) return context.skip('no browser');
    const { frames, made, left, bytes, path, moved } = (await page.evaluate('page.drawCrowd()')) as Answer<'drawCrowd'>;
    console.log(JSON.stringify(frames), `${bytes} bytes`);
    expect(path).toBe('gpu');
    for (const { error, volume, normal, read } of frames) {
      expect(error).toBeLessThan(1e-5);
      expect(volume).toBeLessThan(1e-5);
      expect(normal).toBeGreaterThan(0.99);
      expect(read).toBeLessThan(1e-5);
    }
    expect(made).toBeGreaterThan(10);
    expect(left).toBe(0);
    expect(moved).toBeLessThan(1e-6);
    expect(page.errors).toEqual([]);
  });

  test('casts shadows', { timeout: 240_000 }, async (context) => {
    if (!browser) return context.skip('no browser');
    const [cast, none] = (await page.evaluate('page.castShadow()')) as [number, number];
    expect(cast).toBeGreaterThan(none + 20);
    expect(page.errors).toEqual([]);
  });

  test('is clones where the renderer draws with WebGL2', { timeout: 240_000 }, async (context) => {
    if (!browser) return context.skip('no browser');
    const { volumes, path, left } = (await page.evaluate('page.drawClones()')) as Answer<'drawClones'>;
    expect(path).toBe('clones');
    expect(volumes).toHaveLength(3);
    for (const volume of volumes) expect(Math.abs(volume)).toBeLessThan(2e-4);
    expect(left).toBe(1);
    expect(page.errors).toEqual([]);
  });
});
