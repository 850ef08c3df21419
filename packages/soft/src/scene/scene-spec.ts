import type { VolumeControl } from '../soft/soft-world.js';

/**
 * A scene as plain JSON: soft objects around an inner structure, rigid obstacles, gravity. Metres, kilograms, seconds, degrees;
 * +y is up. `checkScene` is its door and says what is wrong where.
 */
export interface SceneSpec {
  readonly name?: string;
  /** Default [0, −9.81, 0]. */
  readonly gravity?: Vector;
  /** Frames per second, default 60: one frame is one `step()`. */
  readonly fps?: number;
  /** Seconds that tell the story; the command's default number of frames. Default 5. */
  readonly duration?: number;
  /** I5: on (default: all of the error in every step) or off, or with its gains. */
  readonly volumeControl?: boolean | VolumeControl;
  /** I2: normal force between two primitives of different pieces, in newtons, above which they fuse, and the seconds it takes. Default: never. */
  readonly fusion?: { readonly force: number; readonly time?: number };
  /** I3: a point gets 10n² + 2 seeds. Default by the number of primitives, 8 … 2. */
  readonly sampling?: number;
  /** Where to look from. */
  readonly view?: SceneView;
  readonly objects: readonly ObjectSpec[];
  readonly obstacles?: readonly ObstacleSpec[];
}

export type Vector = readonly [x: number, y: number, z: number];

export interface SceneView {
  /** min x, y, z, max x, y, z. */
  readonly box: readonly number[];
  /** Degrees round the scene, 0 from +z, 90 from +x. */
  readonly azimuth?: number;
  /** Degrees above the horizon. */
  readonly elevation?: number;
}

/** One soft object: primitives (I1), their blending graph (I2), a material and an inner structure (I6). */
export interface ObjectSpec {
  readonly name: string;
  /** sRGB, 0 … 1. */
  readonly color?: Vector;
  readonly material?: MaterialSpec;
  /** Needed by kinematic objects and bodies; particles make their own. */
  readonly primitives?: readonly PrimitiveSpec[];
  /**
   * Which primitives melt into each other: all of them, none, pairs of names (the others collide), or `dynamic`: what hangs together,
   * with fracture and fusion. Default: dynamic for particles, all for others.
   */
  readonly blend?: 'all' | 'none' | 'dynamic' | readonly (readonly [string, string])[];
  readonly structure: StructureSpec;
  /** Wanted volume over volume at the start, per primitive name or for `all`: keys [time, value], linear between. */
  readonly targets?: Readonly<Record<string, readonly (readonly [time: number, value: number])[]>>;
}

export interface MaterialSpec {
  /** Influence radius over thickness, R/e. Default 2. */
  readonly reach?: number;
  /** Contact pressure grows linearly with depth, or faster. Default linear. */
  readonly law?: 'linear' | 'quadratic';
  /** Outside the surface: straight down to 0 at R, or arriving flat. Default: as straight as the law. */
  readonly falloff?: 'linear' | 'smooth';
  /** Pressure per depth, N/m³. Default 1e5. */
  readonly stiffness?: number;
  /** Coulomb coefficient. Default 0.5. */
  readonly friction?: number;
  /** Seconds that a pressed contact lags behind: it gives back less than it took. Default 0.03. */
  readonly damping?: number;
}

/** Skeleton primitive: `points` are in world space at time 0 and follow the structure. */
export interface PrimitiveSpec {
  readonly name: string;
  /** 1 point: a ball; 2: a capsule; more: a tube along them. */
  readonly points: readonly Vector[];
  /** e: the radius. */
  readonly thickness: number;
  /** `surface`: exactly three points, a rounded triangle. Default `line`. */
  readonly fill?: 'line' | 'surface';
  /** Name of the body that carries it (structures of bodies). */
  readonly body?: string;
}

export type StructureSpec = KinematicSpec | BodiesSpec | ParticlesSpec;

/** Moved by keys, not by forces. */
export interface KinematicSpec {
  readonly kind: 'kinematic';
  /** What no motion names stands still. */
  readonly motions?: readonly MotionSpec[];
}

