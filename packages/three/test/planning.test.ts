/** Where plans come from: a worker, the planner on this thread, saved bytes, a plan that is known. */
import type { IsoskinError } from '@isoskin/core';
import { preserveVolume, recordClip, VolumeSkinnedMesh } from '@isoskin/three';
import { planner } from '@isoskin/three/planner';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, test } from 'vitest';
import { bend, createDemoMesh, distance, readDrawn } from './create-skinned-mesh.js';

const create = () => createDemoMesh('tube', 400);

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as IsoskinError).code;
  }
  return '';
}

describe('until a body is planned', () => {
  test('its mesh is drawn as it is, and what is asked of it waits', async () => {
    const { root, mesh } = create();
    bend(mesh, 0.8);
    const plain = readDrawn(mesh);
    const { geometry } = mesh;
    const kept = preserveVolume(root, { auto: false });
    const body = kept.bodies[0]!;
    kept.update();
    expect(mesh.geometry).toBe(geometry);
    expect(mesh.morphTargetInfluences).toBeUndefined();
    expect(readDrawn(mesh)).toEqual(plain);
    expect(body.path).toBe('none');
    expect(body.report.names).toEqual([]);
    expect(codeOf(() => body.plan)).toBe('NOT_PLANNED');
    expect(codeOf(() => recordClip(root, kept, new THREE.AnimationClip('still', 1, [])))).toBe('NOT_PLANNED');
    await kept.ready;
    // It was asked to update: it is drawn by now.
    expect(distance(readDrawn(mesh), plain)).toBeGreaterThan(1e-3);
    expect(body.report.names.length).toBeGreaterThan(0);
    expect(body.path).toBe('wasm');
    kept.enabled = false;
    expect(readDrawn(mesh)).toEqual(plain);
  });

  test('it can be disposed of, switched off, and given another geometry', async () => {
    const gone = create();
    const first = new VolumeSkinnedMesh(gone.mesh);
    first.dispose();
    await first.ready;
    expect(first.path).toBe('none');
    const off = create();
    const second = new VolumeSkinnedMesh(off.mesh, { auto: false });
    second.update();
    second.enabled = false;
    await second.ready;
    expect(off.mesh.morphTargetInfluences).toBeUndefined();
    const swapped = create();
    const third = new VolumeSkinnedMesh(swapped.mesh);
    swapped.mesh.geometry = new THREE.BufferGeometry();
    await expect(third.ready).rejects.toThrow(/another geometry/);
  });

  test('clones wait for the same plan, and those that come later have it at once', async () => {
    const { root, mesh } = create();
    const bodies = [root, clone(root), clone(root)].flatMap((each) => preserveVolume(each, { auto: false }).bodies);
    await Promise.all(bodies.map((body) => body.ready));
    expect(new Set(bodies.map((body) => body.plan)).size).toBe(1);
    const late = preserveVolume(clone(root), { auto: false }).bodies[0]!;
    expect(late.plan).toBe(bodies[0]!.plan);
    expect(mesh.isSkinnedMesh).toBe(true);
  });

  test('what is wrong with the stack comes through `ready`; the next one with the same geometry is planned anew', async () => {
    const { mesh } = create();
    const stack = { volume: { target: { regions: { nowhere: 2 } } } };
    const wrong = new VolumeSkinnedMesh(mesh, { stack });
    await expect(wrong.ready).rejects.toMatchObject({ code: 'REGION_UNKNOWN' });
    await expect(new VolumeSkinnedMesh(mesh, { stack }).ready).rejects.toThrow(/nowhere/);
    expect(() => new VolumeSkinnedMesh(mesh, { stack, planner })).toThrow(/nowhere/);
    await new VolumeSkinnedMesh(mesh).ready;
  });
});

describe('a saved plan', () => {
  test('is taken at once, for the same mesh in any pose and scale, and draws the same', async () => {
    const one = create();
    const body = new VolumeSkinnedMesh(one.mesh, { auto: false });
    await body.ready;
    bend(one.mesh, 0.9);
    body.update();
    const other = create();
    other.root.scale.setScalar(3.7);
    bend(other.mesh, 0.9);
    const again = new VolumeSkinnedMesh(other.mesh, { auto: false, plan: body.savedPlan! });
    await again.ready;
    other.root.scale.setScalar(1);
    other.root.updateMatrixWorld(true);
    again.update();
    expect(distance(readDrawn(other.mesh), readDrawn(one.mesh))).toBeLessThan(1e-6);
    expect(again.report.volumes).toHaveLength(body.report.volumes.length);
  });

  test('of several bodies: each finds its own', async () => {
    const root = new THREE.Group();
    const parts = [createDemoMesh('tube', 300), createDemoMesh('finger', 500)];
    root.add(...parts.map((part) => part.root));
    const kept = preserveVolume(root, { planner, auto: false });
    const plans = kept.bodies.map((body) => body.savedPlan!);
    expect(plans).toHaveLength(2);
    const twins = new THREE.Group();
    twins.add(createDemoMesh('tube', 300).root, createDemoMesh('finger', 500).root);
    const again = preserveVolume(twins, { auto: false, plan: plans.reverse() });
    expect(again.bodies.map((body) => body.report.names)).toEqual(kept.bodies.map((body) => body.report.names));
  });

  test('of another mesh, another stack or broken is refused', async () => {
    const body = new VolumeSkinnedMesh(create().mesh, { planner });
    const plan = body.savedPlan!;
    const { mesh } = createDemoMesh('tube', 600);
    expect(codeOf(() => new VolumeSkinnedMesh(mesh, { plan }))).toBe('PLAN_OF_ANOTHER');
    expect(codeOf(() => new VolumeSkinnedMesh(create().mesh, { plan, preset: 'rubber' }))).toBe('PLAN_OF_ANOTHER');
    expect(codeOf(() => new VolumeSkinnedMesh(create().mesh, { plan: plan.slice(0, 999) }))).toBe('PLAN_BROKEN');
    expect(codeOf(() => new VolumeSkinnedMesh(create().mesh, { plan: [] }))).toBe('PLAN_BROKEN');
  });
});
