/** What the bodies need of Rapier, and numbers in its words. */
import type { ImpulseJoint } from '@dimforge/rapier3d-compat';
import type { JointInput } from './bodies.js';

export interface Vector3 {
  x: number;
  y: number;
  z: number;
}

export type Rapier = typeof import('@dimforge/rapier3d-compat');

let loading: Promise<Rapier> | undefined;

/** Once for all: a second `init` would put a new WebAssembly memory under worlds that live in the first. */
export function loadRapier(): Promise<Rapier> {
  loading ??= import('@dimforge/rapier3d-compat').then(async (rapier) => {
    await rapier.init();
    return rapier;
  });
  return loading;
}

/** Sets the motor of a joint: towards the angle (hinges), or the first pose (balls). */
export function driveJoint(
  rapier: Rapier,
  joint: ImpulseJoint,
  motor: NonNullable<JointInput['motor']>,
  angle: number,
): void {
  const { stiffness, damping } = motor;
  if (joint instanceof rapier.RevoluteImpulseJoint) {
    joint.configureMotorModel(rapier.MotorModel.ForceBased);
    joint.configureMotorPosition(motor.angle.length > 1 ? angle : motor.angle[0]![1], stiffness, damping);
  } else if (joint instanceof rapier.SphericalImpulseJoint) {
    for (const axis of [rapier.JointAxis.AngX, rapier.JointAxis.AngY, rapier.JointAxis.AngZ]) {
      joint.configureMotorModel(axis, rapier.MotorModel.ForceBased);
      joint.configureMotorPosition(axis, 0, stiffness, damping);
    }
  }
}

export function toVector(v: ArrayLike<number>, at: number): Vector3 {
  return { x: v[at]!, y: v[at + 1]!, z: v[at + 2]! };
}

export function writeVector(out: Float64Array, at: number, { x, y, z }: Vector3): void {
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
}

/** The shortest rotation from +y, a capsule's own axis, to b − a. */
export function turnUpTo(a: readonly number[], b: readonly number[]): Vector3 & { w: number } {
  const { x, y, z } = unit([b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!]);
  if (y < -0.999999) return { x: 1, y: 0, z: 0, w: 0 };
  const w = 1 + y;
  const length = Math.hypot(z, x, w);
  return { x: z / length, y: 0, z: -x / length, w: w / length };
}

export function unit(v: ArrayLike<number>): Vector3 {
  const length = Math.hypot(v[0]!, v[1]!, v[2]!);
  return length > 0 ? { x: v[0]! / length, y: v[1]! / length, z: v[2]! / length } : { x: 0, y: 1, z: 0 };
}
