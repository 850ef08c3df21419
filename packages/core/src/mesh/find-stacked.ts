/**
 * Sheets of one part that lie on each other: a tie that is welded to its collar and hangs over the belly, a lapel, a coat tail.
 *
 *   p = x_k ± s n_k, 0 < s ≤ g, is stacked with k:   ⟨n_k, n_p⟩ ≥ 0.5, and no way of 3 g along the skin leads from k to p
 *
 * k  vertex;  p  nearest such point of its part along the normal;  n  unit normals of vertex and triangle;  g  largest gap. The two sides of a thin
 * part, lips and fingers face each other or away from each other. O(log #T) per vertex where nothing is stacked.
 */
import type { Bvh } from '../contact/bvh.js';
import { castRay, createRayHit } from '../contact/cast-ray.js';
import { crossEdges } from './cross.js';
import { measureDistance } from './measure-distance.js';
import { measureLength } from './measure-length.js';
import type { NearestPoint } from './measure-nearest-point.js';
import type { Surface } from './surface.js';

const SAME_WAY = 0.5;
/** Length of a way along the skin that makes two sheets of a bend one, in largest gaps; and the most vertices looked at. */
const WAY = 3;
const MOST = 1000;

type StackSurface = Pick<
  Surface,
  'vertexCount' | 'positions' | 'triangles' | 'neighbours' | 'vertexComponent' | 'triangleComponent'
>;

/** @param normals unit normals, #V×3. @param bvh over the triangles of `surface` */
export function createStackFinder(
  surface: StackSurface,
  bvh: Bvh,
  normals: Float64Array,
  largestGap: number,
): (out: NearestPoint, vertex: number) => boolean {
  const { positions: x, triangles, vertexComponent, triangleComponent } = surface;
  const gather = createGatherer(surface, MOST);
  const isWayTo = (k: number, triangle: number): boolean => {
    const corners = triangles.subarray(3 * triangle, 3 * triangle + 3);
    const ball = gather(k, WAY * largestGap, (v) => corners.includes(v));
    return ball.length > MOST || corners.includes(ball.at(-1)!);
  };
  return (out, k) => {
    out.triangle = -1;
    out.distance = largestGap;
    for (let r = 0; r < 3; r++) origin[r] = x[3 * k + r]!;
    for (const sign of [1, -1]) {
      for (let r = 0; r < 3; r++) ray[r] = sign * normals[3 * k + r]!;
      const part = vertexComponent[k]!;
      if (!castRay(hit, bvh, x, origin, ray, out.distance, sign, k, triangleComponent, part)) continue;
      const [a, b, c] = [0, 1, 2].map((n) => 3 * triangles[3 * hit.triangle + n]!) as [number, number, number];
      crossEdges(face, 0, x, a, b, c);
      const facing = sign * (face[0]! * ray[0]! + face[1]! * ray[1]! + face[2]! * ray[2]!);
      if (facing < SAME_WAY * measureLength(face[0]!, face[1]!, face[2]!) || isWayTo(k, hit.triangle)) continue;
      out.triangle = hit.triangle;
      out.distance = hit.t;
      [out.x, out.y, out.z] = [0, 1, 2].map((r) => origin[r]! + hit.t * ray[r]!) as [number, number, number];
      measureShares(out, x, a, b, c);
    }
    return out.triangle >= 0;
  };
}
const hit = createRayHit();
const origin = new Float64Array(3);
const ray = new Float64Array(3);
const face = new Float64Array(3);
const part = new Float64Array(3);
const corners = new Float64Array(9);

/** Shares of the corners a, b, c of a triangle in the point of it that is given. */
function measureShares(out: NearestPoint, x: Float64Array, a: number, b: number, c: number): void {
  crossEdges(face, 0, x, a, b, c);
  const square = face[0]! ** 2 + face[1]! ** 2 + face[2]! ** 2;
  for (let n = 0; n < 3; n++) {
    const [i, j] = [
      [b, c],
      [c, a],
      [a, b],
    ][n] as [number, number];
    corners.set([out.x, out.y, out.z, x[i]!, x[i + 1]!, x[i + 2]!, x[j]!, x[j + 1]!, x[j + 2]!]);
    crossEdges(part, 0, corners, 0, 3, 6);
    out.shares[n] = (part[0]! * face[0]! + part[1]! * face[1]! + part[2]! * face[2]!) / square;
  }
}

/**
 * A vertex, and those within a radius of it along the edges, nearest first: one ring at least, `most` of them, up to the first that `isLast` takes.
 * Shortest ways from a heap, so that the order of the vertices changes nothing.
 */
export function createGatherer(
  { vertexCount, positions, neighbours }: Pick<Surface, 'vertexCount' | 'positions' | 'neighbours'>,
  most: number,
): (vertex: number, radius: number, isLast?: (vertex: number) => boolean) => number[] {
  const ways = new Float64Array(vertexCount).fill(Number.POSITIVE_INFINITY);
  const isTaken = new Uint8Array(vertexCount);
  const seen: number[] = [];
  const heap: number[] = [];
  const lengths: number[] = [];
  const put = (v: number, way: number): void => {
    let at = heap.length;
    for (; at > 0 && lengths[(at - 1) >> 1]! > way; at = (at - 1) >> 1) {
      heap[at] = heap[(at - 1) >> 1]!;
      lengths[at] = lengths[(at - 1) >> 1]!;
    }
    heap[at] = v;
    lengths[at] = way;
  };
  const takeNearest = (): number => {
    const first = heap[0]!;
    const [v, way] = [heap.pop()!, lengths.pop()!];
    const end = heap.length;
    if (end === 0) return first;
    let at = 0;
    for (let child = 1; child < end; child = 2 * at + 1) {
      if (child + 1 < end && lengths[child + 1]! < lengths[child]!) child++;
      if (!(lengths[child]! < way)) break;
      heap[at] = heap[child]!;
      lengths[at] = lengths[child]!;
      at = child;
    }
    heap[at] = v;
    lengths[at] = way;
    return first;
  };
  return (k, radius, isLast) => {
    const found: number[] = [];
    ways[k] = 0;
    seen.push(k);
    put(k, 0);
    while (heap.length > 0 && found.length <= most) {
      const from = takeNearest();
      if (isTaken[from]) continue;
      isTaken[from] = 1;
      found.push(from);
      if (from !== k && isLast?.(from)) break;
      for (let i = neighbours.offsets[from]!; i < neighbours.offsets[from + 1]!; i++) {
        const to = neighbours.values[i]!;
        const way = ways[from]! + measureDistance(positions, from, to);
        if ((way > radius && from !== k) || !(way < ways[to]!)) continue;
        if (ways[to] === Number.POSITIVE_INFINITY) seen.push(to);
        ways[to] = way;
        put(to, way);
      }
    }
    heap.length = 0;
    lengths.length = 0;
    for (const v of seen) {
      ways[v] = Number.POSITIVE_INFINITY;
      isTaken[v] = 0;
    }
    seen.length = 0;
    return found;
  };
}
