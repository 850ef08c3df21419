/** A1: rest segments of the bones, from the inverse bind matrices. */
import type { Skeleton } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { invertAffine } from '../../src/skeleton/matrices.js';
import { measureSegmentDistance, planBoneSegments, type SegmentHit } from '../../src/skeleton/plan-bone-segments.js';

/** Joints at rest places; `nodes` maps bones to nodes. The default pose is elsewhere on purpose. */
function skeleton(places: number[][], parents: number[], nodes = places.map((_, i) => i)): Skeleton {
  const binds = new Float64Array(16 * places.length);
  places.forEach(([x, y, z], i) => {
    invertAffine(binds, 16 * i, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x!, y!, z!, 1], 0);
  });
  return {
    nodeCount: parents.length,
    names: parents.map((_, n) => `node ${n}`),
    parents: Int32Array.from(parents),
    locals: new Float64Array(10 * parents.length).fill(77),
    fixedMatrices: new Map(),
    boneCount: places.length,
    boneNodes: Uint32Array.from(nodes),
    inverseBinds: binds,
  };
}

const listed = (segments: ReturnType<typeof planBoneSegments>, bone: number) =>
  [...segments.points.subarray(6 * segments.offsets[bone]!, 6 * segments.offsets[bone + 1]!)].map((x) => x + 0);

function nearest(segments: ReturnType<typeof planBoneSegments>, bone: number, p: [number, number, number]): SegmentHit {
  const hit: SegmentHit = { distance: -1, segment: -1, place: -1 };
  measureSegmentDistance(hit, segments, bone, ...p);
  return hit;
}

describe('bone segments', () => {
  it('run from a joint to each of its children; a leaf continues the way by 0.3', () => {
    const segments = planBoneSegments(
      skeleton(
        [
          [0, 0, 0],
          [2, 0, 0],
          [0, 4, 0],
        ],
        [-1, 0, 0],
      ),
    );
    expect(listed(segments, 0)).toEqual([0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 4, 0]);
    expect(listed(segments, 1)).toEqual([2, 0, 0, 2.6, 0, 0]);
    expect(listed(segments, 2)).toEqual([0, 4, 0, 0, 5.2, 0]);
    expect([...segments.ends]).toEqual([1, 2, 1, 2]);
    expect([...segments.parents]).toEqual([-1, 0, 0]);
  });

  it('skip nodes that carry no bone', () => {
    const segments = planBoneSegments(
      skeleton(
        [
          [0, 0, 0],
          [3, 0, 0],
        ],
        [-1, 0, 1],
        [0, 2],
      ),
    );
    expect(listed(segments, 0)).toEqual([0, 0, 0, 3, 0, 0]);
    expect([...segments.parents]).toEqual([-1, 0]);
  });

  it('of a single joint are a point', () => {
    const segments = planBoneSegments(skeleton([[1, 2, 3]], [-1]));
    expect(listed(segments, 0)).toEqual([1, 2, 3, 1, 2, 3]);
    expect(nearest(segments, 0, [1, 2, 5])).toEqual({ distance: 2, segment: 0, place: 0 });
  });

  it('keep two skins on one joint apart: a child belongs to the parent bound nearest to it', () => {
    const segments = planBoneSegments(
      skeleton(
        [
          [0, 0, 0],
          [100, 0, 0],
          [1, 0, 0],
          [101, 0, 0],
        ],
        [-1, 0],
        [0, 0, 1, 1],
      ),
    );
    expect([...segments.parents]).toEqual([-1, -1, 0, 1]);
    expect(listed(segments, 0)).toEqual([0, 0, 0, 1, 0, 0]);
    expect(listed(segments, 1)).toEqual([100, 0, 0, 101, 0, 0]);
  });

  it('give the distance to the nearest segment and the place on it', () => {
    const segments = planBoneSegments(
      skeleton(
        [
          [0, 0, 0],
          [2, 0, 0],
          [0, 4, 0],
        ],
        [-1, 0, 0],
      ),
    );
    expect(nearest(segments, 0, [1.5, 0, 2])).toEqual({ distance: 2, segment: 0, place: 0.75 });
    expect(nearest(segments, 0, [-3, 2, 4])).toEqual({ distance: 5, segment: 1, place: 0.5 });
    expect(nearest(segments, 0, [5, 0, 4])).toEqual({ distance: 5, segment: 0, place: 1 });
    expect(nearest(segments, 1, [2, -1, 0])).toEqual({ distance: 1, segment: 2, place: 0 });
  });

  it('survive a bind matrix that cannot be inverted', () => {
    const one = skeleton(
      [
        [1, 0, 0],
        [2, 0, 0],
      ],
      [-1, 0],
    );
    one.inverseBinds.fill(0, 0, 16);
    const segments = planBoneSegments(one);
    expect(segments.points.every(Number.isFinite)).toBe(true);
  });
});
