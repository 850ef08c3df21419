/** Targets without a name that keep the volume count as corrections; those that mean another shape do not. */
import { createCharacter, createFrameSource, createPose, planBody, samplePose } from '@isoskin/core';
import { createDemoInput } from '@isoskin/demos';
import { expect, it } from 'vitest';

const input = createDemoInput('tube');
const [part] = input.parts;
const [bend] = input.clips!;

/** The tube with one target of these deltas, whose weight follows these keys through the clip. */
function create(name: string, deltas: Float64Array, weights: readonly number[]) {
  const times = Float64Array.from(weights, (_, i) => (bend!.duration * i) / (weights.length - 1));
  const values = Float64Array.from(weights);
  const channel = { target: 0, path: 'weights', interpolation: 'LINEAR', times, values, width: 1 } as const;
  return createCharacter({
    ...input,
    parts: [{ ...part!, morphs: { first: 0, deltas: [deltas] } }],
    morphs: [{ name, group: part!.group, weight: 0 }],
    clips: [{ ...bend!, channels: [...bend!.channels, channel] }],
  });
}

const character = createCharacter(input);
const source = createFrameSource(planBody(character), { skin: {}, volume: { options: { limit: 0 } } });
const { shapes } = source.volume!.shapes!;
const pose = createPose(character);
/** Largest amount of the first shape through the clip, and its course. */
const course = Array.from({ length: 25 }, (_, n) => {
  samplePose(pose, character, bend!, (bend!.duration * n) / 24);
  source.evaluate(pose);
  return source.volume!.shapes!.amounts.slice(0, shapes.regionCount);
});
/** All shapes as they are where the clip bends most, as deltas of the source vertices. */
const most = course.reduce((a, b) => (Math.abs(b[0]!) > Math.abs(a[0]!) ? b : a));
const welded = character.parts[0]!.welded;
const correction = new Float64Array(3 * welded.length);
welded.forEach((k, v) => {
  for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
    const amount = (most[shapes.shapes[e]!] ?? 0) * shapes.values[e]!;
    for (let r = 0; r < 3; r++) correction[3 * v + r]! += amount * source.volume!.directions![3 * k + r]!;
  }
});
const weights = course.map((amounts) => Math.min(1, Math.max(0, amounts[0]! / most[0]!)));
const marksOf = ({ morphs }: ReturnType<typeof create>) => morphs.map(({ corrects }) => corrects);

it('a target that brings the volume back is a correction, whatever its name', () => {
  const found = create('target 0', correction, weights);
  expect(marksOf(found)).toEqual(['bake']);
  expect(found.warnings.map(({ code }) => code)).toContain('MORPHS_CORRECT');
});

it('a target that means another shape is none, nor one that does not follow the loss', () => {
  const fat = Float64Array.from(part!.positions, (x, i) => (i % 3 === 1 ? 0 : 0.15 * x));
  expect(marksOf(create('fat', fat, [1, 1]))).toEqual([undefined]);
  expect(marksOf(create('target 0', correction, [1, 0, 1]))).toEqual([undefined]);
});

it('names tell without a look', () => {
  expect(marksOf(create('isoskin elbow', correction, [0, 0]))).toEqual(['bake']);
  expect(marksOf(create('elbow corrective', correction, weights))).toEqual(['shape']);
});
