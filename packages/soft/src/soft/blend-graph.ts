import { LowestSets } from './lowest-sets.js';
import { measureGap, type NeighbourGrid } from './neighbour-grid.js';
import type { Primitives } from './pack-primitives.js';
import { readLinks } from './read-links.js';
import type { SoftWorldInput } from './soft-world.js';

interface Saved extends Readonly<Record<'fractures' | 'fusions', number>> {
  readonly strands: Int32Array;
  readonly fused: Float64Array;
  readonly closing: Uint8Array;
  readonly links: Map<number, number>;
  readonly border: readonly (readonly [number, number])[];
}

/**
 * I2. Who blends with whom. A *strand* is a set of primitives whose potentials simply add up; strands are linked with a weight
 * λ ∈ [0, 1]:
 *
 *   S_s(P) = Σ_{i ∈ s} f_i(P),     F_s = S_s + Σ_{s′} λ_{ss′} min(S_s, S_s′),     f = max_s F_s
 *
 * A fixed object has one strand per primitive (or chain) and λ = 1 along its graph. A dynamic object begins as one strand; each
 * connected component of overlapping influence zones becomes its own (fracture: nothing jumps, the potentials that leave are
 * zero there). Fusion goes pair by pair: two strands are linked, and each primitive has a share φ_i that grows from 0 to 1 over a
 * short time once it was pressed; between linked strands
 *
 *   λ_{ss′}(P) = Σ_{i ∈ s ∪ s′} φ_i f_i(P) / Σ_{i ∈ s ∪ s′} f_i(P)
 *
 * is local, so that volume and forces stay continuous in space and time. A primitive whose φ is 1 goes over to the *seam*, a strand that
 * blends fully with both; what has not fused still collides. When nothing of the two touches across any more, all three are one strand.
 * A strand's number is its lowest primitive.
 *
 * Based on: Desbrun, Gascuel 1995; the `min` is this project's (docs/decisions/blending-graph.md).
 */
export class BlendGraph {
  /** #P. */
  readonly strands: Int32Array;
  /** #P, number of the piece of each primitive, numbered by first primitive. */
  readonly labels: Int32Array;
  count = 0;
  /** #P, which closed surface each primitive lies in: pieces, divided where their strands have not yet become one. */
  readonly shells: Int32Array;
  shellCount = 0;
  /** φ, #P (of a chain at its first primitive). */
  readonly fused: Float64Array;
  /** Events so far. */
  fractures = 0;
  fusions = 0;
  readonly #primitives: Primitives;
  readonly #chain: Int32Array;
  readonly #dynamic: readonly boolean[];
  readonly #fuses: readonly boolean[];
  readonly #fusionTime: number;
  readonly #sets: LowestSets;
  /** By the lower strand × #P + the higher: 1 blends everywhere, 0 as far as φ says. */
  #links: Map<number, number>;
  /** #P: whether φ grows. */
  readonly #closing: Uint8Array;
  /** Pairs that touched across when their strands began to fuse. */
  #border: readonly (readonly [number, number])[] = [];
  #near: NeighbourGrid | undefined;
  #saved!: Saved;

  constructor(input: SoftWorldInput, primitives: Primitives) {
    const { count, chain, object } = primitives;
    this.#primitives = primitives;
    this.#chain = chain;
    this.#dynamic = input.objects.map(({ blending }) => blending !== 'fixed');
    this.#fuses = input.objects.map((o, i) => this.#dynamic[i]! && o.fuses !== false);
    this.#fusionTime = Math.max(1e-9, input.fusion?.time ?? 0.2);
    this.#sets = new LowestSets(count);
    this.labels = new Int32Array(count);
    this.shells = new Int32Array(count);
    this.fused = new Float64Array(count);
    this.#closing = new Uint8Array(count);
    this.strands = Int32Array.from(chain, (first, i) =>
      this.#dynamic[object[i]!] ? object.indexOf(object[i]!) : first,
    );
    this.#links = readLinks(input, primitives);
    this.save();
    this.#countPieces();
  }

  /** Whether two strands blend everywhere. */
  isJoined(a: number, b: number): boolean {
    return a === b || this.#links.get(this.#key(a, b)) === 1;
  }

