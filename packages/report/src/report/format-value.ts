const MINUS = '−';

/** −0.0213 → "−2.13 %"; small ones with a third digit; what is below ½ of that is 0. */
export function formatChange(change: number): string {
  const percent = 100 * Math.abs(change);
  if (percent < 5e-4) return '0 %';
  const digits = percent >= 10 ? 1 : percent >= 0.1 ? 2 : 3;
  return `${change < 0 ? MINUS : '+'}${percent.toFixed(digits)} %`;
}

/** A share without a sign. */
export function formatShare(share: number): string {
  return formatChange(Math.abs(share)).replace('+', '');
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(2)} MB`;
}

export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}

/** The change of largest size. */
export function largest(changes: readonly number[]): number {
  return changes.reduce((most, change) => (Math.abs(change) > Math.abs(most) ? change : most), 0);
}
