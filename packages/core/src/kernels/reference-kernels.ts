/**
 * The hot loops of a frame, in f64: the specification that the WASM and WebGPU kernels are tested against.
 *
 * `out` comes first, inputs are read-only flat arrays, nothing is allocated. Positions are #V×3. A kernel works on the
 * vertices (or triangles) `start … end − 1`.
 */

export interface SkinInput {
  readonly positions: Float64Array;
  /** n̄, #V×3: a field that is turned with the skin. */
  readonly directions: Float64Array;
  readonly offsets: Uint32Array;
  readonly bones: Uint32Array;
  readonly weights: Float64Array;
}

export interface SkinOutput {
  readonly positions: Float64Array;
  readonly directions: Float64Array;
}

export interface DisplaceInput {
  /** x, #V×3. */
  readonly positions: Float64Array;
  /** n, #V×3. */
  readonly directions: Float64Array;
  /** φ: vertex → (shape, value). */
  readonly offsets: Uint32Array;
  readonly shapes: Uint32Array;
  readonly values: Float64Array;
  /** λ, one per shape. */
  readonly amounts: Float64Array;
}

/** Vertices of a region and its gradients there. */
export interface RegionSumInput {
  /** y, extended ×3. */
  positions: Float64Array;
  /** Vertex whose place is the origin o. */
  anchor: number;
  /** List of vertices, and their gradients. */
  readonly vertices: Uint32Array;
  readonly gradients: Float64Array;
  /** Gradients stand in the order of the list instead of by vertex. */
  readonly byEntry: boolean;
}

export interface RegionSlopeInput extends Omit<RegionSumInput, 'positions' | 'anchor'> {
  readonly directions: Float64Array;
  /** φ: vertex → (shape, value). */
  readonly offsets: Uint32Array;
  readonly shapes: Uint32Array;
  readonly values: Float64Array;
}

/**
 * A2. x_k = Σ_i ω_ki T_i T̄_i⁻¹ x̄_k, and a field turned with the skin: n_k = Σ_i ω_ki A_i n̄_k, A_i = linear part. The
 * field keeps its length (not unit), so it also shrinks where the blend collapses.
 */
export function skinLinear(out: SkinOutput, skin: SkinInput, matrices: Float64Array, start: number, end: number): void {
  const { positions, directions, offsets, bones, weights } = skin;
  for (let k = start; k < end; k++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    let i = 0;
    let tx = 0;
    let ty = 0;
    let tz = 0;
    for (let n = offsets[k]!; n < offsets[k + 1]!; n++) {
      const w = weights[n]!;
      const m = bones[n]! * 12;
      a += w * matrices[m]!;
      b += w * matrices[m + 1]!;
      c += w * matrices[m + 2]!;
      d += w * matrices[m + 3]!;
      e += w * matrices[m + 4]!;
      f += w * matrices[m + 5]!;
      g += w * matrices[m + 6]!;
      h += w * matrices[m + 7]!;
      i += w * matrices[m + 8]!;
      tx += w * matrices[m + 9]!;
      ty += w * matrices[m + 10]!;
      tz += w * matrices[m + 11]!;
    }
    const x = positions[3 * k]!;
    const y = positions[3 * k + 1]!;
    const z = positions[3 * k + 2]!;
    out.positions[3 * k] = a * x + d * y + g * z + tx;
    out.positions[3 * k + 1] = b * x + e * y + h * z + ty;
    out.positions[3 * k + 2] = c * x + f * y + i * z + tz;
    const u = directions[3 * k]!;
    const v = directions[3 * k + 1]!;
    const w = directions[3 * k + 2]!;
    const nx = a * u + d * v + g * w;
    const ny = b * u + e * v + h * w;
    const nz = c * u + f * v + i * w;
    out.directions[3 * k] = nx;
    out.directions[3 * k + 1] = ny;
    out.directions[3 * k + 2] = nz;
  }
}

/**
 * B2. a_k = 1/6 Σ_{T∋k} (x_j−x_i)×(x_l−x_i): one third of the area vector, for every vertex of the triangles. `out` is
 * cleared first. `vertexCount` counts apexes too.
 */
