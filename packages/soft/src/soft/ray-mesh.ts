/**
 * I3. The axes that the seeds of one primitive slide on, as a closed triangle mesh of rays: around a point a geodesic sphere,
 * around a segment two hemispheres and a tube, around a triangle two faces, three half tubes and three wedges of a sphere.
 *
 * A ray is described relative to its skeleton, so that it can follow it:
 *   point     local = direction
 *   segment   foot = (s, 0); local = direction in the frame (axis, p, q)
 *   triangle  foot = (s, t); local = (edge, turn, lift): the in-plane outward direction turns from that of `edge` to that of
 *             the next by the fraction `turn` of the corner's angle; lift = sine of the angle to the plane, ±1 on the faces
 */
export interface RayMesh {
  readonly count: number;
  /** #R×2, barycentric weights of the second and third corner where the ray starts. */
  readonly feet: Float64Array;
  /** #R×3. */
  readonly local: Float64Array;
  /** Counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
}

/** Angle between neighbouring directions of a geodesic sphere of frequency 1. */
const ICOSAHEDRON = Math.acos(1 / Math.sqrt(5));

/** Frequency n: 10n² + 2 rays. */
export function createPointRays(n: number): RayMesh {
  const golden = (1 + Math.sqrt(5)) / 2;
  const base: number[][] = [];
  for (const a of [-1, 1]) for (const b of [-golden, golden]) base.push([0, a, b], [a, b, 0], [b, 0, a]);
  const local: number[] = [];
  const triangles: number[] = [];
  const known = new Map<string, number>();
  const vertex = (p: number[]): number => {
    const length = Math.hypot(p[0]!, p[1]!, p[2]!);
    const unit = p.map((value) => value / length);
    const key = unit.map((value) => Math.round(value * 1e6) + 0).join();
    let index = known.get(key);
    if (index === undefined) {
      index = known.size;
      known.set(key, index);
      local.push(...unit);
    }
    return index;
  };
  for (let i = 0; i < 12; i++) {
    for (let j = i + 1; j < 12; j++) {
      for (let k = j + 1; k < 12; k++) {
        const [a, b, c] = [base[i]!, base[j]!, base[k]!];
        // Edges of this icosahedron have length 2.
        if (distance(a, b) > 2.1 || distance(b, c) > 2.1 || distance(c, a) > 2.1) continue;
        const outward = determinant(a, b, c) > 0;
        const at = (u: number, v: number) =>
          vertex(a.map((_, axis) => a[axis]! * (n - u - v) + b[axis]! * u + c[axis]! * v));
        for (let u = 0; u < n; u++) {
          for (let v = 0; u + v < n; v++) {
            const corners = [at(u, v), at(u + 1, v), at(u, v + 1)];
            triangles.push(...(outward ? corners : corners.reverse()));
            if (u + v + 2 > n) continue;
            const others = [at(u + 1, v), at(u + 1, v + 1), at(u, v + 1)];
            triangles.push(...(outward ? others : others.reverse()));
          }
        }
      }
    }
  }
  return pack(new Array(2 * known.size).fill(0), local, triangles);
}

/** `slender` = length over thickness. */
export function createSegmentRays(n: number, slender: number): RayMesh {
  const spacing = ICOSAHEDRON / n;
  const around = Math.max(6, Math.round((2 * Math.PI) / spacing));
  const caps = Math.max(2, Math.round(Math.PI / 2 / spacing));
  const stations = Math.max(1, Math.round(slender / spacing));
  const rings: [s: number, axial: number][] = [];
  for (let k = 1; k <= caps; k++) rings.push([0, -Math.cos((k * Math.PI) / 2 / caps)]);
  for (let k = 1; k <= stations; k++) rings.push([k / stations, 0]);
  for (let k = 1; k < caps; k++) rings.push([1, Math.sin((k * Math.PI) / 2 / caps)]);
  rings[caps - 1]![1] = 0;

  const feet: number[] = [0, 0];
  const local: number[] = [-1, 0, 0];
  for (const [s, axial] of rings) {
    const radial = Math.sqrt(1 - axial * axial);
    for (let a = 0; a < around; a++) {
      const angle = (2 * Math.PI * a) / around;
      feet.push(s, 0);
      local.push(axial, radial * Math.cos(angle), radial * Math.sin(angle));
    }
  }
  feet.push(1, 0);
  local.push(1, 0, 0);
  const triangles: number[] = [];
  const last = 1 + rings.length * around;
  for (let a = 0; a < around; a++) {
    const b = (a + 1) % around;
    triangles.push(0, 1 + b, 1 + a);
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      const low = 1 + ring * around;
      const high = low + around;
      triangles.push(low + a, low + b, high + b, low + a, high + b, high + a);
    }
    triangles.push(last, last - around + a, last - around + b);
  }
  return pack(feet, local, triangles);
}

