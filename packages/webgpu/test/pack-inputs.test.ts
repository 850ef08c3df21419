/** What the CPU looks at before it decides how many steps a frame may take. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packInputs } from '../src/pack-inputs.js';

const SEED = 20281;
const shape = { regionCount: 3, boneVectors: 6, inputStride: 7 };
const instances = 2;
const extent = 4;

const create = () => ({ out: new Float32Array(4 * 7 * instances), before: new Float32Array(4 * 7 * instances) });
const targets = Float64Array.of(1, 2, 4, 1, 2, 4);

describe('packInputs', () => {
  it('writes rows of the matrices, then the targets', () => {
    const { out, before } = create();
    const bones = Float64Array.from({ length: 12 * 2 * instances }, (_, n) => n);
    packInputs(out, before, bones, targets, extent, shape, instances);
    expect([...out.subarray(0, 12)]).toEqual([0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]);
    expect([...out.subarray(24, 28)]).toEqual([1, 2, 4, 0]);
    expect([...out.subarray(28 + 12, 28 + 16)]).toEqual([36, 39, 42, 45]);
    expect([...out.subarray(52, 56)]).toEqual([1, 2, 4, 0]);
  });

  it(`finds the largest change and second difference wherever they are (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.nat(47), fc.double({ min: 0.001, max: 0.3, noNaN: true }), (place, step) => {
        const { out, before } = create();
        const bones = new Float64Array(48).fill(0.5);
        for (let n = 0; n < 3; n++) packInputs(out, before, bones, targets, extent, shape, instances);
        const isMove = place % 12 >= 9;
        bones[place]! += step;
        const first = { ...packInputs(out, before, bones, targets, extent, shape, instances) };
        expect(first.jump).toBeCloseTo(isMove ? 0 : step, 6);
        expect(first.surprise).toBeCloseTo(isMove ? step / extent : step, 6);
        bones[place]! += step; // as before: no surprise
        const second = packInputs(out, before, bones, targets, extent, shape, instances);
        expect(second.jump).toBeCloseTo(isMove ? 0 : step, 6);
        expect(second.surprise).toBeLessThan(1e-6);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });

  it('counts a change of a target by its size', () => {
    const { out, before } = create();
    const bones = new Float64Array(48);
    const moving = targets.slice();
    for (let n = 0; n < 3; n++) packInputs(out, before, bones, moving, extent, shape, instances);
    moving[5] = 4.04;
    expect(packInputs(out, before, bones, moving, extent, shape, instances).surprise).toBeCloseTo(0.04 / 4.04, 5);
  });
});
