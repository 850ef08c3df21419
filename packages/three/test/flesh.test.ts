/** Swinging flesh in three.js: time from the clock, one memory per body, inertia through the world. */
import { presetStack, type StackSpec } from '@isoskin/core';
import { VolumeSkinnedMesh } from '@isoskin/three';
import type * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import { fullStack } from '../src/full-stack.js';
import { bend, createDemoMesh, distance, measureMeshVolume, readDrawn } from './create-skinned-mesh.js';

const swinging: StackSpec = {
  ...presetStack('organic'),
  flesh: { softness: 1, frequency: 2, damping: 0.1 },
};
const options = { stack: swinging, fullStack, auto: false };
const create = () => createDemoMesh('tube', 400);
const lag = (body: VolumeSkinnedMesh, still: VolumeSkinnedMesh) =>
  distance(readDrawn(body.meshes[0]!), readDrawn(still.meshes[0]!));

describe('flesh', () => {
  test('lags behind joints that move, swings on when they stop, comes to rest, and keeps the volume', () => {
    const { mesh } = create();
    const { mesh: other } = create();
    const body = new VolumeSkinnedMesh(mesh, options);
    const still = new VolumeSkinnedMesh(other, { auto: false, fullStack });
    const rest = measureMeshVolume(readDrawn(mesh), mesh.geometry.index!.array);
    const step = (angle: number, dt = 1 / 60) => {
      for (const each of [mesh, other]) bend(each, angle);
      body.update(dt);
      still.update(dt);
      return lag(body, still);
    };
    expect(step(0)).toBeLessThan(1e-6);
    let most = 0;
    for (let n = 0; n < 12; n++) most = Math.max(most, step(0.005 * n));
    expect(most).toBeGreaterThan(0.005);
    let swung = 0;
    for (let n = 0; n < 20; n++) swung = Math.max(swung, step(0));
    expect(swung).toBeGreaterThan(0.005);
    expect(measureMeshVolume(readDrawn(mesh), mesh.geometry.index!.array) / rest).toBeCloseTo(1, 5);
    for (let n = 0; n < 800; n++) step(0);
    expect(step(0)).toBeLessThan(1e-4);
  });

  test('feels how the body goes through the world', () => {
    const { root, mesh } = create();
    const body = new VolumeSkinnedMesh(mesh, options);
    const shape = () => {
      const drawn = readDrawn(mesh);
      return drawn.map((x, i) => x - (i % 3 === 0 ? root.position.x : 0));
    };
    body.update(1 / 60);
    const before = shape();
    for (let n = 1; n <= 20; n++) {
      root.position.x = 0.0005 * n * n;
      body.update(1 / 60);
    }
    const after = shape();
    expect(distance(before, after)).toBeGreaterThan(1e-3);
    const mean = (values: Float64Array) => values.reduce((sum, x, i) => sum + (i % 3 === 0 ? x : 0), 0);
    expect(mean(after)).toBeLessThan(mean(before)); // it lags behind
  });

  test('is the same for a body that stands far away, turned and in another unit', () => {
    const swing = (change: (root: THREE.Group) => void) => {
      const { root, mesh } = create();
      change(root);
      root.updateMatrixWorld(true);
      const body = new VolumeSkinnedMesh(mesh, options);
      for (let n = 0; n < 15; n++) {
        bend(mesh, 0.01 * n);
        body.update(1 / 60);
      }
      return Float64Array.from(mesh.geometry.attributes.position!.array);
    };
    const here = swing(() => {});
    const there = swing((root) => {
      root.position.set(300, -5, 70);
      root.rotation.set(1, 2, 3);
      root.scale.setScalar(0.01);
    });
    expect(distance(here, there)).toBeLessThan(1e-5);
  });

  test('two bodies of one plan have memories of their own', () => {
    const [one, two] = [create(), create()];
    two.mesh.geometry = one.mesh.geometry;
    const [a, b] = [one, two].map(({ mesh }) => new VolumeSkinnedMesh(mesh, options)) as [
      VolumeSkinnedMesh,
      VolumeSkinnedMesh,
    ];
    expect(a.plan).toBe(b.plan);
    for (let n = 0; n < 15; n++) {
      bend(one.mesh, 0.01 * n);
      a.update(1 / 60);
      b.update(1 / 60);
    }
    const alone = create();
    const c = new VolumeSkinnedMesh(alone.mesh, options);
    for (let n = 0; n < 15; n++) {
      bend(alone.mesh, 0.01 * n);
      c.update(1 / 60);
    }
    expect(lag(a, c)).toBeLessThan(1e-6);
    const calm = new VolumeSkinnedMesh(create().mesh, options);
    calm.update(1 / 60);
    expect(lag(b, calm)).toBeLessThan(1e-6);
  });

  test('is refused by the small runtime, with advice', () => {
    const { mesh } = create() as { mesh: THREE.SkinnedMesh };
    expect(() => new VolumeSkinnedMesh(mesh, { preset: 'flesh' })).toThrow(/full-stack/);
  });
});
