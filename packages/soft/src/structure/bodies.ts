import type { ImpulseJointHandle, RigidBody, RigidBodyHandle, World } from '@dimforge/rapier3d-compat';
import { listCapsules, middleOf } from './body-capsules.js';
import { createMotion, type Motion, type MotionInput, rotateVector, sampleKeys } from './motion.js';
import {
  addPlane,
  describeCapsule,
  driveJoint,
  loadRapier,
  measureEnergy,
  type PlaneInput,
  type Rapier,
  resist,
  toVector,
  unit,
  writeVector,
} from './rapier.js';
import {
  type BodyPose,
  type ContactForces,
  invertContactMass,
  multiplySymmetric,
  type Structure,
} from './structure.js';

/**
 * I6a. Rigid and articulated bodies through Rapier, which is loaded only when a scene has some.
 *
 * Rapier integrates, and solves joints and motors; its collisions are off (but for bones on planes), as the implicit layer gives the
 * contact forces and torques, applied at the centres of the primitives. Mass is spread over the primitives as capsules. Rapier computes in f32; save
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
  /** What stands still: bones do not go through it. */
  readonly planes?: readonly PlaneInput[];
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
  /** Of a ball: radians from the pose at time 0. */
  readonly limit?: number;
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
/** Loads Rapier and puts the bodies into a world of their own. */
export async function createBodies(input: BodiesInput): Promise<Structure> {
  return new Bodies(await loadRapier(), input);
}

class Bodies implements Structure {
  readonly #rapier: Rapier;
  readonly #input: BodiesInput;
  #world: World;
  #snapshot: Uint8Array | undefined;
  readonly #bodies: readonly RigidBodyHandle[];
  readonly #joints: readonly ImpulseJointHandle[];
  readonly #motions: readonly (Motion | undefined)[];
  /** Where each body stands at time 0: the mean of its corners. */
  readonly #origins: readonly Float64Array[];
  /** Corners seen from there, #×9. */
  readonly #local: Float64Array;
  /** Per body, K, C and (m + Δt C + Δt² K)⁻¹ of all its contacts, ×6; whether it has one. */
  readonly #stiffness: Float64Array;
  readonly #drags: Float64Array;
  readonly #inverses: Float64Array;
  readonly #touched: Uint8Array;

