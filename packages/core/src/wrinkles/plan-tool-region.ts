/**
 * The part of the skin that a tool may ever move, found once in the rest shape: triangles that hang together with its ends and
 * lie over the influence rectangle, grown a little. A leg never wrinkles because the other one bends.
 *
 * Vertices at the rim of the region are held (mask 0), so a fold that slides over it in some pose ends without a step.
 * Complexity: O(triangles of the region · valence).
 */
import type { Surface } from '../mesh/surface.js';
import type { PlannedTool } from './planned-tool.js';
import { createToolPlace } from './tool-rectangles.js';

export interface ToolRegion {
  readonly triangles: readonly number[];
  /** Times that each of them is split for this tool, not graded. */
  readonly levels: readonly number[];
  /** Vertex → 0 … 1: how much of the fold it gets. */
  readonly masks: ReadonlyMap<number, number>;
}

/** The rectangle is grown by this share of its length and of its width. */
const MARGIN = 0.2;
/** Edges should be no longer than this many steps of the finest curve. */
const STEPS_PER_EDGE = 0.75;
/** Rings of vertices over which the mask goes from 0 to 1. */
const RINGS = 2;

/** The tool must be posed on the rest shape. */
export function planToolRegion(surface: Surface, normals: Float64Array, tool: PlannedTool, refine: number): ToolRegion {
  const { triangles, positions } = surface;
  const place = createToolPlace();
  const step = tool.span / (tool.curve.pointCount - 1);
  const levels = new Map<number, number>();
  /** How a triangle lies: −1 outside the grown rectangle, else the times that it is to be split. */
  const look = (t: number): number => {
    const [lowX, highX, lowT, highT] = measureExtent(t);
    const margin = MARGIN * tool.span;
    if (highX < -margin || lowX > tool.span + margin || highT < -1 - MARGIN || lowT > 1 + MARGIN) return -1;
    if (!isFacing) return -1;
    if (highX <= 0 || lowX >= tool.span || highT <= -tool.reach || lowT >= tool.reach) return 0;
    return Math.max(0, Math.min(refine, Math.ceil(Math.log2(longestEdge(t) / (STEPS_PER_EDGE * step)))));
  };
  let isFacing = false;
  const measureExtent = (t: number): [number, number, number, number] => {
    const out: [number, number, number, number] = [Infinity, -Infinity, Infinity, -Infinity];
    isFacing = false;
    for (let k = 0; k < 3; k++) {
      const v = 3 * triangles[3 * t + k]!;
      tool.project(place, positions[v]!, positions[v + 1]!, positions[v + 2]!);
      out[0] = Math.min(out[0], place.x);
      out[1] = Math.max(out[1], place.x);
      out[2] = Math.min(out[2], place.t);
      out[3] = Math.max(out[3], place.t);
      if (normals[v]! * place.nx + normals[v + 1]! * place.ny + normals[v + 2]! * place.nz > 0) isFacing = true;
    }
    return out;
  };
  const longestEdge = (t: number): number => {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const a = 3 * triangles[3 * t + k]!;
      const b = 3 * triangles[3 * t + ((k + 1) % 3)]!;
      const own =
        (positions[a]! - positions[b]!) ** 2 +
        (positions[a + 1]! - positions[b + 1]!) ** 2 +
        (positions[a + 2]! - positions[b + 2]!) ** 2;
      square = Math.max(square, own);
    }
    return Math.sqrt(square);
  };

  const queue = [...new Set(tool.anchors)];
  for (const t of queue) levels.set(t, Math.max(0, look(t)));
  const { offsets, values } = surface.corners;
  for (const t of queue) {
    for (let k = 0; k < 3; k++) {
      const v = triangles[3 * t + k]!;
      for (let c = offsets[v]!; c < offsets[v + 1]!; c++) {
        const next = Math.floor(values[c]! / 3);
        if (levels.has(next)) continue;
        const level = look(next);
        if (level < 0) continue;
        levels.set(next, level);
        queue.push(next);
      }
    }
  }
  return { triangles: queue, levels: queue.map((t) => levels.get(t)!), masks: measureMasks(surface, levels) };
}

/** 0 at vertices that have triangles outside the region, 1 from RINGS vertices inside on. */
function measureMasks(
  { triangles, corners, neighbours }: Surface,
  region: ReadonlyMap<number, number>,
): Map<number, number> {
  const masks = new Map<number, number>();
  let ring: number[] = [];
  for (const t of region.keys()) for (let k = 0; k < 3; k++) masks.set(triangles[3 * t + k]!, 1);
  for (const v of masks.keys()) {
    for (let c = corners.offsets[v]!; c < corners.offsets[v + 1]!; c++) {
      if (region.has(Math.floor(corners.values[c]! / 3))) continue;
      ring.push(v);
      break;
    }
  }
  const seen = new Set(ring);
  for (let distance = 0; distance < RINGS; distance++) {
    const next: number[] = [];
    for (const v of ring) {
      masks.set(v, distance / RINGS);
      for (let n = neighbours.offsets[v]!; n < neighbours.offsets[v + 1]!; n++) {
        const w = neighbours.values[n]!;
        if (!masks.has(w) || seen.has(w)) continue;
        seen.add(w);
        next.push(w);
      }
    }
    ring = next;
  }
  return masks;
}
