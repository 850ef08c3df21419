import type { Channel, Clip } from '@isoskin/core';
import type { Joint } from './rig.js';

/** Rotation of a joint in degrees: about z first, then x, then y; or about one axis by the fourth number. */
export type Turn =
  | readonly [x: number, y: number, z: number]
  | readonly [axisX: number, axisY: number, axisZ: number, degrees: number];

export interface Motion {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  /** Keys over the loop, the last one equal to the first. Default 24. */
  readonly keys?: number;
  /** Turns of the joints at the phase u ∈ [0, 1]; joints that are not named stay at rest. */
  readonly turns: (u: number) => Readonly<Record<string, Turn>>;
  /** Shift of joints from their rest place. */
  readonly shifts?: (u: number) => Readonly<Record<string, readonly [number, number, number]>>;
}

/** Samples a motion into LINEAR keys, as a glTF exporter would. */
export function createClip(motion: Motion, joints: readonly Joint[]): Clip {
  const keys = motion.keys ?? 24;
  const times = Float32Array.from({ length: keys + 1 }, (_, n) => (motion.duration * n) / keys);
  const phases = Array.from({ length: keys + 1 }, (_, n) => (n % keys) / keys);
  const turns = phases.map(motion.turns);
  const shifts = phases.map((u) => motion.shifts?.(u) ?? {});
  const channels: Channel[] = [];
  joints.forEach((joint, target) => {
    if (turns[0]![joint.name]) {
      const values = new Float32Array(4 * times.length);
      turns.forEach((turn, n) => {
        writeQuaternion(values, 4 * n, turn[joint.name]!);
      });
      channels.push({ target, path: 'rotation', interpolation: 'LINEAR', times, values, width: 4 });
    }
    if (shifts[0]![joint.name]) {
      const parent = joints.find((other) => other.name === joint.parent)?.at ?? [0, 0, 0];
      const values = Float32Array.from(
        shifts.flatMap((shift) => joint.at.map((x, axis) => x - parent[axis]! + shift[joint.name]![axis]!)),
      );
      channels.push({ target, path: 'translation', interpolation: 'LINEAR', times, values, width: 3 });
    }
  });
  return { name: motion.name, duration: times[keys]!, channels };
}

/** q = q_y q_x q_z, or the one of axis and angle. */
function writeQuaternion(out: Float32Array, at: number, turn: Turn): void {
  const half = Math.PI / 360;
  const [dx, dy, dz, degrees] = turn;
  if (degrees !== undefined) {
    const sine = Math.sin(degrees * half) / Math.hypot(dx, dy, dz);
    out.set([dx * sine, dy * sine, dz * sine, Math.cos(degrees * half)], at);
    return;
  }
  const [sx, cx] = [Math.sin(dx * half), Math.cos(dx * half)];
  const [sy, cy] = [Math.sin(dy * half), Math.cos(dy * half)];
  const [sz, cz] = [Math.sin(dz * half), Math.cos(dz * half)];
  out[at] = cy * sx * cz + sy * cx * sz;
  out[at + 1] = sy * cx * cz - cy * sx * sz;
  out[at + 2] = cy * cx * sz - sy * sx * cz;
  out[at + 3] = cy * cx * cz + sy * sx * sz;
}

/** Turns whose joint names hold a `*`, for the left and for the right side. */
export function bothSides(turns: Readonly<Record<string, Turn>>): Record<string, Turn> {
  return Object.fromEntries(
    Object.entries(turns).flatMap(([name, turn]) => ['L', 'R'].map((side) => [name.replace('*', side), turn])),
  );
}

/** 0 → 1 → 0 over the loop, at rest at both ends, with a hold of `hold` (a share of the loop) at 1. */
export function easeThere(u: number, hold = 0.1): number {
  const t = Math.min(1, (1 - Math.abs(2 * u - 1)) / (1 - hold));
  return t * t * (3 - 2 * t);
}

/** sin of the phase, shifted by `lag` turns. */
export function swing(u: number, lag = 0): number {
  return Math.sin(2 * Math.PI * (u - lag));
}
