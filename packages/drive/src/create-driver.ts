/**
 * P1. The amounts of the shapes for a pose, without mesh and solver: a polynomial for every shape.
 *
 *   λ_s = Σ_t c_st Π_{i ∈ t} u_i,   inside −Λ⁻_s … Λ⁺_s
 *
 * Λ±  the ceilings of the solver;  u  of every joint 2(xw, yw, zw, xy, xz, yz, xx, yy, zz) of d = rest⁻¹ q, and morph weights
 *
 * The nine numbers span the entries of the joint's rotation matrix, vanish at rest and do not see the sign of q. A joint that turns by θ, farther
 * than its reach ρ (what was taught), counts as one that turns about the same axis by
 *
 *   θ (1 − ((θ − ρ) / (π − ρ))²)
 *
 * which goes on smoothly from ρ, and is none at half a turn, where no side is nearer. Nothing is allocated per frame; O(terms).
 */
import { type Amounts, listPlaces, type RotationInput } from './amounts.js';

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
      const { rest, reach } = amounts.inputs[i] as RotationInput;
      measureRotation(u, places[i]!, rest, x, y, z, w, reach);
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

/** The nine numbers of a rotation into `out` from `at` on, and the angle that it turns by. */
export function measureRotation(
  out: Float64Array,
  at: number,
  rest: readonly number[],
  x: number,
  y: number,
  z: number,
  w: number,
  reach = Math.PI,
): number {
  const [a, b, c, d] = rest as [number, number, number, number];
  let scale = 2 / (x * x + y * y + z * z + w * w || 1);
  let s = d * w + a * x + b * y + c * z;
  let p = d * x - a * w - b * z + c * y;
  let q = d * y - b * w - c * x + a * z;
  let r = d * z - c * w - a * y + b * x;
  const size = Math.hypot(p, q, r);
  const angle = 2 * Math.atan2(size, Math.abs(s));
  if (angle > reach) {
    const half = (angle / 2) * (1 - ((angle - reach) / (Math.PI - reach)) ** 2);
    const ratio = Math.sin(half) / size;
    p *= ratio;
    q *= ratio;
    r *= ratio;
    s = Math.cos(half) * (s < 0 ? -1 : 1);
    scale = 2;
  }
  s *= scale;
  out[at] = p * s;
  out[at + 1] = q * s;
  out[at + 2] = r * s;
  out[at + 3] = scale * p * q;
  out[at + 4] = scale * p * r;
  out[at + 5] = scale * q * r;
  out[at + 6] = scale * p * p;
  out[at + 7] = scale * q * q;
  out[at + 8] = scale * r * r;
  return angle;
}
