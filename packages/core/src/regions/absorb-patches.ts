/**
 * E3. Absorbs small islands: the weakest patch joins the neighbour with the longest common border, until every patch left
 * holds its share of the component's volume and its surface outweighs its caps. Where two patches are mirror images, the weaker one
 * speaks for both, and what one of them joins the other joins on its own side.
 *
 * A patch is closed about the mean of its own border for this purpose, when its turn comes. O(#T log #T), whatever the weights.
 */
import { measureTriangleArea, tripleProduct } from '../mesh/cross.js';
import { measureDistance } from '../mesh/measure-distance.js';
import { applyApexes, type ClosedSurface } from '../volume/plan-closed-surface.js';
import { createAreaQueue } from './create-area-queue.js';
import { pairImages } from './find-mirror.js';
import type { RegionPatches } from './find-patches.js';
import { joinMates } from './join-mates.js';

/** Caps may have at most this many times a patch's own area: above it the caps, not the skin, decide the volume. */
const MAX_CAP_SHARE = 4;
/** Borders whose lengths differ by less, relatively, are equally long. */
const TIE = 1e-6;
/** Digits to which areas are compared. */
const DIGITS = 7;
/** Least share of the whole character: the knuckles of a soldier's hand are one region. */
const BODY_SHARE = 5e-4;

export interface AbsorbedPatches {
  /** Patch → the patch that absorbed it (itself if it survived). */
  readonly patchOf: Uint32Array;
}

export function absorbPatches(
  closed: ClosedSurface,
  patches: RegionPatches,
  minShare: number,
  minTriangles: number,
  images: Int32Array = new Int32Array(patches.count).fill(-1),
): AbsorbedPatches {
  const { surface } = closed;
  const x = new Float64Array(3 * (closed.vertexCount + closed.apexCount + 1)); // the last one: apex of the patch that is judged
  x.set(surface.positions);
  applyApexes(x, closed.vertexCount, closed.members);
  const patchOf = Uint32Array.from({ length: patches.count }, (_, p) => p);
  const shapes = measureShapes(closed, patches, x);
  const neighbours = measureBorders(patches, x);

  let body = 0;
  for (const { volume } of surface.components) body += Math.abs(volume);
  const weak = (p: number): boolean => {
    const shape = shapes[p]!;
    if (shape.triangles < minTriangles) return true;
    closeShape(shape, x);
    const component = Math.abs(surface.components[patches.component[p]!]!.volume);
    const least = Math.max(minShare * component, BODY_SHARE * body);
    return Math.abs(shape.volume) < least || shape.capArea > MAX_CAP_SHARE * shape.area;
  };
  // The weakest first, so that crumbs gather before they are judged. A patch that grows is judged again.
  const queue = createAreaQueue(patches.label);
  /** Mirror images weigh the same, whatever the order of their triangles: rounding does not decide which of them speaks. */
  const weigh = (p: number) => Number(shapes[p]!.area.toPrecision(DIGITS));
  for (const p of shapes.keys()) queue.push(p, weigh(p));
  const absorb = (p: number, wanted: number): void => {
    const into = neighbours[p]!.has(wanted) ? wanted : longest(p);
    if (into < 0) return;
    mergeShapes(shapes, neighbours, p, into, x.length / 3);
    patchOf[p] = into;
    queue.push(into, weigh(into));
  };
  const mates = pairImages(images);
  const longest = (p: number) => findLongest(neighbours[p]!, mates, patches.label, p);
  for (const [p, twin] of findTwins(images, mates, patches)) {
    mergeShapes(shapes, neighbours, p, twin, x.length / 3);
    patchOf[p] = twin;
    queue.push(twin, weigh(twin));
  }
  for (let p = queue.pop(); p >= 0; p = queue.pop()) {
    const stale = patchOf[p] !== p || queue.area !== weigh(p);
    const mate = mates[p]!;
    if (stale || neighbours[p]!.size === 0) continue;
    if (!weak(p) && !(mate >= 0 && mate !== p && neighbours[mate]!.size > 0 && weak(mate))) continue;
    joinMates(mates, p, longest(p), longest, absorb);
  }
  for (let p = 0; p < patches.count; p++) {
    let root = p;
    while (patchOf[root] !== root) root = patchOf[root]!;
    for (let q = p; q !== root; ) {
      const up = patchOf[q]!;
      patchOf[q] = root;
      q = up;
    }
  }
  return { patchOf };
}

/** Patches that are one on the other side of the body, where the mesh is not quite its own image: they are one on this side too. */
function findTwins(images: Int32Array, mates: Int32Array, { label, component }: RegionPatches): [number, number][] {
  const out: [number, number][] = [];
  images.forEach((image, p) => {
    const twin = image >= 0 && mates[p] === -1 ? mates[image]! : -1;
    if (twin >= 0 && label[twin] === label[p] && component[twin] === component[p]) out.push([p, twin]);
  });
  return out;
}

/**
 * The neighbour with the longest border, of equally long ones (mirror images) the one whose joint comes first; from the middle of a body only one
 * that lies there too, if there is one.
 */
