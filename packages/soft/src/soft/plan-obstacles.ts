import { IsoskinError } from '@isoskin/core';
import type { Obstacle, ObstacleState } from './soft-world.js';

/** I4. Rigid obstacles: signed distance φ (negative inside) and its gradient, in the obstacle's own frame. */
export interface Obstacles extends ObstacleState {
  readonly friction: Float64Array;
  /** Reads the rotations; before any measurement of a step. */
  update(): void;
  /** φ at a point; with `out`, ∇φ to out[0…2]. */
  distance(obstacle: number, x: number, y: number, z: number, out?: Float64Array): number;
}

const SHAPES: readonly string[] = ['plane', 'capsule', 'box'];

export function planObstacles(input: readonly Obstacle[]): Obstacles {
  const count = input.length;
  const positions = new Float64Array(3 * count);
  const rotations = new Float64Array(4 * count);
  const frames = new Float64Array(9 * count);
  const shapes = new Uint8Array(count);
  const radii = new Float64Array(count);
  const halves = new Float64Array(3 * count);
  const friction = new Float64Array(count);
  input.forEach((obstacle, o) => {
    const refuse = (field: string, message: string): never => {
      throw new IsoskinError('SOFT_OBSTACLE_INVALID', message, `obstacles[${o}] "${obstacle.name}".${field}`);
    };
    const shape = SHAPES.indexOf(obstacle.shape);
    if (shape < 0) refuse('shape', `The shape must be one of ${SHAPES.join(', ')}, not "${obstacle.shape}".`);
    shapes[o] = shape;
    const position = obstacle.position ?? [0, 0, 0];
    if (position.length !== 3 || !position.every(Number.isFinite)) refuse('position', 'Give three finite numbers.');
    positions.set(position, 3 * o);
    const rotation = obstacle.rotation ?? [0, 0, 0, 1];
    const length = Math.hypot(...rotation);
    if (rotation.length !== 4 || !(length > 0)) refuse('rotation', 'Give a quaternion x, y, z, w other than zero.');
    rotations.set(
      rotation.map((value) => value / length),
      4 * o,
    );
    radii[o] = obstacle.radius ?? 0;
    if (!(radii[o]! >= 0) || (shape === 1 && radii[o] === 0)) refuse('radius', 'The radius must be positive.');
    friction[o] = obstacle.friction ?? 0.3;
    if (!(friction[o]! >= 0)) refuse('friction', 'The friction must be 0 or more.');
    if (shape === 1) {
      halves[3 * o] = obstacle.halfLength ?? 0;
      if (!(halves[3 * o]! >= 0)) refuse('halfLength', 'Half the length must be 0 or more.');
    }
    if (shape === 2) {
      const size = obstacle.halfSize ?? [];
      if (size.length !== 3 || !size.every((half) => half > radii[o]!)) {
        refuse('halfSize', 'Give three half sizes, each above the rounding radius.');
      }
      for (let axis = 0; axis < 3; axis++) halves[3 * o + axis] = size[axis]! - radii[o]!;
    }
  });

  const update = (): void => {
    for (let o = 0; o < count; o++) {
      const x = rotations[4 * o]!;
      const y = rotations[4 * o + 1]!;
      const z = rotations[4 * o + 2]!;
      const w = rotations[4 * o + 3]!;
      const at = 9 * o;
      frames[at] = 1 - 2 * (y * y + z * z);
      frames[at + 1] = 2 * (x * y + z * w);
      frames[at + 2] = 2 * (x * z - y * w);
      frames[at + 3] = 2 * (x * y - z * w);
      frames[at + 4] = 1 - 2 * (x * x + z * z);
      frames[at + 5] = 2 * (y * z + x * w);
      frames[at + 6] = 2 * (x * z + y * w);
      frames[at + 7] = 2 * (y * z - x * w);
      frames[at + 8] = 1 - 2 * (x * x + y * y);
    }
  };
  update();

  const distance = (o: number, px: number, py: number, pz: number, out?: Float64Array): number => {
    const at = 9 * o;
    const dx = px - positions[3 * o]!;
    const dy = py - positions[3 * o + 1]!;
    const dz = pz - positions[3 * o + 2]!;
    // Rows of `frames` are the axes of the obstacle.
    const x = frames[at]! * dx + frames[at + 1]! * dy + frames[at + 2]! * dz;
    const y = frames[at + 3]! * dx + frames[at + 4]! * dy + frames[at + 5]! * dz;
    const z = frames[at + 6]! * dx + frames[at + 7]! * dy + frames[at + 8]! * dz;
    let gx = 0;
    let gy = 1;
    let gz = 0;
    let phi = y;
    if (shapes[o] === 1) {
      const half = halves[3 * o]!;
      gx = x - Math.min(half, Math.max(-half, x));
      gy = y;
      gz = z;
      phi = Math.sqrt(gx * gx + gy * gy + gz * gz);
      const scale = phi > 0 ? 1 / phi : 0;
      gx *= scale;
      gy = phi > 0 ? gy * scale : 1;
      gz *= scale;
      phi -= radii[o]!;
    } else if (shapes[o] === 2) {
      const qx = Math.abs(x) - halves[3 * o]!;
      const qy = Math.abs(y) - halves[3 * o + 1]!;
      const qz = Math.abs(z) - halves[3 * o + 2]!;
      gx = 0;
      gy = 0;
      if (qx <= 0 && qy <= 0 && qz <= 0) {
        phi = Math.max(qx, qy, qz);
        if (phi === qx) gx = x < 0 ? -1 : 1;
        else if (phi === qy) gy = y < 0 ? -1 : 1;
        else gz = z < 0 ? -1 : 1;
      } else {
        gx = Math.max(0, qx);
        gy = Math.max(0, qy);
        gz = Math.max(0, qz);
        phi = Math.sqrt(gx * gx + gy * gy + gz * gz);
        gx = (gx / phi) * (x < 0 ? -1 : 1);
        gy = (gy / phi) * (y < 0 ? -1 : 1);
        gz = (gz / phi) * (z < 0 ? -1 : 1);
      }
      phi -= radii[o]!;
    }
    if (out) {
      out[0] = frames[at]! * gx + frames[at + 3]! * gy + frames[at + 6]! * gz;
      out[1] = frames[at + 1]! * gx + frames[at + 4]! * gy + frames[at + 7]! * gz;
      out[2] = frames[at + 2]! * gx + frames[at + 5]! * gy + frames[at + 8]! * gz;
    }
    return phi;
  };

  return {
    count,
    positions,
    rotations,
    velocities: new Float64Array(3 * count),
    spins: new Float64Array(3 * count),
    forces: new Float64Array(3 * count),
    torques: new Float64Array(3 * count),
    friction,
    update,
    distance,
  };
}
