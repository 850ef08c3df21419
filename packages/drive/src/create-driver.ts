/**
 * P1. The amounts of the shapes for a pose, without mesh and solver: a polynomial for every shape.
 *
 *   λ_s = Σ_t c_st Π_{i ∈ t} u_i,   inside −Λ⁻_s … Λ⁺_s
 *
 * Λ±  the ceilings of the solver;  u  of every joint 2(xw, yw, zw, xy, xz, yz, xx, yy, zz) of d = rest⁻¹ q, and morph weights
 *
 * The nine numbers span the entries of the joint's rotation matrix, vanish at rest and do not see the sign of q. Nothing is allocated
 * per frame; O(terms).
 */
import { type Amounts, listPlaces } from './amounts.js';

export interface Driver {
  readonly amounts: Amounts;
  /** λ of the last `measure`. */
  readonly values: Float64Array;
  /** Gives input i its rotation; a quaternion of any length. */
  turn(i: number, x: number, y: number, z: number, w: number): void;
  /** Gives input i its weight. */
  weigh(i: number, weight: number): void;
  measure(): Float64Array;
}

export function createDriver(amounts: Amounts): Driver {
  const places = listPlaces(amounts);
  const u = new Float64Array(places.at(-1)!);
  const values = new Float64Array(amounts.shapes.length);
  return {
    amounts,
    values,
    turn(i, x, y, z, w) {
      measureRotation(u, places[i]!, (amounts.inputs[i] as { rest: readonly number[] }).rest, x, y, z, w);
    },
    weigh(i, weight) {
      u[places[i]!] = weight;
    },
    measure() {
      amounts.shapes.forEach(({ terms, range }, s) => {
        let sum = 0;
        for (const term of terms) {
          let product = term[0]!;
          for (let k = 1; k < term.length; k++) product *= u[term[k]!]!;
          sum += product;
        }
        values[s] = Math.min(Math.max(sum, range[0]!), range[1]!) || 0; // NaN: a pose without numbers
      });
      return values;
    },
  };
}

/** The nine numbers of a rotation into `out` from `at` on. */
export function measureRotation(
  out: Float64Array,
  at: number,
  rest: readonly number[],
  x: number,
  y: number,
  z: number,
  w: number,
): void {
  const [a, b, c, d] = rest as [number, number, number, number];
  const scale = 2 / (x * x + y * y + z * z + w * w || 1);
  const s = scale * (d * w + a * x + b * y + c * z);
  const p = d * x - a * w - b * z + c * y;
  const q = d * y - b * w - c * x + a * z;
  const r = d * z - c * w - a * y + b * x;
  out[at] = p * s;
  out[at + 1] = q * s;
  out[at + 2] = r * s;
  out[at + 3] = scale * p * q;
  out[at + 4] = scale * p * r;
  out[at + 5] = scale * q * r;
  out[at + 6] = scale * p * p;
  out[at + 7] = scale * q * q;
  out[at + 8] = scale * r * r;
}
