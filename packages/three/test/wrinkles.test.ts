/** Wrinkles in three.js: the mesh is refined while a tool folds, and the original again when it is stretched. */
import { createCharacter, placeTool, presetStack, type StackSpec } from '@isoskin/core';
import { measureLength } from '@isoskin/core/wrinkles';
import { createDemoInput } from '@isoskin/demos';
import { VolumeSkinnedMesh } from '@isoskin/three';
import * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import { fullStack } from '../src/full-stack.js';
import { createMesh, measureMeshVolume, readDrawn } from './create-skinned-mesh.js';

const input = createDemoInput('tube', { vertices: 500 });

/** A tool along the tube, over the bend, on the side that `bendBy` presses together. */
function wrinkled(): StackSpec {
  const character = createCharacter(input);
  const { positions } = character.surface;
  let [low, high, top] = [Infinity, -Infinity, -Infinity];
  for (let v = 0; v < positions.length; v += 3) {
    low = Math.min(low, positions[v]!);
    high = Math.max(high, positions[v]!);
    top = Math.max(top, positions[v + 1]!);
  }
  const middle = (low + high) / 2;
  const reach = 0.25 * (high - low);
  const tool = placeTool(character, [middle - reach, top, 0], [middle + reach, top, 0], { points: 13 });
  expect(measureLength(character.surface, tool)).toBeGreaterThan(reach);
  return { ...presetStack('organic'), wrinkles: { tools: [tool] } };
}

function create(groups: number) {
  const { root, mesh } = createMesh(input);
  const { geometry } = mesh;
  const uv = Array.from({ length: geometry.attributes.position!.count }, (_, i) => [
    geometry.attributes.position!.getX(i),
    i,
  ]).flat();
  geometry.setAttribute('uv', new THREE.Float32BufferAttribute(uv, 2));
  const count = geometry.index!.count;
  for (let g = 0; g < groups; g++) {
    const start = 3 * Math.floor((count / 3 / groups) * g);
    const end = 3 * Math.floor((count / 3 / groups) * (g + 1));
    geometry.addGroup(start, end - start, g);
  }
  return { root, mesh };
}

function bendBy(mesh: THREE.SkinnedMesh, angle: number): void {
  mesh.skeleton.bones.at(-1)!.parent!.rotation.z = 0;
  const bone = mesh.skeleton.bones.find((each) => (each.parent as THREE.Bone).isBone)!;
  bone.rotation.z = angle;
  mesh.parent!.updateMatrixWorld(true);
}

function drawnIndex({ geometry }: THREE.SkinnedMesh): ArrayLike<number> {
  return geometry.index!.array.slice(0, Math.min(geometry.index!.count, geometry.drawRange.count));
}

function countOpenEdges(index: ArrayLike<number>): number {
  const edges = new Map<string, number>();
  for (let i = 0; i < index.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [index[i + k]!, index[i + ((k + 1) % 3)]!];
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
    }
  }
  return [...edges.values()].filter((n) => n !== 0).length;
}

