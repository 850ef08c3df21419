/** A part of a file that wrinkles fold: the same surface as the engine's, on each side of every seam. */
import { createDemo, createWrinkledStack } from '@isoskin/demos';
import { BufferAttribute, BufferGeometry } from 'three';
import { expect, it } from 'vitest';
import { foldPart } from '../../src/author/fold-part.js';
import { createEngine } from '../../src/engine/create-engine.js';
import { NO_POSE } from '../../src/state/studio-document.js';

const request = { clip: 1, time: 1, dt: 0, pose: NO_POSE, colouring: 'plain', joint: -1, exaggerate: 1 } as const;

it('draws the engine’s folded surface, with the file’s own coordinates between its vertices', async () => {
  const head = createDemo('head');
  const { triangles } = head.surface;
  const engine = createEngine();
  await engine.open({ kind: 'demo', name: 'head' });
  const stack = createWrinkledStack('head', head);
  await engine.plan({ stack, paint: {}, kernels: 'typescript' });
  const { refined } = await engine.frame({ ...request, topology: 0 });
  // Every triangle has vertices of its own: a seam along every edge.
  const geometry = new BufferGeometry();
  const add = (name: string, width: number, array = new Float32Array(width * triangles.length)) =>
    geometry.setAttribute(name, new BufferAttribute(array, width));
  add(
    'uv',
    2,
    Float32Array.from({ length: 2 * triangles.length }, (_, i) => Math.floor(i / 6) + ((i % 6) + 1) / 100),
  );
  for (const name of ['isoTarget', 'isoNormal', 'isoTargetNormal']) add(name, 3);
  add('isoFacts', 4, new Float32Array(4 * triangles.length).fill(1));
  const folded = foldPart(geometry, triangles, triangles, refined!.plan!);
  folded.setFrame(refined!);

  const { index, drawRange } = folded.geometry;
  expect(drawRange.count).toBe(refined!.triangles!.length);
  expect(drawRange.count).toBeGreaterThan(triangles.length);
  const list = (indices: ArrayLike<number>, count: number, positions: ArrayLike<number>) =>
    Array.from({ length: count / 3 }, (_, t) =>
      [0, 1, 2].map((k) => [0, 1, 2].map((r) => positions[3 * indices[3 * t + k]! + r]).join()).sort(),
    )
      .map((corners) => corners.join(' '))
      .sort();
  const drawn = list(index!.array, drawRange.count, folded.geometry.getAttribute('isoTarget').array);
  expect(drawn).toEqual(list(refined!.triangles!, refined!.triangles!.length, refined!.positions));
  // Coordinates never leave the triangle that they belong to.
  const uv = folded.geometry.getAttribute('uv');
  const owner = (i: number) => Math.floor(uv.getX(index!.getX(i)));
  const strangers = Array.from({ length: drawRange.count }, (_, i) => owner(i)).filter(
    (own, i) => own !== owner(i - (i % 3)),
  );
  expect(strangers).toEqual([]);
  const again = await engine.frame({ ...request, topology: refined!.topology });
  expect(again.refined!.plan).toBeUndefined();
});
