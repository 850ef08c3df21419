import { createPairList } from './pair-list.js';
import { type ContactForces, invertContactMass, multiplySymmetric, type Structure } from './structure.js';

/**
 * I6b. A visco-plastic substance: particles that repel when near, attract when apart and damp each other.
 *
 *   x = r/r₀:   F = k r₀ (1 − x)(2 − x)                    x < 1       repulsion
 *               F = −k r₀ (x − 1)(1 − u)²                   1 ≤ x < χ   attraction, u = (x − 1)/(χ − 1)
 *               v_i, v_j ← relative velocity · exp(−2c h w/m)           damping, w = 1 near, 0 at χ
 *
 * The curve is that of Lennard-Jones without its pole. Bonds have no memory: a neighbour pulled beyond the largest attraction is
 * lost and another one found, so that the substance flows and keeps its new shape. Only particles of one piece attract, repel
 * and damp each other; between pieces the implicit layer gives the forces.
 *
 * Symplectic Euler in parts short against the fastest vibration, √(2·12·k/m); the damping is solved pair by pair and stable for any c.
 * Momentum is kept to rounding by both. Pairs come from a spatial hash and are found anew when something moved by half the margin.
 * O(#N) per step.
 *
 * Based on: Luciani et al. and Miller & Pearce as used in `003` §5.2; pairwise damping as in Clavet, Beaudoin & Poulin 2005.
 */
export interface ParticlesInput {
  /** #N×3. */
  readonly positions: Float64Array;
  /** Of each particle: kilograms, rest distance r₀, bond k in N/m, share of critical damping. #N. */
  readonly masses: Float64Array;
  readonly spacings: Float64Array;
  readonly stiffnesses: Float64Array;
  readonly dampings: Float64Array;
  readonly gravity: ArrayLike<number>;
  /** Primitive of the soft world that particle 0 is; the others follow. */
  readonly first: number;
}

/** χ: the attraction ends at this many rest distances, before the second shell of a close packing pulls noticeably. */
export const ATTRACTION_END = 1.6;
/** Pairs are listed this much further (of r₀) than they act. */
const MARGIN = 0.3;
/** Part of a step over the period of the fastest vibration over 2π; 2 would be the limit of stability. */
const PHASE = 0.8;
/** Most parts of a step; bonds too stiff for them act as the stiffest that they can follow. */
const MOST_PARTS = 40;

