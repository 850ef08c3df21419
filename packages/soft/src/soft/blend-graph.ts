import { IsoskinError } from '@isoskin/core';
import { measureGap, type NeighbourGrid } from './neighbour-grid.js';
import type { Primitives } from './pack-primitives.js';
import type { SoftWorldInput } from './soft-world.js';

/**
 * I2. Who blends with whom. A *strand* is a set of primitives whose potentials simply add up; strands are linked with a weight
 * λ ∈ [0, 1]:
 *
 *   S_s(P) = Σ_{i ∈ s} f_i(P),     F_s = S_s + Σ_{s′} λ_{ss′} min(S_s, S_s′),     f = max_s F_s
 *
 * A fixed object has one strand per primitive (or chain) and λ = 1 along its graph. A dynamic object begins as one strand; each
 * connected component of overlapping influence zones becomes its own (fracture: nothing jumps, the potentials that leave are
 * zero there). Fusion links two strands and lets λ grow from 0 to 1 over a short time, so that volume and forces
 * stay continuous; then they are one strand. A strand's number is its lowest primitive.
 *
 * Based on: Desbrun, Gascuel 1995; the `min` is this project's (docs/decisions/blending-graph.md).
 */
export class BlendGraph {
  /** #P. */
  readonly strands: Int32Array;
  /** #P, number of the piece of each primitive, numbered by first primitive. */
  readonly labels: Int32Array;
  count = 0;
  /** Events so far. */
  fractures = 0;
  fusions = 0;
  readonly #primitives: Primitives;
  readonly #dynamic: readonly boolean[];
  readonly #fuses: readonly boolean[];
  readonly #fusionTime: number;
  /** Disjoint sets: the lowest number is the root. */
  readonly #parents: Int32Array;
  /** λ by the lower strand × #P + the higher. */
  #links: Map<number, number>;
  #saved: { strands: Int32Array; links: Map<number, number>; fractures: number; fusions: number };

  constructor(input: SoftWorldInput, primitives: Primitives) {
    const { count, chain, object } = primitives;
    this.#primitives = primitives;
    this.#dynamic = input.objects.map(({ blending }) => blending !== 'fixed');
    this.#fuses = input.objects.map((o, i) => this.#dynamic[i]! && o.fuses !== false);
    this.#fusionTime = Math.max(1e-9, input.fusion?.time ?? 0.2);
    this.#parents = new Int32Array(count);
    this.labels = new Int32Array(count);
    this.strands = Int32Array.from(chain, (first, i) =>
      this.#dynamic[object[i]!] ? object.indexOf(object[i]!) : first,
    );
    this.#links = readLinks(input, primitives);
    this.#saved = { strands: this.strands.slice(), links: this.#links, fractures: 0, fusions: 0 };
    this.#countPieces();
  }

  /** λ between two strands, 1 for the same. */
  link(a: number, b: number): number {
    return a === b ? 1 : (this.#links.get(this.#key(a, b)) ?? 0);
  }

  /** Splits what no longer hangs together and advances the links that are closing. */
  update(near: NeighbourGrid, dt: number): void {
    const before = this.count;
    this.#splitStrands(near);
    this.#closeLinks(dt);
    this.#countPieces();
    this.fractures += Math.max(0, this.count - before);
  }

  /** Whether contact force may join these primitives. */
  canFuse(i: number, j: number): boolean {
    const { object } = this.#primitives;
    return this.#fuses[object[i]!]! && this.#fuses[object[j]!]!;
  }

  /** Begins to join two strands. */
  fuse(a: number, b: number): void {
    if (a === b || this.#links.has(this.#key(a, b))) return;
    const before = this.count;
    this.#links = new Map(this.#links).set(this.#key(a, b), 0);
    this.#countPieces();
    this.fusions += before - this.count;
  }

  save(): void {
    this.#saved.strands.set(this.strands);
    this.#saved.links = new Map(this.#links);
    this.#saved.fractures = this.fractures;
    this.#saved.fusions = this.fusions;
  }

  restore(): void {
    this.strands.set(this.#saved.strands);
    this.#links = new Map(this.#saved.links);
    this.fractures = this.#saved.fractures;
    this.fusions = this.#saved.fusions;
    this.#countPieces();
  }

  #key(a: number, b: number): number {
    return Math.min(a, b) * this.strands.length + Math.max(a, b);
  }

  #strandsOf(key: number): [number, number] {
    return [Math.floor(key / this.strands.length), key % this.strands.length];
  }

  #isDynamic(i: number): boolean {
    return this.#dynamic[this.#primitives.object[i]!]!;
  }

  #find(i: number): number {
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

