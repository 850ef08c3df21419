/** The reference kernels against a second, naive implementation of their formulas. */
import { typescriptKernels } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { kernelCases } from './kernel-table.js';

describe('TypeScript kernels', () => {
  it.each(kernelCases.map((one) => [one.name, one] as const))('%s', (_, { run, expected, scale }) => {
    const found = run(typescriptKernels);
    expect(found.length).toBe(expected.length);
    for (const [i, value] of expected.entries()) expect(Math.abs(found[i]! - value)).toBeLessThanOrEqual(1e-14 * scale);
  });

  it('are all in the table', () => {
    const names = Object.keys(typescriptKernels).filter((key) => key !== 'name');
    for (const name of names) expect(kernelCases.some((one) => one.name.startsWith(name))).toBe(true);
  });

  it('do not jump where displacements leave the linear range, and never exceed the room', () => {
    const room = 0.5;
    const move = (sum: number) => {
      const out = new Float64Array(3);
      const slopes = new Float64Array(1);
      const input = {
        positions: new Float64Array(3),
        directions: Float64Array.of(1, 0, 0),
        offsets: Uint32Array.of(0, 1),
        regions: Uint32Array.of(0),
        values: Float64Array.of(1),
        lambda: Float64Array.of(sum),
        fade: Float64Array.of(1),
        tightness: Float64Array.of(room ** -2),
      };
      typescriptKernels.displace(out, slopes, input, 0, 1);
      return [out[0]!, slopes[0]!] as const;
    };
    for (let exponent = -8; exponent <= 150; exponent += 0.05) {
      const sum = 10 ** exponent;
      const [amount, slope] = move(sum);
      const z = sum / room;
      const wanted = z > 1e4 ? room : (room * z) / (1 + z ** 4) ** 0.25;
      expect(Math.abs(amount - wanted)).toBeLessThanOrEqual(1e-14 * wanted);
      expect(slope).toBeGreaterThanOrEqual(0);
      expect(slope).toBeLessThanOrEqual(1);
      expect(move(-sum)[0]).toBe(-amount);
    }
  });
});
