/**
 * C16. Shapes beside those of the regions whose amounts are no unknowns but given by the pose: a function of the bones alone, the same
 * numbers for every kernel set, player and file.
 */
import type { CreasePlan } from './create-creases.js';
import type { TwistPlan } from './create-twists.js';
import type { VertexValues } from './plan-bases.js';
import type { HarmonicPlan } from './plan-harmonics.js';

/** Amounts of given shapes from `out[at]` on, for bone matrices #B×12 from bone `first` on. Allocation-free. */
export type MeasureGiven = (out: Float64Array, at: number, bones: ArrayLike<number>, first?: number) => void;

/** Orthonormal directions that are kept of every family. */
export type FamilyAxes = readonly (readonly (readonly number[])[])[];

/** Where the amounts come from, as data. */
export interface GivenPlan {
  /** Families of shapes that move one thing (a region's bend, a joint's twist or crease): directions inside one may be combined. */
  readonly families: readonly GivenFamily[];
  readonly harmonics?: HarmonicPlan | undefined;
  readonly twists?: TwistPlan | undefined;
  readonly creases?: CreasePlan | undefined;
  /** Amounts are e·a for every direction e of a family (reduce-given.ts); absent: a as they are. */
  readonly kept?: FamilyAxes;
}

/** The amounts themselves (create-given.ts). */
export interface GivenAmounts {
  readonly plan: GivenPlan;
  /** Those of the plan, as large as what is kept of them. */
  readonly families: readonly GivenFamily[];
  readonly measure: MeasureGiven;
}

export interface GivenFamily {
  readonly name: string;
  /** Shapes in it. */
  readonly size: number;
  /** Region that it stands in. */
  readonly region: number;
}

export interface GivenShapes {
  /** Vertex → given shapes, counted from 0. */
  readonly values: VertexValues;
  readonly plan: GivenPlan;
}

/** Names of all shapes: those of the regions, and of every family with its number. */
export function listShapeNames({ given }: { readonly given?: GivenAmounts }, regions: readonly string[]): string[] {
  const names = [...regions];
  for (const { name, size } of given?.families ?? []) for (let i = 1; i <= size; i++) names.push(`${name} ${i}`);
  return names;
}
