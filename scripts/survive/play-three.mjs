/** Releases of three.js are players too: they give every vertex as they compute it on the CPU. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dropMaterials } from './list-tools.mjs';

/** Installs a release into a folder and returns its modules, so that the lock file stays as it is. */
export async function installThree(version, folder) {
  const prefix = join(folder, `three-${version}`);
  execFileSync('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--silent', `three@${version}`]);
  const load = (path) => import(pathToFileURL(join(prefix, 'node_modules/three', path)).href);
  const { GLTFLoader } = await load('examples/jsm/loaders/GLTFLoader.js');
  return { ...(await load('build/three.module.js')), GLTFLoader };
}

/** Returns the same as `planPlayer`. */
export async function planThreePlayer(bytes, { AnimationMixer, GLTFLoader, Vector3 }) {
  const { scene, animations } = await new GLTFLoader().parseAsync(dropMaterials(bytes), '');
  const mixer = new AnimationMixer(scene);
  const meshes = [];
  scene.traverse((mesh) => mesh.isMesh && meshes.push(mesh));
  const counts = meshes.map(({ geometry }) => geometry.attributes.position.count);
  const vertexCount = counts.reduce((sum, count) => sum + count, 0);
  let first = 0;
  const triangles = meshes.flatMap(({ geometry: { index } }, m) => {
    const start = first;
    first += counts[m];
    return Array.from(index?.array ?? Array(counts[m]).keys(), (v) => v + start);
  });

  function play(clip, time, { targets = true } = {}) {
    mixer.stopAllAction();
    mixer.clipAction(animations[clip]).play();
    // At its very end a clip that repeats shows its first frame.
    mixer.setTime(Math.min(time, animations[clip].duration - 1e-7));
    if (!targets) for (const mesh of meshes) mesh.morphTargetInfluences?.fill(0);
    scene.updateMatrixWorld(true);
    const out = new Float64Array(3 * vertexCount);
    const place = new Vector3();
    let at = 0;
    meshes.forEach((mesh, m) => {
      for (let v = 0; v < counts[m]; v++, at += 3) {
        out.set(mesh.getVertexPosition(v, place).applyMatrix4(mesh.matrixWorld).toArray(), at);
      }
    });
    return out;
  }
  const clips = animations.map(({ name, duration }) => ({ name, duration }));
  return { clips, vertexCount, triangles, play };
}
