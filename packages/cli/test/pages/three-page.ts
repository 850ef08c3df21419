/** Runs in the browser: a baked file in three.js. */
import * as THREE from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { Viewer } from './viewer.js';

export function createThreeViewer(): Viewer {
  // Hard edges: a pixel belongs to the body or not.
  const renderer = new THREE.WebGLRenderer({ antialias: false, alpha: true, preserveDrawingBuffer: true });
  document.body.replaceChildren(renderer.domElement);
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  const camera = new THREE.OrthographicCamera();
  let scene = new THREE.Scene();
  let gltf: GLTF;
  let mixer: THREE.AnimationMixer;
  return {
    async open(url, { size, centre, back, half, reach }) {
      renderer.setSize(size, size);
      gltf = await loader.loadAsync(url);
      mixer = new THREE.AnimationMixer(gltf.scene);
      Object.assign(camera, { left: -half, right: half, top: half, bottom: -half, near: 0, far: 4 * reach });
      camera.position.set(...back).multiplyScalar(2 * reach);
      camera.position.add(new THREE.Vector3(...centre));
      camera.lookAt(...centre);
      camera.updateProjectionMatrix();
      const light = new THREE.DirectionalLight(0xffffff, Math.PI);
      light.position.set(...back);
      scene = new THREE.Scene().add(gltf.scene, light);
    },
    async seek(name, time) {
      mixer.stopAllAction();
      mixer.clipAction(gltf.animations.find((clip) => clip.name === name)!).play();
      mixer.setTime(time);
      renderer.render(scene, camera);
      return listDeforming(gltf.scene).map(placeVertices);
    },
  };
}

function listDeforming(root: THREE.Object3D): THREE.Mesh[] {
  const meshes: THREE.Mesh[] = [];
  root.traverse((object) => {
    if (object instanceof THREE.Mesh && (object instanceof THREE.SkinnedMesh || object.morphTargetInfluences)) {
      meshes.push(object);
    }
  });
  return meshes;
}

function placeVertices(mesh: THREE.Mesh): number[] {
  const point = new THREE.Vector3();
  return Array.from({ length: mesh.geometry.attributes.position!.count }, (_, i) =>
    mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld).toArray(),
  ).flat();
}
