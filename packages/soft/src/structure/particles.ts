import { PairList, squaredDistance } from './pair-list.js';
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
 * Based on: Luciani et al. and Miller & Pearce; pairwise damping as in Clavet, Beaudoin & Poulin 2005.
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

/** The substance of an input; see `ParticlesInput` and the equations above. */
export class Particles implements Structure {
  readonly #input: ParticlesInput;
  readonly #count: number;
  readonly #positions: Float64Array;
  readonly #velocities: Float64Array;
  readonly #accelerations: Float64Array;
  readonly #saved: Float64Array;
  /** Pairs, where the particles were when these were found, and the largest rest distance. */
  readonly #list: PairList;
  readonly #listed: Float64Array;
  readonly #spacing: number;
  /** Of all vibrations, 1/s. */
  readonly #fastest: number;
  /** Particles in contact (−1: has let go); their velocity when the forces were measured, the force that they gave way, (m + h C + h² K)⁻¹. */
  #touched = 0;
  readonly #touching: Int32Array;
  readonly #starts: Float64Array;
  readonly #yields: Float64Array;
  readonly #inverses: Float64Array;

  constructor(input: ParticlesInput) {
    const { masses, spacings, stiffnesses } = input;
    const count = masses.length;
    this.#input = input;
    this.#count = count;
    this.#positions = input.positions.slice();
    this.#velocities = new Float64Array(3 * count);
    this.#accelerations = new Float64Array(3 * count);
    this.#saved = new Float64Array(6 * count);
    this.#list = new PairList(count);
    this.#listed = new Float64Array(3 * count);
    this.#spacing = spacings.reduce((a, b) => Math.max(a, b), 0);
    this.#fastest = masses.reduce((most, mass, n) => Math.max(most, Math.sqrt((24 * stiffnesses[n]!) / mass)), 0);
    this.#touching = new Int32Array(count);
    this.#starts = new Float64Array(3 * count);
    this.#yields = new Float64Array(3 * count);
    this.#inverses = new Float64Array(6 * count);
    this.#findPairs();
  }

