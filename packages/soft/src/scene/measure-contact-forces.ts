import type { SoftWorld } from '../soft/soft-world.js';
import type { ContactForces } from '../structure/structure.js';

/** What is needed of the plan of a scene. */
export interface ContactMaterials {
  /** k in units of pressure per metre, μ and τ of every primitive. */
  readonly stiffness: Float64Array;
  readonly frictions: Float64Array;
  readonly dampings: Float64Array;
  readonly obstacleFrictions: Float64Array;
  /** e of every primitive. */
  readonly thicknesses: Float64Array;
  /** Pascals per unit of pressure. */
  readonly pressure: number;
}

/** Slip below which the soft world's friction grows with it, in thicknesses per second: its derivative needs the same. */
const CREEP = 0.05;

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
    const at = 3 * c;
    const nx = normals[at]!;
    const ny = normals[at + 1]!;
    const nz = normals[at + 2]!;
    const soft = j >= 0;
    const o = -1 - j;
    const k = soft ? (stiffness[i]! * stiffness[j]!) / (stiffness[i]! + stiffness[j]!) : stiffness[i]!;
    const mu = 0.5 * (frictions[i]! + (soft ? frictions[j]! : obstacleFrictions[o]!));
    const tau = soft ? 0.5 * (dampings[i]! + dampings[j]!) : dampings[i]!;
    measureSpeed(0, world.velocities, 9 * i, world.corners, 9 * i, world.spins, 3 * i, points, at);
    if (soft) measureSpeed(3, world.velocities, 9 * j, world.corners, 9 * j, world.spins, 3 * j, points, at);
    else {
      const { velocities, positions, spins } = obstacles;
      measureSpeed(3, velocities, 3 * o, positions, 3 * o, spins, 3 * o, points, at);
    }
    const wx = speed[0]! - speed[3]!;
    const wy = speed[1]! - speed[4]!;
    const wz = speed[2]! - speed[5]!;
    const along = wx * nx + wy * ny + wz * nz;
    const slip = Math.sqrt(Math.max(0, wx * wx + wy * wy + wz * wz - along * along));
    const push = pressure * areas[c]! * pressures[c]!;
    const spring = pressure * areas[c]! * k;
    const drag = (mu * push) / Math.max(slip, CREEP * thicknesses[i]!);
    // The sample's friction is what is left of its force beside the normal one.
    const normal = Math.max(0, push - tau * spring * along) - push;
    const fx = pressure * forces[at]! + normal * nx;
    const fy = pressure * forces[at + 1]! + normal * ny;
    const fz = pressure * forces[at + 2]! + normal * nz;
    add(out, i, 1, fx, fy, fz, nx, ny, nz, spring, drag, tau * spring, along);
    if (soft) add(out, j, -1, fx, fy, fz, nx, ny, nz, spring, drag, tau * spring, along);
  }
}

const speed = new Float64Array(6);

/** Velocity at a point of a rigid thing that moves with v at c and turns with ω: v + ω × (p − c), into speed[to …]. */
function measureSpeed(
  to: number,
  v: Float64Array,
  vAt: number,
  c: Float64Array,
  cAt: number,
  omega: Float64Array,
  omegaAt: number,
  p: Float64Array,
  pAt: number,
): void {
  const rx = p[pAt]! - c[cAt]!;
  const ry = p[pAt + 1]! - c[cAt + 1]!;
  const rz = p[pAt + 2]! - c[cAt + 2]!;
  const [wx, wy, wz] = [omega[omegaAt]!, omega[omegaAt + 1]!, omega[omegaAt + 2]!];
  speed[to] = v[vAt]! + wy * rz - wz * ry;
  speed[to + 1] = v[vAt + 1]! + wz * rx - wx * rz;
  speed[to + 2] = v[vAt + 2]! + wx * ry - wy * rx;
}

function add(
  out: ContactForces,
  i: number,
  sign: number,
  fx: number,
  fy: number,
  fz: number,
  nx: number,
  ny: number,
  nz: number,
  spring: number,
  drag: number,
  lag: number,
  along: number,
): void {
  out.forces[3 * i]! += sign * fx;
  out.forces[3 * i + 1]! += sign * fy;
  out.forces[3 * i + 2]! += sign * fz;
  out.rates[3 * i]! += sign * spring * along * nx;
  out.rates[3 * i + 1]! += sign * spring * along * ny;
  out.rates[3 * i + 2]! += sign * spring * along * nz;
  addOuter(out.stiffness, 6 * i, spring, 0, nx, ny, nz);
  addOuter(out.drags, 6 * i, lag - drag, drag, nx, ny, nz);
}

/** out += a n nᵀ + b 1. */
function addOuter(out: Float64Array, at: number, a: number, b: number, nx: number, ny: number, nz: number): void {
  out[at]! += a * nx * nx + b;
  out[at + 1]! += a * nx * ny;
  out[at + 2]! += a * nx * nz;
  out[at + 3]! += a * ny * ny + b;
  out[at + 4]! += a * ny * nz;
  out[at + 5]! += a * nz * nz + b;
}
