import { measureClosest } from './closest-point.js';
import { RayProbe } from './ray-probe.js';
import { FADE, SeedSolver, STOP_BORDER, STOP_CONTACT, STOP_SURFACE } from './seed-solver.js';
import { SLOPE } from './territory-share.js';
import type { WorldParts } from './world-parts.js';

/** How far a seed goes before more neighbours are looked at, in thicknesses. */
const STRIDE = 0.3;
/** Neighbourhood in thicknesses, beyond the fade, for which candidates are selected at once. */
const SLACK = 0.15;
/** Nodes of the two-point rule. */
const GAUSS = 1 / Math.sqrt(3);

/** Called for every seed that stopped at a contact, with the probe measured there. */
export type OnContact = (i: number, ray: number, x: number, y: number, z: number) => void;

/**
 * I3, I5. Moves the seeds and measures the territories. A seed goes out along its ray to the first place where
 *   – the surface is reached, F = c;
 *   – another body pushes back, F = RIVAL ≥ c (contact surface), or an obstacle begins, φ = 0;
 *   – its primitive has no more share, f_i below the strongest by the width of the fade.
 *
 * Territories are T_i = {f ≥ c, ψ_i ≥ ψ_j}, ψ = e + ε − d the depth (which orders equal potentials as f does), with borders that
 * fade over η thicknesses of the deepest:
 *   w_i = max(0, ψ_i − ψ_max + ηe) / Σ_j max(0, ψ_j − ψ_max + ηe),  Σ_i w_i = 1,  V_i = ∫ w_i dV
 * A sharp border makes V_i jump when two skeletons share a corner or meet: there f_i ≥ f_j holds in a whole region at once, and
 * the controller would hand it to and fro. Σ V_i is the volume either way.
 */
export class TerritorySampler {
  readonly volumes: Float64Array;
  /** #P: ∂V_i/∂ε_i, estimated: the free surface, half the contact surface, and what the fading borders give way. */
  readonly slopes: Float64Array;
  /** #P: the part of the slope that neighbours give: contact surfaces and fading borders. */
  readonly exchanges: Float64Array;
  /** #R: why the seed stopped. */
  readonly stops: Uint8Array;
  /** #R: share of the primitive where the seed stopped, 1 for most. */
  readonly shares: Float64Array;
  readonly #parts: WorldParts;
  readonly #probe: RayProbe;
  readonly #solver: SeedSolver;
  /** Neighbours of the current primitive that its seeds can meet. */
  readonly #items: Int32Array;
  /** How far the seeds of the current primitive may go with these neighbours; how far they go on average. */
  #near = 0;
  #mean = 0;

  constructor(parts: WorldParts) {
    const { primitives, rays } = parts;
    this.volumes = new Float64Array(primitives.count);
    this.slopes = new Float64Array(primitives.count);
    this.exchanges = new Float64Array(primitives.count);
    this.stops = new Uint8Array(rays.count);
    this.shares = new Float64Array(rays.count);
    this.#parts = parts;
    this.#probe = new RayProbe(parts);
    this.#solver = new SeedSolver(parts, this.#probe);
    this.#items = new Int32Array(primitives.count);
  }

  sample(onContact?: OnContact): void {
    const { thickness, width, offsets, count } = this.#parts.primitives;
    const { ends } = this.#parts.rays;
    for (let i = 0; i < count; i++) {
      const e = thickness[i]!;
      const limit = Math.max(0, e + width[i]! + offsets[i]!);
      const begin = this.#parts.rays.offsets[i]!;
      const finish = this.#parts.rays.offsets[i + 1]!;
      // Seeds move little in a step; the neighbours further out are looked at only when one of them does go far.
      let near = 0;
      let mean = 0;
      for (let ray = begin; ray < finish; ray++) {
        near = Math.max(near, ends[ray]!);
        mean += ends[ray]! / (finish - begin);
      }
      this.#mean = mean;
      this.#lookAround(i, Math.min(limit, near + STRIDE * e));
      this.volumes[i] = 0;
      this.slopes[i] = 0;
      this.exchanges[i] = 0;
      for (let ray = begin; ray < finish; ray++) this.#sampleRay(i, ray, limit, onContact);
    }
  }

