import type { ImplicitSurface } from '@isoskin/demos';
import type { BlendGraph } from './blend-graph.js';
import type { RayState } from './place-rays.js';
import type { Obstacles } from './plan-obstacles.js';
import type { Skeleton } from './plan-skeleton.js';
import { FIELD, type Probe, RIVAL } from './probe.js';

/**
 * I4. One piece as it is deformed by its contacts, as an implicit surface with iso-value 1:
 *
 *   F + g,  g = c − F₂ where F₂ > c (another piece);     cut where φ < 0 (obstacle)
 *
 * F₁ + c − F₂ = c and F₂ + c − F₁ = c are the same surface: two pieces in contact have one surface between them.
 */
export interface PointIndex {
  /** Box of everything: min, max. */
  readonly bounds: Float64Array;
  /** Prepares the probe for a point; it must not be used otherwise in between. */
  gather(x: number, y: number, z: number): void;
}

/** Cells of about one thickness with the primitives that reach into them. Linear; at most ~64 cells per primitive. */
export function createPointIndex(skeleton: Skeleton, probe: Probe): PointIndex {
  const { count, shape, corners, thickness, width, offsets } = skeleton;
  const bounds = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  const boxes = new Float64Array(6 * count);
  let smallest = Infinity;
  for (let i = 0; i < count; i++) {
    const reach = Math.max(0, thickness[i]! + width[i]! + offsets[i]!);
    smallest = Math.min(smallest, thickness[i]!);
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let c = 0; c < shape[i]!; c++) {
        low = Math.min(low, corners[9 * i + 3 * c + axis]!);
        high = Math.max(high, corners[9 * i + 3 * c + axis]!);
      }
      boxes[6 * i + axis] = low - reach;
      boxes[6 * i + 3 + axis] = high + reach;
      bounds[axis] = Math.min(bounds[axis]!, low - reach);
      bounds[3 + axis] = Math.max(bounds[3 + axis]!, high + reach);
    }
  }
  const size = [0, 1, 2].map((axis) => bounds[3 + axis]! - bounds[axis]!);
  const cell = Math.max(smallest, Math.cbrt((size[0]! * size[1]! * size[2]!) / (64 * count)));
  const [nx, ny, nz] = size.map((length) => Math.floor(length / cell) + 1) as [number, number, number];
  const starts = new Int32Array(nx * ny * nz + 1);
  const forEachCell = (i: number, visit: (cell: number) => void): void => {
    const at = (value: number, axis: number) => Math.floor((value - bounds[axis]!) / cell);
    const [i0, j0, k0] = [at(boxes[6 * i]!, 0), at(boxes[6 * i + 1]!, 1), at(boxes[6 * i + 2]!, 2)];
    const [i1, j1, k1] = [at(boxes[6 * i + 3]!, 0), at(boxes[6 * i + 4]!, 1), at(boxes[6 * i + 5]!, 2)];
    for (let z = k0; z <= k1; z++) {
      for (let y = j0; y <= j1; y++) for (let x = i0; x <= i1; x++) visit(x + nx * (y + ny * z));
    }
  };
  for (let i = 0; i < count; i++) forEachCell(i, (c) => starts[c + 1]!++);
  for (let c = 0; c + 1 < starts.length; c++) starts[c + 1]! += starts[c]!;
  const items = new Int32Array(starts[starts.length - 1]!);
  const fill = starts.slice();
  for (let i = 0; i < count; i++) forEachCell(i, (c) => (items[fill[c]!++] = i));
  let last = -2;
  return {
    bounds,
    gather(x, y, z) {
      const i = Math.floor((x - bounds[0]!) / cell);
      const j = Math.floor((y - bounds[1]!) / cell);
      const k = Math.floor((z - bounds[2]!) / cell);
      const inside = i >= 0 && j >= 0 && k >= 0 && i < nx && j < ny && k < nz;
      const c = inside ? i + nx * (j + ny * k) : -1;
      if (c === last) return;
      last = c;
      probe.prepare(-1, items, inside ? starts[c]! : 0, inside ? starts[c + 1]! : 0);
    },
  };
}

export function createPieceSurface(
  piece: number,
  skeleton: Skeleton,
  graph: BlendGraph,
  rays: RayState,
  obstacles: Obstacles,
  probe: Probe,
  index: PointIndex,
): ImplicitSurface {
  const gradients = new Float64Array(6);
  const normal = new Float64Array(3);
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  const seeds: number[] = [];
  /** Slope of the cut: of the order of the field's own outside the surface. */
  let steepness = 0;
  const members: number[] = [];
  for (let i = 0; i < skeleton.count; i++) {
    if (graph.labels[i] !== piece) continue;
    members.push(i);
    steepness = Math.max(steepness, 1 / skeleton.width[i]!);
    let longest = rays.offsets[i]!;
    for (let ray = longest; ray < rays.offsets[i + 1]!; ray++) {
      if (rays.ends[ray]! > rays.ends[longest]!) longest = ray;
      for (let axis = 0; axis < 3; axis++) {
        const p = rays.origins[3 * ray + axis]! + rays.ends[ray]! * rays.directions[3 * ray + axis]!;
        // Between two seeds the surface may stand out by a part of their distance.
        const slack = 0.5 * skeleton.thickness[i]!;
        bounds[axis] = Math.min(bounds[axis]!, p - slack);
        bounds[3 + axis] = Math.max(bounds[3 + axis]!, p + slack);
      }
    }
    if (!(rays.ends[longest]! > 0)) continue;
    // Half-way out, and on the skeleton: the longest ray may run through a bridge thinner than a grid cell, the skeleton may be cut off.
    for (const share of [0.5, 0]) {
      for (let axis = 0; axis < 3; axis++) {
        const at = 3 * longest + axis;
        seeds.push(rays.origins[at]! + share * rays.ends[longest]! * rays.directions[at]!);
      }
    }
  }
  const walls: number[] = [];
  const centre = [0, 1, 2].map((axis) => (bounds[axis]! + bounds[3 + axis]!) / 2);
  const radius = Math.hypot(...[0, 1, 2].map((axis) => (bounds[3 + axis]! - bounds[axis]!) / 2));
  for (let o = 0; o < obstacles.count; o++) {
    if (obstacles.distance(o, centre[0]!, centre[1]!, centre[2]!) < radius) walls.push(o);
  }

  const measure = (x: number, y: number, z: number): number => {
    index.gather(x, y, z);
    probe.measurePiece(piece, x, y, z);
    return probe.result[FIELD]! - Math.max(0, probe.result[RIVAL]! - 1);
  };
  return {
    iso: 1,
    bounds,
    seeds,
    value(x, y, z) {
      let value = measure(x, y, z);
      for (const o of walls) value = Math.min(value, 1 + steepness * obstacles.distance(o, x, y, z));
      return value;
    },
    gradient(out, x, y, z) {
      let value = measure(x, y, z);
      probe.gradients(gradients, x, y, z);
      const pushed = probe.result[RIVAL]! > 1 ? 1 : 0;
      for (let axis = 0; axis < 3; axis++) out[axis] = gradients[axis]! - pushed * gradients[3 + axis]!;
      for (const o of walls) {
        const cut = 1 + steepness * obstacles.distance(o, x, y, z, normal);
        if (cut >= value) continue;
        value = cut;
        for (let axis = 0; axis < 3; axis++) out[axis] = steepness * normal[axis]!;
      }
      return value;
    },
  };
}
