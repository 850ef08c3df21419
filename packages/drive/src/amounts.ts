/** `ISOSKIN_amounts`, the extension at the root of a baked glTF: amounts of its shapes as polynomials of the pose (docs/drive.md). */
export interface Amounts {
  readonly version: 1;
  /** What the amounts depend on, in the order of the numbers u. */
  readonly inputs: readonly AmountInput[];
  readonly shapes: readonly DrivenShape[];
  readonly certificate: Certificate;
}

/** Nine numbers of a node's rotation, or one: a weight of its mesh. */
export type AmountInput = RotationInput | WeightInput;

export interface RotationInput {
  readonly node: number;
  /** Rotation that counts as none: a quaternion x y z w. */
  readonly rest: readonly number[];
  /** Radians that it turned by at most when it was taught; beyond them it is led back. Absent (an older file): half a turn. */
  readonly reach?: number;
}

export interface WeightInput {
  readonly node: number;
  /** Morph target of the node's mesh. */
  readonly weight: number;
}

export interface DrivenShape {
  readonly name: string;
  /**
   * Morph targets that carry the shape: node, target, the weight that one unit of the amount is, and the weight at amount 0 (absent: 0). A weight is never
   * below 0: what shapes that go both ways are at weight 0 is taken back by one target, “isoskin offset”, whose weight never changes.
   */
  readonly targets: readonly (readonly number[])[];
  /** Ceilings of the amount, inward (below 0) and outward: it never passes them. */
  readonly range: readonly number[];
  /** Coefficient and up to three places in u: the amount is Σ c · Π u. */
  readonly terms: readonly (readonly number[])[];
}

/** How far regions are off, relative to their volume, on poses that were not taught. */
export interface Certificate {
  readonly poses: number;
  /** Degrees that every joint was turned by at most; absent: from the clips, widened. */
  readonly range?: number;
  /** The worst region of all poses, and the median over the poses of each one's worst. */
  readonly worst: number;
  readonly median: number;
  /** The same of linear skinning alone, and of the solver that taught. */
  readonly linear: { readonly worst: number; readonly median: number };
  readonly solver: { readonly worst: number; readonly median: number };
}

export const EXTENSION = 'ISOSKIN_amounts';
/** Numbers of a rotation in u. */
export const ROTATION = 9;

/** First place of every input in u, and one more: how many there are. */
export function listPlaces({ inputs }: Pick<Amounts, 'inputs'>): number[] {
  const places = [0];
  for (const input of inputs) places.push(places.at(-1)! + ('rest' in input ? ROTATION : 1));
  return places;
}
