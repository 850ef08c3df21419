import type { Vector } from './scene-spec.js';

export interface SimulationObject {
  readonly name: string;
  readonly color: Vector;
  /** Its territories: the first, and one past the last, of `measure().territories`. */
  readonly first: number;
  readonly end: number;
  /** Of its particles at rest. */
  readonly spacing?: number;
}

/** Rigid: a mesh of its own that never changes, and where it is now. */
export interface SimulationObstacle {
  readonly name: string;
  readonly color: Vector;
  readonly mesh: SurfaceMesh;
  /** x, y, z, refreshed by `step`. */
  readonly position: Float64Array;
  /** Quaternion x, y, z, w, refreshed by `step`. */
  readonly rotation: Float64Array;
}

/** Numbers of one moment. */
export interface SimulationMeasure {
  time: number;
  /** All soft objects together, relative to the start. */
  volume: number;
  /** #territories of all soft objects, each relative to its own start. */
  readonly territories: Float64Array;
  /** Pairs of territories, or of territory and obstacle, that press on each other. */
  contacts: number;
  /** Those of them between two territories of one object: an arm on the belly. */
  selfContacts: number;
  /** Connected pieces of all soft objects. */
  pieces: number;
  /** Events since the start. */
  fractures: number;
  fusions: number;
  /** Share of the borders between pieces that has fused, of those that began to: 0 … 1. */
  fused: number;
  /** Parts that the last frame was cut into. */
  parts: number;
  /** Kinetic energy of the structures, joules. */
  energy: number;
}

export interface SimulationSurfaceOptions {
  /** `seeds`: quick, a fan of triangles per territory, always the same triangles. `closed` (default): watertight, slower. */
  readonly kind?: 'seeds' | 'closed';
  /** Triangle edges per smallest thickness, for `closed`. Default 8 for up to 4 primitives, 4 for up to 40, 3 for more. */
  readonly resolution?: number;
  /**
   * `closed`, what is made of particles: ripples of this length, in spacings of the particles, fall to a tenth; the volume stays. 0: the
   * surface as it is. Default 1.5.
   */
  readonly smoothing?: number;
}

/** A mesh to draw. */
export interface SurfaceMesh {
  /** #V×3. */
  readonly positions: Float32Array;
  /** #V×3, unit. */
  readonly normals: Float32Array;
  /** #T×3, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
}

/** All soft objects in one mesh. */
export interface SimulationSurface extends SurfaceMesh {
  /** #V×3, sRGB 0 … 1. */
  readonly colors: Float32Array;
  /** What it was made with. */
  readonly resolution: number;
}
