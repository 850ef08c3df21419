/** Which regions a mesh can carry: those whose own shape reaches them. */
import { createCharacter, createFrameSource, planBody } from '@isoskin/core';
import { planVolume } from '@isoskin/core/kernels';
import { describe, expect, it } from 'vitest';
import { createBends } from '../../src/regions/create-bends.js';
import { mergeRegions } from '../../src/regions/merge-regions.js';
import { planBoneSegments } from '../../src/skeleton/plan-bone-segments.js';
import { limb, organicWith } from '../stack/stack-bench.js';

const regionsOf = (starts: readonly number[], along: number) =>
  createFrameSource(
    planBody(createCharacter(limb(starts, { length: 6, around: 12, along, width: 0.3 }))),
    organicWith({ regions: { by: 'joint' } }),
  ).volume!.regions;

describe('joined regions', () => {
  it('are as many as the joints where the skin is fine enough', () => {
    expect(regionsOf([0, 3, 6, 9], 64).names).toEqual(['bone 0', 'bone 1', 'bone 2', 'bone 3']);
  });

  it('swallow a region whose shape lands on its neighbour', () => {
    const character = createCharacter(limb([0, 3, 6, 9], { length: 6, around: 12, along: 48 }));
    const context = planVolume(planBody(character), { regions: { by: 'bone' }, method: 'regions-exact' });
    const { vertexCount, positions } = character.surface;
    const place = (k: number) => Math.min(3, Math.trunc(positions[3 * k]! / 3));
    const shapesOf = (stray: boolean) => {
      // Every shape is 1 on its own bone; the third one's, where it strays, on the second bone.
      const shapes = Uint32Array.from({ length: 2 * vertexCount }, (_, e) => (e % 2 === 0 ? place(e >> 1) : 2));
      const values = Float64Array.from(shapes, (s, e) => {
        if (e % 2 === 0) return stray && s === 2 ? 0 : 1;
        return stray && place(e >> 1) === 1 ? 1 : 0;
      });
      return { offsets: Uint32Array.from({ length: vertexCount + 1 }, (_, k) => 2 * k), shapes, values };
    };
    expect([...mergeRegions(context, context.directions, shapesOf(false))]).toEqual([0, 1, 2, 3]);
    expect([...mergeRegions(context, context.directions, shapesOf(true))]).toEqual([0, 1, 1, 2]);
  });

  it('come from the skeleton alone: clips change nothing', () => {
    const character = createCharacter(limb([0, 3, 6, 9], { length: 6, around: 16, along: 48 }));
    const channel = {
      target: 2,
      path: 'rotation' as const,
      interpolation: 'LINEAR' as const,
      times: Float32Array.of(0, 1),
      values: Float64Array.of(0, 0, 0, 1, 0, 1, 0, 0),
      width: 4,
    };
    const clips = [{ name: 'clip', duration: 1, channels: [channel] }];
    const [still, moving] = [character, { ...character, clips }].map(
      (one) => createFrameSource(planBody(one)).volume!.regions.triangleRegion,
    );
    expect(moving).toEqual(still);
  });
});

describe('sampled poses', () => {
  const { skeleton } = createCharacter(limb([0, 3, 6], { length: 4.5 }));
  const segments = planBoneSegments(skeleton);
  const bends = createBends(segments);
  const bones = new Float64Array(12 * skeleton.boneCount);
  const apply = (bone: number, [x, y, z]: readonly [number, number, number]) =>
    [0, 1, 2].map(
      (r) =>
        bones[12 * bone + r]! * x +
        bones[12 * bone + 3 + r]! * y +
        bones[12 * bone + 6 + r]! * z +
        bones[12 * bone + 9 + r]!,
    );

  it('begin at rest', () => {
    bends[0]!(bones);
    for (let i = 0; i < skeleton.boneCount; i++)
      expect(apply(i, [1, 2, 3])).toEqual([1, 2, 3].map((v) => expect.closeTo(v, 12)));
  });

  it('keep joints together and turn one of each three by 40° against its parent, and every joint in four poses', () => {
    const turns = new Uint32Array(skeleton.boneCount);
    for (const bend of bends.slice(1)) {
      bend(bones);
      let turned = 0;
      for (let i = 1; i < skeleton.boneCount; i++) {
        const joint = [...segments.joints.subarray(3 * i, 3 * i + 3)] as [number, number, number];
        expect(apply(i, joint)).toEqual(apply(i - 1, joint).map((v) => expect.closeTo(v, 12)));
        // trace(R_parentᵀ R) = 1 + 2 cos 40°
        let trace = 0;
        for (let c = 0; c < 9; c++) trace += bones[12 * i + c]! * bones[12 * (i - 1) + c]!;
        const isTurned = trace < 2.9;
        expect(trace).toBeCloseTo(isTurned ? 1 + 2 * Math.cos((40 * Math.PI) / 180) : 3, 12);
        turns[i]! += +isTurned;
        turned += +isTurned;
      }
      expect(turned).toBeLessThanOrEqual(1); // a chain of three
    }
    expect([...turns.subarray(1)]).toEqual(Array(skeleton.boneCount - 1).fill(4));
  });
});
