import type { Csr } from './surface.js';

export const NO_GROUP = 0xffffffff;

/** Group → its items, ascending, of the items 0 … count − 1; those in NO_GROUP are left out. O(count). */
export function groupItems(groupCount: number, count: number, groupOf: (item: number) => number): Csr {
  const offsets = new Uint32Array(groupCount + 1);
  for (let i = 0; i < count; i++) if (groupOf(i) !== NO_GROUP) offsets[groupOf(i) + 1]!++;
  for (let g = 0; g < groupCount; g++) offsets[g + 1]! += offsets[g]!;
  const values = new Uint32Array(offsets[groupCount]!);
  const next = offsets.slice();
  for (let i = 0; i < count; i++) if (groupOf(i) !== NO_GROUP) values[next[groupOf(i)]!++] = i;
  return { offsets, values };
}
