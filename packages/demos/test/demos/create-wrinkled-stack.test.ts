/** The article's scenes: every wrinkled demo folds, keeps the length of the skin that it says, and folds stay out of each other. */
import { createFrameSource, createPose, planBody, type StackSpec, samplePose } from '@isoskin/core';
import { countSelfIntersectionsOf } from '@isoskin/core/mesh';
import { createDemo, createWrinkledStack, wrinkledNames } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';

/** Clip, share of it, and tools that fold there. */
const SCENES: Readonly<Record<string, readonly (readonly [string, number, number])[]>> = {
  hero: [['knees', 0.25, 3]],
  hand: [['wrist', 0.25, 1]],
  elephant: [['trunk', 0.25, 1]],
  head: [
    ['raise', 0.5, 1],
    ['frown', 0.5, 1],
  ],
  cat: [['hunch', 0.5, 1]],
};

describe.each(wrinkledNames)('wrinkles of the %s', (name) => {
  const character = createDemo(name);
  const spec = createWrinkledStack(name, character);
  const body = planBody(character);
  const stack = createFrameSource(body, spec);
  const tools = spec.wrinkles!.tools!.map((tool) => ({ ...tool, strength: 0 }));
  const flat = createFrameSource(body, { ...spec, wrinkles: { tools } } satisfies StackSpec);
  const count = (own: typeof stack, pose: ReturnType<typeof createPose>) => {
    const { triangles, triangleCount, positions } = own.evaluate(pose).refined!;
    return countSelfIntersectionsOf(triangles.slice(0, 3 * triangleCount), positions);
  };

  it.each(SCENES[name]!)('%s', (clip, share, folding) => {
    const own = character.clips.find((each) => each.name === clip)!;
    const pose = createPose(character);
    samplePose(pose, character, own, share * own.duration);
    expect(count(stack, pose)).toBeLessThanOrEqual(count(flat, pose));
    expect(stack.wrinkles!.tools.filter(({ lost, length }) => lost > 0.05 * length)).toHaveLength(folding);
  });
});
