/** What an artist does with a character: a skeleton for a bare mesh, weights painted and exported, layers set and carried on, parts left alone. */
import { createCharacter } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { boxShape, part } from '../../../../packages/core/test/meshes.js';
import { bar } from '../../../../packages/core/test/regions/bar.js';
import { findBrowser, type TestPage, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import { packWeights } from '../../src/state/skin-weights.js';
import { stripSkin } from '../strip-skin.js';
import {
  countChanged,
  dropFiles,
  expectAccessible,
  expectNoErrors,
  nameOf,
  openFile,
  openStudio,
  saveBy,
  serveTests,
  settle,
  soon,
  takePicture,
  waitForStudio,
} from './studio-page.js';

const browser = await findBrowser(WEBGL_FLAGS);
const server = serveTests(browser);
let page: TestPage;

const sourceName = () => nameOf(page);
const undoTip = () => page.getByRole('button', { name: 'Undo' }).getAttribute('data-tip');
const undo = () => page.getByRole('button', { name: 'Undo' }).click();
const regionNames = () => page.locator('.rows .row > .name').allInnerTexts();

const drop = (name: string, bytes: Uint8Array) => openFile(page, name, bytes);

async function drag(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const box = (await page.locator('main canvas').boundingBox())!;
  await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 8 });
  await page.mouse.up();
}

/** The body alone, without what lies over the view. */
async function takeBody(): Promise<Buffer> {
  await page.mouse.move(5, 5);
  await settle(page);
  const { x, y, width, height } = (await page.locator('main canvas').boundingBox())!;
  return page.screenshot({
    clip: { x: x + 0.42 * width, y: y + 0.2 * height, width: 0.3 * width, height: 0.55 * height },
  });
}

/** The largest change of a region, before and after, in the list. */
const worstOf = async (column: 'first' | 'last') => {
  const texts = await page.locator('.rows .row').evaluateAll(
    (rows, which) =>
      rows.map((row) => {
        const cells = row.querySelectorAll('.value, .change');
        return (which === 'first' ? cells[0] : cells[cells.length - 1])?.textContent ?? '';
      }),
    column,
  );
  return Math.max(...texts.map((text) => Math.abs(Number(text.replace('−', '-').replace(/[^\d.-]/g, '')))));
};

