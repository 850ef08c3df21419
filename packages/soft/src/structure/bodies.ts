import type { ImpulseJoint, RigidBody, World } from '@dimforge/rapier3d-compat';
import { listCapsules, turnUpTo, unit } from './body-capsules.js';
import { createMotion, type MotionInput, rotateVector, sampleKeys } from './motion.js';
import { invertContactMass, multiplySymmetric, type Structure } from './structure.js';

/**
 * I6a. Rigid and articulated bodies through Rapier, which is loaded only when a scene has some.
 *
 * Rapier integrates, and solves joints and motors; its collisions are off, as the implicit layer gives the contact forces and
 * torques, applied at the centres of the primitives. Mass is spread over the primitives as capsules. Rapier computes in f32; save
 * and restore go through its snapshot. A step costs O(#bodies + #joints).
 */
export interface BodiesInput {
  /** Primitives, world space at time 0, all corners given (a segment repeats its last), #×9. */
  readonly rest: Float64Array;
  /** Per primitive: 1, 2 or 3 corners, thickness, index of its body. */
  readonly cornerCounts: ArrayLike<number>;
  readonly radii: ArrayLike<number>;
  readonly owners: ArrayLike<number>;
  /** Primitive of the soft world that the first one is; the others follow. */
  readonly first: number;
  readonly bodies: readonly BodyInput[];
  readonly joints: readonly JointInput[];
  readonly gravity: ArrayLike<number>;
}

export interface BodyInput {
  readonly mass: number;
  readonly kind: 'free' | 'fixed' | 'keyed';
  readonly motion?: MotionInput;
  /** m/s and rad/s. */
  readonly velocity?: ArrayLike<number>;
  readonly spin?: ArrayLike<number>;
}

export interface JointInput {
  readonly first: number;
  readonly second: number;
  /** World space at time 0. */
  readonly at: ArrayLike<number>;
  /** Hinge; a ball without. */
  readonly axis?: ArrayLike<number>;
  /** Radians. */
  readonly limits?: readonly [number, number];
  /** Keys [time, radians], N·m/rad, N·m·s/rad. */
  readonly motor?: {
    readonly angle: readonly (readonly [number, number])[];
    readonly stiffness: number;
    readonly damping: number;
  };
}

/** Air and flesh: takes what spin the contacts leave, 1/s. */
const ANGULAR_DAMPING = 0.5;
/** A force at the end of a rod moves a quarter of its mass. */
const END_MASS = 0.25;

