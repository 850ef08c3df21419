import type { BlendGraph } from './blend-graph.js';
import { QUADRATIC, SMOOTH } from './depth-potential.js';
import type { Skeleton } from './plan-skeleton.js';
import { FIELD, OTHER, OWN, type Probe, RIVAL, SLOPE, TOP } from './probe.js';

/**
 * I3. The probe along a ray. The general case is probe.ts; the case that counts, particles of one substance (points of one
 * strand with one potential), has its own loops: with r_j the place of neighbour j seen from the ray's origin and a_j = u·r_j,
 *
 *   d_j² = r_j² + t(t − 2a_j)
 *
 * so that a measurement costs one square root and a few operations per neighbour in reach.
 */
export interface RayProbe {
  /** As of Probe. */
  readonly result: Float64Array;
  /** The primitive that owns the rays, the neighbours that they can meet, how far most rays go and how wide borders fade. */
  prepare(i: number, items: Int32Array, count: number, within: number, fade: number): void;
  /**
   * The ray to measure on, and how far around a selected place measurements go. Unless `full`, FIELD may be too small where
   * it does not matter because the border of the territory is nearer than the surface.
   */
  aim(ox: number, oy: number, oz: number, ux: number, uy: number, uz: number, slack: number, full: boolean): void;
  /** Measures with all neighbours. */
  measureFully(t: number): void;
  /** Selects the neighbours that reach the ray around t; `measure` does it by itself where needed. */
  select(t: number): void;
  measure(t: number): void;
  /** Share at the place last measured. */
  share(fade: number): number;
  /** From the place last measured: `measureShare` looks only at those that can have a share there or further in. */
  narrow(fade: number): void;
  /** OWN, OTHER, TOP, SLOPE and the share at a place. */
  measureShare(t: number, fade: number): number;
}

