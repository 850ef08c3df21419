/** The studio as a restless person uses it: the built page, served by the command's own server, never loaded again. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { PRESET_NAMES } from '@isoskin/core';
import type { serveStudio } from '../../packages/cli/src/serve-studio.js';
import { findBrowser, type TestPage, WEBGL_FLAGS } from '../../packages/three/test/browser.js';
import { type Acts, choose, measurePage, type Random } from './acts.js';

const DEMOS = ['giraffe', 'hand', 'cat', 'toy', 'finger', 'tube'];
const SCENES = ['merge', 'pinch', 'muscle'];
const PATIENCE = 240_000;

export async function openActs(): Promise<Acts> {
  const { serveStudio: serve } = (await import(join(process.cwd(), 'packages/cli/dist/serve-studio.js'))) as {
    serveStudio: typeof serveStudio;
  };
  const browser = await findBrowser(WEBGL_FLAGS);
  if (!browser) throw new Error('There is no browser here.');
  const server = await serve(join(process.cwd(), 'apps/studio/dist/'), undefined, 0);
  const page = await browser.open('about:blank');
  await page.setViewportSize({ width: 1280, height: 720 });
  page.setDefaultTimeout(PATIENCE);
  await page.goto(server.url);
  await waitForPlan(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const acts = listActs(page);
  return {
    async act(random) {
      const kind = choose(KINDS, random);
      const result = await acts[kind]!(random);
      await waitForPlan(page);
      if (page.errors.length > 0) throw new Error(`${kind}: ${page.errors.join('\n')}`);
      return typeof result === 'string'
        ? { name: `${kind} ${result}` }
        : { name: `${kind} ${result[0]}`, word: result[1] };
    },
    async measure() {
      // Everybody measures the same: one character, its own stack.
      await openCard(page, 'tube');
      await waitForPlan(page);
      return measurePage(session);
    },
    bounded: ['heap', 'nodes', 'listeners', 'renderers'],
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

type Act = (random: Random) => Promise<string | readonly [what: string, word: string]>;

/** What is done more often is here more often. */
const KINDS = [
  'open',
  'open',
  'preset',
  'preset',
  'scrub',
  'scrub',
  'play',
  'look',
  'paint',
  'undo',
  'undo',
  'simulate',
  'bake',
];

function listActs(page: TestPage): Record<string, Act> {
  const canvas = page.locator('main canvas').first();
  const middle = async () => {
    const box = (await canvas.boundingBox())!;
    return { x: box.x + 0.6 * box.width, y: box.y + 0.5 * box.height };
  };
  const acts: Record<string, Act> = {
    async open(random) {
      const name = choose(DEMOS, random);
      await openCard(page, name);
      return name;
    },
    async preset(random) {
      const name = choose(PRESET_NAMES, random);
      await page.getByLabel('Preset').selectOption(name);
      return name;
    },
    async scrub(random) {
      const box = (await page.getByRole('slider', { name: 'Time' }).boundingBox())!;
      for (let n = 0; n < 5; n++) await page.mouse.click(box.x + random() * box.width, box.y + box.height / 2);
      return '';
    },
    async play() {
      await canvas.focus();
      await page.keyboard.press(' ');
      await page.waitForTimeout(2000);
      await page.keyboard.press(' ');
      return '';
    },
    async look(random) {
      await page
        .getByLabel('Colour by')
        .selectOption(choose(['clay', 'gamma', 'displacement', 'region', 'volume'], random));
      await page
        .getByRole('radio', { name: choose(['Split', 'Side by side', 'Overlay', 'Corrected only'], random) })
        .click();
      await page.keyboard.press('w');
      return '';
    },
    async paint() {
      await canvas.focus();
      await page.keyboard.press('p');
      const at = await middle();
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x + 40, at.y + 25, { steps: 6 });
      await page.mouse.up();
      await page.keyboard.press('v');
      return '';
    },
    async undo(random) {
      await canvas.focus();
      const count = 1 + Math.floor(4 * random());
      for (let n = 0; n < count; n++) await page.keyboard.press('Control+z');
      if (random() < 0.5) await page.keyboard.press('Control+Shift+z');
      // It may have led back to a simulation.
      if ((await page.getByRole('complementary', { name: 'Scene' }).count()) > 0) await openCard(page, 'tube');
      return '';
    },
    async simulate(random) {
      const name = choose(SCENES, random);
      await openCard(page, name);
      await page.locator('.scene-label').waitFor();
      await page.waitForFunction(() => Number(document.querySelector('.clock b')?.textContent) > 0.05);
      await openCard(page, choose(DEMOS, random));
      return name;
    },
    /** The default stack of one demo: every export is the same file. */
    async bake(random) {
      const name = choose(['tube', 'finger', 'toy'], random);
      await openCard(page, name);
      await waitForPlan(page);
      await page.getByLabel('Preset').selectOption('organic');
      await waitForPlan(page);
      await page.keyboard.press('Control+e');
      await page.getByRole('button', { name: 'Bake', exact: true }).click();
      await page.locator('.export-files').waitFor();
      const button = page.locator('.export-files li', { hasText: /-kept\.glb/ }).locator('button');
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      const hash = createHash('sha256');
      for await (const chunk of await download.createReadStream()) hash.update(chunk as Buffer);
      await download.delete();
      await page.keyboard.press('Escape');
      return [name, hash.digest('hex').slice(0, 16)];
    },
  };
  return acts;
}

async function openCard(page: TestPage, name: string): Promise<void> {
  await page.locator('.document-name').click();
  const title = page.locator('b', { hasText: new RegExp(`^${name}$`, 'i') });
  await page.locator('.card').filter({ has: title }).click();
}

/** A character that is shown, and planned. By locators: a handle of an element keeps it in memory, and all around it. */
async function waitForPlan(page: TestPage): Promise<void> {
  await page.locator('main[data-ready=true]').waitFor({ timeout: PATIENCE });
  await page.locator('.badge[data-kernels]').waitFor({ timeout: PATIENCE });
}
