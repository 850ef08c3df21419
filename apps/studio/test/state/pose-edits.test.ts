import { createPose } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import {
  applyPoseEdits,
  isPosed,
  keyPose,
  listKeyTimes,
  resetPose,
  turnAt,
  turnJoint,
} from '../../src/state/pose-edits.js';
import { NO_POSE, type Quaternion } from '../../src/state/studio-document.js';

const about = (degrees: number): Quaternion => {
  const half = (degrees * Math.PI) / 360;
  return [0, 0, Math.sin(half), Math.cos(half)];
};

describe('pose-edits', () => {
  it('turns a joint on top of the clip and leaves the others', () => {
    const character = createDemo('tube');
    const { locals } = createPose(character);
    const before = locals.slice();
    applyPoseEdits(locals, turnJoint(NO_POSE, 1, about(90)), 0, 0);
    const changed = [...locals.keys()].filter((i) => locals[i] !== before[i]);
    expect(changed.every((i) => i >= 13 && i < 17)).toBe(true);
    expect(Math.hypot(...locals.subarray(13, 17))).toBeCloseTo(1, 12);
  });

  it('keys hold their time, blend between and stay unit', () => {
    let pose = keyPose(turnJoint(NO_POSE, 3, about(0)), 0, 0);
    pose = keyPose(turnJoint(pose, 3, about(60)), 0, 2);
    expect(pose.loose).toEqual({});
    expect(listKeyTimes(pose, 0)).toEqual([0, 2]);
    expect(turnAt(pose, 0, 3, 2)).toEqual(about(60));
    const middle = turnAt(pose, 0, 3, 1)!;
    expect(2 * Math.atan2(middle[2], middle[3])).toBeCloseTo(Math.PI / 6, 6);
    expect(Math.hypot(...middle)).toBeCloseTo(1, 12);
    expect(turnAt(pose, 0, 3, 9)).toEqual(about(60));
    expect(turnAt(pose, 1, 3, 1)).toBeUndefined();
  });

  it('a key at the same time replaces the one before', () => {
    const once = keyPose(turnJoint(NO_POSE, 3, about(10)), 0, 1);
    const twice = keyPose(turnJoint(once, 3, about(20)), 0, 1);
    expect(twice.keys[0]![3]).toEqual([{ time: 1, turn: about(20) }]);
  });

  it('resets one joint or all', () => {
    const pose = turnJoint(keyPose(turnJoint(NO_POSE, 3, about(10)), 0, 1), 4, about(5));
    expect(isPosed(resetPose(pose, 0, 3), 0)).toBe(true);
    expect(isPosed(resetPose(pose, 0, -1), 0)).toBe(false);
  });
});
