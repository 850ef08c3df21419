/** The joints at which skinning is known to fail, found by the names that rigs give them, and how to bend each. */
import * as THREE from 'three';

export interface Failure {
  readonly title: string;
  /** What the camera looks at, and from how far. */
  readonly joint: THREE.Bone;
  readonly reach: number;
  /** 0: rest, 1: the failure. */
  pose(amount: number): void;
}

const FINGER = /thumb|index|middle|ring|little|pinky|finger/i;
const TITLES = {
  elbow: /^armL2$|fore_?arm|lower_?arm|elbow/i,
  twist: /^armL3$|hand|wrist|palm/i,
  neck: /neck/i,
} as const;

export function findFailures(root: THREE.Object3D): Failure[] {
  root.updateMatrixWorld(true);
  const bones: THREE.Bone[] = [];
  root.traverse((object) => {
    if ((object as THREE.Bone).isBone) bones.push(object as THREE.Bone);
  });
  const find = (pattern: RegExp) =>
    bones.find((bone) => pattern.test(bone.name) && !FINGER.test(bone.name) && bone.children.length > 0);
  const found: Failure[] = [];
  const elbow = find(TITLES.elbow);
  if (elbow?.parent) found.push(createFailure('elbow', elbow, [turn(elbow, findHinge(elbow), 2)]));
  const wrist = find(TITLES.twist);
  if (wrist) found.push(createFailure('twist', wrist, [turn(wrist, wrist.position.clone(), 2.6)]));
  const neck = find(TITLES.neck);
  if (neck) found.push(createFailure('neck', neck, [turn(neck, findHinge(neck), 1.1)]));
  const fingers = bones.filter(
    (bone) => FINGER.test(bone.name) && bone.children.length > 0 && !/thumb/i.test(bone.name),
  );
  const knuckle = fingers.find((bone) => !fingers.includes(bone.parent as THREE.Bone));
  if (knuckle) {
    const axis = findHinge(knuckle);
    const turns = fingers.map((bone) => turn(bone, axis, 1.4));
    found.push(createFailure('fist', knuckle, turns));
  }
  return found;
}

function createFailure(title: string, joint: THREE.Bone, turns: ((amount: number) => void)[]): Failure {
  const own = joint.children[0]!.position.length() * joint.getWorldScale(new THREE.Vector3()).x;
  const before = joint.position.length() * joint.parent!.getWorldScale(new THREE.Vector3()).x;
  return {
    title,
    joint,
    reach: Math.max(own, before),
    pose(amount) {
      for (const each of turns) each(amount);
    },
  };
}

/** Turns a bone about an axis of its parent's space, from its present rotation. */
function turn(bone: THREE.Bone, axis: THREE.Vector3, angle: number): (amount: number) => void {
  const rest = bone.quaternion.clone();
  const unit = axis.clone().normalize();
  const by = new THREE.Quaternion();
  return (amount) => void bone.quaternion.copy(by.setFromAxisAngle(unit, angle * amount)).multiply(rest);
}

/** Of the axes across a bone the one that swings what hangs on it forward most: elbows and fingers close, heads nod. */
function findHinge(bone: THREE.Bone): THREE.Vector3 {
  const tip = bone.children[0]!;
  const along = tip.position.clone().applyQuaternion(bone.quaternion).normalize();
  const across = new THREE.Vector3(Math.abs(along.x) < 0.7 ? 1 : 0, 0, Math.abs(along.x) < 0.7 ? 0 : 1)
    .cross(along)
    .normalize();
  const axes = [across, across.clone().cross(along)].flatMap((axis) => [axis, axis.clone().negate()]);
  const place = new THREE.Vector3();
  const forward = axes.map((axis) => {
    const set = turn(bone, axis, 0.5);
    set(1);
    tip.updateWorldMatrix(true, false);
    const z = place.setFromMatrixPosition(tip.matrixWorld).z;
    set(0);
    return z;
  });
  return axes[forward.indexOf(Math.max(...forward))]!;
}
