/** What is remembered of a plan changes nothing but the time that the next one takes. */
import { createFrameSource, createPose, planBody, presetStack, type StackSpec, samplePose } from '@isoskin/core';
import { listDrafts, measureDraftKey } from '@isoskin/core/stack';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';

const finger = createDemo('finger');
const pose = createPose(finger);
samplePose(pose, finger, finger.clips[0], 1);
const organic = presetStack('organic');
const frameOf = (body: ReturnType<typeof planBody>, stack: StackSpec) =>
  createFrameSource(body, stack).evaluate(pose, 1).positions.slice();
const withVolume = (change: object): StackSpec => ({ ...organic, volume: { ...organic.volume, ...change } });

describe('rememberContext', () => {
  it.each([
    ['another limit', withVolume({ options: { limit: 0.02 } })],
    ['another target', withVolume({ target: { all: 1.2 } })],
    ['harmonics', withVolume({ options: { harmonics: 1, twist: 1 } })],
    ['another map', withVolume({ map: { kind: 'uniform' } })],
    ['other regions', withVolume({ regions: { by: 'component' } })],
    ['directional control', withVolume({ shape: [{ region: '*', along: 2 }] })],
  ])('%s after organic is the same as alone, bit for bit, and organic stays what it was', (_, stack) => {
    const body = planBody(finger);
    const first = frameOf(body, organic);
    expect(frameOf(body, stack)).toEqual(frameOf(planBody(finger), stack));
    expect(frameOf(body, organic)).toEqual(first);
    expect(frameOf(planBody(finger), stack)).not.toEqual(first);
  });

  it('a draft can be kept and put into another body of the same character', () => {
    const body = planBody(finger);
    const first = frameOf(body, organic);
    const key = measureDraftKey(organic.volume!);
    const again = planBody(finger);
    listDrafts(again).set(key, structuredClone(listDrafts(body).get(key)!));
    expect(frameOf(again, organic)).toEqual(first);
    expect(listDrafts(again).size).toBe(1);
  });

  it('knows what a draft belongs to, and forgets the oldest', () => {
    const body = planBody(finger);
    for (let a = 0; a < 6; a++) frameOf(body, withVolume({ map: { kind: 'organic', a } }));
    expect(listDrafts(body).size).toBe(4);
    expect(measureDraftKey({ options: { limit: 0.1 }, target: { all: 2 } })).toBe(measureDraftKey({}));
    expect(measureDraftKey({ map: { kind: 'uniform' } })).not.toBe(measureDraftKey({}));
    expect(measureDraftKey({ method: 'normal-exact' })).toBe('');
  });
});
