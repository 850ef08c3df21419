/**
 * I1. Skeleton primitives: simplices (point, segment, triangle) whose corners carry a thickness.
 *
 * A primitive is a *set* of simplices that share one potential: a limb is one polyline, an ear one sheet. Inside a primitive
 * only the closest simplex counts, so that a chain of equal segments stays a smooth tube; a sum would bead at every joint.
 */
export interface Primitive {
  readonly name: string;
  /** Corners, #P×4: x, y, z and the thickness e > 0 there. */
  readonly corners: readonly Corner[];
  /** Each with 1, 2 or 3 indices of corners. */
  readonly simplices: readonly (readonly number[])[];
  /** Influence radius over thickness, ρ = R/e > 1. Default 1.5. */
  readonly reach?: number;
  /** k, −df/ds at s = 1 in iso-values per thickness; at most 3/(ρ − 1), default half of that. */
  readonly stiffness?: number;
  /** Takes this many times its potential away instead of adding flesh: an eye socket, the hollow of an ear. */
  readonly carve?: number;
}

/** A place and the thickness there. */
export type Corner = readonly [x: number, y: number, z: number, thickness: number];

/** How a primitive's potential falls; see `Primitive`. */
export type Potential = Pick<Primitive, 'reach' | 'stiffness' | 'carve'>;

/** A smooth tube through all corners: a Catmull–Rom curve in position and thickness, `pieces` segments per span. */
export function createTube(name: string, corners: readonly Corner[], potential: Potential = {}, pieces = 4): Primitive {
  const curve = refineCurve(corners, pieces);
  return { name, corners: curve, simplices: curve.slice(1).map((_, i) => [i, i + 1]), ...potential };
}

/** A smooth strip of triangles between two rails with the same number of corners: flat parts, such as ears and palms. */
export function createSheet(
  name: string,
  left: readonly Corner[],
  right: readonly Corner[],
  potential: Potential = {},
  pieces = 3,
): Primitive {
  const a = refineCurve(left, pieces);
  const b = refineCurve(right, pieces);
  const simplices: number[][] = [];
  for (let i = 0; i + 1 < a.length; i++) {
    const j = a.length + i;
    simplices.push([i, i + 1, j + 1], [i, j + 1, j]);
  }
  return { name, corners: [...a, ...b], simplices, ...potential };
}

/** Catmull–Rom in four dimensions; the curve passes through every corner, the thickness stays between its neighbours. */
function refineCurve(corners: readonly Corner[], pieces: number): Corner[] {
  const out: Corner[] = [];
  const last = corners.length - 1;
  for (let i = 0; i < last; i++) {
    const p = corners[i]!;
    const q = corners[i + 1]!;
    const before = corners[Math.max(0, i - 1)]!;
    const after = corners[Math.min(last, i + 2)]!;
    for (let n = 0; n < pieces; n++) {
      const t = n / pieces;
      const at = (axis: 0 | 1 | 2 | 3) => catmullRom(before[axis], p[axis], q[axis], after[axis], t);
      const thickness = Math.min(Math.max(at(3), Math.min(p[3], q[3])), Math.max(p[3], q[3]) * 1.1);
      out.push([at(0), at(1), at(2), thickness]);
    }
  }
  out.push(corners[last]!);
  return out;
}

function catmullRom(a: number, b: number, c: number, d: number, t: number): number {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}
