/**
 * A real browser for tests: Debian's Chromium, or the one inside @sparticuz/chromium, with software WebGL2 and WebGPU.
 *
 *   const browser = await findBrowser();            // undefined, after saying why, where there is none
 *   const server = await serve({ '/': html, '/page.js': await bundle('import …') });
 *   const page = await browser.open(server.url);
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { listSources } from '../../../scripts/list-sources.mjs';
import { fromOtherThree } from './other-three.js';
import { unpackChromium } from './unpack-chromium.js';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const PLAIN = [
  '--headless=new',
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** Any smaller set loses the WebGPU device as soon as a canvas presents. */
export const BROWSER_FLAGS = [
  ...PLAIN,
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
];

/** For pages that draw all the time with WebGL: with Vulkan the software GPU is asked for more frames than it draws, and falls behind for ever. */
export const WEBGL_FLAGS = [...PLAIN, '--disable-gpu-compositing'];

export interface TestBrowser {
  readonly path: string;
  /** A new page; `errors` collects what its console and scripts complain of. */
  open(url: string): Promise<TestPage>;
  close(): Promise<void>;
}

export interface TestPage extends Page {
  readonly errors: string[];
}

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Starts a browser, an installed one first; undefined, with a sentence, where none starts. */
export async function findBrowser(flags: readonly string[] = BROWSER_FLAGS): Promise<TestBrowser | undefined> {
  const installed = [process.env.CHROMIUM_PATH, ...INSTALLED].find((path) => path && existsSync(path));
  const reasons: string[] = [];
  for (const find of [async () => installed && { path: installed, env: {} }, unpackChromium]) {
    try {
      const found = await find();
      if (found) return await startBrowser(found.path, found.env, flags);
    } catch (error) {
      reasons.push(String(error).split('\n')[0]!);
    }
  }
  console.warn(
    `Browser tests are skipped: no Chromium starts (${reasons.join('; ')}). Run apt-get install chromium, or set CHROMIUM_PATH.`,
  );
  return undefined;
}

async function startBrowser(
  path: string,
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
): Promise<TestBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'isoskin-browser-'));
  let context: BrowserContext;
  try {
    context = await chromium.launchPersistentContext(folder, {
      executablePath: path,
      args: [...flags],
      // With the C locale the browser speaks “en-US@posix”, which is no language to Intl.
      env: { ...process.env, LC_ALL: 'en_US.UTF-8', ...env },
      ignoreDefaultArgs: ['--headless', '--hide-scrollbars', '--mute-audio'],
      viewport: { width: 640, height: 480 },
      timeout: 60_000,
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    path,
    async open(url) {
      const page = (await context.newPage()) as TestPage;
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(error.stack ?? String(error)));
      page.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText;
        // What the page itself gives up, as a worker that is cancelled while it loads, is no error.
        if (reason !== 'net::ERR_ABORTED') errors.push(`${request.url()}: ${reason}`);
      });
      Object.assign(page, { errors });
      await page.goto(url);
      return page;
    },
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  glb: 'model/gltf-binary',
};

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Serves files from memory on a free port, isolated (SharedArrayBuffer works). */
export async function serve(files: Files): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const own: string | Uint8Array | undefined = files[path] ?? files[`${path}index.html`];
    const file = own ?? (path === '/plan-worker.js' ? await bundleWorker() : undefined);
    const type = path.endsWith('/') ? 'html' : path.slice(path.lastIndexOf('.') + 1);
    response.writeHead(file === undefined ? (path === '/favicon.ico' ? 204 : 404) : 200, {
      'content-type': TYPES[type] ?? 'application/octet-stream',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** `@isoskin/…` from the sources, so that a test never passes on a stale build. */
export const fromSources: Plugin = {
  name: 'sources',
  setup(bundler) {
    const sources = listSources();
    bundler.onResolve({ filter: /^@isoskin\// }, ({ path }) => ({ path: sources[path]!, sideEffects: false }));
    bundler.onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
      const source = join(resolveDir, path.replace(/\.js$/, '.ts'));
      return existsSync(source) ? { path: source, sideEffects: false } : undefined;
    });
  },
};

let worker: Promise<string> | undefined;

/** What plans characters, beside the page that asks for it. */
function bundleWorker(): Promise<string> {
  worker ??= bundle(`import ${JSON.stringify(join(ROOT, 'packages/core/src/plan/plan-worker.ts'))};`);
  return worker;
}

/** One script from a piece of TypeScript that may import everything in the workspace. */
export async function bundle(contents: string): Promise<string> {
  const result = await build({
    stdin: { contents, resolveDir: join(ROOT, 'packages/three/test'), loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [fromSources, fromOtherThree],
  });
  return result.outputFiles[0]!.text;
}

/** A page that runs `/page.js` as a module. */
export const PAGE = `<!doctype html><meta charset="utf-8"><title>test</title><body style="margin:0"><script type="module" src="/page.js"></script>`;
