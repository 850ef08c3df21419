const BARS = '▁▂▃▄▅▆▇█';

/** Changes below this (relative) are drawn as a level line: it is rounding. */
const FLAT = 1e-6;

/**
 * Values as one line of bars, the lowest (or 0, if that is lower) at the bottom; longer series show the value of largest
 * size in each column.
 */
export function sparkline(values: readonly number[], columns = 32): string {
  const count = Math.min(columns, values.length);
  const shown = Array.from({ length: count }, (_, c) => {
    const from = Math.floor((c * values.length) / count);
    const to = Math.floor(((c + 1) * values.length) / count);
    return values.slice(from, to).reduce((most, v) => (Math.abs(v) > Math.abs(most) ? v : most));
  });
  const low = Math.min(0, ...shown);
  const range = Math.max(0, ...shown) - low;
  return shown.map((v) => BARS[range > FLAT ? Math.round((7 * (v - low)) / range) : 3]).join('');
}
