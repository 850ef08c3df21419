/**
 * C16 with fewer shapes: in every family (given-shapes.ts) only some directions e are kept.
 *
 *   d_i = Σ_r e_i,r d_r,   amount e_i·a
 */
import { findAxes } from '../linear-algebra/find-axes.js';
import { createGiven } from './create-given.js';
import type { FamilyAxes, GivenFamily } from './given-shapes.js';
import { VertexTable } from './plan-bases.js';
import type { Shapes } from './plan-shapes.js';

export function reduceGiven(shapes: Shapes, kept: FamilyAxes): Shapes {
  const { given, regionCount: K } = shapes;
  if (!given) return shapes;
  const { firsts, familyOf } = listFamilies(given.families);
  const starts: number[] = []; // family → its first direction
  let count = 0;
  for (const axes of kept) {
    starts.push(count);
    count += axes.length;
  }
  // Shape → directions that it is in, and its number there.
  const uses = familyOf.map((f, g) =>
    kept[f]!.flatMap((axis, i) => {
      const e = axis[g - firsts[f]!]!;
      return e === 0 ? [] : [{ d: starts[f]! + i, e }];
    }),
  );
  const table = new VertexTable(shapes.offsets.length - 1);
  const sums = new Float64Array(count);
  const touched = new Uint32Array(count);
  const touchedBy = new Int32Array(count).fill(-1);
  for (let k = 0; k + 1 < shapes.offsets.length; k++) {
    let some = 0;
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
      const g = shapes.shapes[e]! - K;
      if (g < 0) {
        table.add(k, shapes.shapes[e]!, shapes.values[e]!);
        continue;
      }
      for (const { d, e: share } of uses[g]!) {
        sums[d]! += share * shapes.values[e]!;
        if (touchedBy[d] !== k) touched[some++] = d;
        touchedBy[d] = k;
      }
    }
    for (let n = 0; n < some; n++) {
      table.add(k, K + touched[n]!, sums[touched[n]!]!);
      sums[touched[n]!] = 0;
    }
  }
  return { ...shapes, ...table.finish(), shapeCount: K + count, given: createGiven({ ...given.plan, kept }) };
}

/** First shape of every family, and the family of every shape. */
export function listFamilies(families: readonly GivenFamily[]): { firsts: number[]; familyOf: number[] } {
  const firsts: number[] = [];
  const familyOf: number[] = [];
  for (const [f, { size }] of families.entries()) {
    firsts.push(familyOf.length);
    for (let r = 0; r < size; r++) familyOf.push(f);
  }
  return { firsts, familyOf };
}

/** A direction in which a family moves less than this share of what it moves in all (RMS: a tenth) is not worth a morph target. */
const LEAST_EXTENT = 0.01;
/** A family of more shapes than there are directions in space is taught (a crease): its shapes were chosen by what they carry, and all are kept. */
const DIRECTIONS = 3;

/** The directions in which the shapes themselves reach far, whatever the poses: around a limb two of three. */
export function findExtents({ given, regionCount: K, ...shapes }: Shapes): FamilyAxes {
  const families = given?.families ?? [];
  const { firsts, familyOf } = listFamilies(families);
  const own = Int32Array.from({ length: shapes.shapeCount }, (_, s) => familyOf[s - K] ?? -1);
  const grams = families.map(({ size }) => new Float64Array(size * size));
  for (let k = 0; k + 1 < shapes.offsets.length; k++) {
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++) {
      const f = own[shapes.shapes[e]!]!;
      if (f < 0) continue;
      const { size } = families[f]!;
      const r = shapes.shapes[e]! - K - firsts[f]!;
      for (let o = shapes.offsets[k]!; o <= e; o++) {
        if (own[shapes.shapes[o]!] !== f) continue;
        const c = shapes.shapes[o]! - K - firsts[f]!;
        const product = shapes.values[e]! * shapes.values[o]!;
        grams[f]![r * size + c]! += product;
        if (o < e) grams[f]![c * size + r]! += product;
      }
    }
  }
  return grams.map((gram, f) => {
    const axes = findAxes(gram, families[f]!.size);
    const all = axes.reduce((sum, { value }) => sum + value, 0);
    const isTaught = families[f]!.size > DIRECTIONS;
    return axes.filter(({ value }) => isTaught || value > LEAST_EXTENT * all).map(({ axis }) => axis);
  });
}