  constructor(rapier: Rapier, input: BodiesInput) {
    const { rest, owners, bodies, joints } = input;
    this.#rapier = rapier;
    this.#input = input;
    this.#world = new rapier.World(toVector(input.gravity, 0));
    this.#origins = bodies.map((_, b) => middleOf(input, b));
    this.#motions = bodies.map(({ motion }) => motion && createMotion(motion));
    this.#local = rest.map((x, i) => x - this.#origins[owners[Math.floor(i / 9)]!]![i % 3]!);
    this.#stiffness = new Float64Array(6 * bodies.length);
    this.#drags = new Float64Array(6 * bodies.length);
    this.#inverses = new Float64Array(6 * bodies.length);
    this.#touched = new Uint8Array(bodies.length);
    for (const plane of input.planes ?? []) addPlane(rapier, this.#world, plane);
    this.#bodies = bodies.map((body, b) => this.#addBody(body, b));
    this.#joints = joints.map((joint) => this.#addJoint(joint));
  }

  #addBody({ kind, velocity, spin, mass }: BodyInput, b: number): RigidBodyHandle {
    const { RigidBodyDesc } = this.#rapier;
    const origin = this.#origins[b]!;
    const make = {
      free: RigidBodyDesc.dynamic,
      fixed: RigidBodyDesc.fixed,
      keyed: RigidBodyDesc.kinematicPositionBased,
    };
    const desc = make[kind]();
    desc.setTranslation(origin[0]!, origin[1]!, origin[2]!).setCanSleep(false).setAngularDamping(ANGULAR_DAMPING);
    if (velocity) desc.setLinvel(velocity[0]!, velocity[1]!, velocity[2]!);
    if (spin) desc.setAngvel(toVector(spin, 0));
    const made = this.#world.createRigidBody(desc);
    for (const capsule of listCapsules(this.#input, b)) {
      for (const shape of describeCapsule(this.#rapier, capsule, origin, mass)) this.#world.createCollider(shape, made);
    }
    return made.handle;
  }

  #addJoint({ first, second, at, axis, limits, motor }: JointInput): ImpulseJointHandle {
    const { JointData } = this.#rapier;
    const [a, b] = [first, second].map((body) =>
      toVector(
        Float64Array.from(at).map((x, k) => x - this.#origins[body]![k]!),
        0,
      ),
    );
    const data = axis ? JointData.revolute(a!, b!, unit(axis)) : JointData.spherical(a!, b!);
    if (axis && limits) {
      data.limitsEnabled = true;
      data.limits = [...limits];
    }
    const joint = this.#world.createImpulseJoint(data, this.#body(first), this.#body(second), true);
    if (motor) driveJoint(this.#rapier, joint, motor, 0);
    return joint.handle;
  }

  #body(b: number): RigidBody {
    return this.#world.getRigidBody(this.#bodies[b]!);
  }

  /** World place of corner k of primitive p, into `point`. */
  #locate(carrier: RigidBody, p: number, k: number): void {
    const at = 9 * p + 3 * k;
    const t = carrier.translation();
    const { x, y, z, w } = carrier.rotation();
    rotateVector(point, 0, [x, y, z, w], this.#local[at]!, this.#local[at + 1]!, this.#local[at + 2]!);
    point[0]! += t.x;
    point[1]! += t.y;
    point[2]! += t.z;
  }

  place(corners: Float64Array, velocities: Float64Array, spins: Float64Array): void {
    const { first, cornerCounts, owners } = this.#input;
    for (let p = 0; p < cornerCounts.length; p++) {
      const carrier = this.#body(owners[p]!);
      for (let k = 0; k < cornerCounts[p]!; k++) {
        const at = 9 * (first + p) + 3 * k;
        this.#locate(carrier, p, k);
        corners.set(point, at);
        writeVector(velocities, at, carrier.velocityAtPoint(toVector(point, 0)));
      }
      writeVector(spins, 3 * (first + p), carrier.angvel());
    }
  }

  advance(time: number, dt: number, contact: ContactForces): void {
    this.#softenContacts(dt, contact);
    for (let p = 0; p < this.#input.cornerCounts.length; p++) this.#pushPrimitive(p, dt, contact);
    this.#returnWeight();
    this.#driveJoints(time + dt);
    this.#pose(time + dt);
    this.#world.timestep = dt;
    this.#world.step();
  }

  /** Motors go after their keys; a ball beyond its limit is pulled back. */
  #driveJoints(time: number): void {
    this.#input.joints.forEach(({ first, second, limit, motor }, j) => {
      if (limit === undefined && (!motor || motor.angle.length < 2)) return;
      const joint = this.#world.getImpulseJoint(this.#joints[j]!);
      const drive = limit === undefined ? motor! : resist(this.#body(first), this.#body(second), limit, motor);
      driveJoint(this.#rapier, joint, drive, sampleKeys(drive.angle, time));
    });
  }

  get poses(): readonly BodyPose[] {
    return this.#bodies.map((_, b) => {
      const [t, { x, y, z, w }] = [this.#body(b).translation(), this.#body(b).rotation()];
      return { origin: this.#origins[b]!, position: [t.x, t.y, t.z], rotation: [x, y, z, w] };
    });
  }

  /** Sums the contacts of each body, inverts its matrix and clears its forces. */
  #softenContacts(dt: number, contact: ContactForces): void {
    const { first, cornerCounts, owners, bodies } = this.#input;
    this.#stiffness.fill(0);
    this.#drags.fill(0);
    this.#touched.fill(0);
    for (let n = 0; n < 6 * cornerCounts.length; n++) {
      const to = 6 * owners[Math.floor(n / 6)]! + (n % 6);
      this.#stiffness[to]! += contact.stiffness[6 * first + n]!;
      this.#drags[to]! += contact.drags[6 * first + n]!;
    }
    bodies.forEach(({ mass }, b) => {
      this.#body(b).resetForces(false);
      this.#body(b).resetTorques(false);
      invertContactMass(this.#inverses, 6 * b, this.#stiffness, this.#drags, b, dt, END_MASS * mass);
    });
  }

  /** Applies force and torque of a primitive's contacts to its body, softened as an implicit step softens them. */
  #pushPrimitive(p: number, dt: number, { forces, torques, rates }: ContactForces): void {
    const { first, cornerCounts, owners, bodies } = this.#input;
    const at = 3 * (first + p);
    if (forces[at] === 0 && forces[at + 1] === 0 && forces[at + 2] === 0) return;
    const b = owners[p]!;
    const carrier = this.#body(b);
    this.#touched[b] = 1;
    centre.fill(0);
    for (let k = 0; k < cornerCounts[p]!; k++) {
      this.#locate(carrier, p, k);
      for (let axis = 0; axis < 3; axis++) centre[axis]! += point[axis]! / cornerCounts[p]!;
    }
    const soft = END_MASS * bodies[b]!.mass;
    const [x, y, z] = [at, at + 1, at + 2].map((i) => soft * (forces[i]! - dt * rates[i]!));
    multiplySymmetric(force, 0, this.#inverses, 6 * b, x!, y!, z!);
    carrier.addForceAtPoint(toVector(force, 0), toVector(centre, 0), false);
    const size = Math.hypot(forces[at]!, forces[at + 1]!, forces[at + 2]!);
    const share = Math.hypot(force[0]!, force[1]!, force[2]!) / size;
    carrier.addTorque({ x: share * torques[at]!, y: share * torques[at + 1]!, z: share * torques[at + 2]! }, false);
  }

  /** E, the weight of a body in contact, belongs inside the implicit step: what the softening takes of it is given back. */
  #returnWeight(): void {
    const { bodies, gravity } = this.#input;
    for (let b = 0; b < bodies.length; b++) {
      if (!this.#touched[b]) continue;
      const { mass } = bodies[b]!;
      multiplySymmetric(force, 0, this.#inverses, 6 * b, mass * gravity[0]!, mass * gravity[1]!, mass * gravity[2]!);
      for (let axis = 0; axis < 3; axis++) force[axis] = END_MASS * mass * force[axis]! - mass * gravity[axis]!;
      this.#body(b).addForce(toVector(force, 0), false);
    }
  }

  /** Keyed bodies go where their keys say. */
  #pose(time: number): void {
    this.#motions.forEach((motion, b) => {
      if (!motion) return;
      motion.sample(time);
      motion.apply(point, 0, this.#origins[b]!, 0);
      this.#body(b).setNextKinematicTranslation(toVector(point, 0));
      this.#body(b).setNextKinematicRotation({ ...toVector(motion.rotation, 0), w: motion.rotation[3]! });
    });
  }

  save(): void {
    this.#snapshot = this.#world.takeSnapshot();
  }

  restore(): void {
    if (!this.#snapshot) return;
    this.#world.free();
    this.#world = this.#rapier.World.restoreSnapshot(this.#snapshot);
  }

  get energy(): number {
    return this.#input.bodies.reduce((sum, { mass, kind }, b) => {
      return kind === 'free' ? sum + measureEnergy(this.#body(b), mass) : sum;
    }, 0);
  }

  dispose(): void {
    this.#world.free();
  }
}

const point = new Float64Array(3);
const centre = new Float64Array(3);
const force = new Float64Array(3);
