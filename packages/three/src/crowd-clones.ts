/** A crowd where there is no WebGPU: clones of the model, each with its own skeleton, mixer and `preserveVolume`. */
import { type AnimationAction, type AnimationClip, AnimationMixer, type Matrix4, type Object3D } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { preserveVolume } from './preserve-volume.js';
import type { VolumeOptions } from './volume-options.js';

export interface CrowdClones {
  readonly roots: readonly Object3D[];
  setMatrixAt(index: number, matrix: Matrix4): void;
  /** Takes the pose of the model. */
  setPose(index: number): void;
  /** Clip and seconds of every character. */
  update(plays: Float32Array): void;
  dispose(): void;
}

export function createCrowdClones(
  top: Object3D,
  count: number,
  clips: readonly AnimationClip[],
  options: VolumeOptions,
): CrowdClones {
  const roots = Array.from({ length: count }, () => clone(top));
  const mixers = roots.map((root) => new AnimationMixer(root));
  const kept = roots.map((root) => preserveVolume(root, { ...options, animations: clips }));
  const actions = new Array<AnimationAction | undefined>(count);
  for (const root of roots) root.matrixAutoUpdate = false;
  return {
    roots,
    setMatrixAt: (index, matrix) => roots[index]!.matrix.copy(matrix),
    setPose(index) {
      mixers[index]!.stopAllAction();
      actions[index] = undefined;
      const nodes: Object3D[] = [];
      roots[index]!.traverse((node) => nodes.push(node));
      let n = 0;
      top.traverse((node) => {
        const to = nodes[n++]!;
        if (to === roots[index]) return;
        to.position.copy(node.position);
        to.quaternion.copy(node.quaternion);
        to.scale.copy(node.scale);
      });
    },
    update(plays) {
      for (const [i, mixer] of mixers.entries()) {
        const clip = clips[plays[2 * i]!];
        if (!clip) continue;
        if (actions[i]?.getClip() !== clip) {
          mixer.stopAllAction();
          actions[i] = mixer.clipAction(clip).play();
        }
        mixer.setTime(plays[2 * i + 1]!);
        roots[i]!.updateMatrixWorld(true);
      }
    },
    dispose() {
      for (const each of kept) each.dispose();
      for (const mixer of mixers) mixer.stopAllAction();
    },
  };
}
