import { preserveVolume } from '@isoskin/three';
import { AnimationMixer, HemisphereLight, PerspectiveCamera, Scene, Timer, WebGLRenderer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const gltf = await new GLTFLoader().loadAsync('finger.glb');
preserveVolume(gltf);

const scene = new Scene().add(gltf.scene, new HemisphereLight('white', 'grey', 3));
const camera = new PerspectiveCamera(30, innerWidth / innerHeight, 0.1, 100);
camera.position.set(4, 6, 20);
camera.lookAt(4, 0, 0);
const renderer = new WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const mixer = new AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();
const timer = new Timer();
renderer.setAnimationLoop((time) => {
  mixer.update(timer.update(time).getDelta());
  renderer.render(scene, camera);
});
