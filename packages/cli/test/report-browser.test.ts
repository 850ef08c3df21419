/**
 * Reports in a real browser: of every model, and of a file with 76 clips, within their size and height, nothing green that got worse, and a
 * player that draws. The pictures are left in out/report-browser.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, describeBake, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { createBakeReport } from '@isoskin/report';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, ROOT, type TestBrowser, WEBGL_FLAGS } from '../../three/test/browser.js';

const MODELS = join(ROOT, '../shared/models');
const OUT = join(ROOT, 'out/report-browser');
const names = existsSync(MODELS) ? readdirSync(MODELS).filter((name) => name.endsWith('.glb')) : [];
if (names.length === 0) console.warn('The reports of real models are skipped: there is no ../shared/models.');

/** The same file with its clips again and again, under other names. */
function repeatClips(glb: Uint8Array, count: number): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  const clips: { name: string }[] = json.animations;
  json.animations = Array.from({ length: count }, (_, i) => ({
    ...clips[i % clips.length]!,
    name: `${clips[i % clips.length]!.name} ${i}`,
  }));
  let text = JSON.stringify(json);
  while (new TextEncoder().encode(text).length % 4 > 0) text += ' ';
  const chunk = new TextEncoder().encode(text);
  const out = new Uint8Array(20 + chunk.length + glb.length - 20 - length);
  out.set(glb.subarray(0, 20));
  out.set(chunk, 20);
  out.set(glb.subarray(20 + length), 20 + chunk.length);
  new DataView(out.buffer).setUint32(8, out.length, true);
  new DataView(out.buffer).setUint32(12, chunk.length, true);
  return out;
}

/** The page, and the triangles of what was baked. */
async function report(name: string, bytes: Uint8Array): Promise<{ page: string; triangles: number }> {
  const read = await readCharacterFromBytes(bytes, { name });
  const settings = { fps: 15, details: true } as const;
  const result = await bakeCharacter(read, settings);
  const files = {
    input: { name: `${name}.glb`, bytes: bytes.length },
    output: { name: `${name}-kept.glb`, bytes: result.glb.length },
    warnings: [...read.character.warnings, ...result.warnings],
    seconds: 1,
  };
  const data = describeBake(read, result, settings, files);
  return { page: await createBakeReport(data), triangles: countTriangles(data.parts ?? [data]) };
}

const countTriangles = (parts: readonly { readonly triangles: ArrayLike<number> }[]) =>
  parts.reduce((sum, part) => sum + part.triangles.length / 3, 0);

/** What the player is given: every triangle of the mesh, and frames enough to move. */
function checkFilms(page: string, triangles: number): void {
  const text = /id="isoskin-films">([^<]*)</.exec(page)?.[1];
  if (!text) return; // no clips
  const { parts, films }: { parts: { triangles: string }[]; films: { clip: string; times: number[] }[] } =
    JSON.parse(text);
  const inflate = (packed: string) => inflateSync(Buffer.from(packed, 'base64')).byteLength / 4;
  expect(parts.reduce((sum, part) => sum + inflate(part.triangles) / 3, 0)).toBe(triangles);
  const figures: Figures = JSON.parse(/id="isoskin-report">([^<]*)</.exec(page)![1]!);
  for (const { clip, times } of films) {
    const { duration } = figures.clips.find(({ name }) => name === clip)!;
    expect(times.length).toBeGreaterThanOrEqual(Math.min(24, Math.floor(15 * duration)));
  }
}

/** What the page itself says of its figures. */
interface Figures {
  readonly format: string;
  readonly clips: {
    readonly name: string;
    readonly duration: number;
    readonly regions: { skinned: number; baked: number; verdict: string }[];
  }[];
}

describe.skipIf(names.length === 0)('the report', () => {
  let browser: TestBrowser | undefined;
  beforeAll(async () => {
    browser = await findBrowser(WEBGL_FLAGS);
    mkdirSync(OUT, { recursive: true });
  });
  afterAll(() => browser?.close());

  const robot = () => repeatClips(readFileSync(join(MODELS, 'RobotExpressive.glb')), 76);
  const cases: [string, () => Uint8Array | Promise<Uint8Array>][] = [
    ...names.map((name): [string, () => Uint8Array] => [
      name.replace('.glb', ''),
      () => readFileSync(join(MODELS, name)),
    ]),
    ['76 clips', robot],
    ['elephant', () => writeCharacter(createDemo('elephant'))],
    ['hero', () => writeCharacter(createDemo('hero'))],
  ];
  test.each(cases)('of %s keeps its limits and its word', { timeout: 300_000 }, async (name, open) => {
    const bytes = await open();
    const { page, triangles } = await report(name, bytes);
    checkFilms(page, triangles);
    console.log(`${name}: ${((page.length - bytes.length) / 1e6).toFixed(2)} MB beyond the model`);
    expect(page.length).toBeLessThan(bytes.length + 3e6);
    if (!browser) return;
    const path = join(OUT, `${name}.html`);
    writeFileSync(path, page);
    const tab = await browser.open('about:blank');
    try {
      await tab.setViewportSize({ width: 1280, height: 900 });
      await tab.goto(pathToFileURL(path).href); // as a person opens it: without a server
      const lookAtPlayers = () =>
        tab.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('.player')].map((player) => {
            const canvas = player.querySelector('canvas')!;
            const copy = document.createElement('canvas');
            [copy.width, copy.height] = [canvas.width, canvas.height];
            const context = copy.getContext('2d')!;
            context.drawImage(canvas, 0, 0);
            const { data } = context.getImageData(0, 0, copy.width, copy.height);
            const drawn = [0, 1].map(() => 0);
            for (let i = 0; i < data.length; i += 4)
              if (data[i + 3]! > 0) drawn[(i / 4) % copy.width < copy.width / 2 ? 0 : 1]!++;
            return { hidden: player.hidden === true, shares: drawn.map((count) => count / (data.length / 8)) };
          }),
        );
      const isDrawn = ({ hidden, shares }: { hidden: boolean; shares: number[] }) =>
        !hidden && shares.every((share) => share > 0.02);
      await expect
        .poll(async () => (await lookAtPlayers()).filter((player) => !isDrawn(player)), { timeout: 60_000 })
        .toEqual([]);
      const height = await tab.evaluate(() => document.documentElement.scrollHeight);
      console.log(`${name}: ${height} pixels high`);
      expect(height).toBeLessThanOrEqual(12_000);
      expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
      const figures: Figures = await tab.evaluate(() =>
        JSON.parse(document.getElementById('isoskin-report')!.textContent!),
      );
      expect(figures.format).toBe('isoskin-report');
      for (const { regions } of figures.clips) {
        for (const { skinned, baked, verdict } of regions) {
          if (verdict === 'better') expect(Math.abs(baked)).toBeLessThan(Math.abs(skinned));
        }
      }
      const isMoving = figures.clips.length > 0;
      expect((await lookAtPlayers()).length > 0).toBe(isMoving);
      await tab.screenshot({ path: join(OUT, `${name}.png`), fullPage: true });
      expect(tab.errors).toEqual([]);
    } finally {
      await tab.close();
    }
  });
});
