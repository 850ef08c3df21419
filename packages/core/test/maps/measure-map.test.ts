import { type CharacterInput, createCharacter, type IsoskinError } from '@isoskin/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureLargestWeight } from '../../src/maps/measure-largest-weight.js';
import { MAP_KINDS, type MapOptions, measureMap } from '../../src/maps/measure-map.js';
import { planRegions, type RegionOptions } from '../../src/regions/plan-regions.js';
import { planClosedSurface } from '../../src/volume/plan-closed-surface.js';
import { planRegionVolumes } from '../../src/volume/plan-region-volumes.js';
import { chain, character, part, tube, tubeShape } from '../meshes.js';

const SEED = 20263;

function setup(input: CharacterInput, regionOptions: RegionOptions = {}) {
  const model = createCharacter(input);
  const closed = planClosedSurface(model.surface);
  const regions = planRegions(model, closed, regionOptions);
  const volumes = planRegionVolumes(closed, regions.triangleRegion, regions.count);
  const map = (options: MapOptions) => measureMap(model, regions, volumes, options);
  const x = (k: number) => model.surface.positions[3 * k]!;
  return { model, regions, volumes, map, x };
}

/** Three bones along a long tube with weights that blend linearly over 1 around the joints. */
function limb(): CharacterInput {
  const blend = (x: number, at: number) => Math.min(1, Math.max(0, x - at + 0.5));
  const shape = tubeShape({ length: 4.5, along: 37, radius: 0.7 });
  const weigh = (x: number) => {
    const [b, c] = [blend(x, 3), blend(x, 6)];
    return [1 - b, b - c, c];
  };
  return character([part(shape, weigh)], chain([0, 3, 6]));
}

