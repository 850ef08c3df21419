/** Disjoint sets over 0 … count−1 (union–find). A set's root is its smallest member, so results do not depend on order. */
export function createDisjointSets(count: number): Uint32Array {
  const parents = new Uint32Array(count);
  for (let i = 0; i < count; i++) parents[i] = i;
  return parents;
}

export function findRoot(parents: Uint32Array, member: number): number {
  let i = member;
  while (parents[i]! !== i) i = parents[i] = parents[parents[i]!]!;
  return i;
}

export function uniteSets(parents: Uint32Array, a: number, b: number): void {
  const i = findRoot(parents, a);
  const j = findRoot(parents, b);
  if (i < j) parents[j] = i;
  else parents[i] = j;
}
