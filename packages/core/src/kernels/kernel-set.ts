/**
 * The hot loops, behind one interface: the TypeScript set is the specification, WASM and WebGPU sets plug in beside it.
 *
 * `out` comes first, inputs are read-only flat arrays, nothing is allocated. Positions are #V×3. A kernel works on the
 * vertices (or triangles) `start … end − 1`, so that several workers can share one array.
 */
export interface KernelSet extends LinearKernels {
  /** A3. The same with dual quaternions; joint scale and shear are blended linearly before the rigid part. */
  skinDualQuaternion(
    out: SkinOutput,
    skin: SkinInput,
    boneQuaternions: Float64Array,
    boneStretches: Float64Array,
    start: number,
    end: number,
  ): void;
}

/** All that the default frame needs: a small runtime leaves the other skinnings out. */
export interface LinearKernels {
  readonly name: string;

  /**
   * A2. x_k = Σ_i ω_ki T_i T̄_i⁻¹ x̄_k, and a field turned with the skin: n_k = Σ_i ω_ki A_i n̄_k, A_i = linear part. The
   * field keeps its length (not unit), so it also shrinks where the blend collapses.
   */
  skinLinear(out: SkinOutput, skin: SkinInput, boneMatrices: Float64Array, start: number, end: number): void;

  /**
   * B2. a_k = 1/6 Σ_{T∋k} (x_j−x_i)×(x_l−x_i): one third of the area vector, for every vertex of the triangles. `out` is
   * cleared first. `vertexCount` counts apexes too.
   */
  sumAreaVectors(
    out: Float64Array,
    positions: Float64Array,
    triangles: Uint32Array,
    triangleCount: number,
    vertexCount: number,
  ): void;

  /** C15. y_k = x_k + (Σ_s λ_s φ_sk) n_k, n = A n̄. */
  displace(out: Float64Array, input: DisplaceInput, start: number, end: number): void;

  /** B1, B4. Adds (x_i − o)·((x_j − o) × (x_l − o)), six times a tetrahedron, to out[region] over a list; o = first vertex. */
  sumTetrahedra(
    out: Float64Array,
    positions: Float64Array,
    tetrahedra: Uint32Array,
    regions: Uint32Array,
    start: number,
    end: number,
  ): void;

  /** B4. Σ_k (y_k − o)·g_k over a list of vertices: three times their share of a region's volume. */
  sumVolume(input: RegionSumInput, start: number, end: number): number;

  /** C15. Adds ⟨n_k, g_k⟩ φ_tk to row[t] over a list of vertices: a region's row of ∂V/∂λ; shapes beyond the row are given. */
  sumSlopes(row: Float64Array, input: RegionSlopeInput, start: number, end: number): void;

  /** y_k = x_k + ρ_k n_k. */
  applyDisplacement(
    out: Float64Array,
    positions: Float64Array,
    directions: Float64Array,
    amounts: Float64Array,
    start: number,
    end: number,
  ): void;

  /** Unit vectors of `vectors`; a zero vector stays zero. */
  normalise(out: Float64Array, vectors: Float64Array, start: number, end: number): void;
}

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
