import { IsoskinError } from '@isoskin/core';
import { polygonise, type TriangleMesh } from '@isoskin/demos';
import { BlendGraph } from './blend-graph.js';
import { ContactCollector } from './collect-contacts.js';
import type { ContactList } from './contact-list.js';
import { createVolumeController, type VolumeController } from './control-volume.js';
import { NeighbourGrid } from './neighbour-grid.js';
import { Obstacles } from './obstacles.js';
import { type Primitives, packPrimitives } from './pack-primitives.js';
import { PieceSurface, PointIndex } from './piece-surface.js';
import { createRays, placeRays, type RayState } from './place-rays.js';
import { Probe } from './probe.js';
import { createPointRays, createSegmentRays, createTriangleRays, type RayMesh } from './ray-mesh.js';
import { TerritorySampler } from './sample-territories.js';
import type { PieceMesh, SoftTerritories, SoftWorldInput, SurfaceOptions, VolumeControl } from './soft-world.js';
import type { WorldParts } from './world-parts.js';

/** From so many primitives on one pass per step must do: their errors are small against the whole. */
const MANY = 100;

/** A pass need not correct less than this part of an error: short steps take fewer passes. */
const PASS_GAIN = 0.5;

function readControl(input: SoftWorldInput): Required<VolumeControl> {
  const given = input.volumeControl || {};
  const passes = given.passes ?? (input.primitives.length < MANY ? 24 : 1);
  const control = { passes, alpha: Infinity, beta: 0, tolerance: 0.002, ...given };
  const { alpha, beta, tolerance } = control;
  if (!(alpha >= 0 && beta >= 0 && tolerance >= 0 && passes >= 1 && Number.isInteger(passes))) {
    const message = 'The gains alpha and beta and the tolerance must be 0 or more, and passes a whole number from 1.';
    throw new IsoskinError('VOLUME_CONTROL_INVALID', message, 'volumeControl');
  }
  return control;
}

/** Checks the input and sets the world up; see `SoftWorld` for how a simulation uses it. */
export function createSoftWorld(input: SoftWorldInput): SoftWorld {
  checkInput(input);
  return new SoftWorld(input);
}

/**
 * I1–I5. Soft flesh around an internal structure: the contract between the implicit layer and whatever moves its skeleton
 * (rigid bodies, particles, key frames).
 *
 * One step of a simulation:
 *   1. the structure integrates its motion with `world.forces` and `world.torques`;
 *   2. it writes `world.corners` (and `velocities`, `spins`; `obstacles` where they move);
 *   3. `world.update(dt)`;
 *   4. if `world.depth` exceeds what the structure accepts: put its own state back, `world.restore()`, take half the step.
 *
 * All lengths, masses and times are the caller's; the iso-value is c = 1, and f − c *is* the contact pressure, so that a
 * primitive's `stiffness` k is pressure per depth (N/m³). It acts inside the surface only: shapes do not depend on it.
 * Everything is deterministic: the same calls give the same bits.
 */
export class SoftWorld {
  readonly count: number;
  readonly names: readonly string[];
  /** #P×9, write: the corners of each primitive; a point uses the first three numbers, a segment six. */
  readonly corners: Float64Array;
  /** #P×9, write: velocities of the corners (friction and damping). */
  readonly velocities: Float64Array;
  /** #P×3, write: angular velocity of the flesh around the skeleton (0 for particles). */
  readonly spins: Float64Array;
  /** #P×3, force of the contacts on each primitive. */
  readonly forces: Float64Array;
  /** #P×3, their torque about the primitive's centre (mean of its corners). */
  readonly torques: Float64Array;
  readonly obstacles: Obstacles;
  readonly territories: SoftTerritories;
  readonly pieces: BlendGraph;
  readonly contacts: ContactList;
  readonly #controlled: boolean;
  readonly #control: Required<VolumeControl>;
  readonly #fusionForce: number;
  readonly #parts: WorldParts;
  readonly #sampler: TerritorySampler;
  readonly #collector: ContactCollector;
  readonly #controller: VolumeController;
  /** The surface's own probe, so that neighbouring points can share what was prepared; where its candidates are. */
  readonly #outline: Probe;
  #index: PointIndex | undefined;
  #shells: Uint32Array | undefined;
  /** What `restore` brings back: pairs of present and saved arrays. */
  readonly #saved: readonly { readonly present: Float64Array; readonly past: Float64Array }[];

