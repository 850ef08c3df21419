import { describe, expect, it } from 'vitest';
import { dot, planBasis } from '../../src/bake/plan-extras.js';

const wave = (n: number, k: number) => Float32Array.from({ length: n }, (_, i) => Math.sin((i + 1) * (k + 1)));

describe('planBasis', () => {
  it('finds the space that rows span, and leaves nothing', () => {
    const parts = [0, 1, 2].map((k) => wave(60, k));
    const rows = Array.from({ length: 100 }, (_, f) =>
      Float32Array.from({ length: 60 }, (_, i) =>
        parts.reduce((sum, part, k) => sum + Math.cos(f * (k + 0.3)) * part[i]!, 0),
      ),
    );
    const basis = planBasis(rows, 8, 1e-5);
    expect(basis).toHaveLength(3);
    expect(Math.max(...rows.flatMap((row) => Array.from(row, Math.abs)))).toBeLessThan(1e-5);
    basis.forEach((a, i) => {
      basis.forEach((b, j) => {
        expect(dot(a, b)).toBeCloseTo(i === j ? 1 : 0, 9);
      });
    });
  });

  it('takes the strongest direction first and grows no further than asked', () => {
    const rows = () => [wave(30, 0).map((x) => 10 * x), wave(30, 3), wave(30, 5)];
    const [first] = planBasis(rows(), 1, 0);
    const along = dot(first!, wave(30, 0)) / Math.sqrt(dot(wave(30, 0), wave(30, 0)));
    expect(Math.abs(along)).toBeGreaterThan(0.99);
    expect(planBasis(rows(), 2, 0)).toHaveLength(2);
    expect(planBasis(rows(), 8, 2)).toHaveLength(1); // what is left is near enough
  });

  it('has nothing for rows of nothing', () => {
    expect(planBasis([new Float32Array(30)], 4, 0)).toEqual([]);
  });
});
