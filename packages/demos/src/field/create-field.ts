import { IsoskinError } from '@isoskin/core';
import type { ImplicitSurface } from './implicit-surface.js';
import { createNearLists } from './near-lists.js';
import { DEFAULT_REACH, defaultStiffness, evaluatePotential, evaluatePotentialSlope } from './potential.js';
import type { Primitive } from './primitive.js';
import { measureSegment, measureTriangle, SIMPLEX_STRIDE, writeSimplex } from './scaled-distance.js';

/** A field that the polygoniser can walk on, and that says whose territory a point is in. */
export interface Field extends ImplicitSurface {
  readonly primitives: readonly Primitive[];
  /**
   * Writes the potential of every primitive alone, f_i, into out (#primitives) and returns the index of the largest (the
   * territory that the point is in, I3), −1 where all are zero.
   */
  potentials(out: Float64Array, x: number, y: number, z: number): number;
}

/** The primitives of a field and who blends with whom. */
export interface FieldInput {
  readonly primitives: readonly Primitive[];
  /** Edges of the blending graph, pairs of primitive names. */
  readonly blends?: readonly (readonly [string, string])[];
}

/**
 * I1, I2. The field of a set of primitives under a blending graph, iso-value 1.
 *
 *   f(P) = max_i ( f_i + Σ_{j ∈ N(i)} min(f_i, f_j) )
 *
 * Where i is the strongest primitive this is its sum with its graph neighbours (I2), and it is continuous where the strongest
 * changes. The `min` matters: in max_i Σ_{j ∈ i∪N(i)} f_j a primitive that is far away (f_i = 0) still joins its neighbours, so
 * that an upper arm would melt the forearm into the chest. Primitives that carve (an eye socket) belong to no territory: their
 * potential times their depth is taken away from f.
 *
 * Cost of one evaluation: the simplices near the point (`near-lists.ts`), not all of them.
 */
export function createField(input: FieldInput): Field {
  const { primitives } = input;
  const { reach, stiffness, share, records, owner, flat, seeds } = readPrimitives(primitives);
  const linked = readGraph(primitives, input.blends ?? []);
  const count = primitives.length;
  const near = createNearLists(records, owner, flat, reach);

  // Scratch of one evaluation: the primitives that reach the point, with closest point and thickness of each.
  const closest = new Float64Array(4);
  const ids = new Int32Array(count);
  const values = new Float64Array(count);
  const distances = new Float64Array(count);
  const feet = new Float64Array(4 * count);

  const gather = (x: number, y: number, z: number): number => {
    const list = near.find(x, y, z);
    if (list < 0) return 0;
    const end = near.offsets[list + 1]!;
    let n = 0;
    for (let k = near.offsets[list]!; k < end; ) {
      const primitive = owner[near.simplices[k]!]!;
      let best = Infinity;
      for (; k < end && owner[near.simplices[k]!] === primitive; k++) {
        const simplex = near.simplices[k]!;
        const at = simplex * SIMPLEX_STRIDE;
        const squared = flat[simplex]
          ? measureTriangle(closest, records, at, x, y, z)
          : measureSegment(closest, records, at, x, y, z);
        if (squared < best) {
          best = squared;
          feet[4 * n] = closest[0]!;
          feet[4 * n + 1] = closest[1]!;
          feet[4 * n + 2] = closest[2]!;
          feet[4 * n + 3] = closest[3]!;
        }
      }
      const s = Math.sqrt(best);
      if (s >= reach[primitive]!) continue;
      ids[n] = primitive;
      distances[n] = s;
      values[n++] = evaluatePotential(s, reach[primitive]!, stiffness[primitive]!) * share[primitive]!;
    }
    return n;
  };

  /** What is carved away, a number below 0. */
  const carved = (n: number): number => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.min(0, values[i]!);
    return sum;
  };

  const blended = (i: number, n: number): number => {
    const row = ids[i]! * count;
    const own = values[i]!;
    let sum = own;
    for (let j = 0; j < n; j++) if (linked[row + ids[j]!]) sum += Math.min(own, values[j]!);
    return sum;
  };

  const addGradient = (out: Float64Array, i: number, x: number, y: number, z: number): void => {
    const s = distances[i]!;
    if (s === 0) return;
    const e = feet[4 * i + 3]!;
    const factor = (share[ids[i]!]! * evaluatePotentialSlope(s, reach[ids[i]!]!, stiffness[ids[i]!]!)) / (s * e * e);
    out[0]! += factor * (x - feet[4 * i]!);
    out[1]! += factor * (y - feet[4 * i + 1]!);
    out[2]! += factor * (z - feet[4 * i + 2]!);
  };

  return {
    iso: 1,
    bounds: near.bounds,
    seeds,
    primitives,
    value(x, y, z) {
      const n = gather(x, y, z);
      let best = 0;
      for (let i = 0; i < n; i++) best = Math.max(best, blended(i, n));
      return best + carved(n);
    },
    gradient(out, x, y, z) {
      const n = gather(x, y, z);
      out[0] = out[1] = out[2] = 0;
      let best = 0;
      let winner = -1;
      for (let i = 0; i < n; i++) {
        const value = blended(i, n);
        if (value > best) {
          best = value;
          winner = i;
        }
      }
      if (winner < 0) return 0;
      const row = ids[winner]! * count;
      addGradient(out, winner, x, y, z);
      for (let j = 0; j < n; j++) {
        if (values[j]! < 0) addGradient(out, j, x, y, z);
        else if (linked[row + ids[j]!]) addGradient(out, values[j]! <= values[winner]! ? j : winner, x, y, z);
      }
      return best + carved(n);
    },
    potentials(out, x, y, z) {
      const n = gather(x, y, z);
      out.fill(0);
      let winner = -1;
      for (let i = 0; i < n; i++) {
        out[ids[i]!] = values[i]!;
        if (values[i]! < 0) continue;
        if (winner < 0 || values[i]! > out[winner]!) winner = ids[i]!;
      }
      return winner;
    },
  };
}

