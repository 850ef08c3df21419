/**
 * Baked files in a real browser: three.js and Babylon.js place and draw them as the stack evaluates the same moment.
 * The pictures are left in out/bake-browser: the stack's, three.js's, Babylon's.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createFrameSource,
  createPose,
  type FrameSource,
  planBody,
  planVolumeMeter,
  presetStack,
  samplePose,
} from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { BAKE_DEFAULTS, type BakeOptions, bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { encodePng, type Picture, renderPicture } from '@isoskin/report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composePictures } from '../../../scripts/pictures/compose-pictures.mjs';
import { decodePng } from '../../report/src/decode-png.js';
import { listBoxCorners, placeCamera } from '../../report/src/place-camera.js';
import { bundle, findBrowser, PAGE, ROOT, serve, type TestBrowser, type TestPage } from '../../three/test/browser.js';
import type { View, Viewer } from './pages/viewer.js';
import { hasModels, modelPath, modelsNote } from './run-isoskin.js';

const FOLDER = join(ROOT, 'out/bake-browser');
const SIZE = 400;
/** Round the body and above the horizon, degrees. */
const LOOK = { azimuth: 35, elevation: 15, fieldOfView: 0 };
/** Behind the transparent canvas; no model has it. */
const SKY = [0, 177, 64] as const;
/** Share of the pixels in both silhouettes among those in either. */
const OVERLAP = 0.99;
/** Of brightness, on average over the body: the engines' materials are not the same to the last digit. */
const SHADE = 0.02;
const { tolerance } = BAKE_DEFAULTS;

const ENGINES = [
  { engine: 'three.js', load: `import { createThreeViewer as create } from '../../cli/test/pages/three-page.ts'` },
  {
    engine: 'Babylon.js',
    load: `import { createBabylonViewer as create } from '../../cli/test/pages/babylon-page.ts'`,
  },
];

/** The window of a page. */
interface Engine {
  readonly viewer: Viewer;
}

interface Case {
  readonly title: string;
  readonly model: string;
  readonly clip: string;
  readonly options?: BakeOptions;
}
const CASES: readonly Case[] = [
  { title: 'finger', model: 'finger', clip: 'curl' },
  { title: 'finger as a cache', model: 'finger', clip: 'curl', options: { as: 'cache' } },
  { title: 'cat, compressed', model: 'cat', clip: 'walk', options: { compress: 'meshopt' } },
  ...(hasModels ? [{ title: 'Fox', model: 'Fox.glb', clip: 'Run' }] : []),
];

describe(`baked files in a browser${modelsNote}`, () => {
  let browser: TestBrowser | undefined;
  let close = async () => {};
  const pages: TestPage[] = [];
  const files: Record<string, string | Uint8Array> = {};

  beforeAll(async () => {
    browser = await findBrowser();
    if (!browser) return;
    for (const [n, { load }] of ENGINES.entries()) {
      files[`/${n}/`] = PAGE.replace('/page.js', `/${n}/page.js`);
      files[`/${n}/page.js`] = await bundle(`${load}; Object.assign(window, { viewer: create() });`);
    }
    const server = await serve(files);
    close = server.close;
    for (const n of ENGINES.keys()) {
      const page = await browser.open(`${server.url}${n}/`);
      await page.addStyleTag({ content: `body { background: rgb(${SKY}); }` });
      await page.waitForFunction('window.viewer');
      pages.push(page);
    }
    mkdirSync(FOLDER, { recursive: true });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await close();
  });

  it.for(CASES)('$title', { timeout: 120_000 }, async ({ title, model, clip, options }, context) => {
    if (!browser) return context.skip('no browser starts here');
    const { stack, glb, times } = await bake(model, clip, options);
    files['/model.glb'] = glb;
    const moments = times.map((time) => evaluate(stack, clip, time));
    const box = measureBox(moments.flatMap(({ positions }) => [...positions]));
    const pictures = moments.map(({ positions }) => draw(stack, positions, box));
    const worst = { distance: 0, volume: 0, overlap: 1, uncorrected: 1, shade: 0 };
    for (const [n, { engine }] of ENGINES.entries()) {
      const played = await play(pages[n]!, planView(box), clip, times);
      played.forEach(({ meshes, shot }, m) => {
        const { distance, volume } = compare(stack, moments[m]!, meshes);
        const overlap = measureOverlap(shot, pictures[m]!);
        const uncorrected = measureOverlap(shot, draw(stack, moments[m]!.skinned, box));
        worst.distance = Math.max(worst.distance, distance);
        worst.volume = Math.max(worst.volume, volume);
        worst.overlap = Math.min(worst.overlap, overlap);
        worst.uncorrected = Math.min(worst.uncorrected, uncorrected);
        expect(distance, engine).toBeLessThan(tolerance);
        expect(volume, engine).toBeLessThan(tolerance);
        expect(overlap, engine).toBeGreaterThan(Math.max(OVERLAP, uncorrected));
      });
      expect(pages[n]!.errors, engine).toEqual([]);
      pictures.push(...played.map(({ shot }) => shot));
    }
    const captions = ['isoskin', ...ENGINES.map(({ engine }) => engine)].flatMap((name) =>
      times.map((time) => `${name} ${time.toFixed(2)} s`),
    );
    const sheet = await encodePng(composePictures(pictures, times.length, captions));
    writeFileSync(join(FOLDER, `${title.replace(/\W+/g, '-')}.png`), sheet);
    for (let m = times.length; m < 2 * times.length; m++) {
      worst.shade = Math.max(worst.shade, measureShade(pictures[m]!, pictures[m + times.length]!));
    }
    console.log(`${title}:`, worst);
    expect(worst.shade).toBeLessThan(SHADE);
  });
});

