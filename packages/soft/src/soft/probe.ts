import type { BlendGraph } from './blend-graph.js';
import { measureClosest } from './closest-point.js';
import { createProbeArrays } from './create-probe-arrays.js';
import { evaluateDepthPotential, evaluateDepthSlope } from './depth-potential.js';
import type { Primitives } from './pack-primitives.js';
import { divideShare, FIELD, isSettled, OTHER, OWN, RIVAL, TOP } from './territory-share.js';

/** Largest λ of strands that are still two: where it is 1 they are one, and have no contact surface. */
const CLOSED = 1 - 1e-9;

/** How a rival of strength F pushes, in the shell or outside. */
export type Push = (rival: number, inside: boolean) => number;

/**
 * I1, I2. The field near a place, seen from one primitive: `prepare` its neighbours once, `select` the few that reach the
 * neighbourhood of a point, then `measure` at as many points around it as needed; nothing far away is looked at.
 *
 * Seen from primitive i of strand s:
 *   FIELD  F = max of F_s and of the strands fully linked with s (what i is part of)
 *   RIVAL  the largest F of the strands that s does not blend with (other objects, other pieces, the arm beside the body)
 *   OWN    depth of the point in i, e_i + ε_i − d_i, and OTHER the largest depth in what i blends with: i's territory is where
 *          OWN ≥ OTHER (TOP: the thickness of the deeper of the two). For equal potentials that is f_i ≥ f_j.
 */
export class Probe {
  readonly result = new Float64Array(6);
  readonly #primitives: Primitives;
  readonly #graph: BlendGraph;
  readonly #arrays: ReturnType<typeof createProbeArrays>;
  #prepared = 0;
  #count = 0;
  #strandCount = 0;
  /** λ of all pairs of strands among the candidates, of those that close at the point last measured. */
  #weights = new Float64Array(16);
  /** Pairs that close: places in `#weights`. */
  readonly #closing: number[] = [];
  #fieldStrand = 0;
  #rivalStrand = -1;
  readonly #closest = new Float64Array(5);

  constructor(primitives: Primitives, graph: BlendGraph) {
    this.#primitives = primitives;
    this.#graph = graph;
    this.#arrays = createProbeArrays(primitives.count);
  }

  /** The primitives to look at from now on: i (−1: nobody asks) and items[start … end). Selects all of them. */
  prepare(i: number, items: Int32Array, start: number, end: number): void {
    const { local } = this.#arrays;
    this.#prepared = 0;
    this.#strandCount = 0;
    if (i >= 0) this.#push(i);
    for (let n = start; n < end; n++) this.#push(items[n]!);
    this.#count = this.#prepared;
    const size = this.#strandCount;
    if (size * size > this.#weights.length) this.#weights = new Float64Array(2 * size * size);
    this.#closing.length = 0;
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) {
        this.#weights[a * size + b] = this.#graph.isJoined(local[a]!, local[b]!) ? 1 : 0;
        if (this.#graph.isClosing(local[a]!, local[b]!)) this.#closing.push(a * size + b);
      }
    }
  }

