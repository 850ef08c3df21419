import { measureClosest } from './closest-point.js';
import { ContactList } from './contact-list.js';
import { QUADRATIC } from './depth-potential.js';
import type { TerritorySampler } from './sample-territories.js';
import { STOP_OBSTACLE } from './seed-solver.js';
import type { SoftWorldInput } from './soft-world.js';
import { FIELD } from './territory-share.js';
import type { WorldParts } from './world-parts.js';

/** Below this speed friction grows linearly with the speed, in thicknesses per unit of time. */
export const CREEP = 0.05;
/** Smallest cosine between a ray and an obstacle's normal. */
const GRAZING = 0.05;

/**
 * I4. Forces of the contact surfaces. On the surface F₁ = F₂ the deformation g₁ = c − F₂ leaves the pressure p = F − c, the
 * same on both sides; the force on the first side is
 *
 *   p (1 − χ v_n) n dA  −  μ p v_t/max(|v_t|, v₀) dA,      n = ∇(F₁ − F₂)/|∇(F₁ − F₂)|
 *
 * v = velocity of the first relative to the second, v_n its part along n. Every sample pushes both sides, with the opposite
 * sign: action = −reaction sample by sample. The area of a sample is the cross-section of its ray over the cosine with n;
 * both sides have seeds on one surface, so each takes the share cos²/(cos² + cos²): no seed that grazes the surface counts much.
 */
export class ContactCollector {
  readonly contacts = new ContactList();
  /** #P×3, and #P×9 for the velocities of the corners. */
  readonly forces: Float64Array;
  readonly torques: Float64Array;
  readonly velocities: Float64Array;
  readonly spins: Float64Array;
  depth = 0;
  energy = 0;
  readonly #parts: WorldParts;
  readonly #territories: TerritorySampler;
  /** Per object. */
  readonly #friction: readonly number[];
  readonly #damping: readonly number[];
  // The sample at hand: its point, its normal, the velocity of the first side relative to the second, the force.
  readonly #point = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  readonly #velocity = new Float64Array(3);
  readonly #force = new Float64Array(3);
  readonly #gradient = new Float64Array(6);
  readonly #closest = new Float64Array(5);

  constructor({ objects }: SoftWorldInput, parts: WorldParts, territories: TerritorySampler) {
    const { count } = parts.primitives;
    this.#parts = parts;
    this.#territories = territories;
    this.velocities = new Float64Array(9 * count);
    this.spins = new Float64Array(3 * count);
    this.forces = new Float64Array(3 * count);
    this.torques = new Float64Array(3 * count);
    this.#friction = objects.map(({ friction = 0.3 }) => friction);
    this.#damping = objects.map(({ damping = 0 }) => damping);
  }

  clear(): void {
    const { obstacles } = this.#parts;
    this.contacts.count = 0;
    for (const sums of [this.forces, this.torques, obstacles.forces, obstacles.torques]) sums.fill(0);
    this.depth = 0;
    this.energy = 0;
  }

