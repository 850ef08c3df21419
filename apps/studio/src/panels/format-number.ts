/** −0.5 → "−0.5", 2.30 → "2.3": at most so many digits behind the point, a true minus. */
export function formatNumber(value: number, digits = 2): string {
  const text = String(Number(Math.abs(value).toFixed(digits)));
  return value < 0 && text !== '0' ? `−${text}` : text;
}

/** −0.0731 → "−7.31 %"; what rounds to nothing has no sign. */
export function formatChange(change: number, digits = 2): string {
  const text = Math.abs(100 * change).toFixed(digits);
  return `${Number(text) === 0 ? '' : change < 0 ? '−' : '+'}${text} %`;
}

export function formatSize(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
