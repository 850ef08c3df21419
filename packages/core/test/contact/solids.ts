/** Small closed meshes for the tests of contact and quality. */
export interface Solid {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
}

export function createBox(min: readonly number[], max: readonly number[]): Solid {
  const positions = new Float64Array(24);
  for (let v = 0; v < 8; v++) {
    for (let a = 0; a < 3; a++) positions[3 * v + a] = (v >> a) & 1 ? max[a]! : min[a]!;
  }
  const faces = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const triangles: number[] = [];
  for (let f = 0; f < 24; f += 4) {
    const [a, b, c, d] = faces.slice(f, f + 4) as [number, number, number, number];
    triangles.push(a, b, c, a, c, d);
  }
  return { positions, triangles: Uint32Array.from(triangles) };
}

/** Closed tube of `around` vertices per ring along a path, capped with a vertex at each end. */
export function createTube(path: readonly (readonly number[])[], radius: number, around: number): Solid {
  const positions: number[] = [];
  const triangles: number[] = [];
  const last = path.length - 1;
  for (let i = 0; i <= last; i++) {
    const a = path[Math.max(0, i - 1)]!;
    const b = path[Math.min(last, i + 1)]!;
    const tx = b[0]! - a[0]!;
    const ty = b[1]! - a[1]!;
    const length = Math.hypot(tx, ty);
    // The path lies in the plane z = 0: across = (−ty, tx, 0), and z.
    for (let j = 0; j < around; j++) {
      const angle = (2 * Math.PI * j) / around;
      const c = radius * Math.cos(angle);
      positions.push(path[i]![0]! - (c * ty) / length, path[i]![1]! + (c * tx) / length, radius * Math.sin(angle));
    }
  }
  const start = path.length * around;
  positions.push(...path[0]!, ...path[last]!);
  for (let j = 0; j < around; j++) {
    const k = (j + 1) % around;
    for (let i = 0; i < last; i++) {
      const p = i * around;
      const q = p + around;
      triangles.push(p + j, p + k, q + k, p + j, q + k, q + j);
    }
    triangles.push(start, k, j, start + 1, last * around + j, last * around + k);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Sphere of `rings` × 2·rings quads with a vertex at each pole. */
export function createSphere(radius: number, rings: number, centre: readonly number[] = [0, 0, 0]): Solid {
  const around = 2 * rings;
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 1; i < rings; i++) {
    const polar = (Math.PI * i) / rings;
    for (let j = 0; j < around; j++) {
      const angle = (2 * Math.PI * j) / around;
      positions.push(
        centre[0]! + radius * Math.sin(polar) * Math.cos(angle),
        centre[1]! + radius * Math.sin(polar) * Math.sin(angle),
        centre[2]! + radius * Math.cos(polar),
      );
    }
  }
  const north = (rings - 1) * around;
  positions.push(centre[0]!, centre[1]!, centre[2]! + radius, centre[0]!, centre[1]!, centre[2]! - radius);
  for (let j = 0; j < around; j++) {
    const k = (j + 1) % around;
    triangles.push(north, j, k, north + 1, (rings - 2) * around + k, (rings - 2) * around + j);
    for (let i = 0; i < rings - 2; i++) {
      const p = i * around;
      const q = p + around;
      triangles.push(p + j, q + j, q + k, p + j, q + k, p + k);
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

export function joinSolids(...solids: readonly Solid[]): Solid {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const solid of solids) {
    const first = positions.length / 3;
    for (const p of solid.positions) positions.push(p);
    for (const t of solid.triangles) triangles.push(first + t);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Turned about a skew axis and shifted. */
export function moveRigidly(positions: Float64Array, angle: number, shift: readonly number[]): Float64Array {
  const [x, y, z] = [2 / 7, 3 / 7, 6 / 7];
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const k = 1 - c;
  // biome-ignore format: a matrix, row by row
  const m = [
    c + x * x * k, x * y * k - z * s, x * z * k + y * s,
    y * x * k + z * s, c + y * y * k, y * z * k - x * s,
    z * x * k - y * s, z * y * k + x * s, c + z * z * k,
  ];
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    for (let r = 0; r < 3; r++) {
      out[i + r] =
        m[3 * r]! * positions[i]! + m[3 * r + 1]! * positions[i + 1]! + m[3 * r + 2]! * positions[i + 2]! + shift[r]!;
    }
  }
  return out;
}

/** Neighbours, corners and components of a mesh, as a Surface has them. */
export function planSurface(solid: Solid) {
  const vertexCount = solid.positions.length / 3;
  const around = Array.from({ length: vertexCount }, () => new Set<number>());
  const touching = Array.from({ length: vertexCount }, () => new Set<number>());
  solid.triangles.forEach((v, corner) => {
    const t = 3 * Math.floor(corner / 3);
    touching[v]!.add(corner);
    for (let c = t; c < t + 3; c++) if (solid.triangles[c] !== v) around[v]!.add(solid.triangles[c]!);
  });
  const vertexComponent = new Uint32Array(vertexCount).map((_, k) => k);
  for (let changed = true; changed; ) {
    changed = false;
    for (let k = 0; k < vertexCount; k++) {
      for (const j of around[k]!) {
        if (vertexComponent[j]! >= vertexComponent[k]!) continue;
        vertexComponent[k] = vertexComponent[j]!;
        changed = true;
      }
    }
  }
  const triangleComponent = new Uint32Array(solid.triangles.length / 3).map(
    (_, t) => vertexComponent[solid.triangles[3 * t]!]!,
  );
  return {
    ...solid,
    vertexCount,
    neighbours: toCsr(around),
    corners: toCsr(touching),
    vertexComponent,
    triangleComponent,
  };
}

function toCsr(sets: readonly Set<number>[]) {
  const offsets = new Uint32Array(sets.length + 1);
  sets.forEach((set, i) => {
    offsets[i + 1] = offsets[i]! + set.size;
  });
  return { offsets, values: Uint32Array.from(sets.flatMap((set) => [...set].sort((a, b) => a - b))) };
}
