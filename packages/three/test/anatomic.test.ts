/** C16 in the small runtime: planned with the regions, drawn as further morph targets, the same flesh as the core's. */
import { createCharacter, createFrameSource, createPose, type PresetName, planBody, presetStack } from '@isoskin/core';
import { createDemoInput } from '@isoskin/demos';
import { VolumeSkinnedMesh } from '@isoskin/three';
import { fullStack } from '@isoskin/three/full-stack';
import { expect, test } from 'vitest';
import { bend, createDemoMesh, distance, readDrawn } from './create-skinned-mesh.js';

const VERTICES = 1500;
const input = createDemoInput('finger', { vertices: VERTICES });
const { mesh } = createDemoMesh('finger', VERTICES);
bend(mesh, 0.7);
for (const bone of mesh.skeleton.bones) bone.rotateY(0.4); // a twist, too
mesh.parent!.updateMatrixWorld(true);

/** The frame of the core in the pose of the mesh, vertex by vertex of the mesh. */
function evaluate(preset: PresetName): Float64Array {
  const character = createCharacter(input);
  const pose = createPose(character);
  mesh.skeleton.bones.forEach((bone, b) => {
    pose.locals.set(bone.quaternion.toArray(), 10 * character.skeleton.boneNodes[b]! + 3);
  });
  const { positions } = createFrameSource(planBody(character), presetStack(preset)).evaluate(pose);
  const { welded } = character.parts[0]!;
  return Float64Array.from(
    { length: 3 * welded.length },
    (_, i) => positions[3 * welded[Math.floor(i / 3)]! + (i % 3)]!,
  );
}

test('anatomic: with the bends and twists of the flesh; whoever comes later has them at once', async () => {
  const anatomic = evaluate('anatomic');
  const moved = distance(anatomic, evaluate('organic'));
  const body = new VolumeSkinnedMesh(mesh, { preset: 'anatomic', form: 'morph', auto: false });
  await body.ready;
  body.update();
  const regions = body.report.names.length;
  const targets = mesh.morphTargetInfluences!.length;
  expect(targets).toBeGreaterThan(2 * regions);
  const joints = 3; // two bends of a region, two twists and at most sixteen creases of a joint
  expect(targets).toBeLessThanOrEqual(3 * regions + 18 * joints);
  expect(Object.keys(mesh.morphTargetDictionary!).some((name) => / bend 1$/.test(name))).toBe(true);
  expect(distance(readDrawn(mesh), anatomic)).toBeLessThan(0.1 * moved);
  body.dispose();
  const again = new VolumeSkinnedMesh(mesh, { preset: 'anatomic', form: 'morph', auto: false });
  again.update();
  expect(mesh.morphTargetInfluences).toHaveLength(targets);
  again.dispose();
  expect(mesh.morphTargetInfluences ?? []).toHaveLength(0);
});

test('a full stack plans at once, and other presets have none of it', async () => {
  const body = new VolumeSkinnedMesh(mesh, { preset: 'anatomic', auto: false, fullStack });
  body.update();
  expect(distance(readDrawn(mesh), evaluate('anatomic'))).toBeLessThan(
    0.1 * distance(evaluate('anatomic'), evaluate('organic')),
  );
  body.dispose();
  const plain = new VolumeSkinnedMesh(mesh, { preset: 'organic', auto: false });
  await plain.ready;
  plain.update();
  expect(mesh.morphTargetInfluences).toHaveLength(plain.report.names.length);
  plain.dispose();
});
