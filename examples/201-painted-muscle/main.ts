/** A map painted on the vertices decides where the skin gives way. */
import type { StackSpec } from '@isoskin/core';
import { VolumeSkinnedMesh } from '@isoskin/three';
import { planner } from '@isoskin/three/planner';
import * as THREE from 'three';
import { listSkinnedMeshes, loadDemo, play } from '../shared/load-demo.js';
import { measureDrawnVolume, publish } from '../shared/measure-drawn-volume.js';
import { createStage } from '../shared/stage.js';

const STACK: StackSpec = {
  skin: {},
  volume: { map: { kind: 'uniform', paint: '_ISOSKIN_GAMMA' }, regions: { by: 'component' } },
};
const FIRM = new THREE.Color(0x7fb0d8);
const SOFT = new THREE.Color(0xf08a3c);
const BRUSH = 0.8;

const stage = createStage({ distance: 17, height: 0.2 });
const gltf = await loadDemo('tube', 1600);
const mesh = listSkinnedMeshes(gltf.scene)[0]!;
const rest = measureDrawnVolume(mesh);
stage.scene.add(gltf.scene);
const { geometry } = mesh;
const position = geometry.attributes.position!;
const paint = new THREE.BufferAttribute(new Float32Array(position.count), 1);
const colours = new THREE.BufferAttribute(new Float32Array(3 * position.count), 3);
geometry.setAttribute('_isoskin_gamma', paint);
geometry.setAttribute('color', colours);
mesh.material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.7 });

// A biceps: the upper side of one half.
for (let i = 0; i < position.count; i++) {
  const [x, y, z] = [position.getX(i), position.getY(i), position.getZ(i)];
  paint.setX(i, Math.hypot((x + 1.5) / 1.2, z / 0.8) < 1 && y > 0 ? 1 : 0.03);
}
let body = apply();
const mixer = play(gltf, gltf.scene);
let speed = 1;
stage.run((dt) => {
  mixer.update(speed * dt);
  stage.scene.updateMatrixWorld();
  body.update(dt); // now, not at the next draw: a body planned by the last stroke is measured below
  publish({ kept: measureDrawnVolume(mesh) / rest, body, paint: paint.array });
});

/** Plans the body anew with the paint as it is. */
function apply(): VolumeSkinnedMesh {
  const colour = new THREE.Color();
  for (let i = 0; i < position.count; i++) colour.lerpColors(FIRM, SOFT, paint.getX(i)).toArray(colours.array, 3 * i);
  paint.needsUpdate = true;
  colours.needsUpdate = true;
  return new VolumeSkinnedMesh(mesh, { stack: STACK, planner }); // at once: the next frame shows the stroke
}

const ray = new THREE.Raycaster();
const canvas = stage.renderer.domElement;
let isPainting = false;

function stroke({ clientX, clientY, shiftKey }: PointerEvent): void {
  const pointer = new THREE.Vector2((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight);
  ray.setFromCamera(pointer, stage.camera);
  const hit = ray.intersectObject(mesh)[0];
  isPainting ||= hit !== undefined;
  stage.controls.enabled = !isPainting;
  if (!hit) return;
  const centre = mesh.worldToLocal(hit.point);
  const vertex = new THREE.Vector3();
  for (let i = 0; i < position.count; i++) {
    if (mesh.getVertexPosition(i, vertex).distanceTo(centre) < BRUSH) paint.setX(i, shiftKey ? 0.03 : 1);
  }
  speed = 0; // hold still while painting
  body = apply();
}
canvas.addEventListener('pointerdown', stroke, { capture: true });
canvas.addEventListener('pointermove', (event) => isPainting && stroke(event));
addEventListener('pointerup', () => {
  isPainting = false;
  stage.controls.enabled = true;
  speed = 1;
});
document.querySelector<HTMLButtonElement>('#clear')!.onclick = () => {
  paint.array.fill(1);
  body = apply();
};
