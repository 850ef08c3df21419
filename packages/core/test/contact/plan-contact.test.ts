import {
  type Character,
  createCharacter,
  createFrameSource,
  createPose,
  type Pose,
  planBody,
  samplePose,
} from '@isoskin/core';
import { planSkinning } from '@isoskin/core/kernels';
import { type ContactConstants, type ContactOptions, planContact } from '@isoskin/core/stack';
import { createDemo } from '@isoskin/demos';
import { beforeAll, describe, expect, it } from 'vitest';
import { boxShape, chain, character as input, mergeShapes, part, tube } from '../meshes.js';
import {
  bend,
  closeFingers,
  measureLargest,
  measureOverlap,
  measureRoughness,
  measureStretch,
  WITH_CONTACT,
  WITHOUT_CONTACT,
} from './contact-bench.js';

const ACROSS = [1, 0, 0] as const;

/** Linear skinning and contact alone: x, y = x + f, f. */
function planTouch(character: Character, options?: ContactOptions, constants?: Partial<ContactConstants>) {
  const contact = planContact(character, options, constants);
  const skinning = planSkinning(character, {});
  return (pose: Pose) => {
    const x = new Float64Array(3 * character.surface.vertexCount);
    skinning.apply({ positions: x, directions: x.slice() }, pose);
    const y = x.slice();
    const bones = skinning.bones.slice();
    const touches = contact.find(y, skinning.bones);
    if (touches) contact.push(y);
    expect(skinning.bones).toEqual(bones); // the pose is the artist's
    return { x, y, f: y.map((value, i) => value - x[i]!), touches, deepest: contact.deepest };
  };
}

/** B1. */
function sumTetrahedra(triangles: Uint32Array, x: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    sum += x[a]! * (x[b + 1]! * x[c + 2]! - x[b + 2]! * x[c + 1]!);
    sum += x[a + 1]! * (x[b + 2]! * x[c]! - x[b]! * x[c + 2]!);
    sum += x[a + 2]! * (x[b]! * x[c + 1]! - x[b + 1]! * x[c]!);
  }
  return sum / 6;
}

describe('contact of a bent finger', () => {
  let finger: Character;
  let touch: ReturnType<typeof planTouch>;
  const at = (degrees: number) => bend(finger, 'finger.2', ACROSS, degrees);
  beforeAll(() => {
    finger = createDemo('finger');
    touch = planTouch(finger);
  });

  it.each([
    [135, 0.1],
    [150, 0.15],
  ])('at %i°: the overlap goes, smoothly, and no vertex moves further than the penetration', (degrees, left) => {
    const { triangles } = finger.surface;
    const { x, y, f, deepest } = touch(at(degrees));
    expect(measureOverlap(triangles, x)).toBeGreaterThan(0.01);
    expect(measureOverlap(triangles, y)).toBeLessThan(left * measureOverlap(triangles, x));
    expect(measureLargest(f)).toBeLessThan(1.2 * deepest);
    expect(measureRoughness(finger, f)).toBeLessThan(0.15);
  });

  it('at 150° with the volume step after it: less than half of what volume alone has, no more stretch', () => {
    const { triangles } = finger.surface;
    const alone = createFrameSource(planBody(finger), WITHOUT_CONTACT).evaluate(at(150));
    const both = createFrameSource(planBody(finger), WITH_CONTACT).evaluate(at(150));
    expect(measureOverlap(triangles, both.positions)).toBeLessThan(0.5 * measureOverlap(triangles, alone.positions));
    expect(measureStretch(finger, both.positions)).toBeLessThan(1.05 * measureStretch(finger, alone.positions));
    const sum = (values: Float64Array) => values.reduce((p, q) => p + q);
    const { volumes, targets } = both.report!;
    // The regions stop at their limits, as without contact; still they get back more than half of what skin and contact take.
    const touched = touch(at(150)).y;
    const [left, taken] = [sum(targets) - sum(volumes), sum(targets) - sumTetrahedra(triangles, touched)];
    expect(taken).toBeGreaterThan(0.1 * sum(targets));
    expect(Math.abs(left)).toBeLessThan(0.5 * taken);
  });

  it('starts and goes on without a jump: steps of half a degree from 90 to 150°', () => {
    let last = touch(at(90)).f;
    let speed = 0;
    let jerk = 0;
    let before: Float64Array | undefined;
    for (let degrees = 90.5; degrees <= 150; degrees += 0.5) {
      const { f } = touch(at(degrees));
      const step = f.map((value, i) => value - last[i]!);
      speed = Math.max(speed, measureLargest(step));
      if (before) jerk = Math.max(jerk, measureLargest(step.map((value, i) => value - before![i]!)));
      before = step;
      last = f;
    }
    expect(speed).toBeGreaterThan(0);
    expect(speed).toBeLessThan(0.1 * measureLargest(last));
    expect(jerk).toBeLessThan(0.03 * measureLargest(last));
  });

  it('a function of the pose: the same bits whatever came before', () => {
    const cold = planTouch(finger)(at(140)).y;
    for (const degrees of [20, 150, 100]) touch(at(degrees));
    expect(touch(at(140)).y).toEqual(cold);
  });

  it('does not jump where a sample lets go of another: a tenth of a degree moves no vertex by more than 0.004', () => {
    const source = createFrameSource(planBody(finger), WITH_CONTACT);
    const moved = (degrees: number) => {
      const { positions, skinned } = source.evaluate(at(degrees));
      return positions.map((value, i) => value - skinned[i]!);
    };
    let last = moved(142);
    for (let degrees = 142.1; degrees < 145; degrees += 0.1) {
      const now = moved(degrees);
      expect(measureLargest(now.map((value, i) => value - last[i]!))).toBeLessThan(0.004);
      last = now;
    }
  });

  it('where nothing touches the frame is the one without contact', () => {
    const [alone, both] = [WITHOUT_CONTACT, WITH_CONTACT].map((stack) => createFrameSource(planBody(finger), stack));
    for (const degrees of [0, 30, 60]) {
      const { positions } = alone!.evaluate(at(degrees));
      const apart = both!.evaluate(at(degrees)).positions.map((value, i) => value - positions[i]!);
      expect(measureLargest(apart)).toBeLessThan(1e-6);
      expect(both!.frame.report!.evaluations).toBe(alone!.frame.report!.evaluations);
    }
  });

  it('leaves the rest pose, and bends that do not touch, exactly as they are', () => {
    expect(touch(createPose(finger)).touches).toBe(false);
    const { x, y } = touch(at(60));
    expect(y).toEqual(x);
  });

  it('strength and gap: none, a half, more distance', () => {
    const overlap = (options: ContactOptions) =>
      measureOverlap(finger.surface.triangles, planTouch(finger, options)(at(150)).y);
    const [none, half, full, wide] = [{ strength: 0 }, { strength: 0.5 }, { gap: 0 }, { gap: 0.1 }].map(overlap) as [
      number,
      number,
      number,
      number,
    ];
    expect(half).toBeLessThan(0.8 * none);
    expect(full).toBeLessThan(half);
    expect(wide).toBeLessThan(full);
  });
});

