/** Runs in the browser: a crowd against bodies of the same model in the same poses, one by one. */
import { preserveVolume } from '@isoskin/three';
import { VolumeCrowd } from '@isoskin/three/webgpu';
import * as THREE from 'three';
import {
  float,
  instanceIndex,
  int,
  normalLocal,
  positionLocal,
  uniform,
  varying,
  vec2,
  vec4,
  vertexIndex,
} from 'three/tsl';
import { MeshBasicNodeMaterial, WebGPURenderer } from 'three/webgpu';
import { bend, createDemoMesh, distance, measureMeshVolume } from './create-skinned-mesh.js';
import { readMesh } from './plain-page.js';
import { type AnyRenderer, readDrawnPositions } from './read-drawn-positions.js';

const COUNT = 3;
const TIMES = [0, 0.35, 0.9];

/** A tube with a clip that bends it. */
function createModel() {
  const { root, mesh } = createDemoMesh('tube', 600);
  mesh.castShadow = true;
  const turn = (angle: number) => new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 0, 1), angle).toArray();
  const tracks = mesh.skeleton.bones
    .slice(1)
    .map((bone) => new THREE.QuaternionKeyframeTrack(`${bone.name}.quaternion`, [0, 1], [...turn(0), ...turn(0.9)]));
  return { root, mesh, gltf: { scene: root, animations: [new THREE.AnimationClip('bend', 1, tracks)] } };
}

async function open(forceWebGL = false) {
  const renderer = new WebGPURenderer({ forceWebGL });
  renderer.setSize(64, 64);
  await renderer.init();
  const scene = new THREE.Scene();
  scene.add(new THREE.HemisphereLight());
  const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 100);
  camera.position.z = 12;
  return { renderer, scene, camera };
}

const place = (i: number) => new THREE.Matrix4().makeRotationY(0.4 * i).setPosition(3 * i, 0, -i);

/** A probe (create-node-probe.ts) of one character of a crowd. */
function createProbe(mesh: THREE.Mesh, index: number, isNormal: boolean): THREE.Material {
  const width = 256;
  const size = uniform(new THREE.Vector2());
  const material = new MeshBasicNodeMaterial({ toneMapped: false, fog: false });
  const { positionNode } = mesh.material as unknown as MeshBasicNodeMaterial;
  material.positionNode = positionNode;
  const pixel = vec2(float(int(vertexIndex).mod(width)), float(int(vertexIndex).div(width))).add(0.5);
  const spot = pixel.mul(2).div(size).sub(1);
  material.vertexNode = int(instanceIndex)
    .equal(index)
    .select(vec4(spot.x, spot.y.negate(), 0, 1), vec4(2, 2, 2, 1));
  material.fragmentNode = vec4(varying(isNormal ? normalLocal : positionLocal), 1);
  material.userData.size = size;
  return material;
}

/** What is drawn of every character against the core's frame: positions by the size, normals, volumes; and buffers that are left. */
export async function drawCrowd() {
  const { renderer, scene, camera } = await open();
  const { device } = renderer.backend as unknown as { device: GPUDevice };
  const buffers = new Set<GPUBuffer>();
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer(descriptor);
    if (!descriptor.label?.startsWith('isoskin')) return buffer;
    buffers.add(buffer);
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      buffers.delete(buffer);
      return destroy();
    };
    return buffer;
  };
  const { gltf, root, mesh } = createModel();
  const crowd = new VolumeCrowd(gltf, COUNT);
  scene.add(crowd);
  await crowd.ready;
  for (let i = 0; i < COUNT; i++) crowd.setMatrixAt(i, place(i));
  const frames: Awaited<ReturnType<typeof compare>>[] = [];
  const play = async (dt: number) => {
    for (let i = 0; i < COUNT; i++) if (i !== 1) crowd.play(i, 'bend', TIMES[i]!);
    crowd.update(dt);
    if (dt === 0) {
      bend(mesh, 0.6); // one with a pose of its own
      crowd.setPose(1);
      bend(mesh, -0.6);
    }
    await new Promise((resolve) => requestAnimationFrame(resolve));
    renderer.render(scene, camera);
    frames.push(await compare(renderer, crowd, dt));
  };
  await play(0);
  await play(1 / 60);
  const made = buffers.size;
  const { bytes, path } = crowd;
  crowd.dispose();
  renderer.render(scene, camera);
  const still = readMesh(mesh);
  renderer.dispose();
  return {
    frames,
    made,
    left: buffers.size,
    bytes,
    path,
    moved: distance(still, readMesh(createModel().mesh)),
    root: root.children.length,
  };
}

