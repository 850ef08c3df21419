/** Names of regions that a person understands: after what they are (name-joints.ts). */
import type { Character } from '../character/character.js';
import { nameJoints } from './name-joints.js';
import { numberNames, type Regions } from './plan-regions.js';

export type NameRegions = (regions: Regions, character: Character) => Regions;

/**
 * A second region of one joint is called after the mesh that it comes from, “head (hat)”, or, where that is the same, “head 2”. Names
 * that the user gave to merged joints stay.
 */
export function nameRegions(regions: Regions, { skeleton, surface }: Character): Regions {
  const { cut, component, joints } = regions;
  if (!cut.labels) return regions;
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
  // “spine 1 (2)” where a name that is not the joint's own has a number already.
  const count = (base: string, n: number, s: number) =>
    base !== skeleton.names[joints[s]!] && /\d$/.test(base) ? `${base} (${n})` : `${base} ${n}`;
  return { ...regions, names: numberNames(names, count) };
}