  constructor(input: SoftWorldInput) {
    const primitives = packPrimitives(input);
    const { count } = primitives;
    const graph = new BlendGraph(input, primitives);
    const near = new NeighbourGrid(primitives);
    const rays = createRays(primitives, createMeshes(primitives, input.sampling ?? defaultSampling(count)));
    const obstacles = new Obstacles(input.obstacles ?? []);
    const parts = { primitives, graph, near, rays, obstacles, probe: new Probe(primitives, graph) };
    const territories = new TerritorySampler(parts);
    const collector = new ContactCollector(input, parts, territories);
    const { volumes, slopes } = territories;
    this.#controlled = input.volumeControl !== false;
    this.#control = readControl(input);
    this.#fusionForce = input.fusion?.force ?? Infinity;
    this.#parts = parts;
    this.#sampler = territories;
    this.#collector = collector;
    this.#controller = createVolumeController(this.#control, primitives, territories, near);
    this.#outline = new Probe(primitives, graph);
    this.count = count;
    this.names = input.primitives.map(({ name }) => name);
    this.corners = primitives.corners;
    this.velocities = collector.velocities;
    this.spins = collector.spins;
    this.forces = collector.forces;
    this.torques = collector.torques;
    this.obstacles = obstacles;
    this.contacts = collector.contacts;
    this.pieces = graph;
    const { rest, targets } = this.#controller;
    this.territories = { volumes, rest, targets, offsets: primitives.offsets };
    const seeds = [rays.ends, rays.fades, rays.frames, volumes, slopes, territories.exchanges];
    this.#saved = [...seeds, this.forces, this.torques, obstacles.forces, obstacles.torques].map((present) => ({
      present,
      past: present.slice(),
    }));
    this.#settle(0, 1);
    graph.fractures = 0; // what was apart from the start did not break
    this.#controller.begin();
    this.#save();
  }

  /** Deepest interpenetration of the last update in thicknesses: 0 none, 1 down to the skeleton. */
  get depth(): number {
    return this.#collector.depth;
  }

  /** Energy stored in the contacts, ∫∫ p dy dA over the depth y, estimated (each side counts its own samples). */
  get contactEnergy(): number {
    return this.#collector.energy;
  }

  /** Seeds, territories, volumes, thickness offsets, graph, contacts and forces for the corners as they are now. */
  update(dt: number): void {
    if (!(dt > 0)) throw new IsoskinError('TIME_STEP_INVALID', `The time step must be positive, not ${dt}.`);
    this.#save();
    const { alpha, passes } = this.#control;
    this.#settle(dt, Math.min(passes, Math.max(1, Math.ceil((alpha * dt) / PASS_GAIN - 1e-9))));
  }

  #settle(dt: number, passes: number): void {
    const { primitives, graph, near, rays, obstacles } = this.#parts;
    const collector = this.#collector;
    this.#index = undefined;
    obstacles.update();
    placeRays(rays, primitives);
    near.build();
    graph.update(near, dt);
    const controlled = this.#controlled && dt > 0;
    for (let pass = 1; pass <= passes; pass++) {
      collector.clear();
      if (controlled) this.#controller.step(dt / passes);
      this.#sampler.sample(collector.add);
      if (!controlled || this.#controller.worst() <= this.#control.tolerance) break;
    }
    collector.addBuried();
    collector.fuse(this.#fusionForce);
  }

  #save(): void {
    for (const { present, past } of this.#saved) past.set(present);
    this.pieces.save();
    this.#controller.save();
  }

  /**
   * Undoes the last `update` (offsets, seeds, volumes, graph, forces; the list of contacts stays), not what the caller wrote.
   * Once per update.
   */
  restore(): void {
    this.#index = undefined;
    for (const { present, past } of this.#saved) present.set(past);
    this.pieces.restore();
    this.#controller.restore();
  }

  /** Σ V_i. */
  volume(): number {
    return this.territories.volumes.reduce((sum, volume) => sum + volume, 0);
  }

  /** Closed, manifold surfaces, one per piece; touching pieces have the same contact surface. */
  polygonise({ resolution = 4, rounds = 1 }: SurfaceOptions = {}): PieceMesh[] {
    const finest = this.#parts.primitives.thickness.reduce((least, e) => Math.min(least, e), Infinity);
    const meshes: PieceMesh[] = [];
    for (let piece = 0; piece < this.pieces.shellCount; piece++) {
      const surface = this.surface(piece);
      if (surface.seeds.length === 0) continue;
      const step = finest / resolution;
      if (this.#touchesItself(piece)) surface.gap = GAP * step;
      const { positions, triangles } = polygonise(surface, { step, rounds });
      if (surface.gap) surface.closeGap(positions, step / 2);
      meshes.push({ piece, positions, triangles });
    }
    return meshes;
  }

  #touchesItself(shell: number): boolean {
    const { first, second, count } = this.contacts;
    const { shells } = this.pieces;
    for (let c = 0; c < count; c++) {
      if (second[c]! >= 0 && shells[first[c]!] === shell && shells[second[c]!] === shell) return true;
    }
    return false;
  }

  /** Fast display: one closed shell per territory over its seeds. The triangles are the same array every time. */
  seedsSurface(): TriangleMesh {
    const { rays } = this.#parts;
    const positions = new Float64Array(3 * rays.count);
    for (let at = 0; at < positions.length; at++) {
      positions[at] = rays.origins[at]! + rays.ends[Math.floor(at / 3)]! * rays.directions[at]!;
    }
    this.#shells ??= listShells(rays);
    return { positions, triangles: this.#shells };
  }

  /** A piece as its contacts deform it: field and gradient, iso-value 1. Valid until the next update. */
  surface(piece: number): PieceSurface {
    return new PieceSurface(piece, this.#parts, this.#outline, this.#locate());
  }

  /** Field of the undeformed piece at a point (iso-value 1). */
  value(piece: number, x: number, y: number, z: number): number {
    this.#locate().gather(x, y, z);
    return this.#outline.measureShell(piece, () => 0, x, y, z);
  }

  #locate(): PointIndex {
    this.#index ??= new PointIndex(this.#parts.primitives, this.#outline);
    return this.#index;
  }
}

/** Width of a wall of contact while its two sheets are found, in grid cells. */
const GAP = 1.5;

function checkInput(input: SoftWorldInput): void {
  if (input.primitives.length === 0) {
    throw new IsoskinError('SOFT_WORLD_EMPTY', 'The world has no primitive; give it at least one point.', 'primitives');
  }
  if (input.sampling !== undefined && !(Number.isInteger(input.sampling) && input.sampling >= 1)) {
    const message = `The sampling must be a whole number from 1, not ${input.sampling}.`;
    throw new IsoskinError('SAMPLING_INVALID', message, 'sampling');
  }
}

/** About 12 000 seeds in all, between 42 and 2 562 around a point. */
function defaultSampling(count: number): number {
  return Math.max(2, Math.min(16, Math.floor(Math.sqrt(Math.max(0, 12000 / count - 2) / 10))));
}

/** Triangles of all ray meshes, numbered through. */
function listShells(rays: RayState): Uint32Array {
  const shells = new Uint32Array(rays.meshes.reduce((sum, mesh) => sum + mesh.triangles.length, 0));
  let at = 0;
  rays.meshes.forEach((mesh, i) => {
    for (let n = 0; n < mesh.triangles.length; n++) shells[at++] = rays.offsets[i]! + mesh.triangles[n]!;
  });
  return shells;
}

/** One mesh of rays per primitive; equal primitives share it. */
function createMeshes(primitives: Primitives, n: number): RayMesh[] {
  const known = new Map<string, RayMesh>();
  return Array.from({ length: primitives.count }, (_, i) => {
    const c = primitives.corners.subarray(9 * i, 9 * i + 9);
    const edge = (a: number, b: number) =>
      Math.hypot(c[3 * a]! - c[3 * b]!, c[3 * a + 1]! - c[3 * b + 1]!, c[3 * a + 2]! - c[3 * b + 2]!);
    const e = primitives.thickness[i]!;
    const shape = primitives.shape[i]!;
    // Half thicknesses of length are close enough to share.
    const length = shape === 1 ? 0 : shape === 2 ? edge(0, 1) : Math.max(edge(0, 1), edge(1, 2), edge(2, 0));
    const slender = Math.max(0.5, Math.round((2 * length) / e) / 2);
    const key = `${shape} ${shape === 1 ? 0 : slender}`;
    const make = [createPointRays, createSegmentRays, createTriangleRays][shape - 1]!;
    if (!known.has(key)) known.set(key, make(n, slender));
    return known.get(key)!;
  });
}
