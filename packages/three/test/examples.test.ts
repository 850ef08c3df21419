/** Every example page in a real browser: no complaint in its console, a picture that is not blank, and the right numbers. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PRESET_NAMES } from '@isoskin/core';
import type { Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodePng } from '../../report/src/decode-png.js';
import {
  type Files,
  findBrowser,
  fromSources,
  ROOT,
  serve,
  type TestBrowser,
  type TestPage,
  WEBGL_FLAGS,
} from './browser.js';

interface BuildExamples {
  listExamples(): string[];
  listMissing(name: string): string[];
  buildExamples(options: { plugins: Plugin[] }): Promise<Files>;
}

const { listExamples, listMissing, buildExamples } = (await import(
  join(ROOT, 'scripts/build-examples.mjs')
)) as BuildExamples;

/** Pictures go here when the folder is named: to look at. */
const PICTURES = process.env.ISOSKIN_PICTURES;

/** Share of the volume that limits may hold back in the pages' own clips. */
const HELD = 0.04;

/** The shapes are drawn. */
const KEPT = `[example.kept.bodies[0].meshes[0]].some((mesh) => mesh.morphTargetInfluences || mesh.geometry.attributes.isoskin)`;

/** What `window.example` holds when a page has run for a while. */
const CHECKS: Readonly<Record<string, (page: TestPage) => Promise<void>>> = {
  async '101-four-failures'(page) {
    for (const [name, least] of Object.entries({ elbow: 0.05, twist: 0.05, neck: 0.02, fist: 0.05 })) {
      await page.waitForFunction(`example.worst.${name}?.[0] > ${least}`);
      const [before, after] = (await page.evaluate(`example.worst.${name}`)) as [number, number];
      expect(after, name).toBeLessThan(0.75 * before); // limits may hold a region back
    }
  },
  async '103-presets'(page) {
    const worst = await watch(page, 'Object.values(example.volumes)');
    expect(worst).toHaveLength(PRESET_NAMES.length);
    for (const error of worst) expect(error).toBeLessThan(5e-3); // the limit holds some of it back
  },
  async '201-painted-muscle'(page) {
    const [error] = await watch(page, '[example.kept]');
    expect(error).toBeLessThan(HELD);
    const before = await page.evaluate('example.paint.reduce((a, b) => a + b)');
    await page.mouse.move(605, 318);
    await page.mouse.down();
    await page.mouse.move(615, 318, { steps: 3 });
    await page.mouse.up();
    expect(await page.evaluate('example.paint.reduce((a, b) => a + b)')).toBeGreaterThan(before as number);
    expect((await watch(page, '[example.kept]'))[0]).toBeLessThan(HELD);
  },
  async '202-regions-and-plots'(page) {
    await page.waitForFunction('Math.abs(example.before) > 0.01'); // a step that costs volume
    const [after] = await watch(page, '[1 + example.after]');
    expect(after).toBeLessThan(0.2); // the worst region; plain skinning loses half of some
    expect(await page.evaluate('example.regions')).toBeGreaterThan(4);
  },
  async '301-crowd'(page) {
    expect(await page.evaluate('example.plans')).toBe(1);
    expect(await page.evaluate('example.bodies.length')).toBe(40);
    const error = `Math.max(...example.bodies.filter((b) => b.cost > 0).flatMap((b) => [...b.report.volumes.map((v, s) => (b.report.inexact[s] ? 0 : Math.abs(v / b.report.targets[s] - 1)))]))`;
    expect(await page.evaluate(error)).toBeLessThan(1e-3);
  },
  async '401-webgpu'(page) {
    expect(await page.evaluate('example.isWebGPUBackend')).toBe(true);
    await page.waitForFunction(KEPT); // planned
    await page.click('#on');
    await page.waitForFunction(`!(${KEPT})`);
    await page.click('#on');
    await page.waitForFunction(KEPT);
  },
  async '402-gpu-crowd'(page) {
    expect(await page.evaluate('example.crowd.path')).toBe('gpu');
    expect(await page.evaluate('example.crowd.children.length')).toBe(1);
  },
  async '501-react-three-fiber'(page) {
    await page.waitForFunction(`window.example && ${KEPT}`); // planned
    await page.click('#on');
    await page.waitForFunction(`!(${KEPT})`);
    await page.click('#on');
  },
  async '701-drive'(page) {
    const turn = async (angle: number) => {
      await page.fill('#head', String(angle));
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'); // drawn
      return (await page.evaluate('[...example.meshes[0].morphTargetInfluences]')) as number[];
    };
    const [left, right] = [await turn(-0.8), await turn(0.8)];
    expect(left.some((weight) => weight !== 0)).toBe(true);
    expect(Math.max(...left.map((weight, k) => Math.abs(weight - right[k]!)))).toBeGreaterThan(1e-4);
    expect(await page.evaluate('example.player.amounts.certificate.median')).toBeLessThan(0.06);
    await page.click('#on');
    await page.waitForFunction('example.meshes[0].morphTargetInfluences.every((weight) => weight === 0)');
    await page.click('#on');
  },
  async '601-babylon'(page) {
    const [error] = await watch(page, '[example.kept]');
    expect(error).toBeLessThan(HELD);
  },
};

