import { describe, expect, it } from 'vitest';
import { formatChange, formatCount, formatNumber, formatPercent } from '../src/format-number.js';
import { formatTable } from '../src/format-table.js';
import { sparkline } from '../src/sparkline.js';

describe('sparkline', () => {
  it('puts the rest volume at the top of a loss and at the bottom of a gain', () => {
    expect(sparkline([0, -0.05, -0.1])).toBe('█▅▁');
    expect(sparkline([0, 0.1])).toBe('▁█');
  });
  it('is level for rounding, and keeps the worst frame of a long clip', () => {
    expect(sparkline([0, 1e-14, -1e-13])).toBe('▄▄▄');
    const long = Array.from({ length: 1000 }, (_, i) => (i === 517 ? -1 : 0));
    expect(sparkline(long)).toHaveLength(32);
    expect(sparkline(long)).toContain('▁');
  });
});

describe('formatTable', () => {
  it('aligns its columns and shows control characters as dots', () => {
    const table = formatTable(
      [{ left: 'name' }, 'n'],
      [
        ['a\x1b[2J', '1'],
        ['b', '100'],
      ],
    );
    expect(table.split('\n')).toEqual(['  name     n', '  ──────────', '  a·[2J    1', '  b      100']);
  });
});

describe('numbers', () => {
  it.each([
    [formatChange(-0.109), '−10.90 %'],
    [formatChange(0), '0 %'],
    [formatChange(2e-14), '+2e−12 %'],
    [formatPercent(0.00999), '0.01 %'],
    [formatCount(1234567), '1 234 567'],
    [formatNumber(-66487.6), '−66488'],
    [formatNumber(1e-6), '1.0000e−6'],
  ])('%s', (found, wanted) => expect(found).toBe(wanted));
});
