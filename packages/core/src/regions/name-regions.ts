/** Names of regions that a person understands: after what they are (name-joints.ts), the same on both sides of a body. */
import type { Character } from '../character/character.js';
import { nameJoints } from './name-joints.js';
import { type JoinableRegions, numberNames } from './plan-regions.js';

export type NameRegions = (regions: JoinableRegions, character: Character) => JoinableRegions;

/**
 * A second region of one joint is called after the mesh that it comes from, “head (hat)”, or, where that is the same, “head 2”. Names
 * that the user gave to merged joints stay.
 */
export function nameRegions(regions: JoinableRegions, { skeleton, surface }: Character): JoinableRegions {
  const { cut, component } = regions;
  if (!cut.labels) return regions;
  const joints = mirrorJoints(regions, skeleton.boneNodes);
  const nodes = [...new Set(skeleton.boneNodes)];
  const called = nameJoints(
    nodes.map((node) => skeleton.names[node]!),
    cut.by === 'bone' ? 'bone' : 'joint',
  );
  const nameOf = (joint: number) => cut.names.get(joint) ?? called[nodes.indexOf(joint)]!;
  const first = new Map<string, string>();
  const names = Array.from(joints, (joint, s) => {
    const [own, part] = [nameOf(joint), surface.components[component[s]!]!.name];
    if (!first.has(own)) first.set(own, part);
    return first.get(own) === part ? own : `${own} (${part})`;
  });
  const plain = new Set(skeleton.names);
  // “spine 1 (2)” where a name that is no joint's own has a number already.
  const number = (base: string, n: number) =>
    !plain.has(base) && /\d$/.test(base) ? `${base} (${n})` : `${base} ${n}`;
  return { ...regions, joints, names: numberNames(names, number) };
}

/** Opposite regions have opposite joints, also where two labels share a region half and half; one in the middle has a joint of the middle. */
function mirrorJoints({ joints, mates, cut }: JoinableRegions, boneNodes: Uint32Array): Int32Array {
  const out = joints.slice();
  if (!cut.mirror) return out;
  const { bones } = cut.mirror;
  mates.forEach((mate, s) => {
    if (mate < s) return;
    let bone = boneNodes.indexOf(joints[s]!);
    if (mate > s && bones[bone]! >= 0) out[mate] = boneNodes[bones[bone]!]!;
    if (mate !== s) return;
    while (bone >= 0 && bones[bone] !== bone) bone = cut.segments.parents[bone]!;
    if (bone >= 0) out[s] = boneNodes[bone]!;
  });
  return out;
}