function findLongest(neighbours: Map<number, number>, mates: Int32Array, labels: Int32Array, p: number): number {
  let into = -1;
  const isMiddle = (q: number) => mates[p] !== p || mates[q] === q;
  const isLonger = (q: number, length: number): boolean => {
    const difference = length - neighbours.get(into)!;
    return Math.abs(difference) > TIE * length ? difference > 0 : labels[q]! < labels[into]!;
  };
  for (const [q, length] of neighbours) {
    if (into < 0 || (isMiddle(q) === isMiddle(into) ? isLonger(q, length) : isMiddle(q))) into = q;
  }
  return into;
}

interface Shape {
  triangles: number;
  area: number;
  /** Σ_T x·(y×z) of the patch's own triangles. */
  six: number;
  /** Directed border edges i → j that its cap must close, as i·#(V + apexes) + j, and how often. */
  border: Map<number, number>;
  /** Of the patch closed by its cap. */
  volume: number;
  capArea: number;
}

function measureShapes(closed: ClosedSurface, patches: RegionPatches, x: Float64Array): Shape[] {
  const shapes: Shape[] = Array.from({ length: patches.count }, () => ({
    triangles: 0,
    area: 0,
    six: 0,
    border: new Map(),
    volume: 0,
    capArea: 0,
  }));
  const { triangles, triangleCount } = closed;
  for (let t = 0; t < triangleCount; t++) {
    const shape = shapes[patches.trianglePatch[t]!]!;
    const [i, j, l] = [3 * triangles[3 * t]!, 3 * triangles[3 * t + 1]!, 3 * triangles[3 * t + 2]!];
    shape.triangles++;
    shape.six += tripleProduct(x, i, j, l);
    shape.area += measureTriangleArea(x, i, j, l);
  }
  for (let e = 0; e < patches.borders.length; e += 4) {
    const [p, q, i, j] = patches.borders.subarray(e, e + 4) as unknown as [number, number, number, number];
    // Half-edge i → j lies in p, so p's cap runs j → i and q's the other way.
    addEdge(shapes[p]!.border, j, i, 1, x.length / 3);
    addEdge(shapes[q]!.border, i, j, 1, x.length / 3);
  }
  return shapes;
}

/** Border length between every two touching patches. */
function measureBorders(patches: RegionPatches, x: Float64Array): Map<number, number>[] {
  const out: Map<number, number>[] = Array.from({ length: patches.count }, () => new Map());
  for (let e = 0; e < patches.borders.length; e += 4) {
    const [p, q, i, j] = patches.borders.subarray(e, e + 4) as unknown as [number, number, number, number];
    const length = measureDistance(x, i, j);
    out[p]!.set(q, (out[p]!.get(q) ?? 0) + length);
    out[q]!.set(p, (out[q]!.get(p) ?? 0) + length);
  }
  return out;
}

function mergeShapes(
  shapes: Shape[],
  neighbours: Map<number, number>[],
  from: number,
  into: number,
  vertexCount: number,
): void {
  const a = shapes[from]!;
  const b = shapes[into]!;
  b.triangles += a.triangles;
  b.area += a.area;
  b.six += a.six;
  b.border = joinBorders(a.border, b.border, vertexCount);
  for (const [q, length] of neighbours[from]!) {
    neighbours[q]!.delete(from);
    if (q === into) continue;
    neighbours[q]!.set(into, (neighbours[q]!.get(into) ?? 0) + length);
    neighbours[into]!.set(q, (neighbours[into]!.get(q) ?? 0) + length);
  }
  neighbours[from] = new Map();
}

/** Adds a directed edge `times` over; opposite edges cancel. */
function addEdge(border: Map<number, number>, i: number, j: number, times: number, vertexCount: number): void {
  const back = j * vertexCount + i;
  const cancelled = Math.min(times, border.get(back) ?? 0);
  if (cancelled > 0) {
    if (border.get(back) === cancelled) border.delete(back);
    else border.set(back, border.get(back)! - cancelled);
  }
  const key = i * vertexCount + j;
  if (times > cancelled) border.set(key, (border.get(key) ?? 0) + times - cancelled);
}

/** The smaller border is added to the larger one, so that a patch may grow crumb by crumb. */
function joinBorders(a: Map<number, number>, b: Map<number, number>, vertexCount: number): Map<number, number> {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const [key, times] of small) {
    addEdge(large, Math.floor(key / vertexCount), key % vertexCount, times, vertexCount);
  }
  return large;
}

/** Volume and cap area of a patch whose border is closed about the mean of its vertices. */
function closeShape(shape: Shape, x: Float64Array): void {
  const count = x.length / 3;
  const vertices = new Set<number>();
  for (const key of shape.border.keys()) vertices.add(Math.floor(key / count)).add(key % count);
  const apex = x.length - 3;
  x.fill(0, apex);
  for (const v of vertices) for (let r = 0; r < 3; r++) x[apex + r]! += x[3 * v + r]! / vertices.size;
  let six = shape.six;
  shape.capArea = 0;
  for (const [key, times] of shape.border) {
    const i = 3 * Math.floor(key / count);
    const j = 3 * (key % count);
    six += times * tripleProduct(x, i, j, apex);
    shape.capArea += times * measureTriangleArea(x, i, j, apex);
  }
  shape.volume = six / 6;
}
