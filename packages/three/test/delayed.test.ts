/** Amounts from a worker: what is drawn is always a pose together with its own amounts. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, findBrowser, PAGE, ROOT, serve, type TestBrowser, WEBGL_FLAGS } from './browser.js';
import type { Delayed } from './delayed-page.js';

describe('amounts from a worker', () => {
  let browser: TestBrowser | undefined;
  let servers: Awaited<ReturnType<typeof serve>>[] = [];

  beforeAll(async () => {
    browser = await findBrowser(WEBGL_FLAGS);
    if (!browser) return;
    const script = await bundle(`import * as page from './delayed-page.ts'; Object.assign(window, { page });`);
    const source = join(ROOT, 'packages/three/src/amounts-worker.ts');
    const worker = await bundle(`import ${JSON.stringify(source)};`);
    const files = { '/': PAGE, '/page.js': script };
    servers = [await serve({ ...files, '/amounts-worker.js': worker }), await serve(files)];
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    for (const server of servers) await server.close();
  });

  async function run(at: number): Promise<Delayed> {
    const page = await browser!.open(servers[at]!.url);
    await page.waitForFunction('window.page');
    const result = (await page.evaluate('page.bendInWorker(60)')) as Delayed;
    console.log(result);
    await page.close();
    return result;
  }

  test('pose and amounts wait for each other', { timeout: 120_000 }, async (context) => {
    if (!browser) return context.skip('no browser');
    const { path, volume, rays, mixed, late, poses, off } = await run(0);
    expect(path).toBe('worker');
    expect(volume).toBeLessThan(1e-5);
    expect(rays).toBeLessThan(1e-5);
    expect(mixed).toBeGreaterThan(1e-4);
    expect(late).toBeGreaterThan(5);
    expect(poses).toBeGreaterThan(10);
    expect(off).toBeLessThan(1e-5);
  });

  test('where the worker is not found they are solved on the page’s thread', { timeout: 120_000 }, async (context) => {
    if (!browser) return context.skip('no browser');
    const { path, volume, rays, poses } = await run(1);
    expect(path).not.toBe('worker');
    expect(volume).toBeLessThan(1e-5);
    expect(rays).toBeLessThan(1e-5);
    expect(poses).toBeGreaterThan(10);
  });
});
