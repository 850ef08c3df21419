/** What the bodies need of Rapier, and numbers in its words. */
import type { ImpulseJoint, RigidBody, SphericalImpulseJoint } from '@dimforge/rapier3d-compat';
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
  } else {
    // Rapier hands a ball back as a generic joint, whose class has no motors; those of the ball act on it.
    const { configureMotorModel, configureMotorPosition } = rapier.SphericalImpulseJoint.prototype;
    for (const axis of [rapier.JointAxis.AngX, rapier.JointAxis.AngY, rapier.JointAxis.AngZ]) {
      configureMotorModel.call(joint as SphericalImpulseJoint, axis, rapier.MotorModel.ForceBased);
      configureMotorPosition.call(joint as SphericalImpulseJoint, axis, 0, stiffness, damping);
    }
  }
}

/** K over k: how much stiffer a ball is beyond its limit. */
const RESISTANCE = 10;

/**
 * The motor of a ball that has turned by θ: kθ + K(θ − limit)₊, as one spring of the stiffness that gives this torque at θ. Rapier has
 * no limits for balls; as a motor it is solved implicitly with the rest.
 */
export function resist(
  a: RigidBody,
  b: RigidBody,
  limit: number,
  { stiffness, damping }: Pick<NonNullable<JointInput['motor']>, 'stiffness' | 'damping'> = {
    stiffness: 0,
    damping: 0,
  },
): NonNullable<JointInput['motor']> {
  const [p, q] = [a.rotation(), b.rotation()];
  const cosine = Math.abs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w);
  const angle = 2 * Math.acos(Math.min(1, cosine));
  const hard = angle > limit ? RESISTANCE * stiffness : 0;
  return {
    angle: [[0, 0]],
    stiffness: stiffness + (hard * (angle - limit)) / Math.max(angle, limit),
    damping: damping + hard / 10,
  };
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
