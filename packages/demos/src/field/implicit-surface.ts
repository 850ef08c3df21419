/** What the polygoniser needs of a surface: f = iso, inside f > iso, outward normal −∇f/|∇f|. */
export interface ImplicitSurface {
  readonly iso: number;
  /** A box that holds the surface: min x, y, z, max x, y, z. */
  readonly bounds: ArrayLike<number>;
  /** #×3, points inside, at least one per component. */
  readonly seeds: ArrayLike<number>;
  /** f(x, y, z). */
  value(x: number, y: number, z: number): number;
  /** Writes ∇f into out[0…2] and returns f. */
  gradient(out: Float64Array, x: number, y: number, z: number): number;
}