describe.skipIf(!browser)('an artist', { timeout: 300_000 }, () => {
  it('gives a bare mesh a skeleton and weights', async () => {
    page = await openStudio(browser!, server.url);
    const before = await sourceName();
    const bare = await stripSkin(await writeCharacter(createDemo('cat')));
    await dropFiles(page, [{ name: 'statue.glb', bytes: bare }]);
    const dialog = page.getByRole('dialog', { name: /statue\.glb.*no skeleton/ });
    await dialog.waitFor(soon);
    expect(await sourceName()).toBe(before);
    await takePicture(page, '40-bare-mesh');
    await expectAccessible(page, 'bare mesh');
    await dialog.getByRole('radio', { name: 'Of a demo' }).click();
    await dialog.getByLabel('Demo', { exact: true }).selectOption('tube');
    await dialog.getByRole('button', { name: 'Bind' }).click();
    await expect.poll(() => dialog.getByRole('alert').innerText(), soon).toMatch(/does not stand in the mesh/);
    await dialog.getByRole('radio', { name: 'Find it' }).click();
    await dialog.getByRole('button', { name: 'Bind' }).click();
    await expect.poll(sourceName, soon).toBe('statue.glb');
    await waitForStudio(page);
    await dialog.waitFor({ ...soon, state: 'detached' });
    await page.getByRole('tab', { name: 'Joints' }).click();
    await expect.poll(() => page.locator('.joint-row').count(), soon).toBeGreaterThan(8);
    await settle(page);
    await takePicture(page, '41-rigged');
    await expectNoErrors(page);
  });

  it('paints the weights of a joint on both sides, smooths them, takes it back, and exports them', async () => {
    await page.locator('.document-name').click();
    await page.locator('.card', { hasText: /^hero/i }).click();
    await expect.poll(sourceName, soon).toMatch(/hero/i);
    await waitForStudio(page);
    await page.waitForSelector('.next-worst', soon);
    await page.getByRole('button', { name: /^Pause/ }).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('4');
    await page.keyboard.press('Shift+F');
    await page.keyboard.press('p');
    await page.getByRole('radio', { name: 'Weights' }).click();
    await page.getByLabel('Joint', { exact: true }).selectOption({ label: 'spine.1' });
    await page.getByRole('switch', { name: 'Mirror left and right' }).click();
    const before = await takeBody();
    await drag([0.53, 0.42], [0.54, 0.5]);
    await expect.poll(undoTip, soon).toContain('Paint weights');
    await expect.poll(async () => countChanged(await takeBody(), before), soon).toBeGreaterThan(200);
    await takePicture(page, '42-weights');
    await expectAccessible(page, 'weights');
    await page.getByRole('radio', { name: 'Smooth' }).click();
    await drag([0.52, 0.4], [0.55, 0.52]);
    await expect.poll(undoTip, soon).toContain('Smooth weights');
    await undo();
    await expect.poll(undoTip, soon).toContain('Paint weights');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Bake', exact: true }).click();
    await page.waitForSelector('.export-files, .export-error', { timeout: 240_000 });
    expect(await page.locator('.export-error').allInnerTexts()).toEqual([]);
    const { bytes } = await saveBy(page, () =>
      page.getByRole('button', { name: 'Save hero.glb', exact: true }).click(),
    );
    const read = async (file: Uint8Array) => packWeights((await readCharacterFromBytes(file)).character.binding);
    const [a, b] = [await read(await writeCharacter(createDemo('hero'))), await read(bytes)];
    const changed = a.bones.filter((bone, n) => bone !== b.bones[n] || Math.abs(a.weights[n]! - b.weights[n]!) > 0.02);
    expect(changed.length).toBeGreaterThan(10);
    expect(changed.length).toBeLessThan(0.5 * a.bones.length);
    await page.keyboard.press('Escape');
    await undo();
    await expect.poll(async () => countChanged(await takeBody(), before), soon).toBeLessThan(50);
  });

  it('takes all weights anew from the skeleton', async () => {
    await page.getByRole('button', { name: 'Automatic weights' }).click();
    await expect.poll(undoTip, soon).toContain('Automatic weights');
    await settle(page);
    await takePicture(page, '43-automatic-weights');
    await undo();
    await page.keyboard.press('v');
    await expectNoErrors(page);
  });

  it('sets how much volume comes back, and carries the stack to another file', async () => {
    await page.getByRole('tab', { name: 'Regions' }).click();
    await page
      .getByRole('button', { name: /Next worst/ })
      .first()
      .click();
    await expect.poll(() => worstOf('first'), soon).toBeGreaterThan(5);
    // The limit holds some of it back.
    await expect.poll(async () => (await worstOf('last')) / (await worstOf('first')), soon).toBeLessThan(0.4);
    await page.getByLabel('Strength, exact').first().fill('50');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await worstOf('last')) / (await worstOf('first')), soon).toBeCloseTo(0.5, 1);
    await takePicture(page, '44-strength');
    const stack = await saveBy(page, async () => {
      await page.getByRole('button', { name: 'Stack as JSON' }).click();
      await page.getByRole('menuitem', { name: 'Save stack.json' }).click();
    });
    expect(JSON.parse(stack.bytes.toString()).volume.options.strength).toBe(0.5);
    await page.getByRole('button', { name: 'Reset the stack' }).click();
    await drop('tube.glb', await writeCharacter(createDemo('tube')));
    // From the hero: joints and wrinkles that the tube does not have.
    const end = { triangle: 100_000, barycentric: [1, 0, 0] };
    const other = JSON.parse(stack.bytes.toString());
    other.volume.regions = { merge: [{ name: 'arm', joints: ['arm.L.1', 'arm.L.2'] }] };
    other.wrinkles = { tools: [{ a: end, b: end, width: 1 }] };
    await dropFiles(page, [{ name: 'stack.json', bytes: new TextEncoder().encode(JSON.stringify(other)) }]);
    await expect.poll(() => page.getByLabel('Strength, exact').first().inputValue(), soon).toBe('50');
    await expect.poll(regionNames, soon).not.toEqual([]);
    expect(await page.locator('.stack-fault').count()).toBe(0);
  });

  it('leaves rigid parts alone and says so, and locks a whole part', async () => {
    const input = bar();
    const helmet = part(boxShape(1, 1, 1, 0, 4, 0), () => [0, 0, 0, 1, 0], { name: 'helmet', group: 1 });
    const ring = part(boxShape(1, 1, 1, 0, -4, 0), (x) => (x < 0.5 ? [1, 0] : [0, 1]), { name: 'ring', group: 2 });
    const dressed = createCharacter({ ...input, parts: [...input.parts, helmet, ring] });
    await drop('dressed.glb', await writeCharacter(dressed));
    await page.getByLabel('Preset').selectOption('organic');
    const said = page.locator('.rigid-parts');
    await expect.poll(() => said.innerText(), soon).toMatch(/1 rigid part is left alone.*helmet/);
    const left = (await regionNames()).length;
    await expectAccessible(page, 'rigid parts');
    await takePicture(page, '45-rigid-parts');
    await page.getByRole('switch', { name: 'Correct rigid parts too' }).click();
    await expect.poll(async () => (await regionNames()).length, soon).toBe(left + 1);
    await undo();
    await expect.poll(async () => (await regionNames()).length, soon).toBe(left);
    await page.locator('.rows .row', { hasText: 'left elbow' }).click();
    await page.getByRole('button', { name: /Select all regions of this part/ }).click();
    await expect.poll(() => page.locator('.rows .row[aria-pressed=true]').count(), soon).toBe(left - 1);
    await page.getByRole('button', { name: /^Lock the selected/ }).click();
    await expect.poll(() => page.locator('.rows .row svg').count(), soon).toBe(left - 1);
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.getByRole('button', { name: 'Light theme' }).click();
    await expectAccessible(page, 'parts, light');
    await page.keyboard.press('p');
    await page.getByRole('radio', { name: 'Weights' }).click();
    await expectAccessible(page, 'weights, light');
    await takePicture(page, '46-light-1024');
    await expectNoErrors(page);
  });
});