describe('wrinkles', () => {
  test.each([0, 3])('are drawn while the skin is compressed, closed and with attributes, with %d groups', (groups) => {
    const { mesh } = create(groups);
    const { geometry: original } = mesh;
    const body = new VolumeSkinnedMesh(mesh, { stack: wrinkled(), fullStack, auto: false });
    body.update();
    const flat = drawnIndex(mesh).length;
    expect(flat).toBe(original.index!.count);
    const rest = measureMeshVolume(readDrawn(mesh), drawnIndex(mesh));
    let most = 0;
    for (const sign of [1, -1]) {
      bendBy(mesh, sign * 0.9);
      body.update(1 / 60);
      if (drawnIndex(mesh).length <= flat) continue;
      most = drawnIndex(mesh).length;
      const { attributes } = mesh.geometry;
      expect(countOpenEdges(drawnIndex(mesh))).toBe(0);
      expect(Math.max(...Array.from(drawnIndex(mesh)))).toBeLessThan(attributes.position!.count);
      expect(attributes.uv!.count).toBe(attributes.position!.count);
      expect(Array.from(attributes.position!.array).every(Number.isFinite)).toBe(true);
      for (const v of new Set(Array.from(drawnIndex(mesh)))) {
        const normal = new THREE.Vector3().fromBufferAttribute(attributes.normal!, v);
        expect(normal.length()).toBeCloseTo(1, 4);
      }
      // New UVs are means: u is the rest x of the vertices here, so it never leaves its range.
      const range = (array: ArrayLike<number>) => Array.from(array).filter((_, i) => i % 2 === 0);
      expect(Math.max(...range(attributes.uv!.array))).toBeCloseTo(
        Math.max(...range(original.attributes.uv!.array)),
        5,
      );
      expect(measureMeshVolume(readDrawn(mesh), drawnIndex(mesh)) / rest).toBeCloseTo(1, 2);
      if (groups > 0) {
        const drawn = mesh.geometry.groups;
        expect(drawn.map(({ materialIndex }) => materialIndex)).toEqual([0, 1, 2]);
        expect(drawn.reduce((sum, { count }) => sum + count, 0)).toBe(most);
        expect(original.groups.reduce((sum, { count }) => sum + count, 0)).toBe(flat);
      }
    }
    expect(most).toBeGreaterThan(flat);
    bendBy(mesh, 0);
    body.update(1 / 60);
    expect(drawnIndex(mesh).length).toBe(flat);
    body.dispose();
    expect(mesh.geometry).toBe(original);
  });

  test('change nothing of what a body allocates or uploads while the set of folds stays', () => {
    const { mesh } = create(0);
    const body = new VolumeSkinnedMesh(mesh, { stack: wrinkled(), fullStack, auto: false });
    const versions = [0.8, 0.82, 0.84].flatMap((angle) =>
      [1, -1].map((sign) => {
        bendBy(mesh, sign * angle);
        body.update(1 / 60);
        return [sign, mesh.geometry.index!.array, mesh.geometry.index!.count] as const;
      }),
    );
    expect(new Set(versions.map(([, array]) => array)).size).toBe(1);
    bendBy(mesh, 0.85);
    body.update(1 / 60);
    const { version } = mesh.geometry.index!;
    bendBy(mesh, 0.86);
    body.update(1 / 60);
    expect(mesh.geometry.index!.version).toBe(version);
  });

  test('fold what swings too, wherever the body stands', () => {
    const stack: StackSpec = { ...wrinkled(), flesh: { softness: 0.5 } };
    const fold = (change: (root: THREE.Group) => void) => {
      const { root, mesh } = create(0);
      change(root);
      root.updateMatrixWorld(true);
      const body = new VolumeSkinnedMesh(mesh, { stack, fullStack, auto: false });
      let most = { index: drawnIndex(mesh), position: mesh.geometry.attributes.position!.array.slice() };
      for (const angle of [0.9, -0.9]) {
        bendBy(mesh, angle);
        body.update(1 / 60);
        if (drawnIndex(mesh).length <= most.index.length) continue;
        most = { index: drawnIndex(mesh), position: mesh.geometry.attributes.position!.array.slice() };
      }
      return most;
    };
    const [here, there] = [fold(() => {}), fold((root) => root.position.set(300, -5, 70))];
    expect(here.index.length).toBeGreaterThan(input.parts[0]!.triangles!.length);
    expect(Array.from(there.index)).toEqual(Array.from(here.index));
    for (const v of new Set(Array.from(here.index))) {
      for (let r = 0; r < 3; r++) expect(there.position[3 * v + r]).toBeCloseTo(here.position[3 * v + r]!, 4);
    }
  });

  test('need the full stack', () => {
    const { mesh } = create(0);
    expect(() => new VolumeSkinnedMesh(mesh, { stack: wrinkled(), auto: false })).toThrow(/full-stack/);
  });
});
