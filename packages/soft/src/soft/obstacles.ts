import { IsoskinError } from '@isoskin/core';
import type { SoftObstacle } from './soft-world.js';

const SHAPES: readonly string[] = ['plane', 'capsule', 'box'];
const CAPSULE = 1;
const BOX = 2;

/** I4. Rigid obstacles: signed distance φ (negative inside) and its gradient, in the obstacle's own frame. */
export class Obstacles {
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
  readonly friction: Float64Array;
  /** #×9, rows are the axes of the obstacle. */
  readonly #frames: Float64Array;
  readonly #shapes: Uint8Array;
  readonly #radii: Float64Array;
  /** #×3: half the axis of a capsule, half sizes of the box that is rounded. */
  readonly #halves: Float64Array;

  constructor(input: readonly SoftObstacle[]) {
    const count = input.length;
    this.count = count;
    this.positions = new Float64Array(3 * count);
    this.rotations = new Float64Array(4 * count);
    this.velocities = new Float64Array(3 * count);
    this.spins = new Float64Array(3 * count);
    this.forces = new Float64Array(3 * count);
    this.torques = new Float64Array(3 * count);
    this.friction = new Float64Array(count);
    this.#frames = new Float64Array(9 * count);
    this.#shapes = new Uint8Array(count);
    this.#radii = new Float64Array(count);
    this.#halves = new Float64Array(3 * count);
    for (const [o, obstacle] of input.entries()) this.#read(obstacle, o);
    this.update();
  }

  #read(obstacle: SoftObstacle, o: number): void {
    const check = (right: boolean, field: string, message: string): void => {
      if (!right)
        throw new IsoskinError('SOFT_OBSTACLE_INVALID', message, `obstacles[${o}] "${obstacle.name}".${field}`);
    };
    const { position = [0, 0, 0], rotation = [0, 0, 0, 1], radius = 0, friction = 0.3 } = obstacle;
    const { halfLength = 0, halfSize = [] } = obstacle;
    const shape = SHAPES.indexOf(obstacle.shape);
    const length = Math.hypot(...rotation);
    check(shape >= 0, 'shape', `The shape must be one of ${SHAPES.join(', ')}, not "${obstacle.shape}".`);
    check(position.length === 3 && position.every(Number.isFinite), 'position', 'Give three finite numbers.');
    check(rotation.length === 4 && length > 0, 'rotation', 'Give a quaternion x, y, z, w other than zero.');
    check(radius >= 0 && !(shape === CAPSULE && radius === 0), 'radius', 'The radius must be positive.');
    check(friction >= 0, 'friction', 'The friction must be 0 or more.');
    check(shape !== CAPSULE || halfLength >= 0, 'halfLength', 'Half the length must be 0 or more.');
    const fits = halfSize.length === 3 && halfSize.every((half) => half > radius);
    check(shape !== BOX || fits, 'halfSize', 'Give three half sizes, each above the rounding radius.');
    this.#shapes[o] = shape;
    this.#radii[o] = radius;
    this.friction[o] = friction;
    this.positions.set(position, 3 * o);
    this.rotations.set(
      rotation.map((value) => value / length),
      4 * o,
    );
    if (shape === CAPSULE) this.#halves[3 * o] = halfLength;
    if (shape === BOX) for (let axis = 0; axis < 3; axis++) this.#halves[3 * o + axis] = halfSize[axis]! - radius;
  }

  /** Reads the rotations; before any measurement of a step. */
  update(): void {
    for (let o = 0; o < this.count; o++) {
      const [x, y, z, w] = this.rotations.subarray(4 * o, 4 * o + 4) as unknown as [number, number, number, number];
      this.#frames.set([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)], 9 * o);
      this.#frames.set([2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)], 9 * o + 3);
      this.#frames.set([2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)], 9 * o + 6);
    }
  }

  /** φ at a point; with `out`, ∇φ to out[0…2]. */
  distance(o: number, px: number, py: number, pz: number, out?: Float64Array): number {
    const frames = this.#frames;
    const at = 9 * o;
    const dx = px - this.positions[3 * o]!;
    const dy = py - this.positions[3 * o + 1]!;
    const dz = pz - this.positions[3 * o + 2]!;
    const x = frames[at]! * dx + frames[at + 1]! * dy + frames[at + 2]! * dz;
    const y = frames[at + 3]! * dx + frames[at + 4]! * dy + frames[at + 5]! * dz;
    const z = frames[at + 6]! * dx + frames[at + 7]! * dy + frames[at + 8]! * dz;
    const shape = this.#shapes[o]!;
    let phi = y;
    slope[0] = 0;
    slope[1] = 1;
    slope[2] = 0;
    if (shape === CAPSULE) {
      const half = this.#halves[3 * o]!;
      phi = measureLength(x - Math.min(half, Math.max(-half, x)), y, z) - this.#radii[o]!;
    } else if (shape === BOX) phi = measureBox(this.#halves, 3 * o, x, y, z) - this.#radii[o]!;
    if (out) {
      for (let axis = 0; axis < 3; axis++) {
        out[axis] =
          frames[at + axis]! * slope[0]! + frames[at + 3 + axis]! * slope[1]! + frames[at + 6 + axis]! * slope[2]!;
      }
    }
    return phi;
  }
}

/** ∇φ in the obstacle's frame, of the last measurement. */
const slope = new Float64Array(3);

/** Distance to the origin; up where there is none. */
function measureLength(x: number, y: number, z: number): number {
  const length = Math.sqrt(x * x + y * y + z * z);
  const scale = length > 0 ? 1 / length : 0;
  slope[0] = x * scale;
  slope[1] = length > 0 ? y * scale : 1;
  slope[2] = z * scale;
  return length;
}

/** Distance to a box of half sizes halves[at …], negative inside. */
function measureBox(halves: Float64Array, at: number, x: number, y: number, z: number): number {
  const qx = Math.abs(x) - halves[at]!;
  const qy = Math.abs(y) - halves[at + 1]!;
  const qz = Math.abs(z) - halves[at + 2]!;
  let phi = Math.max(qx, qy, qz);
  if (phi <= 0) {
    slope[0] = phi === qx ? 1 : 0;
    slope[1] = phi !== qx && phi === qy ? 1 : 0;
    slope[2] = phi !== qx && phi !== qy ? 1 : 0;
  } else {
    slope[0] = Math.max(0, qx);
    slope[1] = Math.max(0, qy);
    slope[2] = Math.max(0, qz);
    phi = Math.sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
    for (let axis = 0; axis < 3; axis++) slope[axis]! /= phi;
  }
  if (x < 0) slope[0]! *= -1;
  if (y < 0) slope[1]! *= -1;
  if (z < 0) slope[2]! *= -1;
  return phi;
}
