/** What a soft world is made of and what it tells; the world itself is in create-soft-world.ts. */
import type { TriangleMesh } from '@isoskin/demos';

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

/** A point, segment or triangle with flesh around it. */
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

/** What its primitives have in common: who blends with whom, and how it touches. */
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
export interface SoftObstacle {
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
  /**
   * α, 1/s: proportional gain; a steady relative volume rate r leaves an error of about r/α. Default: without limit, the whole
   * error in every update (Newton's method on the measured volumes).
   */
  readonly alpha?: number;
  /** β, gain on the rate of the volume error. Default 0. */
  readonly beta?: number;
  /**
   * Most controller steps per update, each of dt/passes; they end once all errors are below `tolerance`. Default 24, and 1
   * from 100 primitives on.
   */
  readonly passes?: number;
  /** Relative volume error that needs no further pass. Default 0.002. */
  readonly tolerance?: number;
}

/** All that a soft world is made of. */
export interface SoftWorldInput {
  readonly objects: readonly SoftObject[];
  readonly primitives: readonly SoftPrimitive[];
  readonly obstacles?: readonly SoftObstacle[];
  /** false: volumes are measured, not kept. */
  readonly volumeControl?: VolumeControl | false;
  /** Normal force between two primitives of different pieces that joins them, and the time over which the joint closes. Default: never; 0.2 s. */
  readonly fusion?: { readonly force?: number; readonly time?: number };
  /**
   * Sampling: a point gets 10n² + 2 seeds, segments and triangles a comparable density. Default: by the number of primitives,
   * 16 (2 562 seeds) for a few down to 2 (42 seeds) for many.
   */
  readonly sampling?: number;
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

export interface SurfaceOptions {
  /** Grid cells per smallest thickness. Default 4. */
  readonly resolution?: number;
  /** Rounds of flips and relaxation, fewer = faster, uglier triangles. Default 1. */
  readonly rounds?: number;
}

export interface PieceMesh extends TriangleMesh {
  readonly piece: number;
}