export interface MotionSpec {
  /** Names of primitives; default all. */
  readonly primitives?: readonly string[];
  /** Only these points of the primitives. */
  readonly points?: readonly number[];
  /** Where `turn` turns about, world space at time 0. Default: the origin. */
  readonly pivot?: Vector;
  readonly keys: readonly MotionKey[];
}

/** p(t) = pivot + R(turn)·(p⁰ − pivot) + move, eased between keys, at rest in each. */
export interface MotionKey {
  readonly time: number;
  readonly move?: Vector;
  /** Axis times angle in degrees. */
  readonly turn?: Vector;
  /** Comes from the key before with constant speed, not eased: for motions of many keys. */
  readonly straight?: boolean;
}

/** Rigid bodies, alone or jointed. */
export interface BodiesSpec {
  readonly kind: 'bodies';
  readonly bodies: readonly BodySpec[];
  readonly joints?: readonly JointSpec[];
}

export interface BodySpec {
  readonly name: string;
  /** Kilograms, above 0, spread over its primitives. */
  readonly mass: number;
  /** `fixed` and `keyed` bodies are not moved by forces. Default `free`. */
  readonly kind?: 'free' | 'fixed' | 'keyed';
  readonly keys?: readonly MotionKey[];
  readonly pivot?: Vector;
  /** m/s and degrees/s at time 0. */
  readonly velocity?: Vector;
  readonly spin?: Vector;
}

export interface JointSpec {
  /** Names of two bodies. */
  readonly between: readonly [string, string];
  /** World space at time 0. */
  readonly at: Vector;
  /** A hinge's axis; without it the joint is a ball. */
  readonly axis?: Vector;
  /** Degrees from the pose at time 0 (hinges). */
  readonly limits?: readonly [number, number];
  /** Degrees that a ball turns from the pose at time 0, any way, before it resists. */
  readonly limit?: number;
  /** Pulls towards `angle` (hinges) or the first pose (balls). */
  readonly motor?: MotorSpec;
}

export interface MotorSpec {
  /** Degrees, or keys [time, degrees]. Default 0. */
  readonly angle?: number | readonly (readonly [time: number, degrees: number])[];
  /** N·m/rad. */
  readonly stiffness: number;
  /** N·m·s/rad. Default: a tenth of the stiffness. */
  readonly damping?: number;
}

/** A visco-plastic substance; its primitives are points that it makes itself, named 0, 1, 2 … */
export interface ParticlesSpec {
  readonly kind: 'particles';
  /** Kilograms of the whole object, above 0. */
  readonly mass: number;
  readonly fill: ParticleFill;
  /** Distance of neighbours at rest. */
  readonly spacing: number;
  /** e of every particle. Default 0.75 of the spacing. */
  readonly thickness?: number;
  /** Bond between two neighbours, N/m. Default: sags by a twentieth under its own weight. */
  readonly stiffness?: number;
  /** Share of the critical damping of a bond, 0 … 10. Default 1. */
  readonly damping?: number;
}

/** A box (two corners) or a ball to fill with a close packing, or the particles one by one. */
export type ParticleFill =
  | { readonly box: readonly [Vector, Vector] }
  | { readonly ball: { readonly centre: Vector; readonly radius: number } }
  | { readonly points: readonly Vector[] };

/** Something rigid that only keys move. Its shape is in a frame of its own, placed by `position` and `turn`. */
export interface ObstacleSpec {
  readonly name: string;
  readonly color?: Vector;
  /** `plane`: solid below its own y = 0. `capsule`: along its x axis. `box`: with rounded edges. */
  readonly shape: 'plane' | 'capsule' | 'box';
  readonly position?: Vector;
  /** Axis times angle in degrees. */
  readonly turn?: Vector;
  /** Of the capsule, and of the box's edges (default 0). */
  readonly radius?: number;
  /** Length of the capsule's axis, without the round ends. 0: a ball. */
  readonly length?: number;
  /** Width, height and depth of the box. */
  readonly size?: Vector;
  readonly friction?: number;
  /** Moves it from where it is; turns about `position`. */
  readonly keys?: readonly MotionKey[];
}
