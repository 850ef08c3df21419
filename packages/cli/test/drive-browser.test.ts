/**
 * Driven files in a real browser: under a blend of two clips and a joint turned by code, three.js and Babylon.js place every vertex
 * where the driver's own amounts belong, and every region stays within 1.5 times the certificate.
 */
import { readFileSync } from 'node:fs';
import { createFrameSource, createPose, type FrameSource, POSE_STRIDE, planBody, presetStack } from '@isoskin/core';
import { listShapeNames } from '@isoskin/core/kernels';
import { measureDiagonal } from '@isoskin/core/mesh';
import { createDemo } from '@isoskin/demos';
import { type Amounts, createDriver } from '@isoskin/drive';
import { bakeCharacter, planDriveJudge, type ReadResult, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bundle,
  findBrowser,
  PAGE,
  serve,
  type TestBrowser,
  type TestPage,
  WEBGL_FLAGS,
} from '../../three/test/browser.js';
import type { AskedPose, DriveViewer, Played } from './pages/drive-viewer.js';
import { hasModels, modelPath, modelsNote } from './run-isoskin.js';

const ENGINES = [
  { engine: 'three.js', load: `import { createThreeDrive as create } from '../../cli/test/pages/drive-three-page.ts'` },
  {
    engine: 'Babylon.js',
    load: `import { createBabylonDrive as create } from '../../cli/test/pages/drive-babylon-page.ts'`,
  },
];
/** Of the size: what an engine may place vertices off by. */
const PLACED = 1e-3;
const TURN = [0, Math.sin(0.2), 0, Math.cos(0.2)] as const;

interface Case {
  readonly model: string;
  readonly clips: readonly [string, string];
  readonly joint: string;
}
const CASES: readonly Case[] = [
  { model: 'hero', clips: ['squat', 'punch'], joint: 'head' },
  ...(hasModels ? [{ model: 'Fox.glb', clips: ['Survey', 'Walk'], joint: 'b_Head_05' } as const] : []),
];

describe(`driven files in a browser${modelsNote}`, () => {
  let browser: TestBrowser | undefined;
  let close = async () => {};
  const pages: TestPage[] = [];
  const files: Record<string, string | Uint8Array> = {};

  beforeAll(async () => {
    browser = await findBrowser(WEBGL_FLAGS);
    if (!browser) return;
    for (const [n, { load }] of ENGINES.entries()) {
      files[`/${n}/`] = PAGE.replace('/page.js', `/${n}/page.js`);
      files[`/${n}/page.js`] = await bundle(`${load}; Object.assign(window, { viewer: create() });`);
    }
    const server = await serve(files);
    close = server.close;
    for (const n of ENGINES.keys()) {
      const page = await browser.open(`${server.url}${n}/`);
      await page.waitForFunction('window.viewer');
      pages.push(page);
    }
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await close();
  });

  it.for(CASES)('$model', { timeout: 240_000 }, async ({ model, clips, joint }, context) => {
    if (!browser) return context.skip('no browser starts here');
    const read = await readCharacterFromBytes(
      model.endsWith('.glb')
        ? readFileSync(modelPath(model))
        : await writeCharacter(createDemo(model, { vertices: 3000 })),
    );
    const stack = createFrameSource(planBody(read.character), presetStack('organic'));
    const { glb, drive } = await bakeCharacter(read, { planned: stack, stack: stack.spec, fps: 15, drive: true });
    const names = read.character.clips.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...clips]));
    expect(read.character.skeleton.names).toContain(joint);
    files['/model.glb'] = glb;
    const worst = { distance: 0, region: 0 };
    for (const [n, { engine }] of ENGINES.entries()) {
      const page = pages[n]!;
      await page.evaluate((url) => (window as unknown as Page).viewer.open(url), '/model.glb');
      for (const [share, time] of [
        [0, 0.3],
        [0.5, 0.4],
        [0.8, 0.1],
      ] as const) {
        const asked: AskedPose = { clips, share, time, joint, turn: TURN };
        const text = await page.evaluate(
          async (pose) => JSON.stringify(await (window as unknown as Page).viewer.pose(pose)),
          asked,
        );
        const { distance, region } = compare(read, stack, drive!, JSON.parse(text) as Played);
        expect(distance, engine).toBeLessThan(PLACED);
        expect(region, engine).toBeLessThan(1.5 * drive!.certificate.worst);
        worst.distance = Math.max(worst.distance, distance);
        worst.region = Math.max(worst.region, region);
      }
      expect(page.errors, engine).toEqual([]);
    }
    console.log(`${model}:`, worst, drive!.certificate);
  });

  it('says what is wrong with a file that has no driver', async (context) => {
    if (!browser) return context.skip('no browser starts here');
    files['/plain.glb'] = await writeCharacter(createDemo('tube'));
    for (const page of pages) {
      const said = await page.evaluate(
        (url) => (window as unknown as Page).viewer.open(url).catch(String),
        '/plain.glb',
      );
      expect(said).toMatch(/ISOSKIN_amounts: the file has none: bake it with isoskin bake --drive/);
    }
  });
});

interface Page {
  readonly viewer: DriveViewer;
}

/** What the engine shows, against the core's skin with the amounts of the driver for the engine's own pose. */
function compare(read: ReadResult, stack: FrameSource, drive: Amounts, { locals, meshes, amounts }: Played) {
  const { character, nodeIndices } = read;
  const pose = createPose(character);
  for (const [n, ...local] of locals) {
    const at = nodeIndices.indexOf(n!);
    if (at >= 0) pose.locals.set(local, POSE_STRIDE * at);
  }
  const driver = createDriver(drive);
  drive.inputs.forEach((input, i) => {
    const at = POSE_STRIDE * nodeIndices.indexOf(input.node) + 3;
    const [x, y, z, w] = pose.locals.subarray(at, at + 4);
    driver.turn(i, x!, y!, z!, w!);
  });
  const values = driver.measure();
  drive.shapes.forEach((_, s) => {
    expect(amounts[s]).toBeCloseTo(values[s]!, 4);
  });
  const judge = planDriveJudge(stack);
  judge.pose(pose);
  const { regions, shapes } = stack.volume!;
  const names = listShapeNames(shapes!.shapes, regions.names);
  const own = new Float64Array(names.length);
  drive.shapes.forEach(({ name }, s) => {
    own[names.indexOf(name)] = values[s]!;
  });
  judge.measureDriven(own);
  expect(meshes.map((mesh) => mesh.length / 3)).toEqual(character.parts.map((part) => part.vertexCount));
  const placed = new Float64Array(3 * character.surface.vertexCount);
  let distance = 0;
  character.parts.forEach(({ welded }, p) => {
    welded.forEach((v, i) => {
      const point = meshes[p]!.slice(3 * i, 3 * i + 3);
      placed.set(point, 3 * v);
      distance = Math.max(distance, Math.hypot(...point.map((x, k) => x - judge.positions[3 * v + k]!)));
    });
  });
  return { distance: distance / measureDiagonal(character.surface.positions), region: judge.measureAt(placed) };
}
