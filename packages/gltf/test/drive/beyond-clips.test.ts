/** P1: a clip that moves what no other clip moves is played well, and joints are led back beyond what they were taught. */
import { createFrameSource, createPose, frameTimes, planBody, samplePose } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { createDriver } from '@isoskin/drive';
import { measureDriven, planDriveJudge, teachAmounts } from '@isoskin/gltf';
import { expect, it } from 'vitest';

it('a hand that was never taught to turn its wrist', { timeout: 240_000 }, () => {
  const character = createDemo('hand', { vertices: 800 });
  const wrist = character.clips.find(({ name }) => name === 'wrist')!;
  const stack = createFrameSource(planBody({ ...character, clips: character.clips.filter((clip) => clip !== wrist) }));
  const taught = teachAmounts(stack);
  for (const input of taught.amounts.inputs) expect((input as { reach: number }).reach).toBeGreaterThan(0.6);
  const judge = planDriveJudge(stack);
  const driver = createDriver(taught.amounts);
  const pose = createPose(character);
  let [linear, solved, driven] = [0, 0, 0];
  for (const time of frameTimes(wrist, 10)) {
    samplePose(pose, character, wrist, time);
    judge.pose(pose);
    linear = Math.max(linear, judge.measureLinear());
    solved = Math.max(solved, judge.measureSolved());
    driven = Math.max(driven, judge.measureDriven(measureDriven(driver, pose, taught)));
  }
  expect(solved).toBeLessThan(0.5 * linear); // limits hold some of it back
  expect(driven - solved).toBeLessThan(0.2 * linear); // taught by 15 degrees at least: 0.36
});
