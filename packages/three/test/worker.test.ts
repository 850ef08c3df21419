/** A page goes on while its characters are planned; where there is no worker it waits, and all is well. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, findBrowser, PAGE, serve, type TestBrowser, WEBGL_FLAGS } from './browser.js';
import type { Planned } from './worker-page.js';

const VERTICES = 6000;
const FORBIDDEN = '<meta http-equiv="Content-Security-Policy" content="worker-src \'none\'">';

describe('planning in a page', () => {
  let browser: TestBrowser | undefined;
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    browser = await findBrowser(WEBGL_FLAGS);
    if (!browser) return;
    const script = await bundle(`import * as page from './worker-page.ts'; Object.assign(window, { page });`);
    server = await serve({
      '/': PAGE,
      '/page.js': script,
      '/forbidden/': PAGE.replace('<title>', `${FORBIDDEN}<title>`),
      '/missing/': PAGE.replace('/page.js', '/missing/page.js'),
      '/missing/page.js': script, // a bundler that has not made the worker's file
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function run(path: string, ...calls: string[]): Promise<Planned[]> {
    const page = await browser!.open(`${server.url}${path}`);
    await page.waitForFunction('window.page');
    const out: Planned[] = [];
    for (const call of calls) out.push((await page.evaluate(call)) as Planned);
    await page.close();
    return out;
  }

  test('a worker plans, and the page is free meanwhile', { timeout: 120_000 }, async (context) => {
    if (!browser) return context.skip('no browser');
    const [forbidden] = await run('forbidden/', `page.plan(${VERTICES})`);
    const [missing] = await run('missing/', `page.plan(${VERTICES})`);
    // The least of a few: whatever else the machine does blocks the page, too.
    let free: Planned | undefined;
    for (let n = 0; n < 3 && !(free && free.blocked < 0.4 * missing!.blocked); n++) {
      [free] = await run('', `page.plan(${VERTICES})`);
    }
    const show = ({ time, blocked }: Planned) => `${time.toFixed(0)} ms, the page blocked for ${blocked.toFixed(0)}`;
    console.log(
      `${VERTICES} vertices: worker ${show(free!)}; none allowed ${show(forbidden!)}; not found ${show(missing!)}`,
    );
    for (const each of [free!, forbidden!, missing!]) {
      expect(each.path).toBe('wasm');
      expect(each.regions).toBe(free!.regions);
      expect(each.regions).toBeGreaterThan(4);
    }
    expect(free!.workers).toBe(1);
    expect(free!.blocked).toBeLessThan(0.4 * missing!.blocked);
  });

  test('a plan that was kept in the database is found there on the next visit', {
    timeout: 60_000,
  }, async (context) => {
    if (!browser) return context.skip('no browser');
    const cached = `page.plan(${VERTICES}, { cache: true })`;
    const [, first] = await run('', 'page.clearStoredPlans()', cached);
    const [again, , anew] = await run('', cached, 'page.clearStoredPlans()', cached);
    expect([first!.workers, again!.workers, anew!.workers]).toEqual([1, 0, 1]);
    expect(again!.regions).toBe(first!.regions);
    expect(again!.time).toBeLessThan(first!.time);
    console.log(`planned and kept ${first!.time.toFixed(0)} ms, found again ${again!.time.toFixed(0)} ms`);
  });
});