  place(corners: Float64Array, velocities: Float64Array): void {
    for (let n = 0; n < 3 * this.#count; n++) {
      const at = 9 * (this.#input.first + Math.floor(n / 3)) + (n % 3);
      corners[at] = this.#positions[n]!;
      velocities[at] = this.#velocities[n]!;
    }
  }

  advance(_time: number, dt: number, contact: ContactForces): void {
    const [positions, velocities, accelerations] = [this.#positions, this.#velocities, this.#accelerations];
    const phases = (dt * this.#fastest) / PHASE;
    const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(phases)));
    const softened = Math.min(1, (MOST_PARTS / phases) ** 2);
    const h = dt / parts;
    this.#readContact(h, contact);
    for (let part = 0; part < parts; part++) {
      if (this.#hasMoved()) this.#findPairs();
      for (let n = 0; n < positions.length; n++) accelerations[n] = this.#input.gravity[n % 3]!;
      this.#addBonds(contact, softened);
      // Those in contact move here and have no acceleration left.
      this.#pushContact(h, contact);
      for (let n = 0; n < positions.length; n++) velocities[n]! += h * accelerations[n]!;
      this.#damp(h, contact);
      for (let n = 0; n < positions.length; n++) positions[n]! += h * velocities[n]!;
    }
  }

  save(): void {
    this.#saved.set(this.#positions);
    this.#saved.set(this.#velocities, 3 * this.#count);
  }

  restore(): void {
    this.#positions.set(this.#saved.subarray(0, 3 * this.#count));
    this.#velocities.set(this.#saved.subarray(3 * this.#count));
    // The order of the pairs, and so the rounding, must not depend on the step that was taken back.
    this.#findPairs();
  }

  get energy(): number {
    const { masses } = this.#input;
    return this.#velocities.reduce((sum, speed, n) => sum + 0.5 * masses[Math.floor(n / 3)]! * speed ** 2, 0);
  }

  dispose(): void {}

  #findPairs(): void {
    this.#list.find(this.#positions, (ATTRACTION_END + MARGIN) * this.#spacing);
    this.#listed.set(this.#positions);
  }

  #hasMoved(): boolean {
    const limit = ((MARGIN / 2) * this.#spacing) ** 2;
    for (let n = 0; n < this.#positions.length; n += 3) {
      if (squaredDistance(this.#positions, n, this.#listed, n) > limit) return true;
    }
    return false;
  }

  #addBonds(contact: ContactForces, softened: number): void {
    const { masses, spacings, stiffnesses, first } = this.#input;
    const { pairs, count } = this.#list;
    const [positions, accelerations] = [this.#positions, this.#accelerations];
    for (let p = 0; p < count; p++) {
      const i = pairs[2 * p]!;
      const j = pairs[2 * p + 1]!;
      const bond = contact.bond(first + i, first + j);
      if (bond === 0) continue;
      const r0 = (spacings[i]! + spacings[j]!) / 2;
      const squared = squaredDistance(positions, 3 * j, positions, 3 * i);
      if (squared >= (ATTRACTION_END * r0) ** 2 || squared === 0) continue;
      const r = Math.sqrt(squared);
      const size = bond * softened * ((stiffnesses[i]! + stiffnesses[j]!) / 2) * r0 * evaluateBond(r / r0);
      const a = size / (r * masses[i]!);
      const b = size / (r * masses[j]!);
      for (let axis = 0; axis < 3; axis++) {
        const d = positions[3 * j + axis]! - positions[3 * i + axis]!;
        accelerations[3 * i + axis]! -= a * d;
        accelerations[3 * j + axis]! += b * d;
      }
    }
  }

  #damp(h: number, contact: ContactForces): void {
    const { masses, spacings, stiffnesses, dampings, first } = this.#input;
    const { pairs, count } = this.#list;
    const [positions, velocities] = [this.#positions, this.#velocities];
    // There and back: one sweep alone is not symmetric, so that strong damping would turn forces and *add* energy.
    for (let turn = 0; turn < 2 * count; turn++) {
      const p = turn < count ? turn : 2 * count - 1 - turn;
      const i = pairs[2 * p]!;
      const j = pairs[2 * p + 1]!;
      const bond = contact.bond(first + i, first + j);
      if (bond === 0) continue;
      const r0 = (spacings[i]! + spacings[j]!) / 2;
      const x = Math.sqrt(squaredDistance(positions, 3 * j, positions, 3 * i)) / r0;
      if (x >= ATTRACTION_END) continue;
      const w = x < 1 ? 1 : 1 - (x - 1) / (ATTRACTION_END - 1);
      const mass = (masses[i]! * masses[j]!) / (masses[i]! + masses[j]!);
      const k = (stiffnesses[i]! + stiffnesses[j]!) / 2;
      const rate = bond * (dampings[i]! + dampings[j]!) * Math.sqrt(k / mass);
      const share = mass * (1 - Math.exp(-rate * w * (h / 2)));
      const a = share / masses[i]!;
      const b = share / masses[j]!;
      for (let axis = 0; axis < 3; axis++) {
        const relative = velocities[3 * j + axis]! - velocities[3 * i + axis]!;
        velocities[3 * i + axis]! += a * relative;
        velocities[3 * j + axis]! -= b * relative;
      }
    }
  }

  /** Lists the particles in contact. The contact is linear in place and velocity until the next look at it. */
  #readContact(h: number, { forces, stiffness, drags }: ContactForces): void {
    const { masses, first } = this.#input;
    this.#touched = 0;
    for (let n = 0; n < this.#count; n++) {
      const at = 3 * (first + n);
      if (forces[at] === 0 && forces[at + 1] === 0 && forces[at + 2] === 0) continue;
      const t = this.#touched++;
      this.#touching[t] = n;
      this.#starts.set(this.#velocities.subarray(3 * n, 3 * n + 3), 3 * t);
      this.#yields.fill(0, 3 * t, 3 * t + 3);
      invertContactMass(this.#inverses, 6 * t, stiffness, drags, first + n, h, masses[n]!);
    }
  }

  /** v += h (m + h C + h² K)⁻¹ (m a + F − K d − C (v − v⁰) − h K w), d the way since the force was measured. */
  #pushContact(h: number, { forces, rates, stiffness, drags }: ContactForces): void {
    const { masses, first } = this.#input;
    const [velocities, accelerations, yields] = [this.#velocities, this.#accelerations, this.#yields];
    for (let t = 0; t < this.#touched; t++) {
      const n = this.#touching[t]!;
      if (n < 0) continue;
      const p = first + n;
      this.#multiplyChange(slowing, drags, n, t);
      this.#multiplyChange(rate, stiffness, n, t);
      let along = 0;
      for (let axis = 0; axis < 3; axis++) {
        const now = forces[3 * p + axis]! - yields[3 * t + axis]! - slowing[axis]!;
        along += now * forces[3 * p + axis]!;
        force[axis] = masses[n]! * accelerations[3 * n + axis]! + now - h * (rate[axis]! + rates[3 * p + axis]!);
      }
      if (along < 0) {
        // It has let go: a contact does not pull.
        this.#touching[t] = -1;
        continue;
      }
      multiplySymmetric(slowing, 0, this.#inverses, 6 * t, force[0]!, force[1]!, force[2]!);
      for (let axis = 0; axis < 3; axis++) velocities[3 * n + axis]! += h * slowing[axis]!;
      this.#multiplyChange(rate, stiffness, n, t);
      for (let axis = 0; axis < 3; axis++) {
        yields[3 * t + axis]! += h * (rate[axis]! + rates[3 * p + axis]!);
        accelerations[3 * n + axis] = 0;
      }
    }
  }

  /** out = S (v − v⁰) of particle n, number t of those in contact, for its symmetric matrix of a list. */
  #multiplyChange(out: Float64Array, matrices: Float64Array, n: number, t: number): void {
    const [v, v0] = [this.#velocities, this.#starts];
    const dx = v[3 * n]! - v0[3 * t]!;
    const dy = v[3 * n + 1]! - v0[3 * t + 1]!;
    const dz = v[3 * n + 2]! - v0[3 * t + 2]!;
    multiplySymmetric(out, 0, matrices, 6 * (this.#input.first + n), dx, dy, dz);
  }
}

const slowing = new Float64Array(3);
const rate = new Float64Array(3);
const force = new Float64Array(3);

/** Force of a bond over k r₀ at x = r/r₀, repulsion positive. */
export function evaluateBond(x: number): number {
  if (x < 1) return (1 - x) * (2 - x);
  if (x >= ATTRACTION_END) return 0;
  const u = (x - 1) / (ATTRACTION_END - 1);
  return (1 - x) * (1 - u) ** 2;
}