  /** Prepares the probe for seeds of i that go out to `furthest`. */
  #lookAround(i: number, furthest: number): void {
    const { thickness, width, offsets } = this.#parts.primitives;
    const { spheres, items } = this.#parts.near;
    const x = spheres[4 * i]!;
    const y = spheres[4 * i + 1]!;
    const z = spheres[4 * i + 2]!;
    const reach = spheres[4 * i + 3]! + furthest;
    let size = 0;
    for (let n = this.#parts.near.offsets[i]!; n < this.#parts.near.offsets[i + 1]!; n++) {
      const j = items[n]!;
      const limit = reach + thickness[j]! + width[j]! + offsets[j]!;
      if (measureClosest(closest, this.#parts.primitives, j, x, y, z) < limit * limit) this.#items[size++] = j;
    }
    this.#near = furthest;
    this.#solver.begin(i, x, y, z, reach);
    this.#probe.prepare(i, this.#items, size, this.#mean + SLACK * thickness[i]!, FADE);
  }

  #sampleRay(i: number, ray: number, limit: number, onContact: OnContact | undefined): void {
    const { origins, directions, weights, ends, fades } = this.#parts.rays;
    const probe = this.#probe;
    const solver = this.#solver;
    const e = this.#parts.primitives.thickness[i]!;
    const at = 3 * ray;
    // One selection for the whole fade where it was, and a little more.
    probe.aim(ray, SLACK * e + 0.5 * (ends[ray]! - fades[ray]!), this.stops[ray] !== STOP_BORDER);
    probe.select(0.5 * (ends[ray]! + fades[ray]!));
    solver.aim(ray);
    let end = solver.solveEnd(ends[ray]!, this.#near);
    if (end >= this.#near && this.#near < limit) {
      this.#lookAround(i, limit);
      probe.select(end);
      end = solver.solveEnd(end, limit);
    }
    const { stop } = solver;
    const touches = onContact !== undefined && stop >= STOP_CONTACT;
    const a1 = weights[at]!;
    const a2 = weights[at + 1]!;
    const a3 = weights[at + 2]!;
    const area = a1 + end * (a2 + end * a3);
    ends[ray] = end;
    this.stops[ray] = stop;
    this.shares[ray] = 1;
    if (stop === STOP_SURFACE) this.slopes[i]! += area;
    else if (stop === STOP_CONTACT) this.#addExchange(i, 0.5 * area);
    if (solver.border < 0 && end > 0) {
      if (touches) this.shares[ray] = probe.share(FADE);
      this.#integrateFade(i, ray, end, solver.border);
    } else fades[ray] = end;
    const full = fades[ray]!;
    this.volumes[i]! += full * (a1 + full * (a2 / 2 + (full * a3) / 3));
    if (!touches || end === 0) return;
    probe.measureFully(end);
    const place = (axis: number) => origins[at + axis]! + end * directions[at + axis]!;
    onContact(i, ray, place(0), place(1), place(2));
  }

  #addExchange(i: number, slope: number): void {
    this.slopes[i]! += slope;
    this.exchanges[i]! += slope;
  }

  /** Adds what the primitive has of the way on which its share falls. */
  #integrateFade(i: number, ray: number, end: number, border: number): void {
    const { weights, fades } = this.#parts.rays;
    const e = this.#parts.primitives.thickness[i]!;
    this.#probe.narrow(FADE);
    const full = this.#solver.solveFade(fades[ray]!, end, border);
    fades[ray] = full;
    // Two-point Gauss–Legendre, on parts no longer than the regular fade between two neighbours.
    const parts = Math.min(8, Math.ceil((end - full) / (1.5 * FADE * e)));
    const half = (0.5 * (end - full)) / parts;
    for (let n = 0; n < 2 * parts; n++) {
      const t = full + half * (2 * (n >> 1) + 1 + (n & 1 ? GAUSS : -GAUSS));
      const share = this.#probe.measureShare(t, FADE);
      const w = half * (weights[3 * ray]! + t * (weights[3 * ray + 1]! + t * weights[3 * ray + 2]!));
      this.volumes[i]! += w * share;
      this.#addExchange(i, w * this.#probe.result[SLOPE]!);
    }
  }
}

const closest = new Float64Array(5);
