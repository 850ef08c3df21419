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
    ['another map of bends', withVolume({ map: { kind: 'organic', a: 2 }, options: { harmonics: 1 } })],
    ['a map from one bone', withVolume({ map: { kind: 'organic', bones: ['finger.2'] } })],
    ['other regions', withVolume({ regions: { by: 'component' } })],
    ['directional control', withVolume({ shape: [{ region: '*', along: 2 }] })],
  ])('%s after organic is the same as alone, bit for bit, and organic stays what it was', (_, stack) => {
    const body = planBody(finger);
    const first = frameOf(body, organic);
    expect(frameOf(body, stack)).toEqual(frameOf(planBody(finger), stack));
    expect(frameOf(body, organic)).toEqual(first);
    expect(frameOf(planBody(finger), stack)).not.toEqual(first);
  });

  it.each(['organic', 'natural'] as const)(
    'a draft of %s can be kept and put into another body of the same character, where nothing of it is planned again',
    (name) => {
      const stack = presetStack(name);
      const body = planBody(finger);
      const first = frameOf(body, stack);
      const key = measureDraftKey(stack.volume!);
      const kept = structuredClone(listDrafts(body).get(key)!);
      expect(kept.draft.skin.columns !== undefined).toBe(name === 'natural'); // what bends need
      const again = planBody(finger);
      for (const slow of ['bvh', 'clusters', 'room'] as const) {
        Object.defineProperty(again, slow, {
          get() {
            throw new Error(`${slow} is planned again`);
          },
        });
      }
      listDrafts(again).set(key, kept);
      const { columns } = kept.draft.skin;
      expect(frameOf(again, stack)).toEqual(first);
      expect(kept.draft.skin.columns).toBe(columns);
      expect(listDrafts(again).size).toBe(1);
    },
  );

  it('another map of natural plans neither regions nor patches of skin again', () => {
    const natural = presetStack('natural');
    const body = planBody(finger);
    frameOf(body, natural);
    frameOf(body, { ...natural, volume: { ...natural.volume, map: { ...natural.volume!.map, a: 1.3 } } });
    const [one, other] = [...listDrafts(body).values()];
    expect(other!.gamma).not.toEqual(one!.gamma);
    expect(other!.draft.skin).toBe(one!.draft.skin);
    expect(other!.volumes.tetrahedra).toBe(one!.volumes.tetrahedra);
    expect(other!.directions).toBe(one!.directions);
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