function readPrimitives(primitives: readonly Primitive[]) {
  if (primitives.length === 0) {
    throw new IsoskinError(
      'FIELD_EMPTY',
      'The field has no primitive; give it at least one point, segment or triangle.',
    );
  }
  const reach = new Float64Array(primitives.length);
  const stiffness = new Float64Array(primitives.length);
  const share = Float64Array.from(primitives, ({ carve }) => (carve ? -carve : 1));
  const total = primitives.reduce((sum, p) => sum + p.simplices.length, 0);
  const records = new Float64Array(total * SIMPLEX_STRIDE);
  const owner = new Uint32Array(total);
  const flat = new Uint8Array(total);
  const seeds: number[] = [];
  let simplex = 0;
  primitives.forEach((primitive, index) => {
    const place = `primitive "${primitive.name}"`;
    const rho = primitive.reach ?? DEFAULT_REACH;
    const k = primitive.stiffness ?? defaultStiffness(rho);
    if (!(rho > 1) || !(k > 0 && k * (rho - 1) <= 3)) {
      const message = `The potential must decrease: reach ${rho} must exceed 1 and stiffness ${k} lie in (0, 3/(reach − 1)].`;
      throw new IsoskinError('POTENTIAL_INVALID', message, place);
    }
    if (primitive.corners.some((c) => !c.every(Number.isFinite) || c[3] <= 0)) {
      throw new IsoskinError('CORNER_INVALID', 'Every corner needs finite coordinates and a thickness above 0.', place);
    }
    reach[index] = rho;
    stiffness[index] = k;
    for (const corners of primitive.simplices) {
      writeSimplex(
        records,
        simplex * SIMPLEX_STRIDE,
        corners.map((c) => primitive.corners[c]!),
      );
      owner[simplex] = index;
      flat[simplex++] = corners.length === 3 ? 1 : 0;
    }
    if (primitive.carve) return;
    const middle = primitive.simplices[primitive.simplices.length >> 1]!;
    for (let axis = 0; axis < 3; axis++) {
      seeds.push(middle.reduce((sum, c) => sum + primitive.corners[c]![axis]!, 0) / middle.length);
    }
  });
  return { reach, stiffness, share, records, owner, flat, seeds };
}

/** Adjacency matrix of the blending graph, #P×#P. */
function readGraph(primitives: readonly Primitive[], blends: readonly (readonly [string, string])[]): Uint8Array {
  const count = primitives.length;
  const linked = new Uint8Array(count * count);
  const index = new Map(primitives.map((p, i) => [p.name, i]));
  for (const [a, b] of blends) {
    const i = index.get(a);
    const j = index.get(b);
    if (i === undefined || j === undefined || i === j) {
      const message = 'A blend names two different primitives of the field; correct the name.';
      throw new IsoskinError('BLEND_UNKNOWN', message, `${a} – ${b}`);
    }
    linked[i * count + j] = linked[j * count + i] = 1;
  }
  return linked;
}