/** `slender` = longest edge over thickness. */
export function createTriangleRays(n: number, slender: number): RayMesh {
  const spacing = ICOSAHEDRON / n;
  const pieces = Math.max(1, Math.round(slender / spacing));
  const turns = Math.max(2, Math.round((2 * Math.PI) / 3 / spacing));
  const rows = Math.max(2, Math.round(Math.PI / 2 / spacing));
  const feet: number[] = [];
  const local: number[] = [];
  const triangles: number[] = [];
  const add = (s: number, t: number, edge: number, turn: number, lift: number): number => {
    feet.push(s, t);
    local.push(edge, turn, lift);
    return feet.length / 2 - 1;
  };

  const faces = [1, -1].map((lift) => {
    const grid: number[][] = [];
    for (let i = 0; i <= pieces; i++) {
      grid.push([]);
      for (let j = 0; i + j <= pieces; j++) grid[i]!.push(add(i / pieces, j / pieces, 0, 0, lift));
    }
    const face = (a: number, b: number, c: number) => triangles.push(...(lift > 0 ? [a, b, c] : [a, c, b]));
    for (let i = 0; i < pieces; i++) {
      for (let j = 0; i + j < pieces; j++) {
        face(grid[i]![j]!, grid[i + 1]![j]!, grid[i]![j + 1]!);
        if (i + j + 2 <= pieces) face(grid[i + 1]![j]!, grid[i + 1]![j + 1]!, grid[i]![j + 1]!);
      }
    }
    return grid;
  });

  // Once around the triangle, counter-clockwise seen from above: along each edge, then the turn at its far corner.
  const loop: [i: number, j: number, edge: number, turn: number][] = [];
  for (let edge = 0; edge < 3; edge++) {
    const at = (k: number): [number, number] => (edge === 0 ? [k, 0] : edge === 1 ? [pieces - k, k] : [0, pieces - k]);
    for (let k = 0; k <= pieces; k++) loop.push([...at(k), edge, 0]);
    for (let k = 1; k < turns; k++) loop.push([...at(pieces), edge, k / turns]);
  }
  const columns = loop.map(([i, j, edge, turn]) => {
    const column = [faces[0]![i]![j]!];
    for (let row = 1; row < 2 * rows; row++) {
      column.push(add(i / pieces, j / pieces, edge, turn, Math.cos((row * Math.PI) / 2 / rows)));
    }
    column.push(faces[1]![i]![j]!);
    return column;
  });
  columns.forEach((here, c) => {
    const next = columns[(c + 1) % columns.length]!;
    for (let row = 0; row < 2 * rows; row++) {
      if (here[row] !== next[row]) triangles.push(here[row]!, here[row + 1]!, next[row]!);
      if (here[row + 1] !== next[row + 1]) triangles.push(next[row]!, here[row + 1]!, next[row + 1]!);
    }
  });
  return pack(feet, local, triangles);
}

function pack(feet: readonly number[], local: readonly number[], triangles: readonly number[]): RayMesh {
  return {
    count: feet.length / 2,
    feet: new Float64Array(feet),
    local: new Float64Array(local),
    triangles: new Uint32Array(triangles),
  };
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

function determinant(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  return (
    a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
    a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
    a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!)
  );
}
