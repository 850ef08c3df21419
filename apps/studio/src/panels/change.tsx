import { formatChange } from './format-number.js';

/** A relative change of volume: coloured by whether somebody would see it. */
export function Change({ change }: { change: number | undefined }) {
  if (change === undefined) return <span class="value">–</span>;
  const kind = Math.abs(change) < 5e-4 ? 'kept' : 'lost';
  return <span class={`value ${kind}`}>{formatChange(change, 1)}</span>;
}
