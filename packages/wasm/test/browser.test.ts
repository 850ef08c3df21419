/** The kernels in a real browser: a bundled page with and without cross-origin isolation, threads and one thread. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSources } from '../../../scripts/list-sources.mjs';
import { BROWSER_FLAGS } from '../../three/test/browser.js';
import { findBrowser } from '../../webgpu/test/find-browser.js';

const browser = await findBrowser();

describe.skipIf(!browser)('WASM kernels in Chromium (skipped where there is none)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isoskin-wasm-'));
  let server: Server;
  let context: BrowserContext;

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('./browser-page.ts', import.meta.url))],
      bundle: true,
      format: 'esm',
      write: false,
      alias: listSources(),
    });
    server = createServer(({ url = '/' }, response) => {
      if (url.startsWith('/isolated')) {
        response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
        response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
        response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
      }
      const script = url.endsWith('.js');
      response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
      response.end(script ? outputFiles[0]!.text : '<!doctype html><script type="module" src="./page.js"></script>');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    context = await chromium.launchPersistentContext(folder, {
      executablePath: browser!.executable,
      args: BROWSER_FLAGS,
      ignoreDefaultArgs: ['--headless', '--hide-scrollbars', '--mute-audio'],
    });
  });
  afterAll(async () => {
    await context?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  for (const [path, threads] of [
    ['isolated', 2],
    ['plain', 1],
  ] as const) {
    it(`${path} page: ${threads} ${threads > 1 ? 'threads' : 'thread'}, the positions of the TypeScript stack`, async () => {
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}/`);
      await page.waitForFunction('globalThis.result !== undefined', undefined, { timeout: 30_000 });
      const result = (await page.evaluate('globalThis.result')) as Record<string, unknown>;
      expect(result.error).toBeUndefined();
      expect(result.threads).toBe(threads);
      expect(result.relaxed).toBe(true); // here the fused build is tested
      expect(result.difference).toBeLessThan(1e-5);
      expect(result.messages).toEqual(threads > 1 ? [] : [expect.stringContaining('cross-origin isolated')]);
      await page.close();
    });
  }
});
