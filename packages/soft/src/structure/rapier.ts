/** What the bodies need of Rapier, and numbers in its words. */
import type { ColliderDesc, ImpulseJoint, RigidBody, SphericalImpulseJoint, World } from '@dimforge/rapier3d-compat';
import type { JointInput } from './bodies.js';
import type { Capsule } from './body-capsules.js';

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

/** What is hard in a limb, of its thickness: flesh gives way on the floor, the bone in it does not. */
const BONE = 0.5;
// Who is it, and whom does it meet: two halves of a word.
const BONES_MEET_PLANES = 0x0001_0002;
const PLANES_MEET_BONES = 0x0002_0001;
const FRICTION = 0.5;

export interface PlaneInput {
  readonly position: ArrayLike<number>;
  readonly normal: ArrayLike<number>;
}

export function addPlane({ HalfSpace, ColliderDesc }: Rapier, world: World, { position, normal }: PlaneInput): void {
  const [x, y, z] = position as [number, number, number];
  const shape = new ColliderDesc(new HalfSpace(toVector(normal, 0))).setTranslation(x, y, z).setFriction(FRICTION);
  world.createCollider(shape.setCollisionGroups(PLANES_MEET_BONES));
}

/** The capsules of a limb seen from its `origin`: the flesh, which has the mass and meets nobody, and the bone in it. */
export function describeCapsule(
  { ColliderDesc }: Rapier,
  { a, z, radius, share }: Capsule,
  origin: ArrayLike<number>,
  mass: number,
): ColliderDesc[] {
  const half = Math.hypot(z[0]! - a[0]!, z[1]! - a[1]!, z[2]! - a[2]!) / 2;
  const middle = a.map((x, i) => (x + z[i]!) / 2 - origin[i]!) as [number, number, number];
  const [flesh, bone] = [radius, BONE * radius].map((thick) =>
    (half > 0 ? ColliderDesc.capsule(half, thick) : ColliderDesc.ball(thick))
      .setTranslation(...middle)
      .setRotation(turnUpTo(a, z)),
  ) as [ColliderDesc, ColliderDesc];
  return [
    flesh.setCollisionGroups(0).setMass(share * mass),
    bone.setCollisionGroups(BONES_MEET_PLANES).setDensity(0).setFriction(FRICTION),
  ];
}

/** Kinetic energy of a body. */
export function measureEnergy(body: RigidBody, mass: number): number {
  const v = body.velocityAtPoint(body.worldCom());
  const { x, y, z } = body.angvel();
  // Upper triangle xx, xy, xz, yy, yz, zz.
  const [xx, xy, xz, yy, yz, zz] = body.effectiveAngularInertia().elements as unknown as number[] as Six;
  const spin = xx * x * x + yy * y * y + zz * z * z + 2 * (xy * x * y + xz * x * z + yz * y * z);
  return 0.5 * (mass * (v.x * v.x + v.y * v.y + v.z * v.z) + spin);
}

type Six = [number, number, number, number, number, number];