export function createRayProbe(skeleton: Skeleton, graph: BlendGraph, probe: Probe): RayProbe {
  const { count: total, shape, corners, thickness, width, stiffness, bits, offsets, chainSize } = skeleton;
  const { strands } = graph;
  const { result } = probe;
  /** Prepared: r and r² of each, reach and e + ε. The owner is the first. */
  const places = new Float64Array(4 * (total + 1));
  const reaches = new Float64Array(total + 1);
  const tops = new Float64Array(total + 1);
  /** Selected: 2a, r², reach², e + ε, and the depth last measured. */
  const twice = new Float64Array(total + 1);
  const squares = new Float64Array(total + 1);
  const limits = new Float64Array(total + 1);
  const levels = new Float64Array(total + 1);
  const depths = new Float64Array(total + 1);
  const narrowed = new Int32Array(total + 1);
  const ray = new Float64Array(10);
  let plain = false;
  let prepared = 0;
  let count = 0;
  let narrowCount = 0;
  /** The first so many can have a share on the rays up to `within`; the others only add to the field there. */
  let closeCount = 0;
  let wide = true;
  let owner = 0;

  const pushPlain = (j: number, x: number, y: number, z: number): void => {
    const at = 4 * prepared;
    const dx = corners[9 * j]! - x;
    const dy = corners[9 * j + 1]! - y;
    const dz = corners[9 * j + 2]! - z;
    places[at] = dx;
    places[at + 1] = dy;
    places[at + 2] = dz;
    places[at + 3] = dx * dx + dy * dy + dz * dz;
    tops[prepared] = thickness[j]! + offsets[j]!;
    reaches[prepared++] = Math.max(0, thickness[j]! + width[j]! + offsets[j]!);
  };

  const isPlain = (i: number, items: Int32Array, size: number): boolean => {
    if (shape[i] !== 1 || chainSize[i] !== 1) return false;
    for (let n = 0; n < size; n++) {
      const j = items[n]!;
      if (strands[j] !== strands[i] || shape[j] !== 1 || chainSize[j] !== 1) return false;
      if (thickness[j] !== thickness[i] || width[j] !== width[i]) return false;
      if (stiffness[j] !== stiffness[i] || bits[j] !== bits[i]) return false;
    }
    return true;
  };

  /** d_j ≤ t + fade + ε_j − ε_i for some t ≤ within. */
  const isClose = (j: number, x: number, y: number, z: number): boolean => {
    const dx = corners[9 * j]! - x;
    const dy = corners[9 * j + 1]! - y;
    const dz = corners[9 * j + 2]! - z;
    const limit = 2 * ray[WITHIN]! + ray[FADE]! + Math.max(0, offsets[j]! - offsets[owner]!);
    return dx * dx + dy * dy + dz * dz < limit * limit;
  };

  const select = (t: number): void => {
    ray[CENTRE] = t;
    const slack = ray[SLACK]!;
    if (!plain) {
      probe.select(ray[OX]! + t * ray[UX]!, ray[OY]! + t * ray[UY]!, ray[OZ]! + t * ray[UZ]!, slack);
      return;
    }
    // Local names: the loops run for many worlds, and typed arrays of a closure would be fetched again and again.
    const p = places;
    const r = reaches;
    const l = tops;
    const a = twice;
    const q = squares;
    const m = limits;
    const h = levels;
    const size = wide ? prepared : closeCount;
    const ux = ray[UX]!;
    const uy = ray[UY]!;
    const uz = ray[UZ]!;
    let n = 0;
    for (let c = 0, at = 0; c < size; c++, at += 4) {
      const double = 2 * (ux * p[at]! + uy * p[at + 1]! + uz * p[at + 2]!);
      const squared = p[at + 3]!;
      const reach = r[c]!;
      const limit = reach + slack;
      a[n] = double;
      q[n] = squared;
      m[n] = reach * reach;
      h[n] = l[c]!;
      // The owner stays; others are overwritten by the next one unless they reach.
      n += c === 0 || squared + t * (t - double) < limit * limit ? 1 : 0;
    }
    count = n;
  };

  /** Depths and the sum of potentials of the selected. */
  const measureSelected = (t: number): void => {
    const e = thickness[owner]!;
    const w = width[owner]!;
    const k = stiffness[owner]!;
    const bend = bits[owner]! & QUADRATIC ? (0.5 * k) / e : 0;
    const smooth = (bits[owner]! & SMOOTH) !== 0;
    const inverse = 1 / w;
    const a = twice;
    const q = squares;
    const m = limits;
    const h = levels;
    const out = depths;
    const size = count;
    let sum = 0;
    let own = -w;
    let other = -Infinity;
    for (let n = 0; n < size; n++) {
      const squared = q[n]! + t * (t - a[n]!);
      let depth = -w;
      if (squared < m[n]!) {
        depth = h[n]! - Math.sqrt(squared > 0 ? squared : 0);
        if (depth >= 0) sum += 1 + depth * (k + bend * depth);
        else {
          // 1 − u, u = (x − e)/w.
          const v = 1 + depth * inverse;
          sum += smooth ? v * v * (1.5 - 0.5 * v) : v;
        }
        if (n === 0) own = depth;
        else if (depth > other) other = depth;
      }
      out[n] = depth;
    }
    result[FIELD] = sum;
    result[RIVAL] = 0;
    result[OWN] = own;
    result[OTHER] = other;
    result[TOP] = e;
  };

  const measure = (t: number): void => {
    if (Math.abs(t - ray[CENTRE]!) > ray[SLACK]!) select(t);
    if (!plain) {
      probe.measure(ray[OX]! + t * ray[UX]!, ray[OY]! + t * ray[UY]!, ray[OZ]! + t * ray[UZ]!);
      return;
    }
    if (!wide && t > ray[WITHIN]!) {
      wide = true;
      select(t);
    }
    measureSelected(t);
    // The close ones alone say that the border comes before the surface: more can only add to the field.
    if (wide) return;
    const border = result[OWN]! - result[OTHER]! + ray[FADE]!;
    if ((result[FIELD]! - 1) / stiffness[owner]! >= border) return;
    wide = true;
    select(t);
    measureSelected(t);
  };

  /** Share of `own` among the first `size` depths. */
  const shareOf = (own: number, other: number, fade: number, size: number): number => {
    const floor = (own > other ? own : other) - fade * thickness[owner]!;
    result[SLOPE] = 0;
    if (own <= floor) return 0;
    if (other <= floor) return 1;
    const d = depths;
    let sum = 0;
    let others = -1;
    for (let n = 0; n < size; n++) {
      if (d[n]! <= floor) continue;
      sum += d[n]! - floor;
      others++;
    }
    const part = (own - floor) / sum;
    result[SLOPE] = own >= other ? (part * others) / sum : (1 - part) / sum;
    return part;
  };

  return {
    result,
    prepare(i, items, size, within, fade) {
      owner = i;
      plain = isPlain(i, items, size);
      if (!plain) {
        probe.prepare(i, items, 0, size);
        return;
      }
      const x = corners[9 * i]!;
      const y = corners[9 * i + 1]!;
      const z = corners[9 * i + 2]!;
      prepared = 0;
      ray[FADE] = fade * thickness[i]!;
      ray[WITHIN] = within;
      pushPlain(i, x, y, z);
      for (let n = 0; n < size; n++) if (isClose(items[n]!, x, y, z)) pushPlain(items[n]!, x, y, z);
      closeCount = prepared;
      for (let n = 0; n < size; n++) if (!isClose(items[n]!, x, y, z)) pushPlain(items[n]!, x, y, z);
    },
    aim(ox, oy, oz, ux, uy, uz, slack, full) {
      ray[OX] = ox;
      ray[OY] = oy;
      ray[OZ] = oz;
      ray[UX] = ux;
      ray[UY] = uy;
      ray[UZ] = uz;
      ray[SLACK] = slack;
      wide = full;
    },
    select,
    measure,
    measureFully(t) {
      if (!wide) {
        wide = true;
        select(t);
      }
      measure(t);
    },
    share: (fade) => (plain ? shareOf(result[OWN]!, result[OTHER]!, fade, count) : probe.share(fade)),
    narrow(fade) {
      // Towards the skeleton OWN grows with the way, and no depth faster: who is out of reach of OWN here stays so.
      const floor = result[OWN]! - fade * result[TOP]!;
      narrowed[0] = 0;
      narrowCount = 1;
      for (let n = 1; n < count; n++) {
        narrowed[narrowCount] = n;
        narrowCount += depths[n]! > floor ? 1 : 0;
      }
    },
    measureShare(t, fade) {
      if (!plain) {
        measure(t);
        return probe.share(fade);
      }
      let other = -Infinity;
      const a = twice;
      const q = squares;
      const h = levels;
      const d = depths;
      const list = narrowed;
      const size = narrowCount;
      for (let n = 0; n < size; n++) {
        const c = list[n]!;
        const squared = q[c]! + t * (t - a[c]!);
        const depth = h[c]! - Math.sqrt(squared > 0 ? squared : 0);
        d[n] = depth;
        if (depth > other && n > 0) other = depth;
      }
      result[OWN] = depths[0]!;
      result[OTHER] = other;
      return shareOf(depths[0]!, other, fade, narrowCount);
    },
  };
}

/** Places in the scratch of the current ray. */
const OX = 0;
const OY = 1;
const OZ = 2;
const UX = 3;
const UY = 4;
const UZ = 5;
const CENTRE = 6;
const SLACK = 7;
const FADE = 8;
const WITHIN = 9;
