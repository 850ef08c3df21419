/**
 * E3. Absorbs small islands: the weakest patch joins the neighbour with the longest common border, until every patch left
 * holds its share of the component's volume and its surface outweighs its caps.
 *
 * A patch is closed about the mean of its own border for this purpose. O(patches² + #T): patches are few.
 */
import { applyApexes, type ClosedSurface } from '../volume/plan-closed-surface.js';
import type { Patches } from './find-patches.js';

/** Caps may have at most this share of a patch's own area: above it the caps, not the skin, decide the volume. */
const MAX_CAP_SHARE = 1;

export interface AbsorbedPatches {
  /** Patch → the patch that absorbed it (itself if it survived). */
  readonly patchOf: Uint32Array;
}

export function absorbPatches(
  closed: ClosedSurface,
  patches: Patches,
  minShare: number,
  minTriangles: number,
): AbsorbedPatches {
  const { surface } = closed;
  const x = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  x.set(surface.positions);
  applyApexes(x, closed.vertexCount, closed.members);
  const patchOf = Uint32Array.from({ length: patches.count }, (_, p) => p);
  const shapes = measureShapes(closed, patches, x);
  const neighbours = measureBorders(patches, x);

  const weak = (p: number): boolean => {
    const whole = Math.abs(surface.components[patches.component[p]!]!.volume);
    const { volume, area, capArea, triangles } = shapes[p]!;
    return Math.abs(volume) < minShare * whole || capArea > MAX_CAP_SHARE * area || triangles < minTriangles;
  };
  const queue = new Set(shapes.keys());
  for (;;) {
    // The weakest first, so that crumbs gather before they are judged.
    let pick = -1;
    for (const p of queue) {
      if (neighbours[p]!.size === 0 || !weak(p)) continue;
      if (pick < 0 || shapes[p]!.area < shapes[pick]!.area) pick = p;
    }
    if (pick < 0) break;
    let into = -1;
    for (const [q, length] of neighbours[pick]!) if (into < 0 || length > neighbours[pick]!.get(into)!) into = q;
    mergeShapes(shapes, neighbours, pick, into);
    closeShape(shapes[into]!, x);
    patchOf[pick] = into;
    queue.delete(pick);
  }
  for (let p = 0; p < patches.count; p++) {
    let root = p;
    while (patchOf[root] !== root) root = patchOf[root]!;
    patchOf[p] = root;
  }
  return { patchOf };
}

interface Shape {
  triangles: number;
  area: number;
  /** Σ_T x·(y×z) of the patch's own triangles. */
  six: number;
  /** Directed border edges that its cap must close, flat (i, j). */
  border: number[];
  /** Of the patch closed by its cap. */
  volume: number;
  capArea: number;
}

function measureShapes(closed: ClosedSurface, patches: Patches, x: Float64Array): Shape[] {
  const shapes: Shape[] = Array.from({ length: patches.count }, () => ({
    triangles: 0,
    area: 0,
    six: 0,
    border: [],
    volume: 0,
    capArea: 0,
  }));
  const { triangles, triangleCount } = closed;
  for (let t = 0; t < triangleCount; t++) {
    const shape = shapes[patches.trianglePatch[t]!]!;
    const [i, j, l] = [3 * triangles[3 * t]!, 3 * triangles[3 * t + 1]!, 3 * triangles[3 * t + 2]!];
    shape.triangles++;
    shape.six += tripleProduct(x, i, x, j, x, l);
    shape.area += triangleArea(x, i, x, j, x, l);
  }
  for (let e = 0; e < patches.borders.length; e += 4) {
    const [p, q, i, j] = patches.borders.subarray(e, e + 4) as unknown as [number, number, number, number];
    // Half-edge i → j lies in p, so p's cap runs j → i and q's the other way.
    shapes[p]!.border.push(j, i);
    shapes[q]!.border.push(i, j);
  }
  for (const shape of shapes) closeShape(shape, x);
  return shapes;
}

