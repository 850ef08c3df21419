import type { ImplicitSurface, TriangleMesh } from '@isoskin/demos';

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
export type PrimitiveShape = 'point' | 'segment' | 'triangle';

/** Potential of one primitive over the distance d to its skeleton, c = 1 at d = e, 0 from d = R on. */
export interface SoftPotential {
  /** e > 0, the radius that a lone point has. */
  readonly thickness: number;
  /** R > e, influence radius. Default 2e. */
  readonly radius?: number;
  /** k > 0, −df/dd at d = e, inside: pressure per depth. Default 1/(R − e). */
  readonly stiffness?: number;
  /** Inside: f = 1 + k(e − d), or + k(e − d)²/2e as well (stiffer the deeper). Default 'linear'. */
  readonly kind?: 'linear' | 'quadratic';
  /** Outside: straight down to 0 at R, or a cubic that arrives with slope 0. Default: linear for linear, else smooth. */
  readonly falloff?: 'linear' | 'smooth';
}

export interface SoftPrimitive extends SoftPotential {
  readonly name: string;
  /** Name of the object that it belongs to. */
  readonly object: string;
  readonly shape: PrimitiveShape;
  /** 3, 6 or 9 numbers: the corners at the start. */
  readonly corners: readonly number[];
  /**
   * Pieces of one polyline (or sheet) share a chain name: they do not add up, the closest one counts, so that the tube does
   * not bead at its joints, and they share one thickness offset. The potential must be the same in all of them.
   */
  readonly chain?: string;
  /** Kept under volume control. Default true. */
  readonly controlled?: boolean;
}

export interface SoftObject {
  readonly name: string;
  /**
   * 'fixed': primitives blend with the neighbours listed in `blends` only (a character). 'dynamic': all blend with all as long
   * as they hang together through overlapping influence zones (a substance); what breaks off (fracture) stays separate until
   * a contact force above `fusion.force` joins it again. Default 'dynamic'.
   */
  readonly blending?: 'fixed' | 'dynamic';
  /** Pairs of names of primitives (or chains), for 'fixed'. */
  readonly blends?: readonly (readonly [string, string])[];
  /** Whether a dynamic object can fuse with others (and its own pieces). Default true. */
  readonly fuses?: boolean;
  /** Coulomb friction coefficient μ. Of two touching objects the mean counts. Default 0.3. */
  readonly friction?: number;
  /** Contact damping χ in time/length: pressure × (1 − χ·separating speed), never below 0. Default 0. */
  readonly damping?: number;
}

/** Rigid, unbending: the contact surface is the obstacle's own surface. */
export interface Obstacle {
  readonly name: string;
  /** `plane`: y ≤ 0 of its frame. `capsule`: a roller along its x axis. `box`: half sizes, with rounded edges. */
  readonly shape: 'plane' | 'capsule' | 'box';
  readonly position?: readonly number[];
  /** Quaternion x, y, z, w. */
  readonly rotation?: readonly number[];
  /** Radius of the capsule, rounding of the box (default 0). */
  readonly radius?: number;
  /** Half the length of the capsule's axis (0: a sphere). */
  readonly halfLength?: number;
  /** Half sizes of the box, rounding included. */
  readonly halfSize?: readonly number[];
  readonly friction?: number;
}

export interface VolumeControl {
  /** α, 1/s: proportional gain. A steady relative volume rate r leaves an error of about r/α. Default 30 × passes. */
  readonly alpha?: number;
  /** β, gain on the rate of the volume error. Default 0.1. */
  readonly beta?: number;
  /**
   * Controller steps per update, each of dt/passes; fewer are taken once all errors are below `tolerance`. Default 4,
   * and 1 from 100 primitives on.
   */
  readonly passes?: number;
  /** Relative volume error that needs no further pass. Default 0.002. */
  readonly tolerance?: number;
}

