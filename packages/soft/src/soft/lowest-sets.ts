/** Disjoint sets of the numbers below a count; a set is called by its lowest. */
export class LowestSets {
  readonly #parents: Int32Array;

  constructor(count: number) {
    this.#parents = new Int32Array(count);
  }

  /** Every number by itself, or with the lowest one of its set, #. */
  begin(lowest?: Int32Array): void {
    if (lowest) this.#parents.set(lowest);
    else for (let i = 0; i < this.#parents.length; i++) this.#parents[i] = i;
  }

  find(i: number): number {
    const parents = this.#parents;
    let root = i;
    while (parents[root] !== root) root = parents[root]!;
    for (let at = i; at !== root; ) {
      const up = parents[at]!;
      parents[at] = root;
      at = up;
    }
    return root;
  }

  unite(i: number, j: number): void {
    const [a, b] = [this.find(i), this.find(j)];
    this.#parents[Math.max(a, b)] = Math.min(a, b);
  }
}
