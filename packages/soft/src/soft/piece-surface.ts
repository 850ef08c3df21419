import type { ImplicitSurface } from '@isoskin/demos';
import type { Obstacles } from './obstacles.js';
import type { Primitives } from './pack-primitives.js';
import type { RayState } from './place-rays.js';
import type { Probe, Push } from './probe.js';
import { RIVAL } from './territory-share.js';
import type { WorldParts } from './world-parts.js';

/** Cells of about one thickness with the primitives that reach into them. Linear; at most ~64 cells per primitive. */
export class PointIndex {
  readonly #probe: Probe;
  /** Box of everything: min, max. */
  readonly #bounds = emptyBox();
  readonly #cell: number;
  readonly #sizes: readonly number[];
  /** CSR over the cells. */
  readonly #starts: Int32Array;
  readonly #items: Int32Array;
  #last = -2;

  constructor(primitives: Primitives, probe: Probe) {
    const { count, shape, corners, thickness, width, offsets } = primitives;
    const bounds = this.#bounds;
    const boxes = Array.from({ length: count }, (_, i) => {
      const box = emptyBox();
      const reach = Math.max(0, thickness[i]! + width[i]! + offsets[i]!);
      for (let c = 0; c < 3 * shape[i]!; c++) extendBox(box, c % 3, corners[9 * i + c]!, reach);
      for (let n = 0; n < 6; n++) extendBox(bounds, n % 3, box[n]!, 0);
      return box;
    });
    const lengths = [0, 1, 2].map((axis) => bounds[3 + axis]! - bounds[axis]!);
    const smallest = thickness.reduce((least, e) => Math.min(least, e), Infinity);
    this.#probe = probe;
    this.#cell = Math.max(smallest, Math.cbrt((lengths[0]! * lengths[1]! * lengths[2]!) / (64 * count)));
    this.#sizes = lengths.map((length) => Math.floor(length / this.#cell) + 1);
    const starts = new Int32Array(this.#sizes.reduce((product, size) => product * size, 1) + 1);
    for (const box of boxes) this.#visitCells(box, (c) => starts[c + 1]!++);
    for (let c = 0; c + 1 < starts.length; c++) starts[c + 1]! += starts[c]!;
    const fill = starts.slice();
    this.#starts = starts;
    this.#items = new Int32Array(starts[starts.length - 1]!);
    for (const [i, box] of boxes.entries()) this.#visitCells(box, (c) => (this.#items[fill[c]!++] = i));
  }

  #visitCells(box: Float64Array, visit: (cell: number) => void): void {
    const [nx, ny] = this.#sizes as [number, number, number];
    const [i0, j0, k0, i1, j1, k1] = Array.from(box, (value, n) =>
      this.#place(value, n % 3),
    ) as unknown as Float64Array;
    for (let z = k0!; z <= k1!; z++) {
      for (let y = j0!; y <= j1!; y++) for (let x = i0!; x <= i1!; x++) visit(x + nx * (y + ny * z));
    }
  }

  #place(value: number, axis: number): number {
    return Math.floor((value - this.#bounds[axis]!) / this.#cell);
  }

  /** Prepares the probe for a point; it must not be used otherwise in between. */
  gather(x: number, y: number, z: number): void {
    const [nx, ny, nz] = this.#sizes as [number, number, number];
    const i = this.#place(x, 0);
    const j = this.#place(y, 1);
    const k = this.#place(z, 2);
    const inside = i >= 0 && j >= 0 && k >= 0 && i < nx && j < ny && k < nz;
    const c = inside ? i + nx * (j + ny * k) : -1;
    if (c === this.#last) return;
    this.#last = c;
    this.#probe.prepare(-1, this.#items, inside ? this.#starts[c]! : 0, inside ? this.#starts[c + 1]! : 0);
  }
}

/** f − c over which a point counts as touching. */
const TOUCHING = 1e-3;

/**
 * I4. One piece as it is deformed by its contacts, as an implicit surface with iso-value 1:
 *
 *   F + g,  g = c − F₂ where F₂ > c (another piece);     cut where φ < 0 (obstacle)
 *
 * A piece whose strands have not become one yet is several shells, with the contact surface between them.
 * F₁ + c − F₂ = c and F₂ + c − F₁ = c are the same surface: two pieces in contact have one surface between them.
 *
 * Within a piece (an arm that lies on its body) every strand is pushed by those that it does not blend with,
 *   max_s F_s − p(max_t F_t),   p(F) = k(y + w)₊,   y = (F − c)/k inside, (F − c)(R − e) outside
 * For w = 0 that is the contact surface, a wall of no width, which no grid sees; with a gap w wider than a cell it is two sheets.
 */
export class PieceSurface implements ImplicitSurface {
  readonly iso = 1;
  readonly bounds = emptyBox();
  readonly seeds: number[] = [];
  readonly #piece: number;
  readonly #obstacles: Obstacles;
  readonly #probe: Probe;
  readonly #index: PointIndex;
  /** Slope of the cut: of the order of the field's own outside the surface. */
  #steepness = 0;
  /** Obstacles that can cut it. */
  readonly #walls: readonly number[];
  readonly #gradients = new Float64Array(6);
  readonly #normal = new Float64Array(3);
  /** w; none where nothing of the piece touches itself. */
  gap: number | undefined;
  #stiffness = 0;
  #width = 0;

  constructor(piece: number, { primitives, graph, rays, obstacles }: WorldParts, probe: Probe, index: PointIndex) {
    this.#piece = piece;
    this.#obstacles = obstacles;
    this.#probe = probe;
    this.#index = index;
    for (let i = 0; i < primitives.count; i++) {
      if (graph.shells[i] !== piece) continue;
      this.#steepness = Math.max(this.#steepness, 1 / primitives.width[i]!);
      this.#stiffness = Math.max(this.#stiffness, primitives.stiffness[i]!);
      this.#width = Math.max(this.#width, primitives.width[i]!);
      this.#addSeeds(rays, i, primitives.thickness[i]!);
    }
    const { bounds } = this;
    const centre = [0, 1, 2].map((axis) => (bounds[axis]! + bounds[3 + axis]!) / 2) as [number, number, number];
    const radius = Math.hypot(...[0, 1, 2].map((axis) => (bounds[3 + axis]! - bounds[axis]!) / 2));
    const all = Array.from({ length: obstacles.count }, (_, o) => o);
    this.#walls = all.filter((o) => obstacles.distance(o, ...centre) < radius);
  }

  #addSeeds(rays: RayState, i: number, thickness: number): void {
    const { origins, directions, ends, offsets } = rays;
    let longest = offsets[i]!;
    for (let ray = longest; ray < offsets[i + 1]!; ray++) {
      if (ends[ray]! > ends[longest]!) longest = ray;
      // Between two seeds the surface may stand out by a part of their distance.
      for (let axis = 0; axis < 3; axis++) {
        extendBox(
          this.bounds,
          axis,
          origins[3 * ray + axis]! + ends[ray]! * directions[3 * ray + axis]!,
          0.5 * thickness,
        );
      }
    }
    if (!(ends[longest]! > 0)) return;
    // Half-way out, and on the skeleton: the longest ray may run through a bridge thinner than a grid cell, the skeleton may be cut off.
    for (const share of [0.5, 0]) {
      for (let at = 3 * longest; at < 3 * longest + 3; at++) {
        this.seeds.push(origins[at]! + share * ends[longest]! * directions[at]!);
      }
    }
  }

  #measure(x: number, y: number, z: number): number {
    this.#index.gather(x, y, z);
    return this.#probe.measureShell(this.#piece, this.#push, x, y, z);
  }

