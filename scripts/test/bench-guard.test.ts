import { describe, expect, it } from 'vitest';
import { compareRatios } from '../../benchmarks/guard.mjs';

describe('the benchmark guard', () => {
  const base = new Map([
    ['wasm, frame', [2.4, 2.0, 2.1]],
    ['typescript, frame', [3.8]],
  ]);

  it('lets 15 % pass, of the better round on both sides', () => {
    expect(compareRatios(base, new Map([['wasm, frame', [2.6, 2.29]]]))).toEqual([]);
  });

  it('says what became slower', () => {
    const head = new Map([
      ['wasm, frame', [2.4, 2.5]],
      ['typescript, frame', [3.8]],
    ]);
    expect(compareRatios(base, head)).toEqual(['wasm, frame: 2.40× plain skinning, 2.00× before (1.20×)']);
  });

  it('has nothing to say of what the base did not have', () => {
    expect(compareRatios(base, new Map([['webgpu, frame', [9]]]))).toEqual([]);
  });
});
