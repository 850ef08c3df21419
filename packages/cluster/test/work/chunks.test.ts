import { presetStack } from '@isoskin/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkKey, contentKey, hashBytes } from '../../src/work/chunk-key.js';
import { type CharacterWork, checkWork } from '../../src/work/cluster-work.js';
import { decodeChunk, encodeChunk } from '../../src/work/encode-chunk.js';

describe('encodeChunk', () => {
  it('comes back as it was, wherever the bytes lie (seed 3)', () => {
    fc.assert(
      fc.property(fc.float32Array({ maxLength: 50 }), fc.float64Array({ maxLength: 50 }), fc.nat(9), (d, m, shift) => {
        const block = { deltas: Float32Array.from(d), measures: Float64Array.from(m) };
        const bytes = encodeChunk(block);
        const moved = new Uint8Array(bytes.length + shift).subarray(shift);
        moved.set(bytes);
        expect(decodeChunk(moved)).toEqual(block);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it('knows every damage (seed 4)', () => {
    const bytes = encodeChunk({ deltas: Float32Array.of(1, 2, 3), measures: Float64Array.of(4, 5) });
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const damaged = bytes.slice();
        damaged[at]! ^= by;
        // The padding of the header means nothing.
        if (at < 56 || at >= 64) expect(decodeChunk(damaged)).toBeUndefined();
      }),
      { seed: 4, numRuns: 200 },
    );
    for (let n = 0; n < bytes.length; n++) expect(decodeChunk(bytes.slice(0, n))).toBeUndefined();
    expect(decodeChunk(new Uint8Array(0))).toBeUndefined();
  });
});

const work: CharacterWork = {
  input: { storage: '/in', key: 'fox.glb', files: [{ name: 'fox.glb', sha256: hashBytes('fox') }] },
  output: { storage: '/out', key: 'fox.glb' },
  store: '/out/.isoskin',
  settings: {
    stack: presetStack('organic'),
    ...({ fps: 30, as: 'morph', tolerance: 0.001, maxTargets: 8, quantise: true } as const),
  },
  content: '',
  limits: { memory: 1024, seconds: 60 },
};

describe('chunkKey', () => {
  const key = (change: object = {}, settings: object = {}) =>
    chunkKey({ ...work, ...change, settings: { ...work.settings, ...settings } }, undefined, 0, 8);

  it('depends on everything that the bytes depend on', () => {
    const files = (...list: string[]) => ({ input: { ...work.input, files: list.map(file) } });
    const file = (text: string) => ({ name: text, sha256: hashBytes(text) });
    const keys = [
      key(),
      key(files('cat')),
      key(files('fox', 'a.bin')),
      key(files('fox', 'b.bin')),
      key({}, { stack: presetStack('rubber') }),
      key({}, { fps: 31 }),
      key({}, { as: 'cache' }),
      chunkKey(work, ['Run'], 0, 8),
      chunkKey(work, undefined, 0, 9),
      chunkKey(work, undefined, 1, 8),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('and on nothing else', () => {
    const { stack } = work.settings;
    const turned = { layers: stack.layers.map((layer) => Object.fromEntries(Object.entries(layer).reverse())) };
    const same = [
      key({ output: { storage: '/x', key: 'y.glb' }, limits: { memory: 1, seconds: 1 } }),
      key({ input: { ...work.input, storage: 'elsewhere', key: 'copy-of-fox.glb' } }),
      key({}, { tolerance: 0.01, maxTargets: 2, quantise: false, compress: 'meshopt' }),
      key({}, { stack: turned }),
    ];
    expect(new Set(same)).toEqual(new Set([key()]));
    expect(contentKey(work.input.files, { ...work.settings, tolerance: 0.01 })).not.toBe(
      contentKey(work.input.files, work.settings),
    );
  });
});

describe('checkWork', () => {
  it('takes what submit writes, and nothing that leads out', () => {
    expect(() => checkWork(work)).not.toThrow();
    const bad: object[] = [
      {},
      { input: undefined },
      { input: { ...work.input, key: '../../etc/passwd' } },
      { input: { ...work.input, files: [] } },
      { input: { ...work.input, files: [{ name: 'a', sha256: 'short' }] } },
      { output: { storage: '/out', key: '/etc/cron.d/x' } },
      { output: { storage: '/out', key: 'a/../../x' } },
      { output: { storage: ['/out'], key: 'a' } },
      { limits: { memory: -1, seconds: 1 } },
      { settings: { stack: { layers: [{ layer: 'evil' }] } } },
    ];
    for (const change of bad.slice(1)) expect(() => checkWork({ ...work, ...change } as CharacterWork)).toThrow();
    expect(() => checkWork(null as unknown as CharacterWork)).toThrow(/submit it again/);
  });
});