/** The file, and the stack that it was baked with: the gate may have made it gentler. */
async function bake(model: string, clip: string, options: BakeOptions = {}) {
  const bytes = model.endsWith('.glb')
    ? readFileSync(modelPath(model))
    : await writeCharacter(createDemo(model), { colours: [[0.7, 0.35, 0.25]] });
  const read = await readCharacterFromBytes(bytes);
  const body = planBody(read.character);
  const given = presetStack('organic');
  const planned = createFrameSource(body, given);
  const { glb, clips, stack } = await bakeCharacter(read, { stack: given, planned, clips: [clip], ...options });
  const { worst, duration } = clips[0]!;
  return { stack: createFrameSource(body, stack), glb, times: [worst.time, 0.37 * duration] };
}

/** The project's own answer. */
function evaluate(stack: FrameSource, clipName: string, time: number) {
  const { character } = stack;
  const clip = character.clips.find(({ name }) => name === clipName);
  const pose = createPose(character);
  samplePose(pose, character, clip, time);
  const { positions, skinned } = stack.evaluate(pose, time);
  const meter = planVolumeMeter(character, stack.volume);
  const corrected = meter.measure(positions);
  return { positions: positions.slice(), skinned: skinned.slice(), meter, corrected };
}

/** Largest distance relative to the box at rest, and relative error of the volume, of what an engine places. */
function compare(
  { character: { surface, parts } }: FrameSource,
  { positions, meter, corrected }: ReturnType<typeof evaluate>,
  meshes: readonly (readonly number[])[],
) {
  expect(meshes.map((mesh) => mesh.length / 3)).toEqual(parts.map((part) => part.vertexCount));
  const placed = new Float64Array(positions.length);
  let distance = 0;
  parts.forEach(({ welded }, p) => {
    welded.forEach((v, i) => {
      const point = meshes[p]!.slice(3 * i, 3 * i + 3);
      placed.set(point, 3 * v);
      distance = Math.max(distance, Math.hypot(...point.map((x, k) => x - positions[3 * v + k]!)));
    });
  });
  return {
    distance: distance / measureDiagonal(measureBox(surface.positions)),
    volume: Math.abs(meter.measure(placed) / corrected - 1),
  };
}

function draw({ character }: FrameSource, positions: Float64Array, box: readonly number[]): Picture {
  return renderPicture({
    width: SIZE,
    height: SIZE,
    meshes: [{ positions, triangles: character.surface.triangles }],
    camera: { ...LOOK, box },
    background: null,
    samples: 1, // hard edges, as in the engines
    occlusion: false,
  });
}

/** The camera of `renderPicture` in words that every engine understands. */
function planView(box: readonly number[]): View {
  const { axes, centreX, centreY, tanX } = placeCamera(LOOK, listBoxCorners(box), SIZE, SIZE);
  const [, , , , , , x, y, z] = axes as unknown as number[];
  const middle = [0, 1, 2].reduce((sum, k) => sum + axes[6 + k]! * (box[k]! + box[3 + k]!), 0) / 2;
  const centre = [0, 1, 2].map((k) => centreX * axes[k]! + centreY * axes[3 + k]! + middle * axes[6 + k]!);
  return {
    size: SIZE,
    centre: centre as [number, number, number],
    back: [x!, y!, z!],
    half: tanX,
    reach: measureDiagonal(box),
  };
}

function measureDiagonal(box: readonly number[]): number {
  return Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
}

function measureBox(positions: ArrayLike<number>): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    box[i % 3] = Math.min(box[i % 3]!, positions[i]!);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)]!, positions[i]!);
  }
  return box;
}

/** Opens the served file in an engine, goes to every moment and takes a screenshot. */
async function play(page: TestPage, view: View, clip: string, times: readonly number[]) {
  await page.bringToFront(); // a page behind another one draws nothing
  await page.evaluate((seen) => (window as unknown as Engine).viewer.open('/model.glb', seen), view);
  const played: { meshes: number[][]; shot: Picture }[] = [];
  for (const moment of times) {
    // As text: Playwright takes seconds for so many numbers.
    const meshes = await page.evaluate(
      async ([name, time]) => JSON.stringify(await (window as unknown as Engine).viewer.seek(name, time)),
      [clip, moment] as const,
    );
    const png = await page.screenshot({ clip: { x: 0, y: 0, width: SIZE, height: SIZE } });
    played.push({ meshes: JSON.parse(meshes) as number[][], shot: await readShot(png) });
  }
  return played;
}

/** A screenshot whose sky is transparent. */
async function readShot(png: Uint8Array): Promise<Picture> {
  const { rgba } = (await decodePng(png))!;
  expect(rgba.length).toBe(4 * SIZE * SIZE);
  for (let i = 0; i < rgba.length; i += 4) {
    if (SKY.every((value, k) => Math.abs(rgba[i + k]! - value) <= 2)) rgba.fill(0, i, i + 4);
  }
  return { width: SIZE, height: SIZE, rgba };
}

function measureOverlap({ rgba: a }: Picture, { rgba: b }: Picture): number {
  let both = 0;
  let either = 0;
  for (let i = 3; i < a.length; i += 4) {
    if (a[i]! > 0 && b[i]! > 0) both++;
    if (a[i]! > 0 || b[i]! > 0) either++;
  }
  return both / either;
}

/** Mean difference of all channels where both show the body, 0 … 1. */
function measureShade({ rgba: a }: Picture, { rgba: b }: Picture): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if (!a[i + 3] || !b[i + 3]) continue;
    for (let k = 0; k < 3; k++) sum += Math.abs(a[i + k]! - b[i + k]!) / 255;
    count += 3;
  }
  return sum / count;
}