  /** Whether two strands blend where their primitives have fused. */
  isClosing(a: number, b: number): boolean {
    return a !== b && this.#links.get(this.#key(a, b)) === 0;
  }

  /** How far two primitives hold together: 1 in one strand, as far as both have fused across. */
  bond(i: number, j: number): number {
    const [a, b] = [this.strands[i]!, this.strands[j]!];
    if (this.isJoined(a, b)) return 1;
    const least = Math.min(this.fused[this.#chain[i]!]!, this.fused[this.#chain[j]!]!);
    return least > 0 && this.isClosing(a, b) ? least : 0;
  }

  /** Share of the borders that has fused, of all pieces that ever began to: 0 … 1. */
  get fusedShare(): number {
    const sum = this.#border.reduce((total, [i, j]) => total + this.bond(i, j), 0);
    return sum / (this.#border.length || 1);
  }

  /** Splits what no longer hangs together and advances the links that are closing. */
  update(near: NeighbourGrid, dt: number): void {
    const before = this.count;
    this.#near = near;
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

  /** Begins to join two primitives, with those of their strands that lie in their influence zones: the flesh that meets there. */
  fuse(i: number, j: number): void {
    const [a, b] = [this.strands[i]!, this.strands[j]!];
    if (this.isJoined(a, b)) return;
    const near = this.#near!;
    for (const p of [i, j]) {
      this.#closing[this.#chain[p]!] = 1;
      for (let n = near.offsets[p]!; n < near.offsets[p + 1]!; n++) {
        const q = near.items[n]!;
        const ours = this.strands[q] === a || this.strands[q] === b;
        if (ours && measureGap(this.#primitives, p, q) < near.reach[p]!) this.#closing[this.#chain[q]!] = 1;
      }
    }
    if (this.#links.has(this.#key(a, b))) return;
    const before = this.count;
    const border = [...this.#border];
    this.#visitPairs(near, (p, q) => {
      const across =
        this.strands[p] !== this.strands[q] && this.#key(this.strands[p]!, this.strands[q]!) === this.#key(a, b);
      if (across && this.#touches(near, p, q)) border.push([p, q]);
    });
    this.#border = border;
    this.#links = new Map(this.#links).set(this.#key(a, b), 0);
    this.#countPieces();
    this.fusions += before - this.count;
  }

  save(): void {
    const { fractures, fusions } = this;
    const arrays = { strands: this.strands.slice(), fused: this.fused.slice(), closing: this.#closing.slice() };
    this.#saved = { ...arrays, links: this.#links, border: this.#border, fractures, fusions };
  }

  restore(): void {
    this.strands.set(this.#saved.strands);
    this.#links = this.#saved.links;
    this.fused.set(this.#saved.fused);
    this.#closing.set(this.#saved.closing);
    this.#border = this.#saved.border;
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
    this.#sets.begin();
    for (let i = 0; i < strands.length; i++) this.#sets.unite(i, this.#isDynamic(i) ? chain[i]! : strands[i]!);
    this.#visitPairs(near, (i, j) => {
      if (strands[j] === strands[i] && this.#sets.find(i) !== this.#sets.find(j) && this.#touches(near, i, j))
        this.#sets.unite(i, j);
    });
    const split = strands.some((strand, i) => this.#sets.find(i) !== strand);
    const fading = new Map([...this.#links].filter(([pair]) => this.#isDynamic(this.#strandsOf(pair)[0])));
    if (!split && fading.size === 0) return;
    // Links go to those parts that still touch; a link without touching parts is gone.
    const kept = new Map<number, number>();
    this.#visitPairs(near, (i, j) => {
      if (strands[i] === strands[j]) return;
      const weight = fading.get(this.#key(strands[i]!, strands[j]!));
      const parts = this.#key(this.#sets.find(i), this.#sets.find(j));
      if (weight !== undefined && !kept.has(parts) && this.#touches(near, i, j)) kept.set(parts, weight);
    });
    for (const [pair, weight] of this.#links) if (!this.#isDynamic(this.#strandsOf(pair)[0])) kept.set(pair, weight);
    this.#links = kept;
    for (let i = 0; i < strands.length; i++) strands[i] = this.#sets.find(i);
  }

  #touches(near: NeighbourGrid, i: number, j: number): boolean {
    return measureGap(this.#primitives, i, j) < near.reach[i]! + near.reach[j]!;
  }

  /** φ grows where it has begun to, what has fused goes over to the seam, and strands with nothing left to fuse become one. */
  #closeLinks(dt: number): void {
    if (this.#links.size === 0) return;
    const { strands, fused } = this;
    for (let i = 0; i < fused.length; i++) {
      if (this.#closing[i]) fused[i] = Math.min(1, fused[i]! + dt / this.#fusionTime);
    }
    for (const [pair, weight] of [...this.#links]) if (weight === 0) this.#growSeam(...this.#strandsOf(pair));
    // A seam stays one as long as its two sides have a border to fuse.
    this.#sets.begin(strands);
    let ended = false;
    for (const [pair, weight] of this.#links) {
      const [a, b] = this.#strandsOf(pair);
      const open = (x: number, y: number) =>
        [...this.#links].some(([other, w]) => {
          if (w !== 0) return false;
          const ends = this.#strandsOf(other);
          return ends.includes(x) && this.isJoined(y, ends[0] === x ? ends[1] : ends[0]);
        });
      if (weight !== 1 || !this.#isDynamic(a) || open(a, b) || open(b, a)) continue;
      this.#sets.unite(a, b);
      ended = true;
    }
    if (ended) this.#regroup((i) => this.#sets.find(strands[i]!));
    for (let i = 0; i < fused.length; i++) {
      // What is one has no border: it would fuse at once where it broke and met again.
      const pairs = [...this.#links].map(([pair]) => this.#strandsOf(pair));
      if (fused[i]! > 0 && !pairs.some((ends) => ends.includes(strands[i]!))) fused[i] = this.#closing[i] = 0;
    }
  }

  /** Moves what has fused of two closing strands, and their seams, to one seam. */
  #growSeam(a: number, b: number): void {
    const { strands, fused } = this;
    if (!this.isClosing(a, b)) return;
    const isSeam = (s: number) => s !== a && s !== b && this.isJoined(s, a) && this.isJoined(s, b);
    const members: number[] = [];
    for (let i = 0; i < strands.length; i++) {
      const s = strands[i]!;
      if (isSeam(s) || ((s === a || s === b) && fused[this.#chain[i]!] === 1)) members.push(i);
    }
    if (members.length === 0) return;
    const seam = members[0]!;
    const isMember = new Set(members);
    const left = (s: number) => strands.findIndex((strand, i) => strand === s && !isMember.has(i));
    const [restA, restB] = [left(a), left(b)];
    this.#regroup(
      (i) => (isMember.has(i) ? seam : strands[i] === a ? restA : strands[i] === b ? restB : strands[i]!),
      seam,
    );
    for (const rest of [restA, restB]) if (rest >= 0) this.#links.set(this.#key(seam, rest), 1);
    if (restA >= 0 && restB >= 0) this.#links.set(this.#key(restA, restB), 0);
  }

  /** Gives every primitive its new strand; links go with those that do not go to the seam. */
  #regroup(next: (i: number) => number, seam = -1): void {
    const names = this.strands.map((_, i) => next(i));
    const heirs = new Map<number, number>();
    this.strands.forEach((strand, i) => {
      if (!heirs.has(strand) || heirs.get(strand) === seam) heirs.set(strand, names[i]!);
    });
    const links = new Map<number, number>();
    for (const [pair, weight] of this.#links) {
      const [a, b] = this.#strandsOf(pair).map((strand) => heirs.get(strand)!) as [number, number];
      if (a !== b) links.set(this.#key(a, b), Math.max(weight, links.get(this.#key(a, b)) ?? 0));
    }
    this.#links = links;
    this.strands.set(names);
  }

  #countPieces(): void {
    this.count = this.#label(this.labels, 0);
    this.shellCount = this.#label(this.shells, 1);
  }

  /** Numbers what hangs together by links of at least this weight; returns how many there are. */
  #label(out: Int32Array, least: number): number {
    let count = 0;
    this.#sets.begin(this.strands);
    for (const [pair, weight] of this.#links) if (weight >= least) this.#sets.unite(...this.#strandsOf(pair));
    for (let i = 0; i < out.length; i++) out[i] = this.#sets.find(i) === i ? count++ : out[this.#sets.find(i)]!;
    return count;
  }
}
