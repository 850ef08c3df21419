/**
 * A file that carries a driver (`ISOSKIN_amounts`, `isoskin bake --drive`): its shapes are morph targets already, and their amounts polynomials of the joints'
 * rotations. No plan, no solver, nothing per vertex on the CPU, and nothing of them is loaded.
 *
 *   import { driveVolume } from '@isoskin/three/drive';
 *   driveVolume(gltf);
 */
import { driveThree, type LoadedGltf, type Player } from '@isoskin/drive/three';
import type { Object3D, SkinnedMesh, Vector3 } from 'three';
import { type Detail, type DirectedBody, findScene, joinScene, leaveScene } from './scene-director.js';
import { watchRenders } from './watch-renders.js';

export interface DriveOptions {
  /** A copy of the file's scene (SkeletonUtils.clone) instead of the scene itself. */
  readonly root?: Object3D;
  /** Update before every render of the scene. Default: true. */
  readonly auto?: boolean;
  /** How often to update, and how far from the camera. Default: every frame, everywhere. */
  readonly detail?: Detail;
}

export interface DrivenVolume {
  readonly player: Player;
  /** Off: the skin alone. */
  enabled: boolean;
  update(): void;
  dispose(): void;
}

const SHAPE = /^isoskin /;

/** @param gltf what GLTFLoader gives: a driver is found by the nodes of its file */
export function driveVolume(gltf: LoadedGltf, options: DriveOptions = {}): DrivenVolume {
  if (!gltf?.parser) throw new Error('A driver is found by the nodes of its file: give all that GLTFLoader gives');
  const root = options.root ?? (gltf.scene as Object3D);
  const player = driveThree(gltf, root);
  const meshes: SkinnedMesh[] = [];
  root.traverse((object) => {
    if ((object as SkinnedMesh).morphTargetInfluences) meshes.push(object as SkinnedMesh);
  });
  let isOn = true;
  const body: DirectedBody = {
    meshes,
    options,
    isFar: false,
    drawnAt: Number.NEGATIVE_INFINITY,
    get enabled() {
      return isOn;
    },
    set enabled(value) {
      isOn = value;
      if (!value) clearShapes(meshes);
    },
    draw() {
      body.drawnAt = performance.now();
      player.update();
    },
    measurePlace: (out: Vector3) => out.setFromMatrixPosition(meshes[0]!.matrixWorld),
  };
  const meet = () => {
    const scene = findScene(meshes[0]!);
    if (scene && options.auto !== false) joinScene(scene, body);
  };
  const unwatch = watchRenders(meshes[0]!, meet);
  meet();
  return {
    player,
    get enabled() {
      return isOn;
    },
    set enabled(value) {
      body.enabled = value;
    },
    update() {
      if (isOn) body.draw(0);
    },
    dispose() {
      unwatch();
      leaveScene(body);
      body.enabled = false;
    },
  };
}

function clearShapes(meshes: readonly SkinnedMesh[]): void {
  for (const { morphTargetDictionary, morphTargetInfluences } of meshes) {
    for (const [name, target] of Object.entries(morphTargetDictionary ?? {})) {
      if (SHAPE.test(name) && morphTargetInfluences) morphTargetInfluences[target] = 0;
    }
  }
}
