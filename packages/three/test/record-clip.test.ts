/** Clips with the amounts in them. */
import { presetStack } from '@isoskin/core';
import { preserveVolume, recordClip } from '@isoskin/three';
import * as THREE from 'three';
import { expect, test } from 'vitest';
import { createDemoMesh } from './create-skinned-mesh.js';

test('targets that are keyed follow the time of the clip, and the clock of the body stays', async () => {
  const { root, mesh } = createDemoMesh('tube', 600);
  const target = { all: [[0, 1], [2, 1.2]] as [number, number][] }; // biome-ignore format: one line
  const stack = { volume: { ...presetStack('organic').volume!, target } };
  const kept = preserveVolume(root, { stack, auto: false });
  await kept.ready;
  kept.update(0.5);
  const bone = mesh.skeleton.bones[0]!;
  const still = new THREE.QuaternionKeyframeTrack(`${bone.name}.quaternion`, [0, 2], [0, 0, 0, 1, 0, 0, 0, 1]);
  const clip = recordClip(root, kept, new THREE.AnimationClip('still', 2, [still]), 10);
  const { times, values } = clip.tracks.at(-1)!;
  const width = values.length / times.length;
  const first = Array.from(values.slice(0, width), Math.abs);
  const last = Array.from(values.slice(-width), Math.abs);
  expect(Math.max(...first)).toBeLessThan(1e-6);
  expect(Math.max(...last)).toBeGreaterThan(0.05);
  expect(kept.bodies[0]!.time).toBe(0.5);
});
