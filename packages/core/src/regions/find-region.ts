import { IsoskinError } from '../error.js';

/** What regions are called, and what they were called before they had names that a person understands: after the joint itself. */
export interface RegionNames {
  readonly names: readonly string[];
  readonly ids: readonly string[];
}

/** The region that an option speaks of; throws when the character has none of that name. */
export function findRegion(name: string, { names, ids }: RegionNames, place: string): number {
  const known = names.indexOf(name);
  const found = known >= 0 ? known : ids.indexOf(name);
  if (found >= 0) return found;
  const list = listNames(names) || 'none';
  throw new IsoskinError('REGION_UNKNOWN', `There is no region “${name}”; use one of: ${list}.`, place);
}

/** The first of them, for a sentence. */
export function listNames(names: readonly string[]): string {
  return `${names.slice(0, 12).join(', ')}${names.length > 12 ? ' …' : ''}`;
}

/** Options by region, in the order of the regions. */
export function listByRegion<T>(
  options: Readonly<Record<string, T>> | undefined,
  regions: RegionNames,
  place: string,
): (T | undefined)[] {
  const out: (T | undefined)[] = regions.names.map(() => undefined);
  // A region may be called “constructor”.
  for (const [name, value] of Object.entries(options ?? {})) out[findRegion(name, regions, place)] = value;
  return out;
}
