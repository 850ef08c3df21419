/** One frame through the stack: what is in it, that it stays the same arrays, and that nothing piles up. */
import { getHeapStatistics } from 'node:v8';
import { createCharacter, createFrameSource, createPose, PRESET_NAMES, planBody, presetStack } from '@isoskin/core';
import { normalise, type Skinning, sumAreaVectors } from '@isoskin/core/kernels';
import { describe, expect, it } from 'vitest';
import { morphingBox, openTube, tube } from '../meshes.js';
import { createStackBench, largestDistance, limb, organicWith } from './stack-bench.js';

const arm = () => limb([0, 3, 6, 9], { length: 6, around: 20, along: 64 });
const pose = { 1: { degrees: 50 }, 2: { axis: 'z', degrees: -60 }, 3: { degrees: 40 } } as const;

describe('presets', () => {
  it.each(PRESET_NAMES)('%s keeps the volume of bodies, parts and open ends', (name) => {
    for (const input of [arm(), tube(), openTube({ around: 20, along: 40 })]) {
      const bench = createStackBench(input, presetStack(name));
      const { total, skinnedTotal, moved } = bench.run(
        pose[1] && input.skeleton.names.length > 2 ? pose : { 1: pose[1] },
      );
      expect(skinnedTotal).toBeGreaterThan(1e-3);
      expect(total).toBeLessThan(1e-9);
      expect(moved).toBeGreaterThan(0);
    }
  });

  it('global is one constraint along the normals: all of the body swells', () => {
    const bench = createStackBench(arm(), presetStack('global'));
    const { x, y } = bench.run({ 3: { degrees: 80 } });
    expect(bench.layer.regions.count).toBe(1);
    let still = 0;
    for (let k = 0; k < x.length; k += 3) if (x[k] === y[k] && x[k + 1] === y[k + 1] && x[k + 2] === y[k + 2]) still++;
    expect(still).toBe(0);
  });

  it('organic is local where global is not', () => {
    const far = (name: 'organic' | 'global') => {
      const bench = createStackBench(arm(), presetStack(name));
      const { x, y } = bench.run({ 3: { degrees: 80 } });
      const { positions } = bench.character.surface;
      const near = Array.from(positions.keys()).filter((i) => i % 3 === 0 && positions[i]! < 3);
      return Math.max(...near.map((i) => Math.hypot(y[i]! - x[i]!, y[i + 1]! - x[i + 1]!, y[i + 2]! - x[i + 2]!)));
    };
    expect(far('global')).toBeGreaterThan(1e-4);
    expect(far('organic')).toBeLessThan(0.1 * far('global'));
  });
});

