/** E1–E3: every triangle in exactly one region; by bone, by joint, by component; merged, ignored, named, absorbed. */
import { type CharacterInput, createCharacter } from '@isoskin/core';
import { NO_REGION, planClosedSurface, planRegions, planRegionVolumes, type RegionOptions } from '@isoskin/core/mesh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxShape, chain, character, mergeShapes, part, tube, tubeShape } from '../meshes.js';

const SEED = 20268;

/** A tube of length 8 along x with a sharp change of weights at every joint. */
function limb(starts = [0, 2, 4, 6], capped = true): CharacterInput {
  const weigh = (x: number) => {
    const bone = starts.findLastIndex((s) => x >= s - 1e-9);
    return starts.map((_, i) => (i === bone ? 1 : 0));
  };
  return character([part(tubeShape({ length: 4, around: 12, along: 33, radius: 0.6, capped }), weigh)], chain(starts));
}

function plan(input: CharacterInput, options: RegionOptions = {}) {
  const one = createCharacter(input);
  const closed = planClosedSurface(one.surface);
  const regions = planRegions(one, closed, options);
  /** Mean x of every region's triangles, and their extent. */
  const extents = regions.names.map((_, s) => {
    const xs: number[] = [];
    for (let t = 0; t < one.surface.triangles.length / 3; t++) {
      if (regions.triangleRegion[t] !== s) continue;
      for (let c = 0; c < 3; c++) xs.push(one.surface.positions[3 * one.surface.triangles[3 * t + c]!]!);
    }
    return [Math.min(...xs), Math.max(...xs)];
  });
  return { one, closed, regions, extents };
}

describe('regions by bone (E1)', () => {
  it('run from joint to joint and are named after the joints', () => {
    const { regions, extents } = plan(limb(), { by: 'bone' });
    expect(regions.names).toEqual(['bone 0', 'bone 1', 'bone 2', 'bone 3']);
    for (const [s, [from, to]] of extents.entries()) {
      expect(Math.abs(from! - 2 * s)).toBeLessThanOrEqual(0.25 + 1e-9); // one ring of triangles
      expect(Math.abs(to! - 2 * (s + 1))).toBeLessThanOrEqual(0.25 + 1e-9);
    }
    expect([...regions.joints]).toEqual([0, 1, 2, 3]);
    expect([...regions.component]).toEqual([0, 0, 0, 0]);
  });
});

describe('regions by joint (E2)', () => {
  it('joins the halves of bones where nothing bends, when asked: the root of a chain, a tip without skin', () => {
    const input = limb([0, 2, 4]);
    const tip = character(
      [part(tubeShape({ length: 4, around: 12, along: 33, radius: 0.6 }), (x) => [x < 4 ? 1 : 0, x < 4 ? 0 : 1, 0])],
      chain([0, 4, 8]),
    );
    expect(plan(tip, { by: 'joint' }).regions.names).toEqual(['bone 0', 'bone 1', 'bone 2']);
    expect(plan(tip, { by: 'joint', still: 'join' }).regions.names).toEqual(['bone 1']);
    expect(plan(input, { by: 'joint', still: 'join' }).regions.names).toEqual(['bone 1', 'bone 2']);
  });

  it('run from mid-bone to mid-bone', () => {
    const { regions, extents } = plan(limb(), { by: 'joint' });
    expect(regions.names).toEqual(['bone 0', 'bone 1', 'bone 2', 'bone 3']);
    expect(extents[1]![0]).toBeCloseTo(1, 0);
    expect(extents[1]![1]).toBeCloseTo(3, 0);
    expect(extents[2]![0]).toBeCloseTo(3, 0);
    expect(extents[2]![1]).toBeCloseTo(5, 0);
  });
});

describe('regions by component', () => {
  it('are the parts as they are, whatever the bones', () => {
    const shape = mergeShapes(boxShape(1, 1, 1), boxShape(1, 1, 1, 0.2, 5, 0));
    const { regions } = plan(character([part(shape, (x) => (x < 0.5 ? [1, 0] : [0, 1]))], chain([0, 1])), {
      by: 'component',
    });
    expect(regions.count).toBe(2);
    expect(regions.names).toEqual(['mesh', 'mesh 2']);
    expect([...regions.joints]).toEqual([-1, -1]);
  });
});

describe('merge, ignore, names', () => {
  it('merges joints into one region with its own name', () => {
    const { regions } = plan(limb(), { merge: [{ name: 'hand', joints: ['bone 2', 'bone 3'] }] });
    expect(regions.names).toEqual(['bone 0', 'bone 1', 'hand']);
  });

  it('gives the triangles of an ignored joint to its parent, over several generations', () => {
    expect(plan(limb(), { ignore: ['bone 2'] }).regions.names).toEqual(['bone 0', 'bone 1', 'bone 3']);
    expect(plan(limb(), { ignore: ['bone 2', 'bone 3'] }).regions.names).toEqual(['bone 0', 'bone 1']);
    expect(plan(limb(), { ignore: ['bone 0'] }).regions.names).toContain('bone 0'); // a root has no parent
  });

  it('lets an ignored joint follow its parent into a merge', () => {
    const { regions, extents } = plan(limb(), {
      merge: [{ name: 'arm', joints: ['bone 1', 'bone 2'] }],
      ignore: ['bone 3'],
    });
    expect(regions.names).toEqual(['bone 0', 'arm']);
    expect(extents[1]![1]).toBe(8);
  });

  it('lets a merge win over an ignore', () => {
    const { regions } = plan(limb(), { merge: [{ name: 'arm', joints: ['bone 0', 'bone 2'] }], ignore: ['bone 2'] });
    // bone 2 is not connected to bone 0: two patches of the same label.
    expect(regions.names).toEqual(['arm', 'bone 1', 'arm 2', 'bone 3']);
  });

  it.each([
    [{ merge: [{ name: 'hand', joints: ['bone 2', 'bome 3'] }] }, /bome 3.*bone 0/],
    [{ ignore: ['nobody'] }, /nobody/],
  ])('refuses joints that are not there: %j', (options, message) => {
    expect(() => plan(limb(), options)).toThrow(message);
  });
});