async function compare(renderer: WebGPURenderer, crowd: VolumeCrowd, dt: number) {
  const { root, mesh, gltf } = createModel();
  const index = mesh.geometry.index!.array;
  const rest = measureMeshVolume(readMesh(mesh), index);
  const kept = preserveVolume(root, { auto: false });
  await kept.ready;
  const mixer = new THREE.AnimationMixer(root);
  const action = mixer.clipAction(gltf.animations[0]!);
  const drawnMesh = crowd.children[0] as THREE.SkinnedMesh;
  let [error, volume, normal, read] = [0, 0, 1, 0];
  for (let i = 0; i < crowd.count; i++) {
    action.reset().play();
    mixer.setTime(i === 1 ? 0 : TIMES[i]! + dt);
    if (i === 1) bend(mesh, 0.6);
    root.updateMatrixWorld(true);
    kept.update();
    const wanted = Float32Array.from(readMesh(mesh));
    const point = new THREE.Vector3();
    for (let k = 0; k < wanted.length; k += 3) point.fromArray(wanted, k).applyMatrix4(place(i)).toArray(wanted, k);
    const probe = (isNormal: boolean) =>
      readDrawnPositions(renderer as unknown as AnyRenderer, drawnMesh, createProbe(drawnMesh, i, isNormal));
    const drawn = await probe(false);
    error = Math.max(error, distance(drawn, wanted));
    volume = Math.max(volume, Math.abs(measureMeshVolume(drawn, index) / rest - 1));
    read = Math.max(read, distance(drawn, (await crowd.read(i)).positions[0]!));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(drawn, 3));
    geometry.setIndex(Array.from(index));
    geometry.computeVertexNormals();
    const normals = await probe(true);
    const smooth = geometry.attributes.normal!.array;
    for (let k = 0; k < normals.length; k += 3) {
      const dot = normals[k]! * smooth[k]! + normals[k + 1]! * smooth[k + 1]! + normals[k + 2]! * smooth[k + 2]!;
      normal = Math.min(normal, dot);
    }
  }
  const size = new THREE.Box3().setFromObject(root).getSize(new THREE.Vector3()).length();
  kept.dispose();
  return { error: error / size, volume, normal, read };
}

/** Pixels of a floor that a crowd darkens, with and without its shadow. */
export async function castShadow() {
  const { renderer, scene, camera } = await open();
  const dark: number[] = [];
  for (const cast of [true, false]) {
    const { gltf, mesh } = createModel();
    mesh.castShadow = cast;
    const crowd = new VolumeCrowd(gltf, 1);
    await crowd.ready;
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(40, 40), new THREE.MeshStandardMaterial());
    floor.position.z = -3;
    floor.receiveShadow = true;
    const light = new THREE.DirectionalLight(0xffffff, 3);
    light.position.set(8, 0, 8);
    light.castShadow = true;
    Object.assign(light.shadow.camera, { left: -10, right: 10, top: 10, bottom: -10 });
    renderer.shadowMap.enabled = true;
    const stage = new THREE.Scene();
    stage.add(crowd, floor, light);
    const target = new THREE.RenderTarget(64, 64);
    renderer.setRenderTarget(target);
    for (let n = 0; n < 2; n++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      renderer.render(stage, camera);
    }
    const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, 64, 64);
    renderer.setRenderTarget(null);
    dark.push(Array.from({ length: 64 * 64 }, (_, i) => pixels[4 * i]!).filter((value) => value < 20).length);
    crowd.dispose();
  }
  renderer.dispose();
  scene.clear();
  return dark;
}

/** The same calls where WebGPU draws with WebGL2. */
export async function drawClones() {
  const { renderer, scene, camera } = await open(true);
  const { gltf, mesh } = createModel();
  const rest = measureMeshVolume(readMesh(mesh), mesh.geometry.index!.array);
  const crowd = new VolumeCrowd(gltf, COUNT);
  scene.add(crowd);
  await crowd.ready;
  for (let i = 0; i < COUNT; i++) {
    crowd.setMatrixAt(i, place(i));
    crowd.play(i, 0, TIMES[i]!);
  }
  for (let n = 0; n < 3; n++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    crowd.update(1 / 60);
    renderer.render(scene, camera);
  }
  const volumes: number[] = [];
  crowd.traverse((object) => {
    if ((object as THREE.SkinnedMesh).isSkinnedMesh) {
      const found = object as THREE.SkinnedMesh;
      volumes.push(measureMeshVolume(readMesh(found), found.geometry.index!.array) / rest - 1);
    }
  });
  const { path } = crowd;
  crowd.dispose();
  renderer.dispose();
  return { volumes, path, left: scene.children.length };
}
