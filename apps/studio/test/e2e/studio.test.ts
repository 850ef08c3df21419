import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StudioServer } from '../../../../packages/cli/src/serve-studio.js';
import { packGlb, skinnedBox } from '../../../../packages/gltf/test/model-builder.js';
import { findBrowser, type TestBrowser, type TestPage, WEBGL_FLAGS } from '../../../../packages/three/test/browser.js';
import {
  countChanged,
  dropFiles,
  expectAccessible,
  expectNoErrors,
  findColour,
  nameOf,
  openStudio,
  saveBy,
  settle,
  settleApart,
  settleBack,
  soon,
  startServer,
  stopAt,
  takePicture,
  waitForStudio,
  waitUntilKept,
} from './studio-page.js';

const browser: TestBrowser | undefined = await findBrowser(WEBGL_FLAGS);
const bin = fileURLToPath(new URL('../../../../packages/cli/bin/isoskin.js', import.meta.url));
let server: StudioServer;
let page: TestPage;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'isoskin-e2e-'));
  server = await startServer();
});

afterAll(async () => {
  await browser?.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  if ((await page?.locator('.dialog').count()) ?? 0) await page.keyboard.press('Escape');
});

const sourceName = () => nameOf(page);
/** The change of volume of the worst region, after correction, as the page shows it. */
const volumes = async () => (await page.locator('.side-label').allInnerTexts()).join(' ');

/** In the page, which counts the time itself: presses the button of a recording that is done by a third. */
function stopRecording(): boolean {
  const isThird = (one: HTMLElement) => Number(/^(\d+) %$/.exec(one.innerText.trim())?.[1]) > 33;
  const button = [...document.querySelectorAll('button')].find(isThird);
  button?.click();
  return button !== undefined;
}

