import { IsoskinError, presetStack } from '@isoskin/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkKey, contentKey, hashBytes } from '../../src/work/chunk-key.js';
import { type CharacterWork, checkWork } from '../../src/work/cluster-work.js';
import { decodeChunk, encodeChunk } from '../../src/work/encode-chunk.js';
import { signWork } from '../../src/work/sign-work.js';

const KEY = 'a secret of the tests';

describe('encodeChunk', () => {
  it('is no chunk under another name or with another key', () => {
    const block = { deltas: Float32Array.of(1, 2, 3), measures: Float64Array.of(4, 5) };
    const bytes = encodeChunk(block, 'a', KEY);
    expect(decodeChunk(bytes, 'a', KEY)).toEqual(block);
    expect(decodeChunk(bytes, 'b', KEY)).toBeUndefined();
    expect(decodeChunk(bytes, 'a', '')).toBeUndefined();
    expect(decodeChunk(bytes, 'a', `${KEY}.`)).toBeUndefined();
  });

  it('comes back as it was, wherever the bytes lie (seed 3)', () => {
    fc.assert(
      fc.property(fc.float32Array({ maxLength: 50 }), fc.float64Array({ maxLength: 50 }), fc.nat(9), (d, m, shift) => {
        const block = { deltas: Float32Array.from(d), measures: Float64Array.from(m) };
        const bytes = encodeChunk(block, 'a', KEY);
        const moved = new Uint8Array(bytes.length + shift).subarray(shift);
        moved.set(bytes);
        expect(decodeChunk(moved, 'a', KEY)).toEqual(block);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it('knows every damage (seed 4)', () => {
    const bytes = encodeChunk({ deltas: Float32Array.of(1, 2, 3), measures: Float64Array.of(4, 5) }, 'a', KEY);
    const decode = (chunk: Uint8Array<ArrayBuffer>) => decodeChunk(chunk, 'a', KEY);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const damaged = bytes.slice();
        damaged[at]! ^= by;
        expect(decode(damaged)).toBeUndefined();
      }),
      { seed: 4, numRuns: 200 },
    );
    for (let n = 0; n < bytes.length; n++) expect(decode(bytes.slice(0, n))).toBeUndefined();
    expect(decode(new Uint8Array(0))).toBeUndefined();
  });
});

const unsigned = {
  input: { storage: '/in', key: 'fox.glb', files: [{ name: 'fox.glb', sha256: hashBytes('fox') }] },
  output: { storage: '/out', key: 'fox.glb' },
  store: '/out/.isoskin',
  settings: {
    stack: presetStack('organic'),
    ...({ fps: 30, as: 'morph', tolerance: 0.001, maxTargets: 8, compact: false } as const),
  },
  content: '',
  limits: { memory: 1024, seconds: 60 },
};
const content = contentKey(unsigned.input.files, unsigned.settings);
const work = signWork({ ...unsigned, content }, KEY);

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
    const turned = Object.fromEntries(Object.entries(stack).reverse());
    const same = [
      key({ output: { storage: '/x', key: 'y.glb' }, limits: { memory: 1, seconds: 1 } }),
      key({ input: { ...work.input, storage: 'elsewhere', key: 'copy-of-fox.glb' } }),
      key({}, { tolerance: 0.01, maxTargets: 2, compact: true, compress: 'meshopt' }),
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
    expect(() => checkWork(work, KEY)).not.toThrow();
    // As it comes back from Redis: the same JSON, in whatever order.
    const turned = Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(work))).reverse());
    expect(() => checkWork(turned as unknown as CharacterWork, KEY)).not.toThrow();
    const bad: object[] = [
      { content: 'other' },
      { input: undefined },
      { input: { ...work.input, files: [null] } },
      { input: { ...work.input, key: '../../etc/passwd' } },
      { input: { ...work.input, files: [] } },
      { input: { ...work.input, files: [{ name: 'a', sha256: 'short' }] } },
      { output: { storage: '/out', key: '/etc/cron.d/x' } },
      { output: { storage: '/out', key: 'a/../../x' } },
      { output: { storage: ['/out'], key: 'a' } },
      { limits: { memory: -1, seconds: 1 } },
      { settings: { stack: { evil: {} } } },
    ];
    for (const change of bad) {
      const changed = { ...work, ...change } as CharacterWork;
      // Also when it is signed: locally anybody can.
      expect(() => checkWork(signWork(changed, KEY), KEY)).toThrow(IsoskinError);
    }
    expect(() => checkWork(null as unknown as CharacterWork, KEY)).toThrow(/submit it again/);
  });

  it('takes nothing that is not signed with its key, whatever was changed', () => {
    const changes: object[] = [
      { output: { storage: '/elsewhere', key: 'fox.glb' } },
      { store: '/elsewhere' },
      { limits: { memory: 1025, seconds: 60 } },
      { chunkSize: 1 },
      { signature: '' },
      { signature: undefined },
      { signature: 'x'.repeat(64) },
      { signature: signWork(work, '').signature },
    ];
    for (const change of changes) {
      expect(() => checkWork({ ...work, ...change } as CharacterWork, KEY)).toThrow(/not signed with the key/);
    }
    expect(() => checkWork(work, '')).toThrow(/not signed with the key/);
  });
});
