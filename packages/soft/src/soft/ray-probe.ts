import { QUADRATIC, SMOOTH } from './depth-potential.js';
import { divideShare, FIELD, isSettled, OTHER, OWN, RIVAL, TOP } from './territory-share.js';
import type { WorldParts } from './world-parts.js';

/** Memory of a probe among so many primitives. */
function createArrays(count: number) {
  return {
    /** Prepared: r and r² of each, reach and e + ε. The owner is the first. */
    places: new Float64Array(4 * count),
    reaches: new Float64Array(count),
    tops: new Float64Array(count),
    /** Selected: 2a, r², reach², e + ε, and the depth last measured. */
    twice: new Float64Array(count),
    squares: new Float64Array(count),
    limits: new Float64Array(count),
    levels: new Float64Array(count),
    depths: new Float64Array(count),
    /** Of the selected, those that `measureShare` looks at. */
    narrowed: new Int32Array(count),
  };
}

/**
 * I3. The probe along a ray. The general case is probe.ts; the case that counts, particles of one substance (points of one
 * strand with one potential: *plain*), has its own loops: with r_j the place of neighbour j seen from the ray's origin and
 * a_j = u·r_j,
 *
 *   d_j² = r_j² + t(t − 2a_j)
 *
 * so that a measurement costs one square root and a few operations per neighbour in reach.
 */
export class RayProbe {
  /** As of Probe. */
  readonly result: Float64Array;
  readonly #parts: WorldParts;
  #owner = 0;
  #plain = false;
  readonly #arrays: ReturnType<typeof createArrays>;
  #prepared = 0;
  #count = 0;
  #narrowCount = 0;
  /** The first so many can have a share on the rays up to `within`; the others only add to the field there. */
  #closeCount = 0;
  #within = 0;
  #fade = 0;
  /** The ray (×3), where on it neighbours were selected and how far around; whether all of them or the close ones. */
  #ray = 0;
  #centre = 0;
  #slack = 0;
  #wide = true;

  constructor(parts: WorldParts) {
    this.#parts = parts;
    this.result = parts.probe.result;
    this.#arrays = createArrays(parts.primitives.count + 1);
  }

  /** The primitive that owns the rays, the neighbours that they can meet, how far most rays go and how wide borders fade. */
  prepare(i: number, items: Int32Array, size: number, within: number, fade: number): void {
    this.#owner = i;
    this.#plain = this.#isPlain(i, items, size);
    if (!this.#plain) {
      this.#parts.probe.prepare(i, items, 0, size);
      return;
    }
    this.#prepared = 0;
    this.#fade = fade * this.#parts.primitives.thickness[i]!;
    this.#within = within;
    this.#push(i, true);
    for (let n = 0; n < size; n++) this.#push(items[n]!, true);
    this.#closeCount = this.#prepared;
    for (let n = 0; n < size; n++) this.#push(items[n]!, false);
  }