/** Border length between every two touching patches. */
function measureBorders(patches: Patches, x: Float64Array): Map<number, number>[] {
  const out: Map<number, number>[] = Array.from({ length: patches.count }, () => new Map());
  for (let e = 0; e < patches.borders.length; e += 4) {
    const [p, q, i, j] = patches.borders.subarray(e, e + 4) as unknown as [number, number, number, number];
    const length = Math.hypot(x[3 * i]! - x[3 * j]!, x[3 * i + 1]! - x[3 * j + 1]!, x[3 * i + 2]! - x[3 * j + 2]!);
    out[p]!.set(q, (out[p]!.get(q) ?? 0) + length);
    out[q]!.set(p, (out[q]!.get(p) ?? 0) + length);
  }
  return out;
}

function mergeShapes(shapes: Shape[], neighbours: Map<number, number>[], from: number, into: number): void {
  const a = shapes[from]!;
  const b = shapes[into]!;
  b.triangles += a.triangles;
  b.area += a.area;
  b.six += a.six;
  b.border = cancelEdges([...a.border, ...b.border]);
  for (const [q, length] of neighbours[from]!) {
    neighbours[q]!.delete(from);
    if (q === into) continue;
    neighbours[q]!.set(into, (neighbours[q]!.get(into) ?? 0) + length);
    neighbours[into]!.set(q, (neighbours[into]!.get(q) ?? 0) + length);
  }
  neighbours[from] = new Map();
}

/** Removes pairs of opposite directed edges. */
function cancelEdges(edges: readonly number[]): number[] {
  const open = new Map<string, number>();
  const out: number[] = [];
  for (let e = 0; e < edges.length; e += 2) {
    const back = `${edges[e + 1]} ${edges[e]}`;
    const count = open.get(back) ?? 0;
    if (count > 0) open.set(back, count - 1);
    else open.set(`${edges[e]} ${edges[e + 1]}`, (open.get(`${edges[e]} ${edges[e + 1]}`) ?? 0) + 1);
  }
  for (const [key, count] of open) for (let n = 0; n < count; n++) out.push(...key.split(' ').map(Number));
  return out;
}

/** Volume and cap area of a patch whose border is closed about the mean of its vertices. */
function closeShape(shape: Shape, x: Float64Array): void {
  const vertices = new Set(shape.border);
  apex.fill(0);
  for (const v of vertices) for (let r = 0; r < 3; r++) apex[r]! += x[3 * v + r]! / vertices.size;
  let six = shape.six;
  shape.capArea = 0;
  for (let e = 0; e < shape.border.length; e += 2) {
    const i = 3 * shape.border[e]!;
    const j = 3 * shape.border[e + 1]!;
    six += tripleProduct(x, i, x, j, apex, 0);
    shape.capArea += triangleArea(x, i, x, j, apex, 0);
  }
  shape.volume = six / 6;
}
const apex = new Float64Array(3);

function tripleProduct(x: Float64Array, i: number, y: Float64Array, j: number, z: Float64Array, l: number): number {
  return (
    x[i]! * (y[j + 1]! * z[l + 2]! - y[j + 2]! * z[l + 1]!) +
    x[i + 1]! * (y[j + 2]! * z[l]! - y[j]! * z[l + 2]!) +
    x[i + 2]! * (y[j]! * z[l + 1]! - y[j + 1]! * z[l]!)
  );
}

function triangleArea(x: Float64Array, i: number, y: Float64Array, j: number, z: Float64Array, l: number): number {
  const ux = y[j]! - x[i]!;
  const uy = y[j + 1]! - x[i + 1]!;
  const uz = y[j + 2]! - x[i + 2]!;
  const vx = z[l]! - x[i]!;
  const vy = z[l + 1]! - x[i + 1]!;
  const vz = z[l + 2]! - x[i + 2]!;
  return 0.5 * Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}