describe.skipIf(!browser)('studio', { timeout: 180_000 }, () => {
  it('opens on a fist that collapses, moving, before and after side by side at its worst moment', async () => {
    page = await openStudio(browser!, server.url);
    expect(await sourceName()).toMatch(/hand/i);
    expect(await page.getByRole('radio', { name: 'Side by side' }).getAttribute('aria-checked')).toBe('true');
    await expect.poll(() => page.locator('.next-worst').innerText(), soon).toMatch(/1 of \d+ · fist .* −4\d\.\d %/);
    const clock = () => page.locator('.clock b').innerText();
    const before = await clock();
    await expect.poll(clock, soon).not.toBe(before);
    await takePicture(page, '01-open');
    await expectNoErrors(page);
  });

  it('says in the gallery what every demo loses, as measured, and opens the elephant', async () => {
    await page.locator('.document-name').click();
    await expect.poll(() => page.locator('.card .loss').count(), soon).toBe(8);
    const hand = await page.locator('.card', { hasText: /^hand/i }).innerText();
    const [, lost, kept] = /“fist”: −(\d+) %, kept to −?(\d+\.\d) %/.exec(hand)!.map(Number);
    expect(lost).toBeGreaterThan(40);
    expect(kept).toBeLessThan(0.35 * lost!); // the limit holds the fist's folds back
    await takePicture(page, '01-gallery');
    await page.locator('.card', { hasText: /^elephant/i }).click();
    await expect.poll(sourceName, soon).toMatch(/elephant/i);
    await expect.poll(() => page.locator('.next-worst').allInnerTexts(), soon).toEqual([expect.stringMatching(/1 of/)]);
    await page.getByRole('radio', { name: 'Split' }).click();
    await page.keyboard.press('Shift+F');
  });

  it('shows its first picture soon, and nothing jumps about', async () => {
    await page.getByRole('button', { name: 'Pause' }).click(); // two studios would share the two cores
    let best = Infinity;
    let shift = Infinity;
    // The least of a few, as a machine may have other things to do.
    for (let n = 0; n < 8 && !(best < 2000 && shift < 0.01); n++) {
      const fresh = await browser!.open('about:blank');
      await fresh.setViewportSize({ width: 1280, height: 720 });
      await fresh.addInitScript(() => {
        const seen = { shift: 0 };
        Object.assign(window, { seen });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await fresh.goto(server.url);
      await fresh.waitForSelector('main[data-ready=true]');
      best = Math.min(best, await fresh.evaluate(() => performance.now()));
      await fresh.waitForSelector('.badge[data-kernels]');
      shift = Math.min(
        shift,
        await fresh.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift),
      );
      await fresh.close();
    }
    console.log(`first picture after ${Math.round(best)} ms, layout shift ${shift.toFixed(4)}`);
    await page.getByRole('button', { name: 'Play' }).click();
    expect(best).toBeLessThan(2000);
    expect(shift).toBeLessThan(0.01);
  });

  it('changes volume and pixels with a slider, and takes it back', async () => {
    await stopAt(page, 0.55);
    const picture = await settle(page);
    const numbers = await volumes();
    await page.getByLabel('Keep, exact').fill('140');
    await page.keyboard.press('Enter');
    await expect.poll(volumes, soon).not.toBe(numbers);
    await settleApart(page, picture, 100);
    await page.locator('main canvas').focus();
    await page.keyboard.press('Control+z');
    await expect.poll(volumes, soon).toBe(numbers);
    expect(await page.getByLabel('Keep, exact').inputValue()).toBe('100');
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => page.getByLabel('Keep, exact').inputValue(), soon).toBe('140');
    await page.keyboard.press('Control+z');
  });

  it('scrubs, steps and plays by keys', async () => {
    await stopAt(page, 0.25);
    const clock = async () => Number(await page.locator('.clock b').innerText());
    const duration = Number(/\/ ([\d.]+)/.exec(await page.locator('.clock').innerText())![1]);
    expect(Math.abs((await clock()) - 0.25 * duration)).toBeLessThan(0.03);
    const at = await clock();
    await page.locator('main canvas').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(clock, soon).toBeGreaterThan(at);
    await page.keyboard.press(' ');
    const playing = await clock();
    await expect.poll(clock, soon).not.toBe(playing);
    await page.keyboard.press(' ');
  });

  it('colours and compares in every way it offers', async () => {
    await stopAt(page, 0.55);
    const seen: Buffer[] = [];
    const look = async () => {
      const next = await settle(page);
      const changes = await Promise.all(seen.map((picture) => countChanged(picture, next)));
      if (changes.every((count) => count > 100)) seen.push(next);
    };
    for (const colour of ['gamma', 'displacement', 'region', 'volume', 'plain']) {
      await page.getByLabel('Colour by').selectOption(colour);
      await look();
      if (colour === 'displacement') await takePicture(page, '02-displacement');
    }
    for (const name of ['Side by side', 'Overlay', 'Corrected only', 'Split']) {
      await page.getByRole('radio', { name }).click();
      await look();
      await takePicture(page, `03-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
    expect(seen.length).toBeGreaterThanOrEqual(8); // clay, split comes twice
  });

  it('selects a region in the view and in the list', async () => {
    const box = (await page.locator('main canvas').boundingBox())!;
    await page.mouse.click(box.x + 0.62 * box.width, box.y + 0.45 * box.height);
    await expect.poll(() => page.locator('.rows .row[aria-pressed=true]').count(), soon).toBe(1);
    const other = page.locator('.rows .row[aria-pressed=false]').first();
    await other.click();
    await expect.poll(() => page.locator('.rows .row[aria-pressed=true]').count(), soon).toBe(1);
    await takePicture(page, '04-region');
  });

  it('poses a joint by its rings, and resets it', async () => {
    await page.keyboard.press('r');
    await page.getByRole('tab', { name: 'Joints' }).click();
    await page.locator('.joint-row', { hasText: /head/ }).first().click();
    const before = await settle(page);
    const ring = await findColour(page, 0);
    await page.mouse.move(ring.x, ring.y);
    await page.mouse.down();
    await page.mouse.move(ring.x + 50, ring.y + 40, { steps: 8 });
    await page.mouse.up();
    await settleApart(page, before, 100);
    await expect.poll(() => page.locator('.joint-row .value').count(), soon).toBeGreaterThan(0);
    await takePicture(page, '05-pose');
    await page.getByRole('button', { name: 'Reset all' }).click();
    await expect.poll(() => page.locator('.joint-row .value').count(), soon).toBe(0);
    await page.keyboard.press('v');
  });

  it('paints, and undoes the stroke', async () => {
    await stopAt(page, 0.55);
    await page.keyboard.press('p');
    const box = (await page.locator('main canvas').boundingBox())!;
    const corner = { x: box.x + 5, y: box.y + box.height - 5 };
    await page.mouse.move(corner.x, corner.y);
    const before = await settle(page);
    const at = { x: box.x + 0.62 * box.width, y: box.y + 0.45 * box.height };
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 40, at.y + 25, { steps: 6 });
    await page.mouse.up();
    await expect
      .poll(() => page.getByRole('button', { name: 'Undo' }).getAttribute('data-tip'), soon)
      .toContain('Paint γ');
    await takePicture(page, '06-paint');
    await page.mouse.move(corner.x, corner.y);
    await settleApart(page, before, 100);
    await page.locator('main canvas').focus();
    await page.keyboard.press('Control+z');
    await settleBack(page, before);
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('v');
  });

  it('exports what the command would bake, bit for bit, and opens it again', async () => {
    await page.keyboard.press('Control+e');
    await page.getByRole('button', { name: 'Bake', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Bake', exact: true }).click();
    await page.waitForSelector('.export-files', { timeout: 150_000 });
    await takePicture(page, '07-export');
    const saved: Record<string, Buffer> = {};
    for (const button of await page.locator('.export-files button').all()) {
      const { name, bytes } = await saveBy(page, () => button.click());
      saved[name] = bytes;
      writeFileSync(join(folder, name), bytes);
    }
    expect(Object.keys(saved).sort()).toEqual([
      'elephant-kept.glb',
      'elephant-report.html',
      'elephant-stack.json',
      'elephant.glb',
    ]);
    expect(saved['elephant-report.html']!.toString()).toContain('<svg');
    expect(saved['elephant.glb']!.includes('_ISOSKIN_GAMMA')).toBe(true);
    const out = join(folder, 'by-command.glb');
    const stack = join(folder, 'elephant-stack.json');
    const run = spawnSync(process.execPath, [bin, 'bake', join(folder, 'elephant.glb'), '-o', out, '--stack', stack]);
    expect(run.status, run.stderr.toString()).toBe(0);
    expect(readFileSync(out).equals(saved['elephant-kept.glb']!)).toBe(true);

    await page.keyboard.press('Escape');
    await dropFiles(page, [{ name: 'elephant-kept.glb', bytes: saved['elephant-kept.glb']! }]);
    await expect.poll(sourceName, { timeout: 30_000 }).toBe('elephant-kept.glb');
    await waitForStudio(page);
    await expectNoErrors(page);
  });

  it('comes back as it was after a reload', async () => {
    await page.getByRole('button', { name: 'Light theme' }).click();
    await waitUntilKept(page, `saved.theme === 'light' && saved.document.source.name === 'elephant-kept.glb'`);
    await page.reload();
    await waitForStudio(page);
    expect(await sourceName()).toBe('elephant-kept.glb');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    await takePicture(page, '08-light');
    await page.getByRole('button', { name: 'Dark theme' }).click();
  });

  it('opens a dropped file and every demo of the gallery', async () => {
    const bytes = await writeCharacter(createDemo('finger'));
    await dropFiles(page, [{ name: 'my finger.glb', bytes }]);
    await expect.poll(sourceName, { timeout: 30_000 }).toBe('my finger.glb');
    await page.locator('.document-name').click();
    await page.waitForSelector('.gallery .card');
    await takePicture(page, '09-gallery');
    await page.locator('.card', { hasText: /^hand/i }).click();
    await expect.poll(sourceName, { timeout: 30_000 }).toMatch(/hand/i);
    await waitForStudio(page);
    await takePicture(page, '10-hand');
  });

  it('says what is wrong with a bad file, and goes on', async () => {
    const name = await sourceName();
    const good = skinnedBox();
    const broken = structuredClone(good.json);
    broken.skins[0].joints = [1, 99];
    const hostile = '<img src=x onerror="window.hacked=1">';
    const bad: [string, Uint8Array][] = [
      ['empty.glb', new Uint8Array()],
      ['cut.glb', good.glb().slice(0, 200)],
      ['broken.glb', packGlb(broken, good.binary())],
      ['text.glb', new TextEncoder().encode('not a model')],
      [`${hostile}.glb`, new TextEncoder().encode('{"asset":{"version":"2.0"}}')],
      ['picture.png', new Uint8Array([137, 80, 78, 71])],
      ['wrong.json', new TextEncoder().encode('{"layers":[{"layer":"vloume"}]}')],
    ];
    for (const [file, bytes] of bad) {
      await dropFiles(page, [{ name: file, bytes }]);
      const notice = page.locator('.notice.error').last();
      await expect.poll(() => notice.innerText(), { timeout: 15_000 }).toContain(file.slice(0, 8));
      expect((await notice.innerText()).length).toBeGreaterThan(40);
      expect(await sourceName()).toBe(name);
    }
    await takePicture(page, '11-bad-file');
    // Names from a file are text, never markup.
    const named = skinnedBox();
    for (const node of named.json.nodes) node.name = hostile;
    named.json.meshes[0].name = hostile;
    await dropFiles(page, [{ name: 'named.glb', bytes: named.glb() }]);
    await expect.poll(sourceName, soon).toBe('named.glb');
    await page.getByRole('tab', { name: 'Joints' }).click();
    expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined();
    expect(page.errors).toEqual([]);
  });

  it('keeps pictures and films of the view', async () => {
    const picture = await saveBy(page, () => page.getByRole('button', { name: 'Save a picture of the view' }).click());
    expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
    for (const [format, mark] of [
      ['WebM', '\x1aE\xdf\xa3'],
      ['GIF', 'GIF89a'],
    ] as const) {
      const film = await saveBy(page, async () => {
        await page.getByRole('button', { name: 'Record the clip' }).click();
        await page.getByRole('menuitem', { name: `Record as ${format}` }).click();
        await page.waitForFunction(stopRecording, undefined, soon);
      });
      expect(film.bytes.subarray(0, mark.length).toString('latin1')).toBe(mark);
      expect(film.bytes.length).toBeGreaterThan(2000);
    }
  });

  it('copies, saves and loads the stack as JSON', async () => {
    const stack = new TextEncoder().encode(
      JSON.stringify({
        skin: {},
        volume: { method: 'normal-exact', map: { kind: 'uniform' } },
      }),
    );
    await dropFiles(page, [{ name: 'stack.json', bytes: stack }]);
    await expect
      .poll(() => page.getByRole('button', { name: 'Undo' }).getAttribute('data-tip'), soon)
      .toContain('stack');
    await page.locator('main canvas').focus();
    await page.keyboard.press('Control+z');
  });

  it('has no serious accessibility finding, in both themes and in its dialogs', async () => {
    const scan = (place: string) => expectAccessible(page, place);
    await scan('dark');
    await page.keyboard.press('?');
    await page.waitForSelector('.dialog');
    await scan('help');
    await takePicture(page, '12-help');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+e');
    await page.waitForSelector('.dialog');
    await scan('export');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Light theme' }).click();
    await scan('light');
    await page.getByRole('button', { name: 'Dark theme' }).click();
  });

  it('opens the file that the command was given', async () => {
    const bytes = await writeCharacter(createDemo('tube'));
    const own = await startServer({ name: 'given.glb', read: async () => bytes });
    const given = await openStudio(browser!, own.url);
    await expect.poll(() => given.locator('.document-name').innerText(), { timeout: 30_000 }).toBe('given.glb');
    expect(given.errors).toEqual([]);
    await given.close();
    await own.close();
  });

  it.each(['http://[', '%zz', 'https://example.com/a.glb', 'nothing-here.glb', '\u202e'])(
    'opens all the same when ?open= is nonsense: %s',
    async (nonsense) => {
      const other = await openStudio(browser!, `${server.url}?open=${encodeURIComponent(nonsense)}`);
      await expect
        .poll(() => other.locator('.notice').allInnerTexts(), soon)
        .toEqual([expect.stringContaining('could not be fetched')]);
      // The browser itself reports an answer of 404.
      expect(other.errors.filter((text) => !/404/.test(text))).toEqual([]);
      await other.close();
    },
  );

  it('draws again after the context of the graphics card was lost and is restored', async () => {
    const other = await openStudio(browser!, server.url);
    await other.locator('.document-name').click();
    await other.locator('.card', { hasText: /^finger/i }).click();
    await expect
      .poll(() => other.locator('.next-worst').allInnerTexts(), soon)
      .toEqual([expect.stringMatching(/1 of/)]);
    await stopAt(other, 0.1);
    const before = await settle(other);
    await other.evaluate(async () => {
      const canvas = document.querySelector<HTMLCanvasElement>('main canvas')!;
      const loss = canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!;
      const happens = (name: string) =>
        new Promise((resolve) => canvas.addEventListener(name, resolve, { once: true }));
      const lost = happens('webglcontextlost');
      loss.loseContext();
      await lost;
      await new Promise((resolve) => setTimeout(resolve, 500));
      const restored = happens('webglcontextrestored');
      loss.restoreContext();
      await restored;
    });
    await settleBack(other, before);
    // And it goes on.
    await stopAt(other, 0.5);
    await settleApart(other, before, 100);
    expect(other.errors.filter((text) => !/context/i.test(text))).toEqual([]);
    await other.close();
  });

  it('brings the licences of what it is made of', async () => {
    const text = await (await fetch(new URL('third-party-licences.txt', server.url))).text();
    for (const name of [
      'three',
      'preact',
      'uplot',
      'gifenc',
      'idb-keyval',
      'draco3dgltf',
      '@dimforge/rapier3d-compat',
      'meshoptimizer',
    ]) {
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
    expect(text).toContain('Permission is hereby granted');
    expect(text).toMatch(/Apache License\s+Version 2\.0/);
  });

  it('stays interactive with a hundred thousand vertices', async () => {
    const large = await writeCharacter(createDemo('elephant', { vertices: 100_000 }));
    await dropFiles(page, [{ name: 'large.glb', bytes: large }]);
    await expect.poll(sourceName, { timeout: 90_000 }).toBe('large.glb');
    // The page itself answers at once, whatever the engine is busy with.
    const waits: number[] = [];
    for (let n = 0; n < 20; n++) {
      waits.push(
        await page.evaluate(() => {
          const start = performance.now();
          return new Promise<number>((resolve) => setTimeout(() => resolve(performance.now() - start)));
        }),
      );
      await page.waitForTimeout(50);
    }
    expect(waits.sort((a, b) => a - b)[10]!).toBeLessThan(250);
    await waitForStudio(page);
    await takePicture(page, '13-large');
    await expectNoErrors(page);
  });
});
