/** The built site: every link leads somewhere, nothing comes from elsewhere, everybody can use it, in both themes and any folder. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser, serve, type TestBrowser, WEBGL_FLAGS } from '../../../packages/three/test/browser.js';

const script = fileURLToPath(new URL('../src/build-site.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'isoskin-site-'));
/** Not the root of the server, as on most hosts. */
const BASE = '/some/where/';
const files: Record<string, Uint8Array> = {};
let said = '';

beforeAll(() => {
  said = execFileSync(process.execPath, [script, folder], { encoding: 'utf8' });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[BASE + relative(folder, path).replaceAll(sep, '/')] = readFileSync(path);
  }
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const own = (path: string) => !/\/(studio|examples)\//.test(path);
const listPages = () => Object.keys(files).filter((path) => path.endsWith('.html') && own(path));
const textOf = (path: string) => new TextDecoder().decode(files[path]);
const listLinks = (html: string) =>
  [...html.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)].map((match) => match[1]!.replaceAll('&amp;', '&'));

describe('the site', () => {
  it('is built in a minute, with all its parts', () => {
    const [, seconds] = /\(([\d.]+) s of processor\)/.exec(said)!;
    console.log(said.trim());
    expect(Number(seconds)).toBeLessThan(60);
    for (const part of [
      'index',
      'docs/guides/web',
      'docs/methods/index',
      'api/index',
      'examples/index',
      'studio/index',
    ])
      expect(files, part).toHaveProperty([`${BASE}${part}.html`]);
  });

  it('has no broken link and no broken anchor', () => {
    const broken: string[] = [];
    const anchors = new Map(listPages().map((page) => [page, new Set(textOf(page).match(/(?<=\sid=")[^"]+/g))]));
    for (const page of listPages())
      for (const link of listLinks(textOf(page))) {
        if (/^[a-z]+:/i.test(link)) continue;
        const [path, anchor] = link.split('#') as [string, string?];
        const target = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path));
        const isThere = target in files && (!anchor || !own(target) || anchors.get(target)?.has(decodeURI(anchor)));
        if (!isThere) broken.push(`${page}: ${link}`);
      }
    expect(broken).toEqual([]);
  });

  it('takes nothing from other hosts', () => {
    const foreign = listPages().filter((page) =>
      /<(script|link|img|source|iframe)[^>]*"(https?:)?\/\//.test(textOf(page)),
    );
    expect(foreign).toEqual([]);
  });
});

describe('in a browser', () => {
  let browser: TestBrowser | undefined;
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    browser = await findBrowser(WEBGL_FLAGS);
    server = await serve(files);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server.close();
  });
  const address = (path: string) => `${server.url.slice(0, -1)}${BASE}${path}`;

  it.each([
    'index.html',
    'docs/guides/web.html',
    'docs/methods/plan-shapes.html',
    'docs/licences.html',
    'api/index.html',
    'api/wasm.html',
    'examples/index.html',
  ])('%s: no serious finding of axe, light and dark', { timeout: 240_000 }, async (path) => {
    if (!browser) return;
    const page = await browser.open(address(path));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const found = serious.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))}`);
      expect(found, colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), 'on a phone').toBeLessThanOrEqual(390);
    expect(page.errors).toEqual([]);
    await page.close();
  });

  it('the landing page: first content within 1.5 s, little script, only this host', { timeout: 120_000 }, async () => {
    if (!browser) return;
    const times: number[] = [];
    const hosts = new Set<string>();
    let script = 0;
    for (let round = 0; round < 3; round++) {
      const page = await browser.open('about:blank');
      page.on('request', (request) => hosts.add(new URL(request.url()).host));
      await page.goto(address('index.html'));
      times.push(
        (await page.evaluate(
          `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({ type: 'paint', buffered: true }))`,
        )) as number,
      );
      script = (await page.evaluate(
        `performance.getEntriesByType('resource').filter((entry) => entry.initiatorType === 'script').reduce((sum, entry) => sum + entry.decodedBodySize, 0)`,
      )) as number;
      await page.close();
    }
    console.log(`first content after ${Math.round(Math.min(...times))} ms, ${script} bytes of script`);
    expect(Math.min(...times)).toBeLessThan(1500);
    expect(script).toBeGreaterThan(0);
    expect(script).toBeLessThan(300_000);
    expect([...hosts]).toEqual([new URL(server.url).host]);
  });

  it('finds pages by their words, and changes its theme', { timeout: 120_000 }, async () => {
    if (!browser) return;
    const page = await browser.open(address('docs/guides/artist.html'));
    await page.fill('#search', 'wrinkle tool');
    await page.waitForSelector('#found a');
    const hrefs = await page.$$eval('#found a', (links) => links.map((link) => (link as HTMLAnchorElement).href));
    expect(hrefs).toContain(address('docs/wrinkles.html'));
    await page.emulateMedia({ colorScheme: 'light' });
    await page.click('#theme');
    await page.reload();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(page.errors).toEqual([]);
  });
});