  #push(j: number): void {
    const { ids, strandOf, chosen, local } = this.#arrays;
    const n = this.#prepared++;
    ids[n] = j;
    chosen[n] = n;
    const strand = this.#graph.strands[j]!;
    let s = 0;
    while (s < this.#strandCount && local[s] !== strand) s++;
    if (s === this.#strandCount) local[this.#strandCount++] = strand;
    strandOf[n] = s;
  }

  /** Looks only at those that reach within `slack` of the point. */
  select(x: number, y: number, z: number, slack: number): void {
    const { ids, chosen } = this.#arrays;
    const { thickness, width, offsets } = this.#primitives;
    this.#count = 1;
    chosen[0] = 0;
    for (let c = 1; c < this.#prepared; c++) {
      const j = ids[c]!;
      const limit = offsets[j]! + thickness[j]! + width[j]! + slack;
      const squared = measureClosest(this.#closest, this.#primitives, j, x, y, z);
      if (squared < limit * limit) chosen[this.#count++] = c;
    }
  }

  /** Potentials of all selected (chains count once) and the totals F_s. */
  #measureStrands(x: number, y: number, z: number): void {
    const { ids, strandOf, chosen, values, depths, feet, chainBest, sums, fusedSums } = this.#arrays;
    const { thickness, width, stiffness, bits, offsets, chain, chainSize } = this.#primitives;
    const { fused } = this.#graph;
    sums.fill(0, 0, this.#strandCount);
    fusedSums.fill(0, 0, this.#strandCount);
    for (let n = 0; n < this.#count; n++) {
      const c = chosen[n]!;
      const j = ids[c]!;
      const e = thickness[j]!;
      const w = width[j]!;
      const reach = Math.max(0, e + w + offsets[j]!);
      const squared = measureClosest(this.#closest, this.#primitives, j, x, y, z);
      for (let axis = 0; axis < 3; axis++) feet[3 * n + axis] = this.#closest[axis]!;
      let f = 0;
      depths[n] = -w;
      if (squared < reach * reach) {
        const distance = Math.sqrt(squared) - offsets[j]!;
        f = evaluateDepthPotential(distance, e, w, stiffness[j]!, bits[j]!);
        depths[n] = e - distance;
      }
      values[n] = f;
      let more = f;
      if (chainSize[j]! > 1) {
        const best = chainBest[chain[j]!]!;
        const before = best < 0 ? 0 : values[best]!;
        if (best >= 0 && f <= before) continue;
        more = f - before;
        chainBest[chain[j]!] = n;
      }
      sums[strandOf[c]!]! += more;
      fusedSums[strandOf[c]!]! += fused[chain[j]!]! * more;
    }
    this.#addLinked();
  }

  /** F_s = S_s + Σ λ min(S_s, S_t). */
  #addLinked(): void {
    const { sums, fusedSums, totals } = this.#arrays;
    const [size, weights] = [this.#strandCount, this.#weights];
    for (const pair of this.#closing) {
      const [a, b] = [Math.floor(pair / size), pair % size];
      const sum = sums[a]! + sums[b]!;
      weights[pair] = sum > 0 ? (CLOSED * (fusedSums[a]! + fusedSums[b]!)) / sum : 0;
    }
    for (let a = 0; a < size; a++) {
      let total = sums[a]!;
      for (let b = 0; b < size && sums[a]! > 0; b++) {
        if (b !== a) total += weights[a * size + b]! * Math.min(sums[a]!, sums[b]!);
      }
      totals[a] = total;
    }
  }

  #forgetChains(): void {
    const { ids, chosen, chainBest } = this.#arrays;
    for (let n = 0; n < this.#count; n++) chainBest[this.#primitives.chain[ids[chosen[n]!]!]!] = -1;
  }

  /** FIELD and RIVAL: the largest total of what the first strand blends with, and of all others. */
  #compareStrands(): void {
    const { totals } = this.#arrays;
    let [field, rival] = [totals[0]!, 0];
    this.#fieldStrand = 0;
    this.#rivalStrand = -1;
    for (let s = 1; s < this.#strandCount; s++) {
      if (this.#weights[s] === 1) {
        if (totals[s]! > field) {
          field = totals[s]!;
          this.#fieldStrand = s;
        }
      } else if (totals[s]! > rival) {
        rival = totals[s]!;
        this.#rivalStrand = s;
      }
    }
    this.result[FIELD] = field;
    this.result[RIVAL] = rival;
  }

  measure(x: number, y: number, z: number): void {
    const { ids, strandOf, chosen, values, depths } = this.#arrays;
    this.#measureStrands(x, y, z);
    this.#forgetChains();
    let [other, top] = [-Infinity, 0];
    for (let n = 1; n < this.#count; n++) {
      if (values[n]! > 0 && depths[n]! > other && this.#weights[strandOf[chosen[n]!]!] === 1) {
        other = depths[n]!;
        top = chosen[n]!;
      }
    }
    this.#compareStrands();
    this.result[OWN] = depths[0]!;
    this.result[OTHER] = other;
    this.result[TOP] = this.#primitives.thickness[ids[other > depths[0]! ? top : 0]!]!;
  }

  /**
   * The largest F_s − push(F_t) of the strands s of a shell (after prepare with i = −1); t is the one that pushes s most of those that
   * it does not blend with, in the shell (an arm on its body) or outside. RIVAL receives F_t, 0 where nobody pushes.
   */
  measureShell(shell: number, push: Push, x: number, y: number, z: number): number {
    const { local, totals } = this.#arrays;
    const size = this.#strandCount;
    const isIn = (s: number) => this.#graph.shells[local[s]!] === shell;
    this.#measureStrands(x, y, z);
    this.#forgetChains();
    let best = -Infinity;
    this.#fieldStrand = this.#rivalStrand = -1;
    this.result[RIVAL] = 0;
    for (let s = 0; s < size; s++) {
      if (!isIn(s)) continue;
      let [pushed, rival] = [0, -1];
      for (let t = 0; t < size; t++) {
        if (t === s || this.#weights[s * size + t] === 1 || totals[t] === 0) continue;
        const more = push(totals[t]!, isIn(t));
        if (more > pushed) [pushed, rival] = [more, t];
      }
      if (totals[s]! - pushed <= best) continue;
      best = totals[s]! - pushed;
      this.#fieldStrand = s;
      this.#rivalStrand = rival;
      this.result[RIVAL] = rival < 0 ? 0 : totals[rival]!;
    }
    return this.#fieldStrand < 0 ? 0 : best;
  }

  /**
   * Share of candidate 0 in the point last measured, borders fading over `fade` thicknesses (sample-territories.ts);
   * SLOPE receives its derivative by i's own offset.
   */
  share(fade: number): number {
    const { strandOf, chosen, depths } = this.#arrays;
    const { result } = this;
    const floor = Math.max(result[OWN]!, result[OTHER]!) - fade * result[TOP]!;
    if (isSettled(result, floor)) return result[OWN]! <= floor ? 0 : 1;
    let [sum, others] = [0, -1];
    for (let n = 0; n < this.#count; n++) {
      if (depths[n]! <= floor || this.#weights[strandOf[chosen[n]!]!] !== 1) continue;
      sum += depths[n]! - floor;
      others++;
    }
    return divideShare(result, floor, sum, others);
  }

  /** Strongest primitive of the rival strand at the point last measured, −1 without rival. */
  rival(): number {
    const { ids, strandOf, chosen, values } = this.#arrays;
    let best = -1;
    for (let n = 0; n < this.#count; n++) {
      const theirs = strandOf[chosen[n]!] === this.#rivalStrand;
      if (theirs && (best < 0 || values[n]! > values[best]!)) best = n;
    }
    return best < 0 ? -1 : ids[chosen[best]!]!;
  }

  /** λ between the two strands that meet at the point last measured. */
  rivalLink(): number {
    return this.#rivalStrand < 0 ? 0 : this.#weights[this.#fieldStrand * this.#strandCount + this.#rivalStrand]!;
  }

  /** ∇FIELD to out[0…2] and ∇RIVAL to out[3…5] at the point last measured. */
  gradients(out: Float64Array, x: number, y: number, z: number): void {
    this.#measureStrands(x, y, z);
    out.fill(0);
    if (this.#fieldStrand >= 0) this.#addGradient(out, 0, this.#fieldStrand, x, y, z);
    if (this.#rivalStrand >= 0) this.#addGradient(out, 3, this.#rivalStrand, x, y, z);
    this.#forgetChains();
  }

  #addGradient(out: Float64Array, at: number, s: number, x: number, y: number, z: number): void {
    const { ids, strandOf, chosen, values, feet, chainBest } = this.#arrays;
    const { thickness, width, stiffness, bits, offsets, chain, chainSize } = this.#primitives;
    for (let n = 0; n < this.#count; n++) {
      const c = chosen[n]!;
      const j = ids[c]!;
      if (values[n]! <= 0) continue;
      let factor = this.#countIn(s, strandOf[c]!, this.#graph.fused[chain[j]!]!);
      if (factor === 0 || (chainSize[j]! > 1 && chainBest[chain[j]!] !== n)) continue;
      const dx = x - feet[3 * n]!;
      const dy = y - feet[3 * n + 1]!;
      const dz = z - feet[3 * n + 2]!;
      const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (d === 0) continue;
      factor *= evaluateDepthSlope(d - offsets[j]!, thickness[j]!, width[j]!, stiffness[j]!, bits[j]!) / d;
      out[at]! += factor * dx;
      out[at + 1]! += factor * dy;
      out[at + 2]! += factor * dz;
    }
  }

  /**
   * How often a primitive of strand t, with share φ, counts in F_s: itself fully, and again for every linked strand that is stronger
   * than it; and what it does to λ, ∂λ/∂f = (φ − λ)/(S_s + S_b), where strands close.
   */
  #countIn(s: number, t: number, fused: number): number {
    const { sums } = this.#arrays;
    const [size, weights] = [this.#strandCount, this.#weights];
    let factor = t === s ? 1 : sums[t]! <= sums[s]! ? weights[s * size + t]! : 0;
    for (let b = 0; b < size && t === s; b++) if (b !== s && sums[b]! > sums[s]!) factor += weights[s * size + b]!;
    for (const pair of this.#closing) {
      const b = pair % size;
      if (Math.floor(pair / size) !== s || (t !== s && t !== b)) continue;
      const sum = sums[s]! + sums[b]!;
      if (sum > 0) factor += (Math.min(sums[s]!, sums[b]!) * (CLOSED * fused - weights[pair]!)) / sum;
    }
    return factor;
  }
}