  #isPlain(i: number, items: Int32Array, size: number): boolean {
    const { shape, chainSize, thickness, width, stiffness, bits } = this.#parts.primitives;
    const { strands } = this.#parts.graph;
    if (shape[i] !== 1 || chainSize[i] !== 1) return false;
    for (let n = 0; n < size; n++) {
      const j = items[n]!;
      if (strands[j] !== strands[i] || shape[j] !== 1 || chainSize[j] !== 1) return false;
      if (thickness[j] !== thickness[i] || width[j] !== width[i]) return false;
      if (stiffness[j] !== stiffness[i] || bits[j] !== bits[i]) return false;
    }
    return true;
  }

  /** Prepares j if it is close, or if it is not; close: d_j ≤ t + fade + ε_j − ε_i for some t ≤ within. */
  #push(j: number, close: boolean): void {
    const { places, reaches, tops } = this.#arrays;
    const { corners, thickness, width, offsets } = this.#parts.primitives;
    const i = this.#owner;
    const n = this.#prepared;
    const dx = corners[9 * j]! - corners[9 * i]!;
    const dy = corners[9 * j + 1]! - corners[9 * i + 1]!;
    const dz = corners[9 * j + 2]! - corners[9 * i + 2]!;
    const squared = dx * dx + dy * dy + dz * dz;
    const limit = 2 * this.#within + this.#fade + Math.max(0, offsets[j]! - offsets[i]!);
    if (j !== i && squared < limit * limit !== close) return;
    places[4 * n] = dx;
    places[4 * n + 1] = dy;
    places[4 * n + 2] = dz;
    places[4 * n + 3] = squared;
    tops[n] = thickness[j]! + offsets[j]!;
    reaches[n] = Math.max(0, thickness[j]! + width[j]! + offsets[j]!);
    this.#prepared++;
  }

  /**
   * The ray to measure on, and how far around a selected place measurements go. Unless `full`, FIELD may be too small where
   * it does not matter because the border of the territory is nearer than the surface.
   */
  aim(ray: number, slack: number, full: boolean): void {
    this.#ray = 3 * ray;
    this.#slack = slack;
    this.#wide = full;
  }

  /** Coordinate of the place t of the ray. */
  #along(t: number, axis: number): number {
    return this.#parts.rays.origins[this.#ray + axis]! + t * this.#parts.rays.directions[this.#ray + axis]!;
  }

  /** Selects the neighbours that reach the ray around t; `measure` does it by itself where needed. */
  select(t: number): void {
    this.#centre = t;
    if (this.#plain) this.#selectPlain(t);
    else this.#parts.probe.select(this.#along(t, 0), this.#along(t, 1), this.#along(t, 2), this.#slack);
  }

  #selectPlain(t: number): void {
    const { places, reaches, tops, twice, squares, limits, levels } = this.#arrays;
    const { directions } = this.#parts.rays;
    // Local names: the loops run for many worlds, and fields would be fetched again and again.
    const slack = this.#slack;
    const size = this.#wide ? this.#prepared : this.#closeCount;
    const ux = directions[this.#ray]!;
    const uy = directions[this.#ray + 1]!;
    const uz = directions[this.#ray + 2]!;
    let n = 0;
    for (let c = 0, at = 0; c < size; c++, at += 4) {
      const double = 2 * (ux * places[at]! + uy * places[at + 1]! + uz * places[at + 2]!);
      const squared = places[at + 3]!;
      const reach = reaches[c]!;
      const limit = reach + slack;
      twice[n] = double;
      squares[n] = squared;
      limits[n] = reach * reach;
      levels[n] = tops[c]!;
      // The owner stays; others are overwritten by the next one unless they reach.
      n += c === 0 || squared + t * (t - double) < limit * limit ? 1 : 0;
    }
    this.#count = n;
  }

  #selectAll(t: number): void {
    this.#wide = true;
    this.select(t);
  }

  /** Measures with all neighbours. */
  measureFully(t: number): void {
    if (!this.#wide) this.#selectAll(t);
    this.measure(t);
  }

  measure(t: number): void {
    const { result } = this;
    if (Math.abs(t - this.#centre) > this.#slack) this.select(t);
    if (!this.#plain) {
      this.#parts.probe.measure(this.#along(t, 0), this.#along(t, 1), this.#along(t, 2));
      return;
    }
    if (!this.#wide && t > this.#within) this.#selectAll(t);
    this.#measureSelected(t);
    // The close ones alone say that the border comes before the surface: more can only add to the field.
    if (this.#wide) return;
    const border = result[OWN]! - result[OTHER]! + this.#fade;
    if ((result[FIELD]! - 1) / this.#parts.primitives.stiffness[this.#owner]! >= border) return;
    this.#selectAll(t);
    this.#measureSelected(t);
  }

  /** Depths and the sum of potentials of the selected. */
  #measureSelected(t: number): void {
    const { twice, squares, limits, levels, depths } = this.#arrays;
    const { thickness, width, stiffness, bits } = this.#parts.primitives;
    const e = thickness[this.#owner]!;
    const w = width[this.#owner]!;
    const k = stiffness[this.#owner]!;
    const bend = bits[this.#owner]! & QUADRATIC ? (0.5 * k) / e : 0;
    const smooth = (bits[this.#owner]! & SMOOTH) !== 0;
    const inverse = 1 / w;
    const size = this.#count;
    let sum = 0;
    let own = -w;
    let other = -Infinity;
    for (let n = 0; n < size; n++) {
      const squared = squares[n]! + t * (t - twice[n]!);
      let depth = -w;
      if (squared < limits[n]!) {
        depth = levels[n]! - Math.sqrt(squared > 0 ? squared : 0);
        if (depth >= 0) sum += 1 + depth * (k + bend * depth);
        else {
          // 1 − u, u = (x − e)/w.
          const v = 1 + depth * inverse;
          sum += smooth ? v * v * (1.5 - 0.5 * v) : v;
        }
        if (n === 0) own = depth;
        else if (depth > other) other = depth;
      }
      depths[n] = depth;
    }
    const { result } = this;
    result[FIELD] = sum;
    result[RIVAL] = 0;
    result[OWN] = own;
    result[OTHER] = other;
    result[TOP] = e;
  }

  /** Share at the place last measured. */
  share(fade: number): number {
    return this.#plain ? this.#shareOf(fade, this.#count) : this.#parts.probe.share(fade);
  }

  /** Share of OWN among the first `size` depths. */
  #shareOf(fade: number, size: number): number {
    const { depths } = this.#arrays;
    const { result } = this;
    const floor = Math.max(result[OWN]!, result[OTHER]!) - fade * this.#parts.primitives.thickness[this.#owner]!;
    if (isSettled(result, floor)) return result[OWN]! <= floor ? 0 : 1;
    let sum = 0;
    let others = -1;
    for (let n = 0; n < size; n++) {
      if (depths[n]! <= floor) continue;
      sum += depths[n]! - floor;
      others++;
    }
    return divideShare(result, floor, sum, others);
  }

  /** From the place last measured: `measureShare` looks only at those that can have a share there or further in. */
  narrow(fade: number): void {
    const { depths, narrowed } = this.#arrays;
    // Towards the skeleton OWN grows with the way, and no depth faster: who is out of reach of OWN here stays so.
    const floor = this.result[OWN]! - fade * this.result[TOP]!;
    let size = 1;
    narrowed[0] = 0;
    for (let n = 1; n < this.#count; n++) {
      narrowed[size] = n;
      size += depths[n]! > floor ? 1 : 0;
    }
    this.#narrowCount = size;
  }

  /** OWN, OTHER, TOP, SLOPE and the share at a place. */
  measureShare(t: number, fade: number): number {
    const { twice, squares, levels, depths, narrowed } = this.#arrays;
    if (!this.#plain) {
      this.measure(t);
      return this.#parts.probe.share(fade);
    }
    const size = this.#narrowCount;
    let other = -Infinity;
    for (let n = 0; n < size; n++) {
      const c = narrowed[n]!;
      const squared = squares[c]! + t * (t - twice[c]!);
      const depth = levels[c]! - Math.sqrt(squared > 0 ? squared : 0);
      depths[n] = depth;
      if (depth > other && n > 0) other = depth;
    }
    this.result[OWN] = depths[0]!;
    this.result[OTHER] = other;
    return this.#shareOf(fade, size);
  }
}
