import { type AnimationClip, AnimationMixer, LoopOnce, type Object3D } from 'three';

/** Poses of a clip at equal distances, first and last included, `rate` per second or a little more. The model is as before afterwards. */
export function sampleClip<Pose>(
  root: Object3D,
  clip: AnimationClip,
  rate: number,
  read: () => Pose,
): { duration: number; poses: Pose[] } {
  const count = Math.max(1, Math.ceil(clip.duration * rate));
  const mixer = new AnimationMixer(root);
  const action = mixer.clipAction(clip).setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  const poses = Array.from({ length: count + 1 }, (_, n) => {
    mixer.setTime((clip.duration * n) / count);
    return read();
  });
  mixer.stopAllAction();
  mixer.uncacheRoot(root);
  return { duration: clip.duration || 1, poses };
}
