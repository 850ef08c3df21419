/** The GPU frame against the TypeScript stack: in Node through Dawn, and in a headless browser, both on software Vulkan. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { BROWSER_FLAGS } from '../../three/test/browser.js';
import { findBrowser, listVulkanVariables } from './find-browser.js';
import type { Answers } from './gpu-cases.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const models = join(root, '..', 'shared', 'models');
const browser = await findBrowser();
const scratch = mkdtempSync(join(tmpdir(), 'isoskin-gpu-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function bundle(entry: string, platform: 'node' | 'browser'): Promise<string> {
  // Bundles for Node lie inside the repository, where they find the package `webgpu`; git ignores `out`.
  const outfile = join(platform === 'node' ? join(root, 'out') : scratch, `${entry}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`./${entry}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform,
    format: platform === 'node' ? 'esm' : 'iife',
    target: 'es2023',
    external: ['webgpu', 'node:*'],
    logLevel: 'error',
    alias: Object.fromEntries(
      [
        ['core', 'index'],
        ['implicit', 'index'],
        ['webgpu', 'index'],
        ['gltf', 'browser'],
      ].map(([name, file]) => [`@isoskin/${name}`, join(root, 'packages', name!, 'src', `${file}.ts`)]),
    ),
    ...(platform === 'node' && {
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    }),
  });
  return outfile;
}

function runNode(file: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } });
    let out = '';
    let problems = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stderr.on('data', (data) => {
      problems += data;
    });
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`exit ${code}: ${problems.slice(-2000)}`)),
    );
  });
}

function judge(answers: Answers): void {
  expect(answers.errors).toEqual([]);
  for (const one of answers.parity) {
    const place = `${one.name}, ${one.vertices} vertices, ${one.regions} regions: ${JSON.stringify(one)}`;
    expect(one.moved, `${place} is not corrected at all`).toBeGreaterThan(1e-4);
    expect(one.positions, place).toBeLessThan(1e-4);
    expect(one.normals, place).toBeLessThan(2e-2);
    expect(one.total, place).toBeLessThan(1e-5);
    expect(one.components, place).toBeLessThan(1);
    expect(one.worstRegion, place).toBeLessThan(1);
  }
  expect(answers.crowd).toBeLessThan(1e-6);
  expect(answers.drawn).toBeLessThan(1e-5);
  expect(answers.rest).toBeLessThan(1e-6);
  expect(answers.buffers[0]).toBeGreaterThan(10);
  expect(answers.buffers[1]).toBe(0);
}

describe('createGpuFrame', () => {
  it.skipIf(!browser?.vulkan)(
    browser?.vulkan
      ? 'agrees with the TypeScript stack in Node (Dawn on SwiftShader)'
      : 'agrees with the TypeScript stack in Node — skipped: no Chromium with SwiftShader found; install chromium or @sparticuz/chromium',
    async () => {
      const files = ['Ghost', 'CesiumMan'].map((name) => `${name}=${join(models, `${name}.glb`)}`);
      const found = files.filter((file) => existsSync(file.split('=')[1]!));
      const output = await runNode(
        await bundle('gpu-cases-node', 'node'),
        ['3', ...found],
        listVulkanVariables(browser!, scratch),
      );
      const answers = JSON.parse(output.trim().split('\n').at(-1)!) as Answers;
      expect(answers.parity.length).toBe(5 + found.length);
      if (process.env.ISOSKIN_SHOW) console.table(answers.parity);
      judge(answers);
    },
    120_000,
  );

  it.skipIf(!browser)(
    browser
      ? 'agrees with the TypeScript stack in a headless browser'
      : 'agrees with the TypeScript stack in a headless browser — skipped: no Chromium found; install chromium or @sparticuz/chromium',
    async () => {
      const script = readFileSync(await bundle('gpu-cases-page', 'browser'), 'utf8');
      const server = createServer((_, response) => {
        response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html><title>isoskin</title>');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const context = await chromium.launchPersistentContext(join(scratch, 'profile'), {
        executablePath: browser!.executable,
        env: { ...process.env, ...browser!.env } as Record<string, string>,
        args: BROWSER_FLAGS,
        ignoreDefaultArgs: ['--headless', '--hide-scrollbars', '--mute-audio'],
      });
      try {
        const page = context.pages()[0] ?? (await context.newPage());
        await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        await page.addScriptTag({ content: script });
        const ghost = join(models, 'Ghost.glb');
        const files = existsSync(ghost) ? { Ghost: readFileSync(ghost).toString('base64') } : {};
        const answers = await page.evaluate(
          (given) =>
            (globalThis as unknown as { isoskinCases(frames: number, files: object): Promise<Answers> }).isoskinCases(
              2,
              given,
            ),
          files,
        );
        judge(answers);
      } finally {
        await context.close();
        server.close();
      }
    },
    120_000,
  );
});
