import { describe, expect, it } from 'vitest';
import { mendGlitches } from '../../src/bake/mend-glitches.js';
import type { SourceSkin } from '../../src/bake/plan-source-skin.js';

/** One point in one group: only the offsets are looked at. */
const source = { groupOffsets: Uint32Array.of(0, 1), pointCount: 1 } as SourceSkin;
const mend = (values: readonly number[], floor = 0.1) => {
  const deltas = Float32Array.from(values.flatMap((x) => [x, 0, 0]));
  const mended = mendGlitches(deltas, source, [[0, values.length]], () => floor);
  return { mended, values: [...deltas.filter((_, i) => i % 3 === 0)] };
};

describe('mendGlitches', () => {
  it('takes out what flashes for one sample', () => {
    expect(mend([0, 0, 5, 0, 0])).toEqual({ mended: 1, values: [0, 0, 0, 0, 0] });
    expect(mend([0, 1, 2, 9, 4, 5, 6])).toEqual({ mended: 1, values: [0, 1, 2, 3, 4, 5, 6] });
  });

  it('leaves motion, kinks, jumps and small things alone', () => {
    for (const values of [
      [0, 1, 4, 9, 16, 25],
      [0, 1, 2, 3, 2, 1, 0],
      [0, 0, 0, 5, 5, 5],
      [0, 0, 0.05, 0, 0],
      Array.from({ length: 40 }, (_, i) => Math.sin(i)),
    ]) {
      expect(mend(values)).toEqual({ mended: 0, values: values.map(Math.fround) });
    }
  });
});
