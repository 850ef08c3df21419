import { describe, expect, it } from 'vitest';
import { createBasis, dot } from '../../src/bake/plan-basis.js';

const wave = (n: number, k: number) => Float32Array.from({ length: n }, (_, i) => Math.sin((i + 1) * (k + 1)));

describe('createBasis', () => {
  it('finds the space that rows span, and leaves nothing', () => {
    const parts = [0, 1, 2].map((k) => wave(60, k));
    const rows = Array.from({ length: 200 }, (_, f) =>
      Float32Array.from({ length: 60 }, (_, i) =>
        parts.reduce((sum, part, k) => sum + Math.cos(f * (k + 0.3)) * part[i]!, 0),
      ),
    );
    const basis = createBasis(rows, 8);
    for (let k = 0; k < 3; k++) expect(basis.grow()).toBe(true);
    expect(basis.error).toBeLessThan(1e-5);
    basis.vectors.forEach((a, i) => {
      basis.vectors.forEach((b, j) => {
        expect(dot(a, b)).toBeCloseTo(i === j ? 1 : 0, 9);
      });
    });
  });

  it('takes the strongest direction first and grows no further than asked', () => {
    const rows = [wave(30, 0).map((x) => 10 * x), wave(30, 3), wave(30, 5)];
    const basis = createBasis(rows, 2);
    basis.grow();
    const before = basis.error;
    const along = dot(basis.vectors[0]!, wave(30, 0)) / Math.sqrt(dot(wave(30, 0), wave(30, 0)));
    expect(Math.abs(along)).toBeGreaterThan(0.99);
    expect(basis.grow()).toBe(true);
    expect(basis.error).toBeLessThanOrEqual(before);
    expect(basis.grow()).toBe(false);
  });

  it('leaves out what fixed vectors can do, and rows of nothing', () => {
    const row = wave(30, 1);
    expect(createBasis([row, row.map((x) => 2 * x)], 4, [Float64Array.from(row)]).error).toBeLessThan(1e-6);
    expect(createBasis([new Float32Array(30)], 4).grow()).toBe(false);
  });
});
