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
  /** −1: nothing seen yet; −2: several joints. */
  const jointOf = new Int32Array(components.length).fill(-1);
  for (let v = 0; v < vertexCount; v++) {
    const c = vertexComponent[v]!;
    if (c >= components.length || jointOf[c] === -2) continue;
    const first = binding.offsets[v]!;
    const isWhole = first < binding.offsets[v + 1]! && binding.weights[first]! >= WHOLE;
    const joint = isWhole ? skeleton.boneNodes[binding.bones[first]!]! : -2;
    jointOf[c] = jointOf[c] === -1 || jointOf[c] === joint ? joint : -2;
  }
  const rigid: RigidPart[] = [];
  let soft = 0;
  components.forEach(({ name, solid }, component) => {
    if (!solid) return;
    if (jointOf[component]! >= 0) rigid.push({ component, name, joint: jointOf[component]! });
    else soft++;
  });
  return soft > 0 ? rigid : [];
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
