import { countSelfIntersectionsOf } from '@isoskin/core/mesh';
import { createDemo, createDemoInput, demoNames } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { measureMeshQuality } from '../measure-mesh-quality.js';

const DEFAULT_SIZES: Readonly<Record<string, number>> = {
  elephant: 5700,
  giraffe: 5700,
  hand: 8600,
  hero: 5700,
  cat: 1700,
  toy: 1700,
  finger: 1700,
  tube: 258,
  'off-centre-tube': 258,
  head: 4200,
};
const CLIPS: Readonly<Record<string, readonly string[]>> = {
  elephant: ['trunk', 'belly', 'walk', 'trot'],
  giraffe: ['neck', 'walk'],
  hand: ['fist', 'wave', 'wrist'],
  hero: ['squat', 'punch', 'twist', 'knees'],
  cat: ['paw', 'walk', 'stretch', 'hunch'],
  toy: ['bend', 'wobble'],
  finger: ['curl', 'wave'],
  tube: ['bend'],
  'off-centre-tube': ['bend'],
  head: ['raise', 'frown'],
};

describe.each(demoNames)('createDemo %s', (name) => {
  const character = createDemo(name);
  const { surface, binding } = character;

  it('is one closed manifold of the default size, outward, of well-shaped triangles', () => {
    const quality = measureMeshQuality(surface.positions, surface.triangles);
    expect(quality).toMatchObject({ manifold: true, openEdges: 0, euler: 2 });
    expect(Math.abs(quality.vertexCount / DEFAULT_SIZES[name]! - 1)).toBeLessThan(0.03);
    expect(quality.volume).toBeGreaterThan(0);
    expect(quality.minAngle).toBeGreaterThan(12);
    expect(quality.minAngle01).toBeGreaterThan(20);
    expect(countSelfIntersectionsOf(surface.triangles, surface.positions)).toBe(0);
    expect(character.warnings).toEqual([]);
    expect(surface.components).toHaveLength(1);
  });

  it('stays so at another size', () => {
    const wanted = Math.round(1.7 * DEFAULT_SIZES[name]!);
    const part = createDemoInput(name, { vertices: wanted }).parts[0]!;
    const quality = measureMeshQuality(part.positions as Float64Array, Uint32Array.from(part.triangles!));
    expect(quality).toMatchObject({ manifold: true, euler: 2 });
    expect(Math.abs(quality.vertexCount / wanted - 1)).toBeLessThan(0.03);
  });

  it('has at most four weights per vertex, which sum to 1', () => {
    expect(binding.maxInfluences).toBeLessThanOrEqual(4);
    expect(binding.weightSumError).toBeLessThan(1e-12);
    for (const weight of binding.weights) expect(weight).toBeGreaterThanOrEqual(0);
  });

  it('is the same bit for bit when made twice', () => {
    const again = createDemo(name);
    expect(again.surface.positions).toEqual(surface.positions);
    expect(again.surface.triangles).toEqual(surface.triangles);
    expect(again.binding).toEqual(binding);
    expect(again.clips).toEqual(character.clips);
  });

  it('has clips that loop, on unit quaternions without a jump', () => {
    expect(character.clips.map((clip) => clip.name)).toEqual(CLIPS[name]);
    for (const { channels } of character.clips) {
      for (const { values, width, times } of channels) {
        expect([...values.slice(-width)]).toEqual([...values.slice(0, width)]);
        for (let key = 0; width === 4 && key < times.length; key++) {
          const q = values.subarray(4 * key, 4 * key + 4);
          expect(Math.hypot(...q)).toBeCloseTo(1, 6);
          if (key > 0) expect(dot(q, values.subarray(4 * key - 4, 4 * key))).toBeGreaterThan(0.9);
        }
      }
    }
  });
});

describe('createDemo', () => {
  it('does not let one leg pull the other', () => {
    const { binding, skeleton, surface } = createDemo('elephant');
    const side = (suffix: string) =>
      new Set(skeleton.names.flatMap((n, i) => (n.includes(suffix) && n.includes('ind') ? [i] : [])));
    const [left, right] = [side('.L'), side('.R')];
    let lowest = 0;
    for (let v = 0; v < surface.vertexCount; v++) {
      // Below the belly only legs are left.
      if (surface.positions[3 * v + 1]! > 0.7) continue;
      const bones = [...binding.bones.subarray(binding.offsets[v]!, binding.offsets[v + 1]!)];
      const weights = binding.weights.subarray(binding.offsets[v]!, binding.offsets[v + 1]!);
      const of = (set: Set<number>) => bones.reduce((sum, bone, n) => sum + (set.has(bone) ? weights[n]! : 0), 0);
      expect(of(left) * of(right)).toBe(0);
      lowest++;
    }
    expect(lowest).toBeGreaterThan(500);
  });

  it('makes the reference tube: linear skinning loses 0.17, 1.47, 3.92, 7.22 and 11.0 %', () => {
    const part = createDemoInput('tube').parts[0]!;
    const triangles = Uint32Array.from(part.triangles!);
    const rest = measureMeshQuality(part.positions as Float64Array, triangles).volume;
    const losses = [10, 30, 50, 70, 90].map((degrees) => {
      const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
      const bent = Float64Array.from(part.positions);
      for (let v = 0; v < bent.length / 3; v++) {
        const [x, z, w] = [bent[3 * v]!, bent[3 * v + 2]!, part.weights[2 * v + 1]!];
        bent[3 * v] = (1 - w) * x + w * (cosine * x + sine * z);
        bent[3 * v + 2] = (1 - w) * z + w * (cosine * z - sine * x);
      }
      return 100 * (1 - measureMeshQuality(bent, triangles).volume / rest);
    });
    const expected = [0.17, 1.47, 3.92, 7.22, 11.0];
    losses.forEach((loss, n) => {
      expect(Math.abs(loss - expected[n]!)).toBeLessThan(n === 4 ? 0.05 : 0.005);
    });
  });

  it('says which demos there are, and when there are too few vertices', () => {
    expect(() => createDemo('unicorn')).toThrow(/choose one of elephant/);
    expect(() => createDemo('giraffe', { vertices: 1500 })).toThrow(/too few/);
  });
});

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;
}
