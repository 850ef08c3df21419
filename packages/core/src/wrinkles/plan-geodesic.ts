/**
 * A shortest way over the skin from one point to another, as points on triangles: for tools that follow a curved body.
 *
 * A shortest way along edges (Dijkstra) is resampled evenly and pulled tight: every point goes to the middle of its neighbours
 * and back onto the skin, until nothing moves. O(#E log #E + sweeps · points · log #T); for placing tools, so it allocates.
 */
import { type Bvh, planBvh } from '../contact/bvh.js';
import { createNearestPoint, measureNearestPoint } from '../mesh/measure-nearest-point.js';
import type { Surface } from '../mesh/surface.js';
import type { SurfaceAnchor } from './wrinkle-tool.js';

const SWEEPS = 400;

/** The point of the skin nearest to `point`. */
export function findAnchor(surface: Surface, bvh: Bvh, point: ArrayLike<number>): SurfaceAnchor {
  const nearest = createNearestPoint();
  measureNearestPoint(nearest, bvh, surface.positions, point[0]!, point[1]!, point[2]!);
  return { triangle: nearest.triangle, barycentric: measureBarycentric(surface, nearest.triangle, nearest) };
}

/** World position of an anchor in the rest shape. */
export function placeAnchor({ positions, triangles }: Surface, { triangle, barycentric }: SurfaceAnchor): number[] {
  return [0, 1, 2].map((r) =>
    barycentric.reduce((sum, share, k) => sum + share * positions[3 * triangles[3 * triangle + k]! + r]!, 0),
  );
}

/** `count` anchors between a and b along a geodesic; null where no way leads from one to the other. */
export function planGeodesic(
  surface: Surface,
  a: SurfaceAnchor,
  b: SurfaceAnchor,
  count: number,
  bvh = planBvh(surface.triangles, surface.positions),
): SurfaceAnchor[] | null {
  const way = findWay(surface, a, b);
  if (!way) return null;
  const corners = [
    placeAnchor(surface, a),
    ...way.map((v) => [...surface.positions.subarray(3 * v, 3 * v + 3)]),
    placeAnchor(surface, b),
  ];
  let points = resample(corners, count + 2);
  const nearest = createNearestPoint();
  const size = distance(points[0]!, points.at(-1)!) || 1;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let moved = 0;
    for (let k = 1; k <= count; k++) {
      const [before, after] = [points[k - 1]!, points[k + 1]!];
      const middle = before.map((x, r) => (x + after[r]!) / 2);
      measureNearestPoint(nearest, bvh, surface.positions, middle[0]!, middle[1]!, middle[2]!);
      const next = [nearest.x, nearest.y, nearest.z];
      moved = Math.max(moved, distance(next, points[k]!));
      points[k] = next;
    }
    if (moved < 1e-5 * size) break;
    if (sweep % 50 === 49) points = resample(points, count + 2);
  }
  return points.slice(1, -1).map((point) => findAnchor(surface, bvh, point));
}

function measureBarycentric(
  { positions: p, triangles }: Surface,
  t: number,
  { x, y, z }: { x: number; y: number; z: number },
): [number, number, number] {
  const [a, b, c] = [3 * triangles[3 * t]!, 3 * triangles[3 * t + 1]!, 3 * triangles[3 * t + 2]!];
  const u = [0, 1, 2].map((r) => p[b + r]! - p[a + r]!);
  const v = [0, 1, 2].map((r) => p[c + r]! - p[a + r]!);
  const w = [x - p[a]!, y - p[a + 1]!, z - p[a + 2]!];
  const dot = (m: readonly number[], n: readonly number[]) => m[0]! * n[0]! + m[1]! * n[1]! + m[2]! * n[2]!;
  const det = dot(u, u) * dot(v, v) - dot(u, v) ** 2;
  if (!(det > 0)) return [1, 0, 0];
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const s = clamp((dot(v, v) * dot(u, w) - dot(u, v) * dot(v, w)) / det);
  const r = Math.min(1 - s, clamp((dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / det));
  return [1 - s - r, s, r];
}

/** Vertices of a shortest way along edges. */
function findWay(
  { positions: p, triangles, neighbours }: Surface,
  a: SurfaceAnchor,
  b: SurfaceAnchor,
): number[] | null {
  const cost = new Map<number, number>();
  const from = new Map<number, number>();
  const done = new Set<number>();
  const heap: [number, number][] = [];
  const start = [0, 1, 2].map((k) => triangles[3 * a.triangle + k]!);
  const goals = new Set([0, 1, 2].map((k) => triangles[3 * b.triangle + k]!));
  if (start.some((v) => goals.has(v))) return [];
  for (const v of start) {
    cost.set(v, 0);
    push(heap, [0, v]);
  }
  while (heap.length > 0) {
    const [own, v] = pop(heap);
    if (done.has(v)) continue;
    done.add(v);
    if (goals.has(v)) {
      const way = [v];
      for (let at = from.get(v); at !== undefined; at = from.get(at)) way.unshift(at);
      return way;
    }
    for (let n = neighbours.offsets[v]!; n < neighbours.offsets[v + 1]!; n++) {
      const w = neighbours.values[n]!;
      const next =
        own + Math.hypot(p[3 * v]! - p[3 * w]!, p[3 * v + 1]! - p[3 * w + 1]!, p[3 * v + 2]! - p[3 * w + 2]!);
      if (next >= (cost.get(w) ?? Number.POSITIVE_INFINITY)) continue;
      cost.set(w, next);
      from.set(w, v);
      push(heap, [next, w]);
    }
  }
  return null;
}

/** Evenly spaced points along a polyline, both ends included. */
export function resample(points: readonly number[][], count: number): number[][] {
  const lengths = [0];
  for (let k = 1; k < points.length; k++) lengths.push(lengths[k - 1]! + distance(points[k - 1]!, points[k]!));
  const total = lengths.at(-1)!;
  let k = 1;
  return Array.from({ length: count }, (_, i) => {
    const at = (total * i) / (count - 1);
    while (k < points.length - 1 && lengths[k]! < at) k++;
    const span = lengths[k]! - lengths[k - 1]!;
    const u = span > 0 ? (at - lengths[k - 1]!) / span : 0;
    return points[k]!.map((x, r) => points[k - 1]![r]! + u * (x - points[k - 1]![r]!));
  });
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

function push(heap: [number, number][], item: [number, number]): void {
  let i = heap.push(item) - 1;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (heap[parent]![0] <= item[0]) break;
    heap[i] = heap[parent]!;
    i = parent;
  }
  heap[i] = item;
}

function pop(heap: [number, number][]): [number, number] {
  const top = heap[0]!;
  const item = heap.pop()!;
  if (heap.length === 0) return top;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]![0] < heap[child]![0]) child++;
    if (heap[child]![0] >= item[0]) break;
    heap[i] = heap[child]!;
    i = child;
  }
  heap[i] = item;
  return top;
}
