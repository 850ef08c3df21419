import type { Character } from '../character/character.js';
import type { Warning } from '../error.js';
import { nameJoints } from './name-joints.js';

/** A component that moves with one joint as a whole. */
export interface RigidPart {
  readonly component: number;
  /** Name of the mesh that it comes from. */
  readonly name: string;
  /** Joint (node of the skeleton) that it hangs on. */
  readonly joint: number;
}

/** Weight from which on a vertex hangs on one bone: exporters round. */
const WHOLE = 0.999;

/**
 * Solid components whose vertices all hang on one joint: armour, eyes, teeth, weapons. Skinning cannot change their volume. None where
 * nothing else is left: then the rest shape is all there is.
 */
export function findRigidParts({ surface, binding, skeleton }: Character): RigidPart[] {
  const { components, vertexComponent, vertexCount } = surface;
  const joints: Set<number>[] = components.map(() => new Set());
  for (let v = 0; v < vertexCount; v++) {
    const n = binding.offsets[v]!;
    const isWhole = binding.weights[n]! >= WHOLE;
    joints[vertexComponent[v]!]?.add(isWhole ? skeleton.boneNodes[binding.bones[n]!]! : -1);
  }
  const solid = joints.flatMap((list, component) => {
    const [joint = -1] = list;
    const { name, solid } = components[component]!;
    return solid ? [{ component, name, joint: list.size === 1 ? joint : -1 }] : [];
  });
  const rigid = solid.filter(({ joint }) => joint >= 0);
  return rigid.length < solid.length ? rigid : [];
}

/** Says that they are left alone, in one sentence; nothing where there are none. */
export function describeRigidParts({ skeleton }: Character, parts: readonly RigidPart[]): Warning[] {
  if (parts.length === 0) return [];
  const joints = [...new Set(parts.map(({ joint }) => joint))];
  const called = nameJoints(
    joints.map((joint) => skeleton.names[joint]!),
    'bone',
  );
  const list = joints.map((joint, i) => {
    const own = parts.filter((part) => part.joint === joint);
    return `${own.length > 1 ? `${own.length} × ` : ''}${[...new Set(own.map(({ name }) => name))].join(', ')} on ${called[i]}`;
  });
  const what = parts.length === 1 ? '1 rigid part is left alone' : `${parts.length} rigid parts are left alone`;
  const message = `${what}, as what hangs on one joint keeps its volume: ${list.join('; ')} ("regions": { "rigid": "cut" } of the volume layer corrects them too)`;
  return [{ code: 'RIGID_PARTS', message, place: '' }];
}