export function sumAreaVectors(
  out: Float64Array,
  positions: Float64Array,
  triangles: Uint32Array,
  triangleCount: number,
  vertexCount: number,
): void {
  out.fill(0, 0, 3 * vertexCount);
  for (let t = 0; t < 3 * triangleCount; t += 3) {
    const i = 3 * triangles[t]!;
    const j = 3 * triangles[t + 1]!;
    const l = 3 * triangles[t + 2]!;
    const x = positions[i]!;
    const y = positions[i + 1]!;
    const z = positions[i + 2]!;
    const ux = positions[j]! - x;
    const uy = positions[j + 1]! - y;
    const uz = positions[j + 2]! - z;
    const vx = positions[l]! - x;
    const vy = positions[l + 1]! - y;
    const vz = positions[l + 2]! - z;
    const nx = (uy * vz - uz * vy) / 6;
    const ny = (uz * vx - ux * vz) / 6;
    const nz = (ux * vy - uy * vx) / 6;
    out[i]! += nx;
    out[i + 1]! += ny;
    out[i + 2]! += nz;
    out[j]! += nx;
    out[j + 1]! += ny;
    out[j + 2]! += nz;
    out[l]! += nx;
    out[l + 1]! += ny;
    out[l + 2]! += nz;
  }
}

/** C15. y_k = x_k + (Σ_s λ_s φ_sk) n_k, n = A n̄. */
export function displace(out: Float64Array, input: DisplaceInput, start: number, end: number): void {
  const { positions, directions, offsets, shapes, values, amounts } = input;
  for (let k = start; k < end; k++) {
    let sum = 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += amounts[shapes[e]!]! * values[e]!;
    out[3 * k] = positions[3 * k]! + sum * directions[3 * k]!;
    out[3 * k + 1] = positions[3 * k + 1]! + sum * directions[3 * k + 1]!;
    out[3 * k + 2] = positions[3 * k + 2]! + sum * directions[3 * k + 2]!;
  }
}

/** B1, B4. Adds (x_i − o)·((x_j − o) × (x_l − o)), six times a tetrahedron, to out[region] over a list; o = first vertex. */
export function sumTetrahedra(
  out: Float64Array,
  positions: Float64Array,
  tetrahedra: Uint32Array,
  regions: Uint32Array,
  start: number,
  end: number,
): void {
  const ox = positions[0]!;
  const oy = positions[1]!;
  const oz = positions[2]!;
  for (let t = start; t < end; t++) {
    const i = 3 * tetrahedra[3 * t]!;
    const j = 3 * tetrahedra[3 * t + 1]!;
    const l = 3 * tetrahedra[3 * t + 2]!;
    const ax = positions[i]! - ox;
    const ay = positions[i + 1]! - oy;
    const az = positions[i + 2]! - oz;
    const bx = positions[j]! - ox;
    const by = positions[j + 1]! - oy;
    const bz = positions[j + 2]! - oz;
    const cx = positions[l]! - ox;
    const cy = positions[l + 1]! - oy;
    const cz = positions[l + 2]! - oz;
    out[regions[t]!]! += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
}

/** B4. Σ_k (y_k − o)·g_k over a list of vertices: three times their share of a region's volume. */
export function sumVolume(input: RegionSumInput, start: number, end: number): number {
  const { positions, anchor, vertices, gradients, byEntry } = input;
  const ox = positions[3 * anchor]!;
  const oy = positions[3 * anchor + 1]!;
  const oz = positions[3 * anchor + 2]!;
  let sum = 0;
  for (let i = start; i < end; i++) {
    const v = 3 * vertices[i]!;
    const g = byEntry ? 3 * i : v;
    sum +=
      (positions[v]! - ox) * gradients[g]! +
      (positions[v + 1]! - oy) * gradients[g + 1]! +
      (positions[v + 2]! - oz) * gradients[g + 2]!;
  }
  return sum;
}

/** C15. Adds ⟨n_k, g_k⟩ φ_tk to row[t] over a list of vertices: a region's row of ∂V/∂λ; shapes beyond the row are given. */
export function sumSlopes(row: Float64Array, input: RegionSlopeInput, start: number, end: number): void {
  const { directions, offsets, shapes, values, vertices, gradients, byEntry } = input;
  for (let i = start; i < end; i++) {
    const k = vertices[i]!;
    const v = 3 * k;
    const g = byEntry ? 3 * i : v;
    const b =
      directions[v]! * gradients[g]! + directions[v + 1]! * gradients[g + 1]! + directions[v + 2]! * gradients[g + 2]!;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      if (shapes[e]! < row.length) row[shapes[e]!]! += b * values[e]!;
    }
  }
}

/** Unit vectors of `vectors`; a zero vector stays zero. */
export function normalise(out: Float64Array, vectors: Float64Array, start: number, end: number): void {
  for (let k = 3 * start; k < 3 * end; k += 3) {
    const x = vectors[k]!;
    const y = vectors[k + 1]!;
    const z = vectors[k + 2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    const s = length > 0 ? 1 / length : 0;
    out[k] = x * s;
    out[k + 1] = y * s;
    out[k + 2] = z * s;
  }
}
