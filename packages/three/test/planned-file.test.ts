/** `isoskin bake --plan`: a file that carries its plan, opened by the real loader. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PresetName, presetStack } from '@isoskin/core';
import { measurePlanKey } from '@isoskin/core/runtime';
import { createDemo } from '@isoskin/demos';
import { readCharacterFromBytes, writeCharacter, writePlans } from '@isoskin/gltf';
import { preserveVolume } from '@isoskin/three';
import { planner } from '@isoskin/three/planner';
import { MeshoptDecoder } from 'meshoptimizer';
import { type SkinnedMesh, Texture } from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, test } from 'vitest';
import { listThreeBodies } from '../../gltf/src/plan/list-three-bodies.js';
import { listBodies } from '../src/preserve-volume.js';
import { readSkinnedMeshes } from '../src/read-skinned-meshes.js';
import { updateBodyMatrices } from '../src/update-body-matrices.js';

const MODELS = join(import.meta.dirname, '../../../../shared/models');

async function write(preset: PresetName = 'natural', compress?: 'meshopt') {
  const read = await readCharacterFromBytes(await writeCharacter(createDemo('hand', { vertices: 800 })));
  return writePlans(read, presetStack(preset), compress);
}

async function open(glb: Uint8Array): Promise<GLTF> {
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  loader.register((parser) => {
    parser.loadTexture = () => Promise.resolve(new Texture()); // Node shows no pictures
    return { name: 'no pictures' };
  });
  return loader.parseAsync(Uint8Array.from(glb).buffer, '');
}

const listPlans = ({ parser }: GLTF) => (parser.json.extensions.ISOSKIN_plan as { plans: number[] }).plans;
const loadBytes = async (gltf: GLTF) => (await gltf.parser.getDependency('accessor', listPlans(gltf)[0]!)).array;
const bodyOf = (gltf: GLTF) => listBodies(gltf.scene)[0]! as SkinnedMesh[];

/** Whether the plan that is played is the file's own memory. */
async function takesItsPlan(gltf: GLTF, options?: object): Promise<boolean> {
  const kept = preserveVolume(gltf, { auto: false, ...options });
  await kept.ready;
  const taken = kept.bodies[0]!.savedPlan!.buffer === (await loadBytes(gltf)).buffer;
  kept.dispose();
  return taken;
}

describe('a file with its plan', () => {
  test('is played without planning, to the same bits', async () => {
    const { glb, plans } = await write();
    const gltf = await open(glb);
    expect(plans).toHaveLength(1);
    expect((await loadBytes(gltf)).byteLength).toBe(plans[0]!.bytes);
    expect(await takesItsPlan(gltf)).toBe(true);
    const other = await open(glb);
    const kept = preserveVolume(other, { auto: false, planner });
    expect(Buffer.from(kept.bodies[0]!.savedPlan!).equals(Buffer.from((await loadBytes(other)).buffer))).toBe(true);
  });

  test('compressed too', async () => {
    expect(await takesItsPlan(await open((await write('organic', 'meshopt')).glb), { preset: 'organic' })).toBe(true);
  });

  test('is planned anew under another stack, with other weights, or where the plan is damaged', async () => {
    const { glb } = await write();
    expect(await takesItsPlan(await open(glb), { preset: 'organic' })).toBe(false);
    const weights = await open(glb);
    bodyOf(weights)[0]!.geometry.attributes.skinWeight!.array[0]! *= 0.5;
    expect(await takesItsPlan(weights)).toBe(false);
    const damaged = await open(glb);
    const bytes = await loadBytes(damaged);
    bytes[bytes.length - 8]! ^= 1;
    expect(await takesItsPlan(damaged)).toBe(false);
  });

  test('is refused with a reason where three.js would read it otherwise', async () => {
    const read = await readCharacterFromBytes(await writeCharacter(createDemo('tube', { vertices: 200 })));
    read.document.getRoot().listMeshes()[0]!.listPrimitives()[0]!.setMode(5);
    await expect(writePlans(read, presetStack('organic'))).rejects.toThrow(/single triangles/);
    await expect(writePlans(read, presetStack('flesh'))).rejects.toThrow(/skin and volume/);
  });
});

describe.skipIf(!existsSync(MODELS))('bodies are read as three.js reads them', () => {
  const names = ['CesiumMan', 'Fox', 'Ghost', 'RiggedFigure', 'RobotExpressive', 'aframe_leftHand', 'webxr_hand_left'];
  test.each(names)('%s', async (name) => {
    const bytes = readFileSync(join(MODELS, `${name}.glb`));
    const gltf = await open(bytes);
    const keys = listBodies(gltf.scene).map((meshes) => {
      updateBodyMatrices(meshes);
      return measurePlanKey(readSkinnedMeshes(meshes).input);
    });
    const bodies = listThreeBodies(await readCharacterFromBytes(bytes));
    expect('inputs' in bodies && bodies.inputs.map((input) => measurePlanKey(input))).toEqual(keys);
  });
});
