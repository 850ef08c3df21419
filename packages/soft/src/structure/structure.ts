/**
 * I6. What carries the primitives of a soft object. A step of the simulation is: `advance` by the forces of the last moment,
 * `place` the primitives, let the soft world answer with new forces; a step that ends too deep is taken back with `restore`.
 */
export interface Structure {
  /** Writes the corners and velocities (#P×9) and the spins (#P×3) of its primitives into the arrays of all. */
  place(corners: Float64Array, velocities: Float64Array, spins: Float64Array): void;
  /** From `time` to `time + dt` under the contact forces of all primitives. */
  advance(time: number, dt: number, contact: ContactForces): void;
  /** Keeps the present state, the only one that `restore` knows. */
  save(): void;
  restore(): void;
  /** Kinetic energy in joules. */
  readonly energy: number;
  /** Of rigid bodies: where each is. */
  readonly poses?: readonly BodyPose[];
  dispose(): void;
}

/** x(t) = position + rotation (x⁰ − origin). */
export interface BodyPose {
  readonly origin: ArrayLike<number>;
  readonly position: readonly number[];
  /** Quaternion x, y, z, w. */
  readonly rotation: readonly number[];
}

/** What the contacts do to each primitive of all objects, linearised about the present moment. */
export interface ContactForces {
  /** F: newtons, #P×3. */
  readonly forces: Float64Array;
  /** About the primitive's centre, N·m, #P×3. */
  readonly torques: Float64Array;
  /** K = −∂F/∂x, N/m, symmetric as xx, xy, xz, yy, yz, zz: #P×6. */
  readonly stiffness: Float64Array;
  /** C = −∂F/∂v, N·s/m, symmetric: #P×6. */
  readonly drags: Float64Array;
  /** K w, with w the velocity relative to what is touched, N/s: #P×3. */
  readonly rates: Float64Array;
  /** How far two primitives hold together, 0 … 1: only particles of one piece do. */
  bond(i: number, j: number): number;
}

/** @param bond as of the forces, or the piece of every primitive */
export function createContactForces(count: number, bond: ContactForces['bond'] | ArrayLike<number>): ContactForces {
  return {
    forces: new Float64Array(3 * count),
    torques: new Float64Array(3 * count),
    stiffness: new Float64Array(6 * count),
    drags: new Float64Array(6 * count),
    rates: new Float64Array(3 * count),
    bond: typeof bond === 'function' ? bond : (i, j) => (bond[i] === bond[j] ? 1 : 0),
  };
}

/**
 * Inverse of m + Δt C + Δt² K, the matrix of a linearly implicit Euler step under a stiff contact, symmetric, six numbers into out[at …]:
 *
 *   Δv = Δt (m + Δt C + Δt² K)⁻¹ (F + E − Δt K w),      E all other forces
 *
 * E must be inside: in balance F = −E, however stiff the contact. K and C at 6·`row` of their arrays.
 */
export function invertContactMass(
  out: Float64Array,
  at: number,
  stiffness: Float64Array,
  drags: Float64Array,
  row: number,
  dt: number,
  mass: number,
): void {
  const k = 6 * row;
  const xx = mass + dt * (drags[k]! + dt * stiffness[k]!);
  const xy = dt * (drags[k + 1]! + dt * stiffness[k + 1]!);
  const xz = dt * (drags[k + 2]! + dt * stiffness[k + 2]!);
  const yy = mass + dt * (drags[k + 3]! + dt * stiffness[k + 3]!);
  const yz = dt * (drags[k + 4]! + dt * stiffness[k + 4]!);
  const zz = mass + dt * (drags[k + 5]! + dt * stiffness[k + 5]!);
  // Cramer on a symmetric matrix that is at least m.
  const a = yy * zz - yz * yz;
  const b = xz * yz - xy * zz;
  const c = xy * yz - xz * yy;
  const inverse = 1 / (xx * a + xy * b + xz * c);
  out[at] = inverse * a;
  out[at + 1] = inverse * b;
  out[at + 2] = inverse * c;
  out[at + 3] = inverse * (xx * zz - xz * xz);
  out[at + 4] = inverse * (xy * xz - xx * yz);
  out[at + 5] = inverse * (xx * yy - xy * xy);
}

/** out[to …] = S v for a symmetric matrix S at s[at …]. */
export function multiplySymmetric(
  out: Float64Array,
  to: number,
  s: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
): void {
  out[to] = s[at]! * x + s[at + 1]! * y + s[at + 2]! * z;
  out[to + 1] = s[at + 1]! * x + s[at + 3]! * y + s[at + 4]! * z;
  out[to + 2] = s[at + 2]! * x + s[at + 4]! * y + s[at + 5]! * z;
}
