import { formatChange } from './format-number.js';

/** A relative change of volume: coloured by whether somebody would see it. */
export function Change({ change }: { change: number | undefined }) {
  if (change === undefined) return <span class="value">–</span>;
  const kind = Math.abs(change) < 5e-4 ? 'kept' : 'lost';
  return <span class={`value ${kind}`}>{formatChange(change, 1)}</span>;
}

/** The change that is farthest from none. */
export function findWorst(changes: ArrayLike<number>): number {
  return Array.from(changes).reduce((far, change) => (Math.abs(change) > Math.abs(far) ? change : far), 0);
}