  #unite(i: number, j: number): void {
    const [a, b] = [this.#find(i), this.#find(j)];
    this.#parents[Math.max(a, b)] = Math.min(a, b);
  }

  /** Calls back for every two near primitives i < j, the first dynamic. */
  #visitPairs(near: NeighbourGrid, visit: (i: number, j: number) => void): void {
    for (let i = 0; i < this.strands.length; i++) {
      if (!this.#isDynamic(i)) continue;
      for (let n = near.offsets[i]!; n < near.offsets[i + 1]!; n++) if (near.items[n]! > i) visit(i, near.items[n]!);
    }
  }

  /** Components of overlapping influence zones inside each dynamic strand. */
  #splitStrands(near: NeighbourGrid): void {
    const { strands } = this;
    const { chain } = this.#primitives;
    const touches = (i: number, j: number) => measureGap(this.#primitives, i, j) < near.reach[i]! + near.reach[j]!;
    for (let i = 0; i < strands.length; i++) this.#parents[i] = i;
    for (let i = 0; i < strands.length; i++) this.#unite(i, this.#isDynamic(i) ? chain[i]! : strands[i]!);
    this.#visitPairs(near, (i, j) => {
      if (strands[j] === strands[i] && this.#find(i) !== this.#find(j) && touches(i, j)) this.#unite(i, j);
    });
    const split = strands.some((strand, i) => this.#find(i) !== strand);
    const fading = new Map([...this.#links].filter(([, weight]) => weight < 1 || split));
    if (!split && fading.size === 0) return;
    // Links go to those parts that still touch; a link without touching parts is gone.
    const kept = new Map<number, number>();
    this.#visitPairs(near, (i, j) => {
      if (strands[i] === strands[j]) return;
      const weight = fading.get(this.#key(strands[i]!, strands[j]!));
      const parts = this.#key(this.#find(i), this.#find(j));
      if (weight !== undefined && !kept.has(parts) && touches(i, j)) kept.set(parts, weight);
    });
    for (const [pair, weight] of this.#links) if (!this.#isDynamic(this.#strandsOf(pair)[0])) kept.set(pair, weight);
    this.#links = kept;
    this.#rename();
  }

  #closeLinks(dt: number): void {
    let closed = false;
    for (const [pair, weight] of this.#links) {
      if (weight >= 1) continue;
      const grown = Math.min(1, weight + dt / this.#fusionTime);
      this.#links.set(pair, grown);
      if (grown >= 1) closed = true;
    }
    if (!closed) return;
    this.#parents.set(this.strands);
    for (const [pair, weight] of this.#links) {
      const [a, b] = this.#strandsOf(pair);
      if (weight >= 1 && this.#isDynamic(a)) this.#unite(a, b);
    }
    const renamed = new Map<number, number>();
    for (const [pair, weight] of this.#links) {
      const [a, b] = this.#strandsOf(pair).map((strand) => this.#find(strand)) as [number, number];
      if (a !== b) renamed.set(this.#key(a, b), Math.max(weight, renamed.get(this.#key(a, b)) ?? 0));
    }
    this.#links = renamed;
    this.#rename();
  }

  #rename(): void {
    for (let i = 0; i < this.strands.length; i++) this.strands[i] = this.#find(i);
  }

  #countPieces(): void {
    const { labels } = this;
    this.#parents.set(this.strands);
    for (const pair of this.#links.keys()) this.#unite(...this.#strandsOf(pair));
    this.count = 0;
    for (let i = 0; i < labels.length; i++) labels[i] = this.#find(i) === i ? this.count++ : labels[this.#find(i)]!;
  }
}

/** λ = 1 along the graphs of fixed objects, keyed by the lower strand × #P + the higher. */
function readLinks(input: SoftWorldInput, primitives: Primitives): Map<number, number> {
  const links = new Map<number, number>();
  input.objects.forEach((owner, o) => {
    const members = new Map<string, number>();
    input.primitives.forEach((primitive, i) => {
      if (primitives.object[i] !== o) return;
      members.set(primitive.name, primitives.chain[i]!);
      if (primitive.chain !== undefined) members.set(primitive.chain, primitives.chain[i]!);
    });
    (owner.blends ?? []).forEach(([a, b], n) => {
      const i = members.get(a);
      const j = members.get(b);
      if (i === undefined || j === undefined || i === j) {
        const message = `A blend names two different primitives or chains of its object, not "${a}" and "${b}"; correct it.`;
        throw new IsoskinError('BLEND_UNKNOWN', message, `objects[${o}] "${owner.name}".blends[${n}]`);
      }
      links.set(Math.min(i, j) * primitives.count + Math.max(i, j), 1);
    });
  });
  return links;
}
