import {
  AnimationClip,
  AnimationMixer,
  LoopOnce,
  NumberKeyframeTrack,
  type Object3D,
  PropertyBinding,
  type SkinnedMesh,
} from 'three';
import type { PreservedVolume } from './preserve-volume.js';

/**
 * A clip with the amounts in it: bones as they were, and one track of influences for every mesh. An exported scene (GLTFExporter, toJSON) plays it
 * without isoskin. Between its keys the amounts are interpolated.
 *
 *   const clip = recordClip(gltf.scene, kept, gltf.animations[0]);
 *
 * @param root what the clip moves
 * @param rate keys per second
 */
export function recordClip(root: Object3D, volume: PreservedVolume, clip: AnimationClip, rate = 60): AnimationClip {
  for (const body of volume.bodies) body.useMorphs(); // throws where one is still being planned
  const meshes = volume.bodies.flatMap((body) => body.meshes);
  const count = Math.max(1, Math.ceil(clip.duration * rate));
  const times = Float32Array.from({ length: count + 1 }, (_, n) => (clip.duration * n) / count);
  const values = meshes.map((): number[] => []);
  const mixer = new AnimationMixer(root);
  const action = mixer.clipAction(clip).setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  const { bodies } = volume;
  const clocks = bodies.map((body) => body.time);
  for (const time of times) {
    mixer.setTime(time);
    for (const body of bodies) body.time = time; // keyed targets follow the clip
    volume.update();
    for (const [m, mesh] of meshes.entries()) values[m]!.push(...(mesh.morphTargetInfluences ?? []));
  }
  for (const [b, body] of bodies.entries()) body.time = clocks[b]!;
  mixer.stopAllAction();
  mixer.uncacheRoot(root);
  const others = clip.tracks.filter(({ name }) => {
    const { nodeName, propertyName } = PropertyBinding.parseTrackName(name);
    return (
      propertyName !== 'morphTargetInfluences' ||
      !meshes.includes(PropertyBinding.findNode(root, nodeName) as SkinnedMesh)
    );
  });
  const recorded = meshes.map(
    (mesh, m) => new NumberKeyframeTrack(`${mesh.uuid}.morphTargetInfluences`, times, values[m]!),
  );
  return new AnimationClip(clip.name, clip.duration, [...others, ...recorded]);
}