export function createParticles(input: ParticlesInput): Structure {
  const { masses, spacings, stiffnesses, dampings, gravity, first } = input;
  const count = masses.length;
  const positions = input.positions.slice();
  const velocities = new Float64Array(3 * count);
  const accelerations = new Float64Array(3 * count);
  const starts = new Float64Array(3 * count);
  const yields = new Float64Array(3 * count);
  const inverses = new Float64Array(6 * count);
  const touching = new Int32Array(count);
  const slowing = new Float64Array(3);
  const rate = new Float64Array(3);
  let touched = 0;
  const listed = new Float64Array(3 * count);
  const saved = new Float64Array(6 * count);
  const force = new Float64Array(3);
  const list = createPairList(count);
  const spacing = spacings.reduce((a, b) => Math.max(a, b), 0);
  let fastest = 0;
  for (let n = 0; n < count; n++) fastest = Math.max(fastest, Math.sqrt((24 * stiffnesses[n]!) / masses[n]!));

  const findPairs = (): void => {
    list.find(positions, (ATTRACTION_END + MARGIN) * spacing);
    listed.set(positions);
  };
  findPairs();

  const addBonds = (pieces: ArrayLike<number>, softened: number): void => {
    const { pairs } = list;
    for (let p = 0; p < list.count; p++) {
      const i = pairs[2 * p]!;
      const j = pairs[2 * p + 1]!;
      if (pieces[first + i] !== pieces[first + j]) continue;
      const dx = positions[3 * j]! - positions[3 * i]!;
      const dy = positions[3 * j + 1]! - positions[3 * i + 1]!;
      const dz = positions[3 * j + 2]! - positions[3 * i + 2]!;
      const r0 = (spacings[i]! + spacings[j]!) / 2;
      const squared = dx * dx + dy * dy + dz * dz;
      if (squared >= (ATTRACTION_END * r0) ** 2 || squared === 0) continue;
      const r = Math.sqrt(squared);
      const size = softened * ((stiffnesses[i]! + stiffnesses[j]!) / 2) * r0 * evaluateBond(r / r0);
      const a = size / (r * masses[i]!);
      const b = size / (r * masses[j]!);
      accelerations[3 * i]! -= a * dx;
      accelerations[3 * i + 1]! -= a * dy;
      accelerations[3 * i + 2]! -= a * dz;
      accelerations[3 * j]! += b * dx;
      accelerations[3 * j + 1]! += b * dy;
      accelerations[3 * j + 2]! += b * dz;
    }
  };

  const damp = (h: number, pieces: ArrayLike<number>): void => {
    const { pairs } = list;
    // There and back: one sweep alone is not symmetric, so that strong damping would turn forces and *add* energy.
    for (let turn = 0; turn < 2 * list.count; turn++) {
      const p = turn < list.count ? turn : 2 * list.count - 1 - turn;
      const i = pairs[2 * p]!;
      const j = pairs[2 * p + 1]!;
      if (pieces[first + i] !== pieces[first + j]) continue;
      const r0 = (spacings[i]! + spacings[j]!) / 2;
      const dx = positions[3 * j]! - positions[3 * i]!;
      const dy = positions[3 * j + 1]! - positions[3 * i + 1]!;
      const dz = positions[3 * j + 2]! - positions[3 * i + 2]!;
      const x = Math.sqrt(dx * dx + dy * dy + dz * dz) / r0;
      if (x >= ATTRACTION_END) continue;
      const w = x < 1 ? 1 : 1 - (x - 1) / (ATTRACTION_END - 1);
      const mass = (masses[i]! * masses[j]!) / (masses[i]! + masses[j]!);
      const k = (stiffnesses[i]! + stiffnesses[j]!) / 2;
      const rate = (dampings[i]! + dampings[j]!) * Math.sqrt(k / mass);
      const share = mass * (1 - Math.exp(-rate * w * (h / 2)));
      const a = share / masses[i]!;
      const b = share / masses[j]!;
      for (let axis = 0; axis < 3; axis++) {
        const relative = velocities[3 * j + axis]! - velocities[3 * i + axis]!;
        velocities[3 * i + axis]! += a * relative;
        velocities[3 * j + axis]! -= b * relative;
      }
    }
  };

  const hasMoved = (): boolean => {
    const limit = ((MARGIN / 2) * spacing) ** 2;
    for (let n = 0; n < 3 * count; n += 3) {
      const dx = positions[n]! - listed[n]!;
      const dy = positions[n + 1]! - listed[n + 1]!;
      const dz = positions[n + 2]! - listed[n + 2]!;
      if (dx * dx + dy * dy + dz * dz > limit) return true;
    }
    return false;
  };

  /** Lists the particles in contact. The contact is linear in place and velocity until the next look at it. */
  const readContact = (h: number, contact: ContactForces): void => {
    touched = 0;
    for (let n = 0; n < count; n++) {
      const at = 3 * (first + n);
      if (contact.forces[at] === 0 && contact.forces[at + 1] === 0 && contact.forces[at + 2] === 0) continue;
      invertContactMass(inverses, 6 * touched, contact.stiffness, contact.drags, first + n, h, masses[n]!);
      for (let axis = 0; axis < 3; axis++) {
        starts[3 * touched + axis] = velocities[3 * n + axis]!;
        yields[3 * touched + axis] = 0;
      }
      touching[touched++] = n;
    }
  };

  /** v += h (m + h C + h² K)⁻¹ (m a + F − K d − C (v − v⁰) − h K w), d the way since the force was measured. */
  const pushContact = (h: number, { forces, rates, stiffness, drags }: ContactForces): void => {
    for (let t = 0; t < touched; t++) {
      const n = touching[t]!;
      if (n < 0) continue;
      const v = 3 * n;
      const p = first + n;
      const dx = velocities[v]! - starts[3 * t]!;
      const dy = velocities[v + 1]! - starts[3 * t + 1]!;
      const dz = velocities[v + 2]! - starts[3 * t + 2]!;
      multiplySymmetric(slowing, 0, drags, 6 * p, dx, dy, dz);
      multiplySymmetric(rate, 0, stiffness, 6 * p, dx, dy, dz);
      let along = 0;
      for (let axis = 0; axis < 3; axis++) {
        const now = forces[3 * p + axis]! - yields[3 * t + axis]! - slowing[axis]!;
        along += now * forces[3 * p + axis]!;
        force[axis] = masses[n]! * accelerations[v + axis]! + now - h * (rate[axis]! + rates[3 * p + axis]!);
      }
      if (along < 0) {
        // It has let go: a contact does not pull.
        touching[t] = -1;
        continue;
      }
      multiplySymmetric(slowing, 0, inverses, 6 * t, force[0]!, force[1]!, force[2]!);
      for (let axis = 0; axis < 3; axis++) velocities[v + axis]! += h * slowing[axis]!;
      multiplySymmetric(
        rate,
        0,
        stiffness,
        6 * p,
        velocities[v]! - starts[3 * t]!,
        velocities[v + 1]! - starts[3 * t + 1]!,
        velocities[v + 2]! - starts[3 * t + 2]!,
      );
      for (let axis = 0; axis < 3; axis++) yields[3 * t + axis]! += h * (rate[axis]! + rates[3 * p + axis]!);
      for (let axis = 0; axis < 3; axis++) accelerations[v + axis] = 0;
    }
  };

  return {
    place(corners, allVelocities) {
      for (let n = 0; n < count; n++) {
        for (let axis = 0; axis < 3; axis++) {
          corners[9 * (first + n) + axis] = positions[3 * n + axis]!;
          allVelocities[9 * (first + n) + axis] = velocities[3 * n + axis]!;
        }
      }
    },
    advance(_time, dt, contact) {
      const phases = (dt * fastest) / PHASE;
      const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(phases)));
      const softened = Math.min(1, (MOST_PARTS / phases) ** 2);
      const h = dt / parts;
      readContact(h, contact);
      for (let part = 0; part < parts; part++) {
        if (hasMoved()) findPairs();
        for (let n = 0; n < 3 * count; n++) accelerations[n] = gravity[n % 3]!;
        addBonds(contact.pieces, softened);
        // Those in contact move here and have no acceleration left.
        pushContact(h, contact);
        for (let n = 0; n < 3 * count; n++) velocities[n]! += h * accelerations[n]!;
        damp(h, contact.pieces);
        for (let n = 0; n < 3 * count; n++) positions[n]! += h * velocities[n]!;
      }
    },
    save() {
      saved.set(positions);
      saved.set(velocities, 3 * count);
    },
    restore() {
      positions.set(saved.subarray(0, 3 * count));
      velocities.set(saved.subarray(3 * count));
      // The order of the pairs, and so the rounding, must not depend on the step that was taken back.
      findPairs();
    },
    get energy() {
      let sum = 0;
      for (let n = 0; n < 3 * count; n++) sum += 0.5 * masses[Math.floor(n / 3)]! * velocities[n]! ** 2;
      return sum;
    },
    dispose() {},
  };
}

/** Force of a bond over k r₀ at x = r/r₀, repulsion positive. */
export function evaluateBond(x: number): number {
  if (x < 1) return (1 - x) * (2 - x);
  if (x >= ATTRACTION_END) return 0;
  const u = (x - 1) / (ATTRACTION_END - 1);
  return (1 - x) * (1 - u) ** 2;
}
