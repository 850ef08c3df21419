/** Rings hold every opposite edge once, whatever the vertex looks like: closed, open, pinched, non-manifold. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RING_BREAK, RING_INDEX, SLICE } from '../../src/constants.js';
import { createRingBuilder } from '../../src/plan/plan-rings.js';

type Edge = readonly [number, number];
const SEED = 20261115;

/** What the shader does: edges between neighbouring entries (cyclic, unless broken). */
function walk(edgesOf: readonly (readonly Edge[])[]) {
  const builder = createRingBuilder(edgesOf.length, 4);
  for (const [k, edges] of edgesOf.entries()) {
    for (const [i, j] of edges) builder.addEdge(i, j);
    builder.finish(k);
  }
  const { offsets, widths, values } = builder.pack();
  return edgesOf.map((_, k) => {
    const slice = Math.floor(k / SLICE);
    const start = offsets[slice]! + (k % SLICE);
    const entries = Array.from({ length: widths[slice]! }, (_, j) => values[start + SLICE * j]!);
    const index = (entry: number) => entry & RING_INDEX;
    const edges = entries.flatMap((entry, n) => {
      const before = index(entries.at(n - 1)!);
      return (entry & RING_BREAK) === 0 && before !== index(entry) ? [`${before}>${index(entry)}`] : [];
    });
    return { edges: edges.sort(), length: entries.length };
  });
}

const show = (edges: readonly Edge[]) => edges.map(([i, j]) => `${i}>${j}`).sort();

describe('rings', () => {
  it('take one word per triangle around an inner vertex', () => {
    const closed: Edge[] = [
      [3, 4],
      [1, 2],
      [4, 1],
      [2, 3],
    ];
    const [ring] = walk([closed]);
    expect(ring!.edges).toEqual(show(closed));
    expect(ring!.length).toBe(4);
  });

  it('leave vertices without triangles alone', () => {
    const [none, open] = walk([[], [[5, 6]]]);
    expect(none!).toMatchObject({ edges: [] });
    expect(open!).toMatchObject({ edges: ['5>6'] });
  });

  it(`hold any edges at all (seed ${SEED})`, () => {
    const edge = fc
      .tuple(fc.integer({ min: 100, max: 109 }), fc.integer({ min: 100, max: 109 }))
      .filter(([i, j]) => i !== j);
    const lists = fc.array(fc.uniqueArray(edge, { maxLength: 14, selector: ([i, j]) => 1000 * i + j }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(lists, (edgesOf) => {
        for (const [k, ring] of walk(edgesOf).entries()) {
          expect(ring.edges).toEqual(show(edgesOf[k]!));
        }
      }),
      { seed: SEED, numRuns: 200 },
    );
  });
});
