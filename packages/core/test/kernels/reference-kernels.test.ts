/** The reference kernels against a second, naive implementation of their formulas. */
import { describe, expect, it } from 'vitest';
import * as reference from '../../src/kernels/reference-kernels.js';
import { skinDualQuaternion } from '../../src/kernels/skin-dual-quaternion.js';
import { kernelCases } from './kernel-table.js';

const kernels = { ...reference, skinDualQuaternion };

describe('reference kernels', () => {
  it.each(kernelCases.map((one) => [one.name, one] as const))('%s', (_, { run, expected, scale }) => {
    const found = run(kernels);
    expect(found.length).toBe(expected.length);
    for (const [i, value] of expected.entries()) expect(Math.abs(found[i]! - value)).toBeLessThanOrEqual(1e-14 * scale);
  });

  it('are all in the table', () => {
    for (const name of Object.keys(kernels)) expect(kernelCases.some((one) => one.name.startsWith(name))).toBe(true);
  });
});
