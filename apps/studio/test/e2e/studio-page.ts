/** The studio as a person meets it: the built page, served by the command's own server, in a real browser. */
import { mkdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { type OpenedFile, type StudioServer, serveStudio } from '../../../../packages/cli/src/serve-studio.js';
import { decodePng } from '../../../../packages/report/src/decode-png.js';
import type { TestBrowser, TestPage } from '../../../../packages/three/test/browser.js';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PICTURES = folder('../../out/');
const QUIET = 4;

export const startServer = (opened?: OpenedFile): Promise<StudioServer> =>
  serveStudio(folder('../../dist/'), opened, 0);

/** On a machine that does other things too. */
export const soon = { timeout: 90_000 };

/** The page for the tests of a file; it goes with the browser when they are done. */
export function serveTests(browser: TestBrowser | undefined): { readonly url: string } {
  let server: StudioServer | undefined;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  return {
    get url() {
      return server!.url;
    },
  };
}

export const nameOf = (page: TestPage): Promise<string> => page.locator('.document-name').innerText();

/** Opens a demo of the gallery. */
export async function openDemo(page: TestPage, name: string): Promise<void> {
  await page.locator('.document-name').click();
  await page.locator('.card', { hasText: new RegExp(`^${name}`, 'i') }).click();
  await expect.poll(() => nameOf(page), soon).toMatch(new RegExp(name, 'i'));
  await waitForStudio(page);
}

/** Drops a file and waits until it is shown. */
export async function openFile(page: TestPage, name: string, bytes: Uint8Array): Promise<void> {
  await dropFiles(page, [{ name, bytes }]);
  await expect.poll(() => nameOf(page), soon).toBe(name);
  await waitForStudio(page);
}

/** Opens the page and waits for the first picture and the plan. */
export async function openStudio(browser: TestBrowser, url: string): Promise<TestPage> {
  const page = await browser.open('about:blank');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(url);
  await waitForStudio(page);
  return page;
}

export async function waitForStudio(page: TestPage): Promise<void> {
  await page.waitForSelector('main[data-ready=true]', { timeout: 60_000 });
  await page.waitForSelector('.badge[data-kernels]', { timeout: 60_000 });
}

/** Kept as an artifact, to be looked at. */
export async function takePicture(page: TestPage, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}${name}.png` });
}

/** As a person drops files from the desktop. */
export async function dropFiles(
  page: TestPage,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<void> {
  const packed = files.map(({ name, bytes }) => ({ name, text: Buffer.from(bytes).toString('base64') }));
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, text } of list) {
      data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
    }
    return data;
  }, packed);
  await page.dispatchEvent('main canvas', 'drop', { dataTransfer: transfer });
}

/** What a click saves. */
export async function saveBy(page: TestPage, click: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), click()]);
  return { name: download.suggestedFilename(), bytes: await readFile((await download.path())!) };
}

/** Stops the clip at a time, so that two pictures differ only by what was changed between them. */
export async function stopAt(page: TestPage, share: number): Promise<void> {
  const track = page.getByRole('slider', { name: 'Time' });
  const box = (await track.boundingBox())!;
  await page.mouse.click(box.x + share * box.width, box.y + box.height / 2);
  await settle(page);
}

/** Until the view has looked the same for QUIET pictures in a row: what was asked may take a moment to show. The foot is covered: the badge's times, and with them its width, are never twice the same. */
export async function settle(page: TestPage): Promise<Buffer> {
  const view = page.locator('main canvas');
  const mask = [page.locator('.view-foot')];
  let last = await view.screenshot({ mask });
  for (let n = 0, same = 1; n < 60 && same < QUIET; n++) {
    await page.waitForTimeout(150);
    const next = await view.screenshot({ mask });
    same = next.equals(last) ? same + 1 : 1;
    last = next;
  }
  return last;
}

/** Pixels of two pictures of the view that a person could tell apart; letters may be drawn a shade otherwise each time. */
export async function countChanged(one: Buffer, other: Buffer): Promise<number> {
  const [{ rgba: a }, { rgba: b }] = [(await decodePng(one))!, (await decodePng(other))!];
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if ([0, 1, 2].some((k) => Math.abs(a[i + k]! - b[i + k]!) > 8)) count++;
  }
  return count;
}

/** What the view shows as soon as it differs from a picture by more than so many pixels: what was asked may still be planned. */
export async function settleApart(page: TestPage, picture: Buffer, pixels: number): Promise<Buffer> {
  let shown = picture;
  await expect
    .poll(async () => {
      shown = await settle(page);
      return countChanged(shown, picture);
    }, soon)
    .toBeGreaterThan(pixels);
  return shown;
}

/** Until the view shows a picture again, but for so many pixels. */
export async function settleBack(page: TestPage, picture: Buffer, pixels = 0): Promise<void> {
  await expect.poll(async () => countChanged(await settle(page), picture), soon).toBeLessThanOrEqual(pixels);
}

/** Until the session that the browser keeps is like this, an expression of `saved`: a change is kept a moment after it. */
export async function waitUntilKept(page: TestPage, isLike: string): Promise<void> {
  const look = `new Promise((resolve, reject) => {
    const open = indexedDB.open('isoskin-studio');
    open.onerror = () => reject(open.error);
    open.onsuccess = () => {
      const reading = open.result.transaction('session').objectStore('session').get('present');
      reading.onsuccess = () => {
        const saved = reading.result;
        open.result.close();
        resolve(Boolean(${isLike}));
      };
    };
  })`;
  await expect.poll(() => page.evaluate(look), soon).toBe(true);
}

/** Pixels that are clearly green. */
export async function countGreen(picture: Buffer): Promise<number> {
  const { rgba } = (await decodePng(picture))!;
  let count = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 1]! > rgba[i]! + 30 && rgba[i + 1]! > rgba[i + 2]! + 60) count++;
  }
  return count;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** No serious finding of axe, wherever the page stands. */
export async function expectAccessible(page: TestPage, place: string): Promise<void> {
  // Colours fade from one theme to the other.
  await page.waitForFunction(() => !document.getAnimations().some((one) => one instanceof CSSTransition));
  // The page's policy allows no script but its own; a debugger may run one all the same.
  const found = await page.evaluate(
    `(async () => { ${AXE}; return (await window.axe.run(document)).violations
      .filter((one) => one.impact === 'serious' || one.impact === 'critical')
      .map((one) => one.id + ': ' + one.nodes.map((node) => node.target.join(' ')).slice(0, 3).join(', ')); })()`,
  );
  expect(found, place).toEqual([]);
}

export async function expectNoErrors(page: TestPage): Promise<void> {
  expect(page.errors).toEqual([]);
}

/** A place of the view that shows a strong, pure colour, as the rings of the gizmo do: 0 red, 1 green, 2 blue. */
export async function findColour(page: TestPage, channel: number): Promise<{ x: number; y: number }> {
  const view = page.locator('main canvas');
  const { width, rgba } = (await decodePng(await view.screenshot()))!;
  const box = (await view.boundingBox())!;
  for (let i = 0; i < rgba.length; i += 4) {
    const others = [0, 1, 2].filter((k) => k !== channel).map((k) => rgba[i + k]!);
    if (rgba[i + channel]! > 215 && Math.max(...others) < 70) {
      return { x: box.x + ((i / 4) % width), y: box.y + Math.floor(i / 4 / width) };
    }
  }
  throw new Error('No ring of the gizmo is in sight.');
}