describe('contact between parts', () => {
  it('fingers that close: overlap below 0.4 of linear skinning’s with volume, smooth, no more stretch', () => {
    const hand = createDemo('hand');
    const { triangles, positions } = hand.surface;
    const [alone, both] = [
      createFrameSource(planBody(hand), WITHOUT_CONTACT),
      createFrameSource(planBody(hand), WITH_CONTACT),
    ];
    const touch = planTouch(hand);
    const bound = measureOverlap(triangles, positions);
    const sum = { skinned: 0, corrected: 0 };
    for (const amount of [0.9, 1]) {
      const pose = closeFingers(hand, amount);
      const { positions: y, skinned } = both.evaluate(pose);
      sum.skinned += measureOverlap(triangles, skinned) - bound;
      sum.corrected += Math.max(0, measureOverlap(triangles, y) - bound);
      expect(measureStretch(hand, y)).toBeLessThan(1.05 * measureStretch(hand, alone.evaluate(pose).positions));
      expect(measureRoughness(hand, touch(pose).f)).toBeLessThan(0.2);
    }
    expect(sum.skinned).toBeGreaterThan(5e-4);
    expect(sum.corrected).toBeLessThan(0.4 * sum.skinned);
  });

  it('sees skin that folds over by more than its bones turn: the forelegs of the toy stay out of its chest', () => {
    const toy = createDemo('toy');
    const pose = createPose(toy);
    samplePose(pose, toy, toy.clips.find(({ name }) => name === 'bend')!, 1.25);
    const { positions, skinned } = createFrameSource(planBody(toy), WITH_CONTACT).evaluate(pose);
    const { triangles } = toy.surface;
    expect(measureOverlap(triangles, skinned)).toBeGreaterThan(0.0004);
    expect(measureOverlap(triangles, positions)).toBeLessThan(0.5 * measureOverlap(triangles, skinned));
  });

  it('leaves coarse skin alone, and fine skin of the same shape not', () => {
    const push = (around: number, along: number) => {
      const character = createCharacter(tube({ around, along, power: 6 }));
      return measureLargest(planTouch(character)(bend(character, 'bone 1', [0, 1, 0], 140)).f);
    };
    expect(push(4, 4)).toBeLessThan(0.02);
    expect(push(38, 38)).toBeGreaterThan(0.1);
  });

  it('coarse skin goes back, at most, to where skinning had it', () => {
    const character = createCharacter(tube({ around: 4, along: 4, power: 6 }));
    const pose = bend(character, 'bone 1', [0, 1, 0], 140);
    const { surface } = character;
    const contact = planContact(character);
    const skinning = planSkinning(character, {});
    const x = new Float64Array(3 * surface.vertexCount);
    skinning.apply({ positions: x, directions: x.slice() }, pose);
    const swollen = createFrameSource(planBody(character), WITHOUT_CONTACT).evaluate(pose).positions;
    const y = swollen.slice();
    expect(contact.find(swollen, skinning.bones, x)).toBe(true);
    contact.push(y);
    const swelling = measureLargest(swollen.map((value, i) => value - x[i]!));
    const moved = measureLargest(y.map((value, i) => value - swollen[i]!));
    expect(moved).toBeGreaterThan(0.05 * swelling);
    expect(moved).toBeLessThan(1.2 * swelling);
  });

  it('leaves other components alone', () => {
    // Two boxes, apart at rest, of two bones: the second is pushed deep into the first.
    const shape = mergeShapes(boxShape(1, 1, 1), boxShape(1, 1, 1, 2));
    const boxes = createCharacter(input([part(shape, (_x, _y, _z, v) => (v < 8 ? [1, 0] : [0, 1]))], chain([0, 2])));
    const pose = createPose(boxes);
    pose.locals[10] = 0.7;
    const { x, y } = planTouch(boxes, {}, { coarse: 0, fine: 0.1 })(pose);
    expect(y).toEqual(x);
  });
});