export interface SoftWorldInput {
  readonly objects: readonly SoftObject[];
  readonly primitives: readonly SoftPrimitive[];
  readonly obstacles?: readonly Obstacle[];
  /** false: volumes are measured, not kept. */
  readonly volumeControl?: VolumeControl | false;
  /** Total normal force between two pieces that joins them, and the time over which the joint closes. Default: never; 0.2 s. */
  readonly fusion?: { readonly force?: number; readonly time?: number };
  /**
   * Sampling: a point gets 10n² + 2 seeds, segments and triangles a comparable density. Default: by the number of primitives,
   * 16 (2 562 seeds) for a few down to 2 (42 seeds) for many.
   */
  readonly sampling?: number;
}

/** The contact samples of the last update. Arrays have room to spare; `count` are valid. */
export interface SoftContacts {
  readonly count: number;
  /** Primitive on the first side. */
  readonly first: Int32Array;
  /** Primitive on the second side, or −1 − index of an obstacle. */
  readonly second: Int32Array;
  /** #×3. */
  readonly points: Float64Array;
  /** #×3, unit, from the second to the first. */
  readonly normals: Float64Array;
  /** Share of the contact area. */
  readonly areas: Float64Array;
  /** f − c, without damping. */
  readonly pressures: Float64Array;
  /** #×3, on the first, reaction and friction; the second gets the opposite. */
  readonly forces: Float64Array;
}

/** Connected parts of the blending graph. */
export interface SoftPieces {
  readonly count: number;
  /** #P, number of the piece of each primitive, numbered by first primitive. */
  readonly labels: Int32Array;
  /** Events so far. */
  readonly fractures: number;
  readonly fusions: number;
}

export interface SoftTerritories {
  /** #P: V_i now, the volume of the territory. Their sum is the volume of everything. */
  readonly volumes: Float64Array;
  /** #P: V_i at the start. */
  readonly rest: Float64Array;
  /** #P, write: wanted volume over `rest`, 1 at first (V⁰(t), animated by the caller). */
  readonly targets: Float64Array;
  /** #P: thickness offset ε_i. */
  readonly offsets: Float64Array;
}

export interface ObstacleState {
  readonly count: number;
  /** #O×3, write. */
  readonly positions: Float64Array;
  /** #O×4, quaternions x y z w, write. */
  readonly rotations: Float64Array;
  /** #O×3, write. */
  readonly velocities: Float64Array;
  /** #O×3, angular velocity, write. */
  readonly spins: Float64Array;
  /** #O×3, reaction on the obstacle, and its torque about `positions`. */
  readonly forces: Float64Array;
  readonly torques: Float64Array;
}

export interface SurfaceOptions {
  /** Grid cells per smallest thickness. Default 4. */
  readonly resolution?: number;
  /** Rounds of flips and relaxation, fewer = faster, uglier triangles. Default 1. */
  readonly rounds?: number;
}

export interface PieceMesh extends TriangleMesh {
  readonly piece: number;
}

export interface SoftWorld {
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
  readonly obstacles: ObstacleState;
  /** Deepest interpenetration of the last update in thicknesses: 0 none, 1 down to the skeleton. */
  readonly depth: number;
  /** Energy stored in the contacts, ∫∫ p dy dA over the depth y, estimated (each side counts its own samples). */
  readonly contactEnergy: number;
  readonly territories: SoftTerritories;
  readonly pieces: SoftPieces;
  readonly contacts: SoftContacts;
  /** Seeds, territories, volumes, thickness offsets, graph, contacts and forces for the corners as they are now. */
  update(dt: number): void;
  /**
   * Undoes the last `update` (offsets, seeds, volumes, graph, forces; the list of contacts stays), not what the caller wrote.
   * Once per update.
   */
  restore(): void;
  /** Σ V_i. */
  volume(): number;
  /** Closed, manifold surfaces, one per piece; touching pieces have the same contact surface. */
  polygonise(options?: SurfaceOptions): PieceMesh[];
  /** Fast display: one closed shell per territory over its seeds. The triangles are the same array every time. */
  seedsSurface(): TriangleMesh;
  /** A piece as its contacts deform it: field and gradient, iso-value 1. Valid until the next update. */
  surface(piece: number): ImplicitSurface;
  /** Field of the undeformed piece at a point (iso-value 1). */
  value(piece: number, x: number, y: number, z: number): number;
}
