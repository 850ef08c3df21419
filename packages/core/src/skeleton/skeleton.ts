/**
 * A1. Hierarchy of frames and the bones that the skin hangs on.
 *
 * Nodes are in topological order (a parent before its children). A *bone* is one (joint, inverse bind matrix) pair: glTF
 * skins that share a joint with different bind matrices give two bones. Matrices are column-major 4×4, as in glTF.
 */
export interface Skeleton {
  readonly nodeCount: number;
  readonly names: readonly string[];
  /** Parent node, −1 for a root. */
  readonly parents: Int32Array;
  /** Default local transforms, #N×10: translation (3), rotation quaternion x y z w (4), scale (3). */
  readonly locals: Float64Array;
  /** Nodes given by a matrix that TRS cannot express keep it here (never animated); others have no entry. */
  readonly fixedMatrices: ReadonlyMap<number, Float64Array>;
  readonly boneCount: number;
  /** Node that carries bone i, #B. */
  readonly boneNodes: Uint32Array;
  /** T̄⁻¹ of bone i: rest world units → joint frame, #B×16. */
  readonly inverseBinds: Float64Array;
}

/** Numbers per node in a pose: translation 3, quaternion 4, scale 3. */
export const POSE_STRIDE = 10;

/** One moment of an animation. */
export interface Pose {
  /** Local transforms, #N×10, laid out as `Skeleton.locals`. */
  readonly locals: Float64Array;
  /** One weight per morph target of the character. */
  readonly morphWeights: Float64Array;
}
