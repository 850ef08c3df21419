import type { BlendGraph } from './blend-graph.js';
import { measureClosest } from './closest-point.js';
import { createContactList } from './contact-list.js';
import { QUADRATIC } from './depth-potential.js';
import type { NeighbourGrid } from './neighbour-grid.js';
import type { RayState } from './place-rays.js';
import type { Obstacles } from './plan-obstacles.js';
import type { Skeleton } from './plan-skeleton.js';
import { FIELD, type Probe } from './probe.js';
import { type OnContact, STOP_OBSTACLE, type TerritoryState } from './sample-territories.js';
import type { SoftContacts, SoftWorldInput } from './soft-world.js';

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
export interface ContactCollector {
  readonly contacts: SoftContacts;
  /** #P×3. */
  readonly forces: Float64Array;
  readonly torques: Float64Array;
  readonly velocities: Float64Array;
  readonly spins: Float64Array;
  readonly depth: number;
  readonly energy: number;
  clear(): void;
  readonly add: OnContact;
  /** Skeletons inside an obstacle have no seeds outside it: push them out from their corners. */
  addBuried(): void;
  /** Total normal force between pieces that may fuse; joins those above the threshold. */
  fuse(threshold: number): void;
}

/** Below this speed friction grows linearly with the speed, in thicknesses per unit of time. */
const CREEP = 0.05;
/** Smallest cosine between a ray and an obstacle's normal. */
const GRAZING = 0.05;

