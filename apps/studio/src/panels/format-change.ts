/** −0.0731 → "−7.31 %"; what rounds to nothing has no sign. */
export function formatChange(change: number, digits = 2): string {
  const text = Math.abs(100 * change).toFixed(digits);
  const isNothing = Number(text) === 0;
  return `${isNothing ? '' : change < 0 ? '−' : '+'}${text} %`;
}

/** Seconds → "1.23". */
export function formatSeconds(seconds: number): string {
  return seconds.toFixed(2);
}
