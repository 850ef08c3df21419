/**
 * The animation groups of a scene as the planner rehearses them: channels over the bones of a skeleton. How the roots stand in the scene does not
 * change a body's shape: their channels are left out.
 */

import type { AnimationGroup, TargetedAnimation } from '@babylonjs/core/Animations/animationGroup.js';
import { AnimationKeyInterpolation, type IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import type { Channel, Clip } from '@isoskin/core';

const PATHS: Record<string, 'translation' | 'rotation' | 'scale'> = {
  position: 'translation',
  rotationQuaternion: 'rotation',
  scaling: 'scale',
};

export function readClips(groups: readonly AnimationGroup[], mesh: Mesh): Clip[] {
  return groups.flatMap((group) => {
    const channels = group.targetedAnimations.flatMap((one) => readChannel(one, mesh) ?? []);
    const duration = channels.reduce((most, { times }) => Math.max(most, times.at(-1) ?? 0), 0);
    return channels.length > 0 ? [{ name: group.name, duration, channels }] : [];
  });
}

function readChannel({ target, animation }: TargetedAnimation, { skeleton }: Mesh): Channel | undefined {
  const path = PATHS[animation.targetProperty];
  const bone = skeleton!.bones.findIndex((one) => one === target || one.getTransformNode() === target);
  if (!path || bone < 0 || !skeleton!.bones[bone]!.getParent()) return undefined;
  const rate = animation.framePerSecond;
  const keys = animation.getKeys();
  const isCubic = keys.some(({ inTangent, outTangent }) => inTangent !== undefined || outTangent !== undefined);
  const width = path === 'rotation' ? 4 : 3;
  const none = new Array<number>(width).fill(0);
  const listNumbers = (value: { asArray(): number[] } | undefined, factor = 1) =>
    value ? value.asArray().map((number) => factor * number) : none;
  const listValues = ({ inTangent, value, outTangent }: IAnimationKey) =>
    isCubic
      ? [...listNumbers(inTangent, rate), ...listNumbers(value), ...listNumbers(outTangent, rate)]
      : listNumbers(value);
  const isStepped = keys.every(({ interpolation }) => interpolation === AnimationKeyInterpolation.STEP);
  return {
    target: bone,
    path,
    width,
    interpolation: isStepped ? 'STEP' : isCubic ? 'CUBICSPLINE' : 'LINEAR',
    times: Float64Array.from(keys, ({ frame }) => frame / rate),
    values: Float64Array.from(keys.flatMap(listValues)),
  };
}
