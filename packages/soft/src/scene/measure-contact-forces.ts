import { CREEP } from '../soft/collect-contacts.js';
import type { SoftWorld } from '../soft/create-soft-world.js';
import type { ContactForces } from '../structure/structure.js';

/** What the contacts of a scene need to know of its materials. */
export interface ContactMaterials {
  /** k of every primitive in units of pressure per metre; friction μ and damping time τ of its object; its thickness e. */
  readonly stiffness: Float64Array;
  readonly frictions: Float64Array;
  readonly dampings: Float64Array;
  readonly thicknesses: Float64Array;
  readonly obstacleFrictions: Float64Array;
  /**
   * Pascals that f − c = 1 stands for. The soft world takes f − c as pressure; in pascals f would be steep by 10⁵ inside the surface and
   * of order 1 outside, and hard to find roots of. So its forces are in this unit, and come back multiplied by it.
   */
  readonly pressure: number;
}

/**
 * I4. Reaction and friction of the contact samples of the last update, per primitive, with their derivatives.
 *
 *   F = Σ (p − τ k w_n)₊ A n + T,   K = Σ k A n nᵀ,   C = Σ τ k A n nᵀ + (μ p A/|w_t|) (1 − n nᵀ)
 *
 * p pressure, A area, n normal, w velocity of the one side relative to the other, T friction as the soft world gives it, k of two soft sides
 * in series. Equal and opposite on both sides, sample by sample. O(#samples).
 */
export function measureContactForces(out: ContactForces, world: SoftWorld, materials: ContactMaterials): void {
  const { contacts, obstacles } = world;
  const { stiffness, frictions, dampings, obstacleFrictions, thicknesses, pressure } = materials;
  const { points, normals, areas, pressures, forces } = contacts;
  out.forces.fill(0);
  out.stiffness.fill(0);
  out.drags.fill(0);
  out.rates.fill(0);
  for (let i = 0; i < out.torques.length; i++) out.torques[i] = pressure * world.torques[i]!;
  for (let c = 0; c < contacts.count; c++) {
    const i = contacts.first[c]!;
    const j = contacts.second[c]!;
    const n = normals.subarray(3 * c, 3 * c + 3);
    const point = points.subarray(3 * c, 3 * c + 3);
    const soft = j >= 0;
    const o = -1 - j;
    const k = soft ? (stiffness[i]! * stiffness[j]!) / (stiffness[i]! + stiffness[j]!) : stiffness[i]!;
    const mu = 0.5 * (frictions[i]! + (soft ? frictions[j]! : obstacleFrictions[o]!));
    const tau = soft ? 0.5 * (dampings[i]! + dampings[j]!) : dampings[i]!;
    w.fill(0);
    addVelocity(1, point, i, world.velocities, world.corners, 9, world.spins);
    if (soft) addVelocity(-1, point, j, world.velocities, world.corners, 9, world.spins);
    else addVelocity(-1, point, o, obstacles.velocities, obstacles.positions, 3, obstacles.spins);
    const along = w[0]! * n[0]! + w[1]! * n[1]! + w[2]! * n[2]!;
    const slip = Math.sqrt(Math.max(0, w[0]! * w[0]! + w[1]! * w[1]! + w[2]! * w[2]! - along * along));
    const push = pressure * areas[c]! * pressures[c]!;
    const spring = pressure * areas[c]! * k;
    // Grows with the slip below the creep, as the soft world's friction does whose derivative it is.
    const drag = (mu * push) / Math.max(slip, CREEP * thicknesses[i]!);
    // The sample's friction is what is left of its force beside the normal one.
    const normal = Math.max(0, push - tau * spring * along) - push;
    for (let axis = 0; axis < 3; axis++) force[axis] = pressure * forces[3 * c + axis]! + normal * n[axis]!;
    add(out, i, 1, n, spring, drag, tau * spring, along);
    if (soft) add(out, j, -1, n, spring, drag, tau * spring, along);
  }
}

/** Relative velocity and force of the sample at hand. */
const w = new Float64Array(3);
const force = new Float64Array(3);

/** w ± the velocity at a point of rigid thing i that moves with v at c and turns with ω: v + ω × (p − c); v and c every `stride` numbers. */
function addVelocity(
  sign: number,
  p: Float64Array,
  i: number,
  v: Float64Array,
  c: Float64Array,
  stride: number,
  omega: Float64Array,
): void {
  const at = stride * i;
  for (let x = 0; x < 3; x++) {
    const [y, z] = [(x + 1) % 3, (x + 2) % 3];
    const [ry, rz] = [p[y]! - c[at + y]!, p[z]! - c[at + z]!];
    w[x]! += sign * (v[at + x]! + omega[3 * i + y]! * rz - omega[3 * i + z]! * ry);
  }
}

function add(
  out: ContactForces,
  i: number,
  sign: number,
  n: Float64Array,
  spring: number,
  drag: number,
  lag: number,
  along: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    out.forces[3 * i + axis]! += sign * force[axis]!;
    out.rates[3 * i + axis]! += sign * spring * along * n[axis]!;
  }
  addOuter(out.stiffness, 6 * i, spring, 0, n);
  addOuter(out.drags, 6 * i, lag - drag, drag, n);
}

/** out += a n nᵀ + b 1. */
function addOuter(out: Float64Array, at: number, a: number, b: number, n: Float64Array): void {
  for (let row = 0; row < 3; row++) {
    for (let column = row; column < 3; column++) {
      out[at++]! += a * n[row]! * n[column]! + (row === column ? b : 0);
    }
  }
}
