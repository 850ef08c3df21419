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
});