export async function createBodies(input: BodiesInput): Promise<Structure> {
  const rapier = await loadRapier();
  const { rest, cornerCounts, owners, first, bodies, joints, gravity } = input;
  const count = cornerCounts.length;
  let world = new rapier.World(toVector(gravity, 0));
  const origins = bodies.map((_, b) => middleOf(input, b));
  const motions = bodies.map(({ motion }) => motion && createMotion(motion));
  const local = new Float64Array(9 * count);
  const turn = new Float64Array(4);
  const point = new Float64Array(3);
  const centre = new Float64Array(3);
  const force = new Float64Array(3);
  const speed = new Float64Array(3);
  const stiffness = new Float64Array(6 * bodies.length);
  const drags = new Float64Array(6 * bodies.length);
  const inverses = new Float64Array(6 * bodies.length);
  const touched = new Uint8Array(bodies.length);
  for (let i = 0; i < rest.length; i++) local[i] = rest[i]! - origins[owners[Math.floor(i / 9)]!]![i % 3]!;

  const bodyHandles = bodies.map(({ kind, velocity, spin, mass }, b) => {
    const origin = origins[b]!;
    const desc =
      kind === 'free'
        ? rapier.RigidBodyDesc.dynamic()
        : kind === 'fixed'
          ? rapier.RigidBodyDesc.fixed()
          : rapier.RigidBodyDesc.kinematicPositionBased();
    desc.setTranslation(origin[0]!, origin[1]!, origin[2]!).setCanSleep(false).setAngularDamping(ANGULAR_DAMPING);
    if (velocity) desc.setLinvel(velocity[0]!, velocity[1]!, velocity[2]!);
    if (spin) desc.setAngvel(toVector(spin, 0));
    const made = world.createRigidBody(desc);
    for (const { a, z, radius, share } of listCapsules(input, b)) {
      const half = Math.hypot(z[0]! - a[0]!, z[1]! - a[1]!, z[2]! - a[2]!) / 2;
      const shape = half > 0 ? rapier.ColliderDesc.capsule(half, radius) : rapier.ColliderDesc.ball(radius);
      shape
        .setTranslation(...(a.map((x, i) => (x + z[i]!) / 2 - origin[i]!) as [number, number, number]))
        .setRotation(turnUpTo(a, z))
        .setCollisionGroups(0)
        .setMass(share * mass);
      world.createCollider(shape, made);
    }
    return made.handle;
  });
  const body = (b: number): RigidBody => world.getRigidBody(bodyHandles[b]!);

  const jointHandles = joints.map(({ first, second, at, axis, limits, motor }) => {
    const anchor = (b: number) => ({
      x: at[0]! - origins[b]![0]!,
      y: at[1]! - origins[b]![1]!,
      z: at[2]! - origins[b]![2]!,
    });
    const data = axis
      ? rapier.JointData.revolute(anchor(first), anchor(second), unit(axis))
      : rapier.JointData.spherical(anchor(first), anchor(second));
    if (axis && limits) {
      data.limitsEnabled = true;
      data.limits = [...limits];
    }
    const joint = world.createImpulseJoint(data, body(first), body(second), true);
    if (motor) drive(rapier, joint, motor, 0);
    return joint.handle;
  });

  let snapshot: Uint8Array | undefined;

  const pose = (target: World, time: number): void => {
    bodies.forEach((_, b) => {
      const motion = motions[b];
      if (!motion) return;
      motion.sample(time);
      motion.apply(point, 0, origins[b]!, 0);
      const moved = target.getRigidBody(bodyHandles[b]!);
      const [x, y, z, w] = motion.rotation as unknown as [number, number, number, number];
      moved.setNextKinematicTranslation(toVector(point, 0));
      moved.setNextKinematicRotation({ x, y, z, w });
    });
  };

  /** World place of corner k of primitive p, into `point`. */
  const locate = (carrier: RigidBody, p: number, k: number): void => {
    const t = carrier.translation();
    const q = carrier.rotation();
    turn[0] = q.x;
    turn[1] = q.y;
    turn[2] = q.z;
    turn[3] = q.w;
    const at = 9 * p + 3 * k;
    rotateVector(point, 0, turn, local[at]!, local[at + 1]!, local[at + 2]!);
    point[0]! += t.x;
    point[1]! += t.y;
    point[2]! += t.z;
  };
  const measureSpeed = (carrier: RigidBody, at: Float64Array): void => {
    const v = carrier.velocityAtPoint(toVector(at, 0));
    speed[0] = v.x;
    speed[1] = v.y;
    speed[2] = v.z;
  };
  const findCentre = (carrier: RigidBody, p: number): void => {
    centre.fill(0);
    for (let k = 0; k < cornerCounts[p]!; k++) {
      locate(carrier, p, k);
      for (let axis = 0; axis < 3; axis++) centre[axis]! += point[axis]! / cornerCounts[p]!;
    }
  };

  return {
    place(corners, velocities, spins) {
      for (let p = 0; p < count; p++) {
        const carrier = body(owners[p]!);
        for (let k = 0; k < cornerCounts[p]!; k++) {
          locate(carrier, p, k);
          measureSpeed(carrier, point);
          corners.set(point, 9 * (first + p) + 3 * k);
          velocities.set(speed, 9 * (first + p) + 3 * k);
        }
        const w = carrier.angvel();
        spins[3 * (first + p)] = w.x;
        spins[3 * (first + p) + 1] = w.y;
        spins[3 * (first + p) + 2] = w.z;
      }
    },
    advance(time, dt, contact) {
      const { forces, torques } = contact;
      stiffness.fill(0);
      drags.fill(0);
      touched.fill(0);
      for (let p = 0; p < count; p++) {
        for (let i = 0; i < 6; i++) {
          stiffness[6 * owners[p]! + i]! += contact.stiffness[6 * (first + p) + i]!;
          drags[6 * owners[p]! + i]! += contact.drags[6 * (first + p) + i]!;
        }
      }
      for (let b = 0; b < bodies.length; b++) {
        body(b).resetForces(false);
        body(b).resetTorques(false);
        invertContactMass(inverses, 6 * b, stiffness, drags, b, dt, END_MASS * bodies[b]!.mass);
      }
      for (let p = 0; p < count; p++) {
        const b = owners[p]!;
        const carrier = body(b);
        const at = 3 * (first + p);
        if (forces[at] === 0 && forces[at + 1] === 0 && forces[at + 2] === 0) continue;
        touched[b] = 1;
        findCentre(carrier, p);
        const soft = END_MASS * bodies[b]!.mass;
        for (let axis = 0; axis < 3; axis++) speed[axis] = soft * (forces[at + axis]! - dt * contact.rates[at + axis]!);
        multiplySymmetric(force, 0, inverses, 6 * b, speed[0]!, speed[1]!, speed[2]!);
        carrier.addForceAtPoint(toVector(force, 0), toVector(centre, 0), false);
        const size = Math.hypot(forces[at]!, forces[at + 1]!, forces[at + 2]!);
        const share = Math.hypot(force[0]!, force[1]!, force[2]!) / size;
        carrier.addTorque({ x: share * torques[at]!, y: share * torques[at + 1]!, z: share * torques[at + 2]! }, false);
      }
      for (let b = 0; b < bodies.length; b++) {
        if (!touched[b]) continue;
        // E, the body's weight, inside the implicit step: what the softening takes of it is given back.
        const { mass } = bodies[b]!;
        multiplySymmetric(force, 0, inverses, 6 * b, mass * gravity[0]!, mass * gravity[1]!, mass * gravity[2]!);
        for (let axis = 0; axis < 3; axis++) force[axis] = END_MASS * mass * force[axis]! - mass * gravity[axis]!;
        body(b).addForce(toVector(force, 0), false);
      }
      joints.forEach(({ motor }, j) => {
        if (motor && motor.angle.length > 1)
          drive(rapier, world.getImpulseJoint(jointHandles[j]!), motor, sampleKeys(motor.angle, time + dt));
      });
      pose(world, time + dt);
      world.timestep = dt;
      world.step();
    },
    save() {
      snapshot = world.takeSnapshot();
    },
    restore() {
      if (!snapshot) return;
      world.free();
      world = rapier.World.restoreSnapshot(snapshot);
    },
    get energy() {
      let sum = 0;
      bodies.forEach(({ mass, kind }, b) => {
        if (kind !== 'free') return;
        const v = body(b).velocityAtPoint(body(b).worldCom());
        const w = body(b).angvel();
        const i = body(b).effectiveAngularInertia().elements;
        // Upper triangle xx, xy, xz, yy, yz, zz.
        const spin =
          i[0]! * w.x * w.x +
          i[3]! * w.y * w.y +
          i[5]! * w.z * w.z +
          2 * (i[1]! * w.x * w.y + i[2]! * w.x * w.z + i[4]! * w.y * w.z);
        sum += 0.5 * (mass * (v.x * v.x + v.y * v.y + v.z * v.z) + spin);
      });
      return sum;
    },
    dispose() {
      world.free();
    },
  };
}

type Rapier = typeof import('@dimforge/rapier3d-compat');

let loading: Promise<Rapier> | undefined;

/** Once for all: a second `init` would put a new WebAssembly memory under worlds that live in the first. */
function loadRapier(): Promise<Rapier> {
  loading ??= import('@dimforge/rapier3d-compat').then(async (rapier) => {
    await rapier.init();
    return rapier;
  });
  return loading;
}

function drive(rapier: Rapier, joint: ImpulseJoint, motor: NonNullable<JointInput['motor']>, angle: number): void {
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

function middleOf({ rest, cornerCounts, owners }: BodiesInput, body: number): Float64Array {
  const middle = new Float64Array(4);
  for (let p = 0; p < cornerCounts.length; p++) {
    if (owners[p] !== body) continue;
    for (let k = 0; k < cornerCounts[p]!; k++, middle[3]!++) {
      for (let axis = 0; axis < 3; axis++) middle[axis]! += rest[9 * p + 3 * k + axis]!;
    }
  }
  return middle.subarray(0, 3).map((sum) => sum / middle[3]!);
}

function toVector(v: ArrayLike<number>, at: number): { x: number; y: number; z: number } {
  return { x: v[at]!, y: v[at + 1]!, z: v[at + 2]! };
}
