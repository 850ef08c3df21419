import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edgeEnd, edgeStart, planEdges } from '../../src/mesh/plan-edges.js';

/** Many triangles over few vertices: great fans, equal triangles, corners that coincide. */
const corners = fc
  .array(fc.nat(7), { maxLength: 300, size: 'max' })
  .map((list) => Uint32Array.from(list.slice(0, 3 * ((list.length / 3) | 0))));

test('edges come by smaller, then larger vertex, and their half-edges in order', () => {
  fc.assert(
    fc.property(corners, (triangles) => {
      const keys = Array.from(triangles, (_, h) => {
        const [a, b] = [edgeStart(triangles, h), edgeEnd(triangles, h)];
        return [Math.min(a, b), Math.max(a, b), h] as const;
      }).sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2]);
      const { count, offsets, halfEdges } = planEdges(triangles, 8);
      expect([...halfEdges]).toEqual(keys.map(([, , h]) => h));
      const starts = keys.flatMap(([a, b], k) =>
        k === 0 || keys[k - 1]![0] !== a || keys[k - 1]![1] !== b ? [k] : [],
      );
      expect([...offsets]).toEqual([...starts, keys.length]);
      expect(count).toBe(starts.length);
    }),
  );
});