  /** p(F). */
  readonly #push: Push = (rival, inside) => {
    if (!inside) return Math.max(0, rival - 1);
    if (this.gap === undefined) return 0;
    const excess = rival >= 1 ? rival - 1 : (rival - 1) * this.#stiffness * this.#width;
    return Math.max(0, excess + this.#stiffness * this.gap);
  };

  /** Whether something holds the surface at a point of it: another piece, a wall of contact, an obstacle. */
  isHeld(x: number, y: number, z: number): boolean {
    this.#measure(x, y, z);
    const touches = (o: number) => this.#steepness * this.#obstacles.distance(o, x, y, z) < TOUCHING;
    return this.#probe.result[RIVAL]! > 1 - TOUCHING || this.#walls.some(touches);
  }

  /** Points found with a gap go to where both sides touch, by Newton's method; no step is longer than `limit`. */
  closeGap(points: Float64Array, limit: number): void {
    this.gap = 0;
    for (let at = 0; at < points.length; at += 3) {
      for (let n = 0; n < 20; n++) {
        const error = this.gradient(slope, points[at]!, points[at + 1]!, points[at + 2]!) - this.iso;
        const length = Math.hypot(slope[0]!, slope[1]!, slope[2]!);
        if (length === 0 || Math.abs(error) < 1e-9) break;
        const move = Math.max(-limit, Math.min(limit, error / length)) / length;
        for (let axis = 0; axis < 3; axis++) points[at + axis]! -= move * slope[axis]!;
      }
    }
  }

  /** Moves points out of the obstacles. */
  release(points: Float64Array): void {
    for (const o of this.#walls) {
      for (let at = 0; at < points.length; at += 3) {
        const deep = this.#obstacles.distance(o, points[at]!, points[at + 1]!, points[at + 2]!, this.#normal);
        if (deep < 0) for (let axis = 0; axis < 3; axis++) points[at + axis]! -= deep * this.#normal[axis]!;
      }
    }
  }

  value(x: number, y: number, z: number): number {
    let value = this.#measure(x, y, z);
    for (const o of this.#walls) value = Math.min(value, 1 + this.#steepness * this.#obstacles.distance(o, x, y, z));
    return value;
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const gradients = this.#gradients;
    let value = this.#measure(x, y, z);
    this.#probe.gradients(gradients, x, y, z);
    // A rival that pushes though it is not there yet does so across a gap.
    const pushed = this.#probe.result[RIVAL]! > 1 ? 1 : this.#stiffness * this.#width;
    for (let axis = 0; axis < 3; axis++) out[axis] = gradients[axis]! - pushed * gradients[3 + axis]!;
    for (const o of this.#walls) {
      const cut = 1 + this.#steepness * this.#obstacles.distance(o, x, y, z, this.#normal);
      if (cut >= value) continue;
      value = cut;
      for (let axis = 0; axis < 3; axis++) out[axis] = this.#steepness * this.#normal[axis]!;
    }
    return value;
  }
}

const slope = new Float64Array(3);

/** min x, y, z, max x, y, z. */
function emptyBox(): Float64Array {
  return new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
}

function extendBox(box: Float64Array, axis: number, value: number, margin: number): void {
  box[axis] = Math.min(box[axis]!, value - margin);
  box[3 + axis] = Math.max(box[3 + axis]!, value + margin);
}
