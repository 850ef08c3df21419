import { checkStack, PRESET_NAMES, presetStack } from '@isoskin/core';
import { VOLUME_METHODS } from '@isoskin/core/stack';
import { describe, expect, it } from 'vitest';
import {
  findPreset,
  formatStack,
  isOn,
  parseStack,
  readOption,
  resetLayer,
  switchLayer,
  writeOption,
} from '../../src/state/edit-stack.js';
import { addWrinkles, changeWrinkle, listWrinkles, removeWrinkle } from '../../src/state/edit-wrinkles.js';

const natural = presetStack('natural');

describe('edit-stack', () => {
  it('writes and takes out options at any depth, and leaves the old stack alone', () => {
    const before = JSON.stringify(natural);
    const changed = writeOption(natural, 'volume', 'map.a', 3);
    expect(readOption(changed, 'volume', 'map.a')).toBe(3);
    expect(readOption(changed, 'volume', 'map.kind')).toBe('organic');
    expect(changed.skin).toBe(natural.skin);
    const deep = writeOption(natural, 'volume', 'target.all', 0.9);
    expect(writeOption(deep, 'volume', 'target.all', undefined)).toEqual(natural);
    expect(JSON.stringify(natural)).toBe(before);
  });

  it('switches layers on and off: every mixture is a valid stack, and settings are kept', () => {
    const all = (['wrinkles', 'contact', 'flesh'] as const).reduce(
      (stack, name) => switchLayer(stack, name, true),
      natural,
    );
    expect(Object.keys(all).sort()).toEqual(['contact', 'flesh', 'skin', 'volume', 'wrinkles']);
    expect(() => checkStack(all)).not.toThrow();
    const slow = writeOption(all, 'flesh', 'frequency', 1);
    const off = switchLayer(slow, 'flesh', false);
    expect(isOn(off, 'flesh')).toBe(false);
    expect(switchLayer(off, 'flesh', true)).toEqual(slow);
  });

  it('a method takes none of the options that only another reads', () => {
    const methods = Object.keys(VOLUME_METHODS);
    for (const method of methods)
      expect(() => checkStack(writeOption(natural, 'volume', 'method', method))).not.toThrow();
    expect(writeOption(natural, 'volume', 'method', 'normal-exact').volume).not.toHaveProperty('options');
    expect(writeOption(natural, 'volume', 'method', 'shapes').volume).toHaveProperty('options.harmonics', 1);
  });

  it('resets', () => {
    expect(resetLayer(writeOption(natural, 'volume', 'map.a', 9), 'volume')).toEqual(natural);
  });

  it('knows presets, and that a changed one is nobody’s', () => {
    for (const name of PRESET_NAMES) expect(findPreset(presetStack(name))).toBe(name);
    expect(findPreset(writeOption(natural, 'volume', 'map.a', 9))).toBe('');
  });

  it('reads what it writes, and says what is wrong with the rest', () => {
    expect(parseStack(formatStack(natural))).toEqual(natural);
    expect(() => parseStack('{')).toThrow(/not JSON/);
    expect(() => parseStack('{"volme":{}}')).toThrow(/volume/);
  });

  it('keeps wrinkles in one layer', () => {
    const anchor = { triangle: 0, barycentric: [1, 0, 0] } as const;
    const tool = { a: anchor, b: { ...anchor, triangle: 5 }, width: 0.1 };
    const drawn = addWrinkles(addWrinkles(natural, [tool]), [tool]);
    expect(listWrinkles(drawn)).toHaveLength(2);
    expect(listWrinkles(changeWrinkle(drawn, 1, { strength: 2 }))[1]!.strength).toBe(2);
    expect(listWrinkles(removeWrinkle(drawn, 0))).toHaveLength(1);
    expect(() => checkStack(drawn)).not.toThrow();
  });
});
