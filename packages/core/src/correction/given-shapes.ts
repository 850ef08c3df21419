/**
 * C16. Shapes beside those of the regions whose amounts are no unknowns but given by the pose: a function of the bones alone, the same
 * numbers for every kernel set, player and file.
 */
import { createVertexTable, type VertexValues } from './plan-bases.js';

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

export function countGiven({ families }: GivenAmounts): number {
  return families.reduce((sum, { size }) => sum + size, 0);
}

/** φ of the regions, and after them the given shapes of every list. */
export function addGiven(
  bases: VertexValues,
  regionCount: number,
  lists: readonly GivenShapes[],
): { readonly values: VertexValues; readonly given: GivenAmounts } {
  const firsts = [0];
  for (const { given } of lists) firsts.push(firsts.at(-1)! + countGiven(given));
  const count = bases.offsets.length - 1;
  const table = createVertexTable(count);
  for (let k = 0; k < count; k++) {
    for (const [i, { offsets, shapes, values }] of [bases, ...lists.map((list) => list.values)].entries()) {
      const first = i === 0 ? 0 : regionCount + firsts[i - 1]!;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) table.add(k, first + shapes[e]!, values[e]!);
    }
  }
  return {
    values: table.finish(),
    given: {
      families: lists.flatMap(({ given }) => given.families),
      measure(out, at, bones, first) {
        for (let i = 0; i < lists.length; i++) lists[i]!.given.measure(out, at + firsts[i]!, bones, first);
      },
    },
  };
}
