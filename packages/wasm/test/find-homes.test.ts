/** Which region takes the whole area vector of a vertex. */
import { createCharacter } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { planFrameOf } from '../../core/test/kernels/open-runner.js';
import { openTube, tube } from '../../core/test/meshes.js';
import { findHomes, NO_HOME } from '../src/find-homes.js';

const plan = (input: Parameters<typeof createCharacter>[0]) => planFrameOf(createCharacter(input));

describe('findHomes', () => {
  it('gives every vertex of a closed tube a region that it touches', () => {
    const one = plan(tube());
    const { volumes } = one;
    const touched = new Map<number, Set<number>>();
    for (let p = 0; p < volumes.pairCount; p++) {
      const k = volumes.pairVertex[p]!;
      touched.set(k, (touched.get(k) ?? new Set()).add(volumes.pairRegion[p]!));
    }
    expect(touched.size).toBeGreaterThan(0);
    const homes = findHomes(one);
    for (const [k, regions] of touched) expect(regions.has(homes[k]!)).toBe(true);
    for (let s = 0; s < volumes.regionCount; s++) {
      for (let i = volumes.inner.offsets[s]!; i < volumes.inner.offsets[s + 1]!; i++) {
        expect(homes[volumes.inner.values[i]!]).toBe(s);
      }
    }
  });

  it('gives none to the borders of holes: their caps are no triangles of the surface', () => {
    const one = plan(openTube());
    const homes = findHomes(one);
    const { positions } = one;
    for (let k = 0; k < one.vertexCount; k++) {
      const x = positions[3 * k]!;
      expect(homes[k] === NO_HOME).toBe(x < 1e-9 || x > 6.6 - 1e-9);
    }
  });
});