describe('the stack', () => {
  it.each(['linear', 'dual-quaternion', 'rigid'] as Skinning[])('corrects on top of %s skinning', (skinning) => {
    const bench = createStackBench(arm(), {
      ...presetStack('organic'),
      skin: { skinning },
    });
    const { total, region } = bench.run(pose);
    expect(total).toBeLessThan(1e-9);
    expect(region).toBeLessThan(1e-6);
  });

  it('is only skinning without other layers, or with layers that are switched off', () => {
    const character = createCharacter(arm());
    for (const spec of [{}, { volume: { enabled: false } }]) {
      const stack = createFrameSource(planBody(character), spec);
      const frame = stack.evaluate(createPose(character));
      expect(stack.volume).toBeUndefined();
      expect(frame.report).toBeUndefined();
      expect(largestDistance(frame.positions, frame.skinned)).toBe(0);
    }
  });

  it('follows a morph that means another volume, and no corrective', () => {
    for (const [name, follows] of [
      ['fat', true],
      ['isoskin: arm', false],
      ['elbow corrective', false],
    ] as const) {
      const input = morphingBox(1, 2, 1);
      const character = createCharacter({ ...input, morphs: input.morphs!.map((morph) => ({ ...morph, name })) });
      const bench = createStackBench(character, presetStack('toy'));
      bench.pose.morphWeights[0] = 0.5;
      const { skinnedTotal, total, moved } = bench.run({});
      expect(skinnedTotal).toBeCloseTo(follows ? 0 : 0.125, 9);
      expect(total).toBeLessThan(1e-9);
      expect(moved > 0.01).toBe(!follows);
    }
  });

  it('corrects a morph that changes the volume where the rest volume is to be kept', () => {
    const character = createCharacter(morphingBox(1, 2, 1));
    const { volume } = presetStack('toy');
    const bench = createStackBench(character, { volume: { ...volume, target: { morphs: 'keep' } } });
    bench.pose.morphWeights[0] = 0.5;
    const { total, skinnedTotal } = bench.run({});
    expect(skinnedTotal).toBeCloseTo(0.125, 9);
    expect(total).toBeLessThan(1e-9);
  });

  it.each(PRESET_NAMES)('%s: normals are those of the corrected surface, of unit length', (name) => {
    for (const input of [arm(), openTube({ around: 20, along: 40 })]) {
      const bench = createStackBench(input, presetStack(name));
      const { surface } = bench.character;
      const wanted = new Float64Array(3 * surface.vertexCount);
      for (const turn of [{}, { 1: { degrees: 70 } }]) {
        const { frame, y } = bench.run(turn);
        const count = surface.triangles.length / 3;
        sumAreaVectors(wanted, y, surface.triangles, count, surface.vertexCount);
        normalise(wanted, wanted, 0, surface.vertexCount);
        expect(largestDistance(frame.normals, wanted)).toBeLessThan(1e-6);
      }
    }
  });

  it('forgets the past when it is reset', () => {
    const bench = createStackBench(arm());
    const first = bench.run(pose);
    bench.run({ 1: { degrees: 120 } }, { warm: true });
    expect(largestDistance(bench.run(pose).y, first.y)).toBe(0);
  });

  it('hands out the same arrays on every frame', () => {
    const character = createCharacter(tube());
    const stack = createFrameSource(planBody(character));
    const one = createPose(character);
    const before = { ...stack.evaluate(one) };
    const report = { ...before.report! };
    one.locals.set([0, Math.SQRT1_2, 0, Math.SQRT1_2], 13);
    const after = stack.evaluate(one, 1, 1 / 30);
    expect(after).toBe(stack.frame);
    for (const key of ['extended', 'positions', 'skinned', 'directions', 'normals', 'bones', 'report'] as const) {
      expect(after[key]).toBe(before[key]);
    }
    for (const key of ['volumes', 'targets', 'inexact', 'names'] as const) expect(after.report![key]).toBe(report[key]);
    expect([after.time, after.dt]).toEqual([1, 1 / 30]);
  });

  it.each([
    ['organic', presetStack('organic')],
    ['organic, animated', organicWith({ target: { all: [[0, 1], [9, 1.1]] } })], // biome-ignore format: one line
    ['dual quaternions', { ...presetStack('organic'), skin: { skinning: 'dual-quaternion' } }],
    ['global', presetStack('global')],
  ] as const)('%s: allocates (almost) nothing per frame', (_, spec) => {
    const character = createCharacter(tube());
    const stack = createFrameSource(planBody(character), spec);
    const one = createPose(character);
    const run = (frames: number): number => {
      let allocated = 0;
      let last = getHeapStatistics().used_heap_size;
      for (let n = 0; n < frames; n++) {
        const half = 0.6 * Math.sin(n / 20);
        one.locals[14] = Math.sin(half);
        one.locals[16] = Math.cos(half);
        stack.evaluate(one, n / 30, 1 / 30);
        if (n % 20 !== 19) continue;
        const used = getHeapStatistics().used_heap_size;
        if (used > last) allocated += used - last; // below: a collection
        last = used;
      }
      return allocated / frames;
    };
    run(500); // until the compiler has done its work
    // A frame of 258 vertices holds 6 kB of positions alone.
    expect(Math.min(run(1000), run(1000))).toBeLessThan(3000);
  });
});