  /** A seed of primitive i that stopped at a contact at (x, y, z), with the probe measured there. */
  readonly add = (i: number, ray: number, x: number, y: number, z: number): void => {
    const { primitives, probe, rays } = this.#parts;
    const { shares, stops } = this.#territories;
    const { weights } = rays;
    const end = rays.ends[ray]!;
    const area = weights[3 * ray]! + end * (weights[3 * ray + 1]! + end * weights[3 * ray + 2]!);
    const cross = shares[ray]! * area;
    const pressure = probe.result[FIELD]! - 1;
    if (!(pressure > 0)) return;
    const stop = stops[ray]!;
    this.#point[0] = x;
    this.#point[1] = y;
    this.#point[2] = z;
    this.#velocity.fill(0);
    measureClosest(this.#closest, primitives, i, x, y, z);
    this.#addVelocity(1, i);
    if (stop >= STOP_OBSTACLE) this.#addObstacle(i, stop - STOP_OBSTACLE, ray, cross, pressure);
    else this.#addRival(i, ray, cross, pressure);
  };

  #addObstacle(i: number, o: number, ray: number, cross: number, pressure: number): void {
    const { obstacles, rays } = this.#parts;
    obstacles.distance(o, this.#point[0]!, this.#point[1]!, this.#point[2]!, this.#normal);
    const cosine = Math.max(GRAZING, -dot(rays.directions, 3 * ray, this.#normal));
    this.#applyObstacle(i, o, cross / cosine, pressure);
  }

  #addRival(i: number, ray: number, cross: number, pressure: number): void {
    const { primitives, probe, rays } = this.#parts;
    const [x, y, z] = this.#point as unknown as [number, number, number];
    const [normal, gradient, closest] = [this.#normal, this.#gradient, this.#closest];
    const j = probe.rival();
    if (j < 0) return;
    const open = 1 - probe.rivalLink();
    probe.gradients(gradient, x, y, z);
    for (let axis = 0; axis < 3; axis++) normal[axis] = gradient[axis]! - gradient[3 + axis]!;
    const length = Math.sqrt(dot(normal, 0, normal));
    if (!(length > 0)) return;
    for (let axis = 0; axis < 3; axis++) normal[axis]! /= length;
    const mine = Math.max(0, -dot(rays.directions, 3 * ray, normal));
    const squared = measureClosest(closest, primitives, j, x, y, z);
    const inverse = squared > 0 ? 1 / Math.sqrt(squared) : 0;
    const along = (x - closest[0]!) * normal[0]! + (y - closest[1]!) * normal[1]! + (z - closest[2]!) * normal[2]!;
    const theirs = Math.max(0, along * inverse);
    const sum = mine * mine + theirs * theirs;
    if (!(sum > 0)) return;
    this.#addVelocity(-1, j);
    const [a, b] = [primitives.object[i]!, primitives.object[j]!];
    const mu = 0.5 * (this.#friction[a]! + this.#friction[b]!);
    const chi = 0.5 * (this.#damping[a]! + this.#damping[b]!);
    this.#apply(i, j, (cross * mine) / sum, open * pressure, mu, chi);
  }

  /** Skeletons inside an obstacle have no seeds outside it: push them out from their corners. */
  addBuried(): void {
    const { primitives, obstacles } = this.#parts;
    const { count, corners, shape, thickness, stiffness } = primitives;
    for (let o = 0; o < obstacles.count; o++) {
      for (let i = 0; i < count; i++) {
        for (let at = 9 * i; at < 9 * i + 3 * shape[i]!; at += 3) {
          const phi = obstacles.distance(o, corners[at]!, corners[at + 1]!, corners[at + 2]!, this.#normal);
          if (phi >= 0) continue;
          this.#point.set(corners.subarray(at, at + 3));
          this.#velocity.set(this.velocities.subarray(at, at + 3));
          const area = (Math.PI * thickness[i]! ** 2) / shape[i]!;
          this.#applyObstacle(i, o, area, stiffness[i]! * (thickness[i]! - phi));
        }
      }
    }
  }

  /** Normal force between every two primitives that may fuse; joins those above the threshold. */
  fuse(threshold: number): void {
    if (!Number.isFinite(threshold)) return;
    const { graph, primitives } = this.#parts;
    const { first, second, areas, pressures } = this.contacts;
    const totals = new Map<number, number>();
    for (let n = 0; n < this.contacts.count; n++) {
      const [i, j] = [first[n]!, second[n]!];
      if (j < 0 || !graph.canFuse(i, j)) continue;
      const pair = Math.min(i, j) * primitives.count + Math.max(i, j);
      totals.set(pair, (totals.get(pair) ?? 0) + areas[n]! * pressures[n]!);
    }
    for (const [pair, force] of totals) {
      if (force >= threshold) graph.fuse(Math.floor(pair / primitives.count), pair % primitives.count);
    }
  }

  /** velocity ± that of a primitive at the point, whose skeleton point is in `closest`. */
  #addVelocity(sign: number, i: number): void {
    const [v, spins, velocity] = [this.velocities, this.spins, this.#velocity];
    const s = this.#closest[3]!;
    const t = this.#closest[4]!;
    const rest = 1 - s - t;
    for (let x = 0; x < 3; x++) {
      const [y, z] = [(x + 1) % 3, (x + 2) % 3];
      const at = 9 * i + x;
      const ry = this.#point[y]! - this.#closest[y]!;
      const rz = this.#point[z]! - this.#closest[z]!;
      const moved = rest * v[at]! + s * v[at + 3]! + t * v[at + 6]!;
      velocity[x]! += sign * (moved + spins[3 * i + y]! * rz - spins[3 * i + z]! * ry);
    }
  }

  /** Makes the velocity one relative to the obstacle, and applies the sample. */
  #applyObstacle(i: number, o: number, area: number, pressure: number): void {
    const { positions, velocities, spins, friction } = this.#parts.obstacles;
    const object = this.#parts.primitives.object[i]!;
    for (let x = 0; x < 3; x++) {
      const [y, z] = [(x + 1) % 3, (x + 2) % 3];
      const ry = this.#point[y]! - positions[3 * o + y]!;
      const rz = this.#point[z]! - positions[3 * o + z]!;
      this.#velocity[x]! -= velocities[3 * o + x]! + spins[3 * o + y]! * rz - spins[3 * o + z]! * ry;
    }
    const mu = 0.5 * (this.#friction[object]! + friction[o]!);
    this.#apply(i, -1 - o, area, pressure, mu, this.#damping[object]!);
  }

  /** Writes the sample and pushes both sides. */
  #apply(i: number, second: number, area: number, pressure: number, mu: number, chi: number): void {
    const { primitives, near, obstacles } = this.#parts;
    const [velocity, normal, force] = [this.#velocity, this.#normal, this.#force];
    const e = primitives.thickness[i]!;
    const k = primitives.stiffness[i]!;
    const along = dot(velocity, 0, normal);
    for (let axis = 0; axis < 3; axis++) velocity[axis]! -= along * normal[axis]!;
    const speed = Math.sqrt(dot(velocity, 0, velocity));
    const push = pressure * area * Math.max(0, 1 - chi * along);
    const drag = (mu * pressure * area) / Math.max(speed, CREEP * e);
    for (let axis = 0; axis < 3; axis++) force[axis] = push * normal[axis]! - drag * velocity[axis]!;
    this.contacts.push(i, second, this.#point, normal, area, pressure, force);
    this.#push(this, i, near.spheres, 4 * i, 1);
    if (second >= 0) this.#push(this, second, near.spheres, 4 * second, -1);
    else this.#push(obstacles, -1 - second, obstacles.positions, 3 * (-1 - second), -1);
    // p = ky, or k(y + y²/2e): the depth y of the first side at this pressure, and the work done to get there.
    const quadratic = (primitives.bits[i]! & QUADRATIC) !== 0;
    const deep = quadratic ? e * (Math.sqrt(1 + (2 * pressure) / (k * e)) - 1) : pressure / k;
    this.depth = Math.max(this.depth, deep / e);
    this.energy += 0.5 * area * k * deep * deep * (quadratic ? 1 + deep / (3 * e) : 1);
  }

  /** Adds ± the force at the point to number i of those, whose centre stands at centres[at …]. */
  #push({ forces, torques }: Pushed, i: number, centres: Float64Array, at: number, sign: number): void {
    for (let x = 0; x < 3; x++) {
      const [y, z] = [(x + 1) % 3, (x + 2) % 3];
      const ry = this.#point[y]! - centres[at + y]!;
      const rz = this.#point[z]! - centres[at + z]!;
      forces[3 * i + x]! += sign * this.#force[x]!;
      torques[3 * i + x]! += sign * (ry * this.#force[z]! - rz * this.#force[y]!);
    }
  }
}

interface Pushed {
  readonly forces: Float64Array;
  readonly torques: Float64Array;
}

function dot(u: Float64Array, at: number, v: Float64Array): number {
  return u[at]! * v[0]! + u[at + 1]! * v[1]! + u[at + 2]! * v[2]!;
}
