/** A skeleton from the surface alone, against the one that the character has. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { autoWeights, type Character, createCharacter, type Skeleton } from '@isoskin/core';
import { measureDiagonal } from '@isoskin/core/mesh';
import { rigMesh } from '@isoskin/core/weights';
import { createDemo } from '@isoskin/demos';
import { readCharacter } from '@isoskin/gltf/node';
import { describe, expect, it } from 'vitest';
import { planBoneSegments } from '../../src/skeleton/plan-bone-segments.js';
import { boxShape, character, mergeShapes, part, type Shape, sphereShape } from '../meshes.js';

const models = new URL('../../../../../shared/models/', import.meta.url);
const FILES = [
  'CesiumMan.glb',
  'Fox.glb',
  'RiggedFigure.glb',
  'Ghost.glb',
  'webxr_hand_left.glb',
  'Manny/kaykit_Manny.gltf',
];

const placesOf = (skeleton: Skeleton): number[][] => {
  const { joints } = planBoneSegments(skeleton);
  return Array.from({ length: skeleton.boneCount }, (_, i) => [...joints.subarray(3 * i, 3 * i + 3)]);
};
const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, r) => x - b[r]!));
const nearest = (point: readonly number[], list: readonly number[][]) =>
  Math.min(...list.map((one) => distance(point, one)));

/** Share of the joints that move skin with one of ours within 10 % of the size, and of ours with one of theirs. */
function compare({ surface, skeleton, binding }: Character): [number, number] {
  const used = new Set(binding.bones);
  const theirs = placesOf(skeleton).filter((_, i) => used.has(i));
  const ours = placesOf(rigMesh(surface));
  const near = 0.1 * measureDiagonal(surface.positions);
  const share = (from: number[][], to: number[][]) =>
    from.filter((one) => nearest(one, to) < near).length / from.length;
  return [share(theirs, ours), share(ours, placesOf(skeleton))];
}

describe('joints of a character whose skeleton was taken away', () => {
  it.each(['hero', 'cat', 'elephant', 'giraffe', 'hand'])('%s', (name) => {
    const [found, right] = compare(createDemo(name));
    expect(found).toBeGreaterThanOrEqual(0.8);
    expect(right).toBeGreaterThanOrEqual(0.8);
  });

  it.skipIf(!existsSync(models)).each(FILES)('%s (skipped where ../shared/models is missing)', async (file) => {
    const [found, right] = compare((await readCharacter(fileURLToPath(new URL(file, models)))).character);
    expect(found).toBeGreaterThanOrEqual(0.8);
    expect(right).toBeGreaterThanOrEqual(0.8);
  });
});

describe('names and symmetry', () => {
  const limbsOf = ({ names }: Skeleton) => new Set(names.map((name) => name.replace(/\.(\d+|tip)$/, '')));

  it('a human has arms, legs and a head, mirror images of each other', () => {
    const { surface } = createDemo('hero');
    const skeleton = rigMesh(surface);
    expect([...limbsOf(skeleton)].sort()).toEqual(['arm.L', 'arm.R', 'head', 'hips', 'leg.L', 'leg.R', 'spine']);
    const places = placesOf(skeleton);
    skeleton.names.forEach((name, j) => {
      if (!name.includes('.L.')) return;
      const image = places[skeleton.names.indexOf(name.replace('.L.', '.R.'))]!;
      expect(places[j]![0]).toBeGreaterThan(0);
      expect(places[j]![0]! + image[0]!).toBeCloseTo(2 * places[0]![0]!, 9);
      expect(places[j]!.slice(1)).toEqual(image.slice(1));
    });
  });

  it('beasts have fore and hind legs and a tail; a hand has a wrist and five fingers', () => {
    for (const beast of ['cat', 'elephant', 'giraffe']) {
      const limbs = limbsOf(rigMesh(createDemo(beast).surface));
      for (const limb of ['fore.L', 'fore.R', 'hind.L', 'hind.R', 'tail']) expect(limbs).toContain(limb);
    }
    const limbs = [...limbsOf(rigMesh(createDemo('hand').surface))];
    expect(limbs.filter((name) => name.startsWith('finger'))).toHaveLength(5);
    expect(limbs).toContain('wrist');
  });

  it('every joint stands in the flesh, is there once, and moves some of it', () => {
    const { surface } = createDemo('hero');
    const skeleton = rigMesh(surface);
    expect(rigMesh(surface)).toEqual(skeleton);
    expect(new Set(skeleton.names).size).toBe(skeleton.nodeCount);
    skeleton.parents.forEach((parent, j) => void expect(parent).toBeLessThan(j));
    const used = new Set(autoWeights(surface, skeleton).bones);
    skeleton.names.forEach((name, j) => {
      if (!name.endsWith('tip')) expect(used, name).toContain(j);
    });
  });
});

describe('meshes that cannot be', () => {
  const rig = (shape: Shape) => () => rigMesh(createCharacter(character([part(shape)])).surface);
  const bar = (x: number) => boxShape(0.2, 0.2, 3, x);

  it('are refused with a sentence: flat, parts that do not touch, without limbs', () => {
    const card: Shape = { positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], triangles: [0, 1, 2, 0, 2, 3] };
    expect(rig(card)).toThrow('no inside');
    expect(rig(mergeShapes(bar(0), bar(5)))).toThrow('of it hangs on nothing');
    expect(rig(sphereShape(16))).toThrow('no limbs');
  });

  it('parts that overlap are one body', () => {
    expect(rig(mergeShapes(bar(0), boxShape(3, 0.2, 0.2, 0, 0, 1)))().nodeCount).toBeGreaterThan(6);
  });
});
