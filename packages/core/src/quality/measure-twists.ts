/**
 * C16. How much of their section twisted limbs lose to the blend of linear skinning: of every joint the mean of c σ over its blend, weighted
 * with c (plan-twists.ts), in the worst moment. From the bones alone, no vertex is moved. O(joints · moments).
 */
import type { Character } from '../character/character.js';
import { measureTwist } from '../correction/create-twists.js';
import { listTwists } from '../correction/plan-twists.js';
import type { Clip } from '../skeleton/clip.js';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from '../skeleton/matrices.js';
import { planBoneSegments } from '../skeleton/plan-bone-segments.js';
import { createPose, frameTimes, samplePose } from '../skeleton/pose.js';

export interface TwistLoss {
  readonly joint: string;
  readonly clip: string;
  /** Share of the section. */
  readonly lost: number;
}

/** The worst joint; undefined where none twists. */
export function measureTwists(character: Character, clips: readonly Clip[], fps: number): TwistLoss | undefined {
  const { skeleton } = character;
  const twists = listTwists(character, planBoneSegments(skeleton)).map(({ twist, blends }) => {
    const sum = blends.reduce((total, c) => total + c, 0);
    return { twist, mean: blends.reduce((total, c) => total + c * c, 0) / sum };
  });
  const pose = createPose(character);
  const world = new Float64Array(16 * skeleton.nodeCount);
  const bones = new Float64Array(BONE_STRIDE * skeleton.boneCount);
  let worst: TwistLoss | undefined;
  for (const clip of clips) {
    for (const time of frameTimes(clip, fps)) {
      samplePose(pose, character, clip, time);
      measureWorldMatrices(world, skeleton, pose.locals);
      measureBoneMatrices(bones, skeleton, world);
      for (const { twist, mean } of twists) {
        const lost = mean * measureTwist(twist, bones);
        if (!(lost > (worst?.lost ?? 0))) continue;
        worst = { joint: skeleton.names[skeleton.boneNodes[twist.bone]!]!, clip: clip.name, lost };
      }
    }
  }
  return worst;
}
