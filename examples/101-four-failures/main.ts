/** Elbow, twist, neck, fist: plain skinning above, the same bones with the volume kept below. */
import { planVolumeMeter } from '@isoskin/core';
import { skinLinear } from '@isoskin/core/kernels';
import { type PreservedVolume, preserveVolume } from '@isoskin/three';
import * as THREE from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { loadDemo } from '../shared/load-demo.js';
import { publish, showChange } from '../shared/measure-drawn-volume.js';
import { createStage } from '../shared/stage.js';
import { type Failure, findFailures } from './find-failures.js';

/** A pair of the same failure, and the region around its joint. */
interface Column {
  readonly failures: readonly [before: Failure, after: Failure];
  readonly scenes: readonly [THREE.Scene, THREE.Scene];
  readonly kept: PreservedVolume;
  readonly tags: readonly [HTMLElement, HTMLElement];
  measure(): readonly [before: number, after: number];
}

const stage = createStage({ distance: 5 });
const message = document.querySelector<HTMLElement>('#message')!;
const camera = new THREE.PerspectiveCamera(28, 1, 0.001, 1000);
/** Height of the words, px. */
const HEADER = 110;
let columns: Column[] = [];
/** Largest changes so far, skinned and kept, for the tests. */
const worst: Record<string, number[]> = {};

async function addColumns(gltf: GLTF, titles: readonly string[]): Promise<void> {
  const roots = [clone(gltf.scene), gltf.scene];
  const scenes = roots.map((root) => {
    const scene = new THREE.Scene();
    scene.add(root, new THREE.HemisphereLight(0xffffff, 0xb9b2a8, 1.6));
    const sun = new THREE.DirectionalLight(0xfff4e6, 2.4);
    sun.position.set(1, 2, 1.5);
    scene.add(sun);
    return scene;
  }) as [THREE.Scene, THREE.Scene];
  const kept = preserveVolume(gltf.scene);
  await kept.ready;
  const [before, after] = roots.map(findFailures) as [Failure[], Failure[]];
  for (const [n, failure] of before.entries()) {
    if (!titles.includes(failure.title)) continue;
    const pair = [failure, after[n]!] as const;
    const tags = [createTag(), createTag()] as const;
    columns.push({ failures: pair, scenes, kept, tags, measure: createMeasure(kept, failure) });
  }
}

function createTag(): HTMLElement {
  const tag = document.createElement('div');
  tag.className = 'tag';
  document.body.append(tag);
  return tag;
}

/** Volume of the region around a joint (of a fist the one that changes most) by what it is at rest: skinned, and as it is kept. */
function createMeasure({ bodies }: PreservedVolume, { title, joint: { name: joint } }: Failure): Column['measure'] {
  const { plan, report } = bodies[0]!;
  const { character, volume } = plan;
  const own = title === 'fist' ? -1 : volume.regions.ids.indexOf(joint);
  const meter = planVolumeMeter(character, volume);
  const create = () => new Float64Array(3 * character.surface.vertexCount);
  const skinned = { positions: create(), directions: create() };
  const skin = { ...character.binding, positions: character.surface.positions, directions: volume.directions };
  return () => {
    skinLinear(skinned, skin, bodies[0]!.bones, 0, character.surface.vertexCount);
    meter.measure(skinned.positions);
    const changes = report.targets.map((target, s) => meter.regionVolumes[s]! / target);
    const worst = changes.reduce(
      (most, change, s) => (Math.abs(change - 1) > Math.abs(changes[most]! - 1) ? s : most),
      0,
    );
    const region = own < 0 ? worst : own;
    return [changes[region]!, report.volumes[region]! / report.targets[region]!];
  };
}

function clear(): void {
  for (const { kept, tags } of columns) {
    kept.dispose();
    for (const tag of tags) tag.remove();
  }
  columns = [];
}

const centre = new THREE.Vector3();

function drawColumn({ failures, scenes, tags, measure }: Column, n: number, amount: number): void {
  const { renderer } = stage;
  const width = innerWidth / columns.length;
  const height = (innerHeight - HEADER) / 2;
  for (const failure of failures) failure.pose(amount);
  for (const [row, scene] of scenes.entries()) {
    const { joint, reach } = failures[row]!;
    scene.updateMatrixWorld(true);
    centre.setFromMatrixPosition(joint.matrixWorld);
    camera.aspect = width / height;
    camera.position
      .set(0.55, 0.25, 1)
      .setLength(4 * reach)
      .add(centre);
    camera.lookAt(centre);
    camera.updateProjectionMatrix();
    const gl = renderer as unknown as THREE.WebGLRenderer;
    gl.setViewport(n * width, (1 - row) * height, width, height);
    gl.setScissor(n * width, (1 - row) * height, width, height);
    renderer.render(scene, camera);
    tags[row]!.style.left = `${(n + 0.5) * width}px`;
    tags[row]!.style.top = `${HEADER + (row + 0.88) * height}px`;
  }
  const changes = measure();
  for (const failure of failures) failure.pose(0); // the next column shows another joint of the same body
  for (const [row, tag] of tags.entries()) {
    const value = document.createElement('span');
    showChange(value, changes[row]!);
    tag.replaceChildren(`${failures[0].title} `, value);
  }
  const { title } = failures[0];
  worst[title] = changes.map((change, row) => Math.max(worst[title]?.[row] ?? 0, Math.abs(change - 1)));
  publish({ worst });
}

addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  try {
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    const gltf = await loader.parseAsync(await file.arrayBuffer(), '');
    clear();
    await addColumns(gltf, ['elbow', 'twist', 'neck', 'fist']);
    const names = columns.map(({ failures }) => failures[0].title);
    message.textContent = `${file.name}: ${names.join(', ') || 'no joint has a name that this page knows'}`;
  } catch (error) {
    message.textContent = `${file.name} cannot be read: ${(error as Error).message}`;
  }
});

await addColumns(await loadDemo('hero', 4000), ['elbow', 'twist', 'neck']);
await addColumns(await loadDemo('hand', 4000), ['fist']);
(stage.renderer as unknown as THREE.WebGLRenderer).setScissorTest(true);
let time = 0;
stage.run((dt) => {
  time += dt;
  const amount = 0.5 - 0.5 * Math.cos(1.4 * time);
  for (const [n, column] of columns.entries()) drawColumn(column, n, amount);
}, false);