export function createContactCollector(
  input: SoftWorldInput,
  skeleton: Skeleton,
  graph: BlendGraph,
  rays: RayState,
  near: NeighbourGrid,
  obstacles: Obstacles,
  probe: Probe,
  territories: TerritoryState,
): ContactCollector {
  const { count, corners, shape, thickness, stiffness, bits, object } = skeleton;
  const velocities = new Float64Array(9 * count);
  const spins = new Float64Array(3 * count);
  const forces = new Float64Array(3 * count);
  const torques = new Float64Array(3 * count);
  const friction = input.objects.map((o) => o.friction ?? 0.3);
  const damping = input.objects.map((o) => o.damping ?? 0);
  const contacts = createContactList();
  const gradient = new Float64Array(6);
  const closest = new Float64Array(5);
  const velocity = new Float64Array(3);
  let depth = 0;
  let energy = 0;

  /** velocity ± that of a primitive at the point (x, y, z) whose skeleton point is in `closest`. */
  const addPrimitiveVelocity = (sign: number, i: number, x: number, y: number, z: number): void => {
    const s = closest[3]!;
    const t = closest[4]!;
    const rest = 1 - s - t;
    const at = 9 * i;
    const rx = x - closest[0]!;
    const ry = y - closest[1]!;
    const rz = z - closest[2]!;
    const wx = spins[3 * i]!;
    const wy = spins[3 * i + 1]!;
    const wz = spins[3 * i + 2]!;
    const v = velocities;
    velocity[0]! += sign * (rest * v[at]! + s * v[at + 3]! + t * v[at + 6]! + wy * rz - wz * ry);
    velocity[1]! += sign * (rest * v[at + 1]! + s * v[at + 4]! + t * v[at + 7]! + wz * rx - wx * rz);
    velocity[2]! += sign * (rest * v[at + 2]! + s * v[at + 5]! + t * v[at + 8]! + wx * ry - wy * rx);
  };
  const addObstacleVelocity = (sign: number, o: number, x: number, y: number, z: number): void => {
    const rx = x - obstacles.positions[3 * o]!;
    const ry = y - obstacles.positions[3 * o + 1]!;
    const rz = z - obstacles.positions[3 * o + 2]!;
    const wx = obstacles.spins[3 * o]!;
    const wy = obstacles.spins[3 * o + 1]!;
    const wz = obstacles.spins[3 * o + 2]!;
    velocity[0]! += sign * (obstacles.velocities[3 * o]! + wy * rz - wz * ry);
    velocity[1]! += sign * (obstacles.velocities[3 * o + 1]! + wz * rx - wx * rz);
    velocity[2]! += sign * (obstacles.velocities[3 * o + 2]! + wx * ry - wy * rx);
  };

  /** Writes the sample and pushes both sides; `velocity` holds the relative velocity. */
  const apply = (
    i: number,
    second: number,
    x: number,
    y: number,
    z: number,
    nx: number,
    ny: number,
    nz: number,
    area: number,
    pressure: number,
    mu: number,
    chi: number,
  ): void => {
    const along = velocity[0]! * nx + velocity[1]! * ny + velocity[2]! * nz;
    const tx = velocity[0]! - along * nx;
    const ty = velocity[1]! - along * ny;
    const tz = velocity[2]! - along * nz;
    const speed = Math.sqrt(tx * tx + ty * ty + tz * tz);
    const normal = pressure * area * Math.max(0, 1 - chi * along);
    const drag = (mu * pressure * area) / Math.max(speed, CREEP * thickness[i]!);
    const fx = normal * nx - drag * tx;
    const fy = normal * ny - drag * ty;
    const fz = normal * nz - drag * tz;
    contacts.push(i, second, x, y, z, nx, ny, nz, area, pressure, fx, fy, fz);
    push(forces, torques, i, near.spheres, 4 * i, x, y, z, fx, fy, fz);
    if (second >= 0) push(forces, torques, second, near.spheres, 4 * second, x, y, z, -fx, -fy, -fz);
    else {
      const o = -1 - second;
      push(obstacles.forces, obstacles.torques, o, obstacles.positions, 3 * o, x, y, z, -fx, -fy, -fz);
    }
    // p = ky, or k(y + y²/2e): the depth y of the first side at this pressure, and the work done to get there.
    const k = stiffness[i]!;
    const e = thickness[i]!;
    const quadratic = (bits[i]! & QUADRATIC) !== 0;
    const deep = quadratic ? e * (Math.sqrt(1 + (2 * pressure) / (k * e)) - 1) : pressure / k;
    depth = Math.max(depth, deep / e);
    energy += 0.5 * area * k * deep * deep * (quadratic ? 1 + deep / (3 * e) : 1);
  };

  const add: OnContact = (i, ray, x, y, z) => {
    const at = 3 * ray;
    const end = rays.ends[ray]!;
    const cross =
      territories.shares[ray]! * (rays.weights[at]! + end * (rays.weights[at + 1]! + end * rays.weights[at + 2]!));
    const ux = rays.directions[at]!;
    const uy = rays.directions[at + 1]!;
    const uz = rays.directions[at + 2]!;
    const pressure = probe.result[FIELD]! - 1;
    if (!(pressure > 0)) return;
    const stop = territories.stops[ray]!;
    velocity.fill(0);
    measureClosest(closest, corners, 9 * i, shape[i]!, x, y, z);
    addPrimitiveVelocity(1, i, x, y, z);
    if (stop >= STOP_OBSTACLE) {
      const o = stop - STOP_OBSTACLE;
      obstacles.distance(o, x, y, z, gradient);
      const [nx, ny, nz] = [gradient[0]!, gradient[1]!, gradient[2]!];
      const cosine = Math.max(GRAZING, -(ux * nx + uy * ny + uz * nz));
      addObstacleVelocity(-1, o, x, y, z);
      const mu = 0.5 * (friction[object[i]!]! + obstacles.friction[o]!);
      apply(i, -1 - o, x, y, z, nx, ny, nz, cross / cosine, pressure, mu, damping[object[i]!]!);
      return;
    }
    const j = probe.rival();
    if (j < 0) return;
    const open = 1 - probe.rivalLink();
    probe.gradients(gradient, x, y, z);
    let nx = gradient[0]! - gradient[3]!;
    let ny = gradient[1]! - gradient[4]!;
    let nz = gradient[2]! - gradient[5]!;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) return;
    nx /= length;
    ny /= length;
    nz /= length;
    const mine = Math.max(0, -(ux * nx + uy * ny + uz * nz));
    const squared = measureClosest(closest, corners, 9 * j, shape[j]!, x, y, z);
    const inverse = squared > 0 ? 1 / Math.sqrt(squared) : 0;
    const theirs = Math.max(0, ((x - closest[0]!) * nx + (y - closest[1]!) * ny + (z - closest[2]!) * nz) * inverse);
    const sum = mine * mine + theirs * theirs;
    if (!(sum > 0)) return;
    addPrimitiveVelocity(-1, j, x, y, z);
    const [a, b] = [object[i]!, object[j]!];
    const mu = 0.5 * (friction[a]! + friction[b]!);
    const chi = 0.5 * (damping[a]! + damping[b]!);
    apply(i, j, x, y, z, nx, ny, nz, (cross * mine) / sum, open * pressure, mu, chi);
  };

  return {
    contacts: contacts.list,
    forces,
    torques,
    velocities,
    spins,
    get depth() {
      return depth;
    },
    get energy() {
      return energy;
    },
    clear() {
      contacts.clear();
      forces.fill(0);
      torques.fill(0);
      obstacles.forces.fill(0);
      obstacles.torques.fill(0);
      depth = 0;
      energy = 0;
    },
    add,
    addBuried() {
      for (let o = 0; o < obstacles.count; o++) {
        for (let i = 0; i < count; i++) {
          const size = shape[i]!;
          for (let c = 0; c < size; c++) {
            const at = 9 * i + 3 * c;
            const [x, y, z] = [corners[at]!, corners[at + 1]!, corners[at + 2]!];
            const phi = obstacles.distance(o, x, y, z, gradient);
            if (phi >= 0) continue;
            velocity.set(velocities.subarray(at, at + 3));
            addObstacleVelocity(-1, o, x, y, z);
            const area = (Math.PI * thickness[i]! ** 2) / size;
            const pressure = stiffness[i]! * (thickness[i]! - phi);
            const mu = 0.5 * (friction[object[i]!]! + obstacles.friction[o]!);
            const [nx, ny, nz] = [gradient[0]!, gradient[1]!, gradient[2]!];
            apply(i, -1 - o, x, y, z, nx, ny, nz, area, pressure, mu, damping[object[i]!]!);
          }
        }
      }
    },
    fuse(threshold) {
      if (!Number.isFinite(threshold)) return;
      const totals = new Map<number, number>();
      const { first, second, areas, pressures } = contacts.list;
      for (let n = 0; n < contacts.list.count; n++) {
        const [i, j] = [first[n]!, second[n]!];
        if (j < 0 || !graph.canFuse(i, j)) continue;
        const a = Math.min(graph.strands[i]!, graph.strands[j]!);
        const b = Math.max(graph.strands[i]!, graph.strands[j]!);
        totals.set(a * count + b, (totals.get(a * count + b) ?? 0) + areas[n]! * pressures[n]!);
      }
      for (const [pair, force] of totals) if (force >= threshold) graph.fuse(Math.floor(pair / count), pair % count);
    },
  };
}

/** Adds a force at a point to body `i`, whose centre stands at centres[at …]. */
function push(
  forces: Float64Array,
  torques: Float64Array,
  i: number,
  centres: Float64Array,
  at: number,
  x: number,
  y: number,
  z: number,
  fx: number,
  fy: number,
  fz: number,
): void {
  const rx = x - centres[at]!;
  const ry = y - centres[at + 1]!;
  const rz = z - centres[at + 2]!;
  forces[3 * i]! += fx;
  forces[3 * i + 1]! += fy;
  forces[3 * i + 2]! += fz;
  torques[3 * i]! += ry * fz - rz * fy;
  torques[3 * i + 1]! += rz * fx - rx * fz;
  torques[3 * i + 2]! += rx * fy - ry * fx;
}
