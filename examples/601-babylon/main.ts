/** Babylon.js without an adapter: pose → core → vertex buffer. */

import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData.js';
import { Scene } from '@babylonjs/core/scene.js';
import { createFrameSource, createPose, measureVolume, planBody, presetStack, samplePose } from '@isoskin/core';
import { planClosedSurface } from '@isoskin/core/mesh';
import { createDemo } from '@isoskin/demos';
import { publish } from '../shared/measure-drawn-volume.js';

// isoskin: a character, its stack, a pose.
const character = createDemo('hand', { vertices: 3000 });
const stack = createFrameSource(planBody(character), presetStack('organic'));
const pose = createPose(character);
const clip = character.clips.find(({ name }) => name === 'fist')!;
const { positions: rest, triangles } = character.surface;

// Babylon.js: a mesh with updatable positions and normals.
const canvas = document.createElement('canvas');
canvas.className = 'stage';
document.body.prepend(canvas);
const engine = new Engine(canvas, true);
const scene = new Scene(engine);
scene.useRightHandedSystem = true;
scene.clearColor = new Color4(0.933, 0.941, 0.953, 1);
const camera = new ArcRotateCamera('camera', 1.2, 1.35, 9, new Vector3(0.1, 0.4, 0), scene);
camera.fov = 0.5;
camera.targetScreenOffset.set(0.8, 0); // beside the words
camera.attachControl(canvas, true);
new HemisphericLight('sky', new Vector3(0, 1, 0), scene).intensity = 0.75;
new DirectionalLight('sun', new Vector3(-0.5, -1, -0.6), scene).intensity = 0.5;
const mesh = new Mesh('hand', scene);
const data = new VertexData();
data.positions = Float32Array.from(rest);
data.normals = new Float32Array(rest.length);
data.indices = triangles;
data.applyToMesh(mesh, true);
const material = new StandardMaterial('skin', scene);
material.diffuseColor = new Color3(0.89, 0.68, 0.53);
material.specularColor = new Color3(0.05, 0.05, 0.05);
material.sideOrientation = Mesh.BACKSIDE; // Babylon winds triangles the other way round
mesh.material = material;

const on = document.querySelector<HTMLInputElement>('#on')!;
const closed = planClosedSurface(character.surface);
const restVolume = measureVolume(closed, rest);
let frames = 0;
let time = 0;
engine.runRenderLoop(() => {
  time = (time + Math.min(0.1, engine.getDeltaTime() / 1000)) % clip.duration;
  samplePose(pose, character, clip, time);
  const frame = stack.evaluate(pose, time);
  const positions = on.checked ? frame.positions : frame.skinned;
  mesh.updateVerticesData(VertexBuffer.PositionKind, Float32Array.from(positions));
  mesh.updateVerticesData(VertexBuffer.NormalKind, Float32Array.from(frame.normals));
  scene.render();
  publish({ kept: measureVolume(closed, positions) / restVolume });
  if (++frames === 3) document.body.dataset.ready = 'yes'; // for the tests
});
addEventListener('resize', () => engine.resize());
