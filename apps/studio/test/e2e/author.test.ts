/** The character as its author made it, in the page: materials, textures, what is not skinned, and the difference to be seen. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bundle,
  findBrowser,
  PAGE,
  serve,
  type TestPage,
  WEBGL_FLAGS,
} from '../../../../packages/three/test/browser.js';
import { createEngine } from '../../src/engine/create-engine.js';
import type { PlainScene } from './plain-scene.js';
import {
  countChanged,
  countGreen,
  dropFiles,
  expectNoErrors,
  nameOf,
  openFile,
  openStudio,
  saveBy,
  serveTests,
  settle,
  settleApart,
  settleBack,
  soon,
  stopAt,
  takePicture,
} from './studio-page.js';

const models = new URL('../../../../../shared/models/', import.meta.url);
const hasModels = existsSync(models);
if (!hasModels) console.warn('The tests on real models are skipped: there is no ../shared/models.');
const browser = hasModels ? await findBrowser(WEBGL_FLAGS) : undefined;
const server = serveTests(browser);
let page: TestPage;

beforeAll(async () => {
  if (browser) page = await openStudio(browser, server.url);
}, 120_000);

const read = (name: string) => new Uint8Array(readFileSync(new URL(`${name}.glb`, models)));
/** Opens a model, stops it at a frame of the whole clip, seen as a whole. */
async function open(name: string, frame: number): Promise<void> {
  await openFile(page, `${name}.glb`, read(name));
  await page.waitForSelector('main[data-look=author]', soon);
  await page.waitForSelector('.next-worst', soon);
  await page.locator('main canvas').focus();
  await page.keyboard.press('ArrowRight'); // stops the clip
  await page.keyboard.press('Home');
  for (let n = 0; n < frame; n++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+F');
  await settle(page);
}

describe.skipIf(!browser)('the author’s character', { timeout: 240_000 }, () => {
  it.each([
    ['CesiumMan', 12],
    ['Fox', 9],
    ['RobotExpressive', 14],
  ])('%s before correction is what three.js alone draws', async (name, frame) => {
    await open(name, frame);
    const clip = Number(await page.getByLabel('Clip', { exact: true }).inputValue());
    await page.keyboard.press('4');
    await page.keyboard.press('Shift+F');
    await settle(page);
    await page.keyboard.down('x');
    await settle(page);
    const { bytes } = await saveBy(page, () =>
      page.getByRole('button', { name: 'Save a picture of the view' }).click(),
    );
    await takePicture(page, `20-before-${name}`);
    await page.keyboard.up('x');
    const size = await page
      .locator('main canvas')
      .evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.height]);
    const { bounds } = await createEngine().open({ kind: 'file', name: `${name}.glb`, bytes: read(name) });
    const settings: PlainScene = {
      width: size[0]!,
      height: size[1]!,
      bounds,
      clip,
      time: frame / 30,
      brightness: 0.6,
    };
    const path = fileURLToPath(new URL('./plain-scene.ts', import.meta.url));
    const script = await bundle(`import ${JSON.stringify(path)};`);
    const plain = await serve({ '/': PAGE, '/page.js': script, '/model.glb': read(name) });
    const other = await browser!.open(plain.url);
    await other.waitForFunction('window.compare');
    const similarity = await other.evaluate(
      ([settings, picture]) =>
        (window as unknown as { compare(url: string, s: unknown, p: string): Promise<number> }).compare(
          '/model.glb',
          settings,
          picture as string,
        ),
      [settings, bytes.toString('base64')] as const,
    );
    console.log(`${name}: similarity ${similarity.toFixed(4)}`);
    await other.close();
    await plain.close();
    expect(similarity).toBeGreaterThan(0.99);
    await expectNoErrors(page);
  });

  it('keeps textures in every comparison and under every colour; clay is one click away', async () => {
    await open('CesiumMan', 12);
    const seen: Buffer[] = [];
    const look = async (name: string) => {
      const least = async (picture: Buffer) =>
        Math.min(...(await Promise.all(seen.map((other) => countChanged(picture, other)))));
      await expect.poll(async () => least(await settle(page)), { ...soon, message: name }).toBeGreaterThan(100);
      const picture = await settle(page);
      seen.push(picture);
      expect(await page.locator('main').getAttribute('data-look')).toBe('author');
      await takePicture(page, `21-${name}`);
      return picture;
    };
    for (const [name, label] of [
      ['side', 'Side by side'],
      ['overlay', 'Overlay'],
      ['split', 'Split'],
    ] as const) {
      await page.getByRole('radio', { name: label }).click();
      const picture = await look(name);
      expect(await countGreen(picture)).toBeGreaterThan(1000); // the landscape on the face
    }
    for (const colour of ['displacement', 'volume', 'region']) {
      await page.getByLabel('Colour by').selectOption(colour);
      await look(colour);
    }
    await page.getByLabel('Colour by').selectOption('displacement');
    expect(await page.locator('.legend').innerText()).toMatch(/local thickness[\s\S]*%/);
    await page.getByLabel('Colour by').selectOption('plain');
    await page.getByRole('button', { name: 'Clay (C)' }).click();
    await expect.poll(async () => countGreen(await settle(page)), soon).toBeLessThan(20);
    await takePicture(page, '21-clay');
    await page.keyboard.press('c');
    await expect.poll(async () => countGreen(await settle(page)), soon).toBeGreaterThan(1000);
  });

  it('opens at the worst moment and walks on to the next, nearer and elsewhere', async () => {
    await stopAt(page, 0); // opened at rest, it stays at rest
    await dropFiles(page, [{ name: 'again.glb', bytes: read('CesiumMan') }]);
    await expect.poll(() => nameOf(page), soon).toBe('again.glb');
    await expect.poll(() => page.locator('.next-worst').allInnerTexts(), soon).toEqual([expect.stringMatching(/1 of/)]);
    await expect.poll(async () => (await worst()).length, soon).toBeGreaterThan(3);
    const listed = await worst();
    expect(listed).toEqual([...listed].sort((a, b) => b - a));
    expect(listed[0]!).toBeGreaterThan(10);
    const first = await page.locator('.next-worst').innerText();
    await page.keyboard.press('m');
    await expect.poll(() => page.locator('.next-worst').innerText(), soon).not.toBe(first);
    const near = await settle(page);
    await takePicture(page, '22-worst');
    await page.keyboard.press('Shift+F');
    await settleApart(page, near, 5000);
    // The selection is framed by F.
    await page.getByRole('tab', { name: 'Regions' }).click();
    await page.locator('.rows .row').first().click();
    const whole = await settle(page);
    await page.locator('main canvas').focus();
    await page.keyboard.press('f');
    await settleApart(page, whole, 5000);
    await page.locator('.rows .row').first().click();
  });

  it('exaggerates and blinks', async () => {
    await open('CesiumMan', 12);
    await page.keyboard.press('4');
    const plain = await settle(page);
    await page.keyboard.down('x');
    const before = await settleApart(page, plain, 50);
    await page.keyboard.up('x');
    const little = await countChanged(before, plain);
    await settleBack(page, plain);
    await page.getByLabel('Exaggerate').fill('6');
    await settleApart(page, before, 2 * little);
    await takePicture(page, '23-exaggerated');
    await page.locator('main canvas').focus();
    await page.keyboard.press('Control+z');
    await settleBack(page, plain);
    await page.keyboard.press('2');
    await expectNoErrors(page);
  });
});

/** Changes in the list of moments, per cent without sign. */
async function worst(): Promise<number[]> {
  await page.getByRole('tab', { name: 'Worst moments' }).click();
  const texts = await page.locator('.moment-row .value:last-child').allInnerTexts();
  return texts.map((text) => Number(/[\d.]+/.exec(text)![0]));
}