describe('measureMap', () => {
  const { model, map, x } = setup(limb(), { by: 'bone' });
  const binding = model.binding;
  const rigid = (k: number) => binding.weights[binding.offsets[k]!] === 1;
  const count = model.surface.vertexCount;

  it('spreads as far as the flesh is thick, and keeps its largest value', () => {
    const reach = (gamma: Float64Array) =>
      gamma.reduce((far, g, k) => (g > 0.1 * Math.max(...gamma) ? Math.max(far, x(k) - 6) : far), 0);
    const own = map({ kind: 'rubber', a: 1 });
    const wide = map({ kind: 'rubber', a: 1, spread: 2 });
    expect(reach(wide)).toBeGreaterThan(reach(own) + 0.5 * 0.7); // the flesh is half of the tube's radius, 0.35
    expect(Math.max(...wide)).toBeCloseTo(Math.max(...own), 6);
    expect(Math.min(...wide)).toBeGreaterThanOrEqual(0);
  });

  it('is exactly 0 where one bone holds the whole weight, and positive elsewhere', () => {
    for (const kind of ['power', 'rubber', 'organic'] as const) {
      const gamma = map({ kind });
      for (let k = 0; k < count; k++) {
        if (rigid(k)) expect(gamma[k]).toBe(0);
        else expect(gamma[k]).toBeGreaterThan(0);
      }
    }
  });

  it('follows the formulas of D1, D2, D3 with the plain maximum', () => {
    const power = map({ kind: 'power', p: 3, q: 5, smooth: false });
    const rubber = map({ kind: 'rubber', a: 1.5, smooth: false });
    for (let k = 0; k < count; k++) {
      const w = binding.weights[binding.offsets[k]!]!;
      expect(power[k]).toBeCloseTo((1 - w ** 5) ** 3, 14);
      expect(rubber[k]).toBeCloseTo((1 - w) ** 1.5, 14);
    }
    expect(map({ kind: 'uniform' }).every((g) => g === 1)).toBe(true);
  });

  it('intermediate zones are largest beside the joint, not on it', () => {
    const gamma = map({ kind: 'intermediate' });
    const at = (place: number) => {
      const near = Array.from({ length: count }, (_, k) => k).filter((k) => Math.abs(x(k) - place) < 0.01);
      expect(near.length).toBeGreaterThan(0);
      return Math.max(...near.map((k) => gamma[k]!));
    };
    expect(at(3)).toBeLessThan(1e-12);
    expect(at(3.25)).toBeGreaterThan(0.5);
    expect(at(2.75)).toBeGreaterThan(0.5);
    expect(at(1.5)).toBe(0);
  });

  it('organic grows with the distance to the chosen bones (D4, D9)', () => {
    const all = map({ kind: 'organic', a: 0, b: 2 });
    const first = map({ kind: 'organic', a: 0, b: 2, bones: ['bone 0'] });
    const ring = (place: number) =>
      Array.from({ length: count }, (_, k) => k).find((k) => Math.abs(x(k) - place) < 0.01)!;
    expect(all[ring(4)]! / all[ring(2)]!).toBeCloseTo(1, 1); // the same distance from the axis everywhere
    expect(first[ring(8)]!).toBeGreaterThan(first[ring(6.5)]!);
    expect(() => map({ kind: 'organic', bones: ['tail'] })).toThrow(/“tail”/);
  });

  it('is local: 0 on the borders only, for regions by bone and by joint (D8)', () => {
    for (const by of ['bone', 'joint'] as const) {
      const local = setup(limb(), { by });
      expect(local.regions.count).toBe(3);
      const gamma = local.map({ kind: 'uniform', local: true });
      const regionsOf = Array.from({ length: count }, () => new Set<number>());
      local.volumes.closed.triangles.forEach((k, c) => {
        regionsOf[k]!.add(local.volumes.triangleRegion[(c / 3) | 0]!);
      });
      for (let k = 0; k < count; k++) {
        if (regionsOf[k]!.size > 1) expect(gamma[k]).toBe(0);
        else expect(gamma[k]).toBeGreaterThan(0);
      }
      const border = by === 'bone' ? 3 : 4.5;
      const middle = by === 'bone' ? 4.5 : 3;
      for (let k = 0; k < count; k++) {
        if (Math.abs(local.x(k) - border) < 0.3) expect(gamma[k]).toBeLessThan(0.61);
        if (Math.abs(local.x(k) - middle) < 0.3) expect(gamma[k]).toBeGreaterThan(0.75);
      }
    }
  });

  it('multiplies by paint, averaged over the source vertices of a seam (D7), and fixes vertices (C4)', () => {
    const input = limb();
    const source = input.parts[0]!;
    const n = source.positions.length / 3;
    const paint = new Map([['_FAT', Float32Array.from({ length: n }, (_, v) => (v % 2 ? 3 : -1))]]);
    const painted = setup({ ...input, parts: [{ ...source, paint }] });
    const gamma = painted.map({ kind: 'uniform', paint: '_FAT', fixed: [5] });
    const { welded } = painted.model.parts[0]!;
    for (let v = 0; v < n; v++) {
      expect(gamma[welded[v]!]).toBe(welded[v] === 5 ? 0 : v % 2 ? 3 : 0);
    }
    expect(() => painted.map({ paint: '_MUSCLE' })).toThrow(/_FAT/);
    const list = painted.map({ kind: 'uniform', paint: new Array<number>(count).fill(0.25) });
    expect(list[7]).toBe(0.25);
    expect(() => painted.map({ paint: [1, 2] })).toThrow(/one per vertex/);
  });

  it('keeps the automatic map above its floor', () => {
    const gamma = map({ kind: 'rubber', floor: 0.1 });
    for (let k = 0; k < count; k++) expect(gamma[k]).toBeGreaterThanOrEqual(0.1);
  });

  it('refuses what makes no sense, by name', () => {
    for (const bad of [{ kind: 'jelly' }, { a: -1 }, { smooth: 1 }, { floor: 2 }, { p: Number.NaN }] as MapOptions[]) {
      let code = '';
      try {
        map(bad);
      } catch (error) {
        code = (error as IsoskinError).code;
      }
      expect(code).toMatch(/^MAP_/);
    }
  });

  it(`smooth maximum: between max and 1, and without a crease (seed ${SEED})`, () => {
    const largest = (...weights: number[]) => {
      const out = new Float64Array(1);
      const sorted = Float64Array.from(weights).sort().reverse();
      const offsets = Uint32Array.of(0, weights.length);
      const bones = new Uint32Array(weights.length);
      measureLargestWeight(out, { offsets, bones, weights: sorted, maxInfluences: 4, weightSumError: 0 }, 8);
      return out[0]!;
    };
    expect(largest(1)).toBe(1);
    expect(largest(1, 0, 0, 0)).toBe(1);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (t) => {
        expect(largest(t, 1 - t)).toBeGreaterThanOrEqual(Math.max(t, 1 - t));
        expect(largest(t, 1 - t)).toBeLessThanOrEqual(1);
      }),
      { seed: SEED },
    );
    // A crease would show as second differences that grow like 1/h.
    const bend = (h: number) => (largest(0.5 + h, 0.5 - h) - 2 * largest(0.5, 0.5) + largest(0.5 - h, 0.5 + h)) / h;
    expect(Math.abs(bend(1e-4))).toBeLessThan(0.01);
  });

  it('every kind is finite and ≥ 0 on the reference tube', () => {
    const ref = setup(tube());
    for (const kind of MAP_KINDS) {
      for (const local of [false, true]) {
        for (const g of ref.map({ kind, local })) expect(g >= 0 && Number.isFinite(g)).toBe(true);
      }
    }
  });
});
