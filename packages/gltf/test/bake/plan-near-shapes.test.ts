import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { expect, it } from 'vitest';
import { planNearShapes } from '../../src/bake/plan-direction-fit.js';

it('every direction of a vertex finds what is near it, each once, behind what pushes it', () => {
  const stack = createFrameSource(planBody(createDemo('tube')), presetStack());
  const { skeleton, surface } = stack.character;
  const moving = [...stack.volume!.regions.names.keys()];
  const work = {
    firstPoint: 0,
    own: { offsets: new Uint32Array(1), values: new Uint32Array(0) },
    moving,
    regions: Uint32Array.from(moving),
  };
  const near = planNearShapes({ stack }, work, [[moving.length, skeleton.boneNodes[0]!]]);
  for (const vertex of [0, surface.vertexCount - 1]) {
    const find = () => {
      const list = new Uint32Array(2 * moving.length + 2);
      list[0] = 7;
      return [...list.subarray(0, near.addNear(list, 1, vertex))];
    };
    const first = find();
    expect(first.length).toBeGreaterThan(1);
    expect(new Set(first.slice(1)).size).toBe(first.length - 1);
    expect(find()).toEqual(first); // split normals share a vertex
  }
});
