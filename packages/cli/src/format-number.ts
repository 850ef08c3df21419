const MINUS = '−';

/** A relative change as a signed percentage; what is below 0.01 % is written with its power of ten. */
export function formatChange(change: number): string {
  if (change === 0) return '0 %';
  return `${change > 0 ? '+' : MINUS}${formatPercent(100 * Math.abs(change))}`;
}

/** A size that is in per cent already. */
export function formatPercent(percent: number): string {
  if (percent === 0) return '0 %';
  return `${percent < 0.00995 ? formatPower(percent) : percent.toFixed(2)} %`;
}

/** A share in per cent, rounded: for sentences. */
export function formatShare(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(2)} MB`;
}

/** Five significant digits: enough to recognise a volume, few enough to read. */
export function formatNumber(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e7) return formatPower(value, 4);
  return String(Number(value.toPrecision(5))).replace('-', MINUS);
}

function formatPower(value: number, digits = 0): string {
  return value.toExponential(digits).replace('e+', 'e').replaceAll('-', MINUS);
}

export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}
