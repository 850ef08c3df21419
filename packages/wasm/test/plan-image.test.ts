/** What threads are sent of a plan, and what another plan takes over of it, is what they would have planned. */
import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { reduceGiven } from '@isoskin/core/harmonics';
import type { FramePlan, Shapes } from '@isoskin/core/kernels';
import { createDemo } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { layOut } from '../src/plan-image.js';

const character = createDemo('finger');
const { volume } = createFrameSource(planBody(character), presetStack('natural'));
const { shapes } = volume!.shapes!;

function planFrame(own: Shapes): FramePlan {
  const { surface, skeleton, binding } = character;
  const { vertexCount, positions } = surface;
  const { volumes, directions } = volume!;
  const rest = { boneCount: skeleton.boneCount, volumes, directions: directions!, solver: {} };
  return { vertexCount, positions, ...binding, ...rest, shapes: own };
}

describe('layOut', () => {
  const plan = planFrame(shapes);
  const like = { plan, laidOut: layOut(plan) };

  it('from a plan with other values and fewer given shapes it is the same as from nothing', () => {
    const kept = shapes.given!.families.map(({ size }) => [Array.from({ length: size }, (_, i) => (i === 0 ? 1 : 0))]);
    const reduced = reduceGiven(shapes, kept);
    const other = planFrame({ ...reduced, values: reduced.values.map((value, e) => value * (1 + (e % 7) / 10)) });
    const found = layOut(other, like);
    expect(found).toEqual(layOut(other));
    expect(found.blocks.rings).toBe(like.laidOut.blocks.rings); // taken over
    expect(found.blocks.records).not.toEqual(like.laidOut.blocks.records);
  });

  it('shapes that push other vertices take nothing over', () => {
    const other = planFrame({ ...shapes, shapes: shapes.shapes.map((s) => (s === 0 ? 1 : s === 1 ? 0 : s)) });
    expect(layOut(other, like)).toEqual(layOut(other));
  });

  it('is data alone', () => {
    expect(structuredClone(like.laidOut)).toEqual(like.laidOut);
  });
});
