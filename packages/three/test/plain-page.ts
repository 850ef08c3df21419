/** Runs in a browser page that has three.js and nothing else: plays what another page has exported. */
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** Vertices of a mesh as three.js has them on the CPU, in the space of the mesh, #×3. */
export function readMesh(mesh: THREE.SkinnedMesh): Float64Array {
  const out = new Float64Array(3 * mesh.geometry.attributes.position!.count);
  const point = new THREE.Vector3();
  for (let i = 0; 3 * i < out.length; i++) mesh.getVertexPosition(i, point).toArray(out, 3 * i);
  return out;
}

function play(root: THREE.Object3D, clip: THREE.AnimationClip, times: readonly number[]): number[][] {
  let mesh: THREE.SkinnedMesh | undefined;
  root.traverse((object) => {
    if ((object as THREE.SkinnedMesh).isSkinnedMesh) mesh = object as THREE.SkinnedMesh;
  });
  const mixer = new THREE.AnimationMixer(root);
  const action = mixer.clipAction(clip).setLoop(THREE.LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  return times.map((time) => {
    mixer.setTime(time);
    root.updateMatrixWorld(true);
    return Array.from(readMesh(mesh!));
  });
}

export async function playExported(json: string, glb: readonly number[], times: readonly number[]) {
  const { scene, animations } = await new GLTFLoader().parseAsync(Uint8Array.from(glb).buffer, '');
  const object = new THREE.ObjectLoader().parse(JSON.parse(json));
  return { glb: play(scene, animations[0]!, times), json: play(object, object.animations[0]!, times) };
}