describe('islands', () => {
  /** One vertex far inside bone 0 hangs on bone 3. */
  const freckled = (): CharacterInput => {
    const input = limb();
    const one = input.parts[0]!;
    const weights = Float64Array.from(one.weights);
    weights.set([0, 0, 0, 1], 4 * (4 * 12 + 5));
    return { ...input, parts: [{ ...one, weights }] };
  };

  it('are absorbed by the neighbour with the longest border', () => {
    const clean = plan(limb()).regions;
    const { regions } = plan(freckled());
    expect(regions.names).toEqual(clean.names);
    expect([...regions.triangleRegion]).toEqual([...clean.triangleRegion]);
  });

  it('survive where they are asked for', () => {
    const { regions } = plan(freckled(), { minShare: 0, minTriangles: 0 });
    expect(regions.count).toBeGreaterThanOrEqual(4);
  });

  it('absorb everything into one region when regions must be large', () => {
    expect(plan(limb(), { minShare: 1 }).regions.count).toBe(1);
    expect(plan(limb(), { minTriangles: 1e6 }).regions.count).toBe(1);
  });

  it('leave no triangle behind when there are thousands', () => {
    // Weights that alternate from vertex to vertex: a patch for every few triangles.
    const shape = tubeShape({ length: 4, around: 40, along: 120 });
    const weigh = (_x: number, _y: number, _z: number, v: number) => ((v * 7919) % 13 < 6 ? [1, 0] : [0, 1]);
    const { regions, closed } = plan(character([part(shape, weigh)], chain([0, 4])));
    expect(regions.count).toBeGreaterThan(0);
    expect(regions.triangleRegion.every((s) => s < regions.count)).toBe(true);
    expect(regions.triangleRegion.length).toBe(closed.triangleCount);
  });
});

describe('components without volume', () => {
  it('are in no region, and nothing else is left out', () => {
    const card = {
      positions: [20, 0, 0, 21, 0, 0, 21, 1, 0, 20, 1, 0],
      triangles: [0, 1, 2, 0, 2, 3],
    };
    const { regions, one } = plan(character([part(mergeShapes(tubeShape(), card))]));
    expect(one.surface.components.map(({ solid }) => solid)).toEqual([true, false]);
    for (let t = 0; t < regions.triangleRegion.length; t++) {
      const solid = one.surface.components[planClosedSurface(one.surface).triangleComponent[t]!]!.solid;
      expect(regions.triangleRegion[t] === NO_REGION).toBe(!solid);
    }
  });

  it('may be all there is', () => {
    const card = { positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], triangles: [0, 1, 2, 0, 2, 3] };
    const { regions } = plan(character([part(card)]));
    expect(regions.count).toBe(0);
    expect(regions.names).toEqual([]);
  });
});

describe('any weights, any kind', () => {
  it(`put every triangle into exactly one connected region with volume (seed ${SEED})`, () => {
    const arbitrary = fc.tuple(
      fc.constantFrom('bone', 'joint', 'component' as const),
      fc.boolean(),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 40, maxLength: 40 }),
    );
    fc.assert(
      fc.property(arbitrary, ([by, capped, noise]) => {
        const weigh = (x: number, _y: number, _z: number, v: number) =>
          [1, 3, 5, 7].map((at, i) => Math.exp(-((x - at) ** 2)) + 0.5 * noise[(v * 4 + i) % noise.length]!);
        const shape = tubeShape({ length: 4, around: 10, along: 25, capped });
        const { regions, closed } = plan(character([part(shape, weigh)], chain([0, 2, 4, 6])), {
          by: by as 'bone',
        });
        expect(regions.count).toBeGreaterThan(0);
        expect(regions.triangleRegion.every((s) => s < regions.count)).toBe(true);
        expect(new Set(regions.triangleRegion).size).toBe(regions.count);
        expect(new Set(regions.names).size).toBe(regions.count);
        const volumes = planRegionVolumes(closed, regions.triangleRegion, regions.count);
        expect(volumes.anchors.every((k) => k < closed.vertexCount + closed.apexCount)).toBe(true);
      }),
      { seed: SEED, numRuns: 40 },
    );
  });

  it('names two regions of one joint “…” and “… 2”', () => {
    const shape = mergeShapes(tubeShape({ radius: 0.5 }), {
      ...tubeShape({ radius: 0.5 }),
      positions: tubeShape({ radius: 0.5 }).positions.map((x, i) => (i % 3 === 1 ? x + 9 : x)),
    });
    expect(plan(character([part(shape)])).regions.names).toEqual(['bone 0', 'bone 0 2']);
    expect(plan(tube()).regions.names).toEqual(['bone 0', 'bone 1']);
  });
});