describe('examples', () => {
  let browser: TestBrowser | undefined;
  let webgl: TestBrowser | undefined;
  let url = '';
  let close = async () => {};
  const names = listExamples();

  beforeAll(async () => {
    browser = await findBrowser();
    webgl = await findBrowser(WEBGL_FLAGS);
    if (!browser || !webgl) return;
    const server = await serve(await buildExamples({ plugins: [fromSources] }));
    ({ url, close } = server);
  }, 300_000); // one page has its file taught first

  afterAll(async () => {
    await browser?.close();
    await webgl?.close();
    await close();
  });

  for (const name of names) {
    test(name, { timeout: 180_000 }, async (context) => {
      if (!browser || !webgl) return context.skip('no browser');
      const missing = listMissing(name);
      if (missing.length > 0) return context.skip(`not installed: ${missing.join(', ')}`);
      const page = await (name.startsWith('4') ? browser : webgl).open(
        `${url}${name}/${name === '301-crowd' ? '?count=40' : name === '402-gpu-crowd' ? '?count=4' : ''}`,
      );
      try {
        await page.setViewportSize({ width: 960, height: 600 });
        // A page that has complained will not get ready.
        const limit = Date.now() + 90_000;
        while (page.errors.length === 0 && Date.now() < limit) {
          if (await page.evaluate('document.body.dataset.ready')) break;
          await page.waitForTimeout(100);
        }
        expect(page.errors).toEqual([]);
        await CHECKS[name]!(page);
        await page.waitForTimeout(300);
        if (PICTURES) mkdirSync(PICTURES, { recursive: true });
        const shot = { timeout: 90_000, ...(PICTURES && { path: join(PICTURES, `${name}.png`) }) }; // a processor draws
        const shades = await countShades(await page.screenshot(shot));
        expect(shades.middle).toBeGreaterThan(24); // shaded skin, not a flat sheet
        expect(shades.background).toBeGreaterThan(0.2);
        expect(page.errors).toEqual([]);
      } finally {
        await page.close();
      }
    });
  }
});

/** Largest |value − 1| of each number of `expression` over a second. */
async function watch(page: TestPage, expression: string): Promise<number[]> {
  let worst: number[] = [];
  for (let i = 0; i < 10; i++) {
    const values = (await page.evaluate(expression)) as number[];
    worst = values.map((value, k) => Math.max(worst[k] ?? 0, Math.abs(value - 1)));
    await page.waitForTimeout(100);
  }
  return worst;
}

/** Different colours in the middle of the picture, and the share of the whole that is background. */
async function countShades(png: Uint8Array): Promise<{ middle: number; background: number }> {
  const { width, height, rgba } = (await decodePng(png))!;
  const colours = new Set<number>();
  let background = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    const [r, g, b] = [rgba[i]!, rgba[i + 1]!, rgba[i + 2]!];
    if (Math.abs(r - 0xee) + Math.abs(g - 0xf0) + Math.abs(b - 0xf3) < 24) background++;
    const [x, y] = [(i / 4) % width, Math.trunc(i / 4 / width)];
    if (Math.abs(x / width - 0.6) < 0.3 && Math.abs(y / height - 0.5) < 0.35) colours.add((r << 16) | (g << 8) | b);
  }
  return { middle: colours.size, background: (4 * background) / rgba.length };
}
