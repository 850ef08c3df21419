/**
 * Q10. A posed surface as a solid: flesh that is twice in one place, and the volume that an eye sees.
 *
 *   overlap = ∫ max(w − 1, 0),   visible = ∫ [w ≥ 1],   w = winding number of a component along rays
 *
 * Rays run over a square grid, askew to the axes: knees that meet at a mirror plane overlap in a lens thinner than a cell, and rays along that
 * plane would all miss it, or hit it whole. Every crossing of a triangle changes w by the sign of its normal. Each component is measured by itself:
 * eyes and clothes lie in the body by design. The error falls with the grid; what matters is compared at one grid.
 * O(#T + crossings log crossings) per measurement.
 */
import type { Surface } from '../mesh/surface.js';
import { applyApexes, planClosedSurface } from '../volume/plan-closed-surface.js';

export interface Solid {
  /** ∫ max(w − 1, 0), world units. */
  overlap: number;
  /** ∫ [w ≥ 1]. */
  visible: number;
}

export interface Solidity {
  /** Of the bind shape. */
  readonly rest: Readonly<Solid>;
  /** Into `out`, at `positions` (#V×3). */
  measure(out: Solid, positions: Float64Array): void;
}

/** Rays along each side of a component's box. */
const CELLS = 96;
/** A rotation; rays run along its last row, (12, 16, 21)/29: none of the axes' planes is seen from its edge. */
const AXES = [
  [4 / 5, -3 / 5, 0],
  [63 / 145, 84 / 145, -100 / 145],
  [12 / 29, 16 / 29, 21 / 29],
] as const;

export function planSolidity(surface: Surface): Solidity {
  const closed = planClosedSurface(surface);
  const extended = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  const lists = surface.components.map(() => [] as number[]);
  for (let t = 0; t < closed.triangleCount; t++) {
    if (surface.components[closed.triangleComponent[t]!]!.solid) lists[closed.triangleComponent[t]!]!.push(t);
  }
  const components = lists.filter((list) => list.length > 0).map((list) => Uint32Array.from(list));
  const columns = new Columns();
  const measure = (out: Solid, positions: Float64Array): void => {
    extended.set(positions.subarray(0, 3 * closed.vertexCount));
    applyApexes(extended, closed.vertexCount, closed.members);
    turn(extended);
    out.overlap = out.visible = 0;
    for (const triangles of components) columns.add(out, extended, closed.triangles, triangles);
  };
  const rest = { overlap: 0, visible: 0 };
  measure(rest, surface.positions);
  return { rest, measure };
}

function turn(positions: Float64Array): void {
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = [positions[i]!, positions[i + 1]!, positions[i + 2]!];
    for (let r = 0; r < 3; r++) positions[i + r] = AXES[r]![0] * x + AXES[r]![1] * y + AXES[r]![2] * z;
  }
}

/** Crossings of the rays of one component, as (cell, height, sign) in one growing list, sorted by cell and height. */
class Columns {
  private cells = new Uint32Array(1024);
  private heights = new Float64Array(1024);
  private signs = new Int8Array(1024);
  private count = 0;

  add(out: Solid, x: Float64Array, corners: Uint32Array, triangles: Uint32Array): void {
    const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let size = 0;
    for (let r = 0; r < 2; r++) {
      let high = Number.NEGATIVE_INFINITY;
      for (const t of triangles) {
        for (let c = 0; c < 3; c++) {
          const value = x[3 * corners[3 * t + c]! + r]!;
          low[r] = Math.min(low[r]!, value);
          high = Math.max(high, value);
        }
      }
      size = Math.max(size, high - low[r]!);
    }
    if (!(size > 0)) return;
    this.count = 0;
    const step = size / CELLS;
    for (const t of triangles)
      this.cross(x, 3 * corners[3 * t]!, 3 * corners[3 * t + 1]!, 3 * corners[3 * t + 2]!, low, step);
    this.sum(out, step * step);
  }

  /** The rays through one triangle. */
  private cross(x: Float64Array, a: number, b: number, c: number, low: readonly number[], step: number): void {
    const [ax, ay] = [(x[a]! - low[0]!) / step - 0.5, (x[a + 1]! - low[1]!) / step - 0.5];
    const [bx, by] = [(x[b]! - low[0]!) / step - 0.5, (x[b + 1]! - low[1]!) / step - 0.5];
    const [cx, cy] = [(x[c]! - low[0]!) / step - 0.5, (x[c + 1]! - low[1]!) / step - 0.5];
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) return;
    const [firstX, lastX] = [Math.ceil(Math.min(ax, bx, cx)), Math.floor(Math.max(ax, bx, cx))];
    const [firstY, lastY] = [Math.ceil(Math.min(ay, by, cy)), Math.floor(Math.max(ay, by, cy))];
    for (let i = firstX; i <= lastX; i++) {
      for (let j = firstY; j <= lastY; j++) {
        const u = ((bx - i) * (cy - j) - (by - j) * (cx - i)) / area;
        const v = ((cx - i) * (ay - j) - (cy - j) * (ax - i)) / area;
        const w = 1 - u - v;
        if (u < 0 || v < 0 || w < 0) continue;
        this.push(i * (CELLS + 1) + j, u * x[a + 2]! + v * x[b + 2]! + w * x[c + 2]!, area > 0 ? -1 : 1);
      }
    }
  }

  private push(cell: number, height: number, sign: number): void {
    if (this.count === this.cells.length) {
      const grow = <T extends Uint32Array | Float64Array | Int8Array>(from: T, to: T): T => {
        to.set(from);
        return to;
      };
      this.cells = grow(this.cells, new Uint32Array(2 * this.count));
      this.heights = grow(this.heights, new Float64Array(2 * this.count));
      this.signs = grow(this.signs, new Int8Array(2 * this.count));
    }
    this.cells[this.count] = cell;
    this.heights[this.count] = height;
    this.signs[this.count++] = sign;
  }

  private sum(out: Solid, area: number): void {
    const { cells, heights, signs, count } = this;
    const order = Uint32Array.from({ length: count }, (_, n) => n).sort(
      (p, q) => cells[p]! - cells[q]! || heights[p]! - heights[q]!,
    );
    let winding = 0;
    for (let n = 0; n < count; n++) {
      const k = order[n]!;
      const isFirst = n === 0 || cells[order[n - 1]!] !== cells[k];
      const length = isFirst ? 0 : heights[k]! - heights[order[n - 1]!]!;
      if (isFirst) winding = 0;
      if (winding >= 1) out.visible += area * length;
      if (winding > 1) out.overlap += area * length * (winding - 1);
      winding += signs[k]!;
    }
  }
}
