/**
 * C16. Shapes beside those of the regions whose amounts are no unknowns but given by the pose: a function of the bones alone, the same
 * numbers for every kernel set, player and file.
 */
import type { VertexValues } from './plan-bases.js';

/** Where the amounts of given shapes come from. */
export interface GivenAmounts {
  /** Families of shapes that move one thing (a region's bend, a joint's twist): directions inside one may be combined. */
  readonly families: readonly GivenFamily[];
  /** Amounts of all given shapes from `out[at]` on, for bone matrices #B×12 from bone `first` on. Allocation-free. */
  measure(out: Float64Array, at: number, bones: ArrayLike<number>, first?: number): void;
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
  readonly given: GivenAmounts;
}

/** Names of all shapes: those of the regions, and of every family with its number. */
export function listShapeNames({ given }: { readonly given?: GivenAmounts }, regions: readonly string[]): string[] {
  const names = [...regions];
  for (const { name, size } of given?.families ?? []) for (let i = 1; i <= size; i++) names.push(`${name} ${i}`);
  return names;
}
