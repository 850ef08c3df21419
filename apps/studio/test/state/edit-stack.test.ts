import { checkStack, PRESET_NAMES, presetStack } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import {
  addLayer,
  findPreset,
  formatStack,
  moveLayer,
  parseStack,
  readOption,
  removeLayer,
  resetLayer,
  writeOption,
} from '../../src/state/edit-stack.js';
import { addWrinkles, changeWrinkle, listWrinkles, removeWrinkle } from '../../src/state/edit-wrinkles.js';

const organic = presetStack('organic');

describe('edit-stack', () => {
  it('writes and takes out options at any depth, and leaves the old stack alone', () => {
    const before = JSON.stringify(organic);
    const changed = writeOption(organic, 1, 'map.a', 3);
    expect(readOption(changed.layers[1]!, 'map.a')).toBe(3);
    expect(readOption(changed.layers[1]!, 'map.kind')).toBe('organic');
    expect(changed.layers[0]).toBe(organic.layers[0]);
    const deep = writeOption(organic, 1, 'target.all', 0.9);
    expect(writeOption(deep, 1, 'target.all', undefined)).toEqual(organic);
    expect(JSON.stringify(organic)).toBe(before);
  });

  it('puts new layers where they belong: every mixture is a valid stack', () => {
    const all = (['wrinkles', 'contact', 'flesh'] as const).reduce(addLayer, organic);
    expect(all.layers.map(({ layer }) => layer)).toEqual(['skin', 'flesh', 'contact', 'volume', 'wrinkles']);
    expect(() => checkStack(all)).not.toThrow();
  });

  it('moves, removes and resets', () => {
    const three = addLayer(organic, 'contact');
    expect(moveLayer(three, 1, 2).layers.map(({ layer }) => layer)).toEqual(['skin', 'volume', 'contact']);
    expect(removeLayer(three, 1)).toEqual(organic);
    expect(resetLayer(writeOption(organic, 1, 'map.a', 9), 1)).toEqual(organic);
  });

  it('knows presets, and that a changed one is nobody’s', () => {
    for (const name of PRESET_NAMES) expect(findPreset(presetStack(name))).toBe(name);
    expect(findPreset(writeOption(organic, 1, 'map.a', 9))).toBe('');
  });

  it('reads what it writes, and says what is wrong with the rest', () => {
    expect(parseStack(formatStack(organic))).toEqual(organic);
    expect(() => parseStack('{')).toThrow(/not JSON/);
    expect(() => parseStack('{"layers":[{"layer":"volme"}]}')).toThrow(/volume/);
  });

  it('keeps wrinkles in one layer', () => {
    const anchor = { triangle: 0, barycentric: [1, 0, 0] } as const;
    const tool = { a: anchor, b: { ...anchor, triangle: 5 }, width: 0.1 };
    const drawn = addWrinkles(addWrinkles(organic, [tool]), [tool]);
    expect(listWrinkles(drawn)).toHaveLength(2);
    expect(drawn.layers.filter(({ layer }) => layer === 'wrinkles')).toHaveLength(1);
    expect(listWrinkles(changeWrinkle(drawn, 1, { strength: 2 }))[1]!.strength).toBe(2);
    expect(listWrinkles(removeWrinkle(drawn, 0))).toHaveLength(1);
    expect(() => checkStack(drawn)).not.toThrow();
  });
});
