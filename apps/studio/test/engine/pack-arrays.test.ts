import { type CharacterInput, createCharacter } from '@isoskin/core';
import { createDemo, createDemoInput } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { packArrays, unpackArrays } from '../../src/engine/pack-arrays.js';

describe('packArrays', () => {
  it('gives back every array with its type, and everything else', () => {
    const value = {
      a: Float64Array.of(1, Math.PI),
      b: [{ c: Uint8Array.of(1, 2, 3) }],
      text: 'γ …',
      n: -1.5,
      empty: new Uint32Array(),
    };
    expect(unpackArrays(packArrays(value))).toEqual(value);
  });

  it('a demo made beforehand is the demo, bit for bit', () => {
    const packed = packArrays(createDemoInput('finger'));
    const again = createCharacter(unpackArrays(packed) as CharacterInput);
    const made = createDemo('finger');
    expect(again.surface.positions).toEqual(made.surface.positions);
    expect(again.binding).toEqual(made.binding);
    expect(again.clips).toEqual(made.clips);
  });
});
