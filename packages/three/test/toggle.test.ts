/** Switching in both renderers, judged by pixels: shadows, layers, the exact original. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, findBrowser, PAGE, serve, type TestBrowser } from './browser.js';
import { hasWebgpu } from './other-three.js';
import type { Toggled, toggle } from './toggle-page.js';

describe('switching', () => {
  let browser: TestBrowser | undefined;
  let url = '';
  let close = async () => {};

  beforeAll(async () => {
    browser = await findBrowser();
    if (!browser) return;
    const script = await bundle(`import { toggle } from './toggle-page.ts'; Object.assign(window, { toggle });`);
    ({ url, close } = await serve({ '/': PAGE, '/page.js': script }));
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await close();
  });

  const cases = (['webgl', 'webgpu'] as const).flatMap((kind) =>
    (['morph', 'sparse'] as const).map((form) => [kind, form] as const),
  );
  for (const [kind, form] of cases) {
    test(`${kind}, ${form}`, { timeout: 120_000 }, async (context) => {
      if (!browser) return context.skip('no browser');
      if (kind === 'webgpu' && !hasWebgpu) return context.skip('no three/webgpu');
      const page = await browser.open(url);
      await page.waitForFunction('window.toggle');
      const result = await page.evaluate(
        (names) => (window as unknown as { toggle: typeof toggle }).toggle(...names) as Promise<Toggled>,
        [kind, form] as const,
      );
      expect(result.form).toBe(form);
      expect(result.otherForm).toBeLessThan(10);
      expect(result.path).toBe('wasm');
      expect(result.covered).toBeGreaterThan(1000);
      expect(result.kept).toBeGreaterThan(100);
      expect(result.kept).toBeLessThan(result.covered);
      expect(result.off).toBe(0);
      expect(result.again).toBe(0);
      expect(result.otherLayer).toBeLessThan(result.covered);
      expect(result.disposed).toBe(0);
      expect(result.missed).toBe(0);
      expect(page.errors).toEqual([]);
      await page.close();
    });
  }
});
