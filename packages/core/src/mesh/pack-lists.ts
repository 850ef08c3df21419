import type { Csr } from './surface.js';

/** Lists behind each other. */
export function packLists(lists: readonly (readonly number[])[]): Csr {
  const offsets = new Uint32Array(lists.length + 1);
  for (const [n, list] of lists.entries()) offsets[n + 1] = offsets[n]! + list.length;
  const values = new Uint32Array(offsets[lists.length]!);
  for (const [n, list] of lists.entries()) values.set(list, offsets[n]!);
  return { offsets, values };
}
