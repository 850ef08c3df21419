import { IsoskinError } from '../error.js';

/** Throws when an option speaks of a region that the character does not have. */
export function checkRegion(name: string, known: readonly string[], place: string): void {
  if (known.includes(name)) return;
  const list = `${known.slice(0, 12).join(', ')}${known.length > 12 ? ' …' : ''}`;
  throw new IsoskinError(
    'REGION_UNKNOWN',
    `There is no region “${name}”; ${known.length > 0 ? `use one of: ${list}` : 'the character has none'}.`,
    place,
  );
}
