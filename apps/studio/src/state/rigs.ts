/** Skeletons that were found on the page: while nothing is turned their joints can be moved, and the weights follow. */
import { signal } from '@preact/signals';
import type { SourceData } from '../engine/protocol.js';
import type { BoundMesh, WeightSettings } from '../export/bind-mesh.js';
import { startJob } from '../export/start-job.js';
import { createFileSource } from './create-file-source.js';
import { OPENING, type Studio } from './studio.js';

export interface FoundRig {
  /** The mesh without a skin. */
  readonly bare: SourceData;
  readonly settings: WeightSettings;
  /** Where joints were moved to, by name. */
  readonly joints: Readonly<Record<string, readonly number[]>>;
}

export function createRigs() {
  return {
    /** By the id of the source that came out. */
    found: signal<Readonly<Record<string, FoundRig>>>({}),
    /** Joints are moved, not turned. */
    isMoving: signal(false),
  };
}

/** Of the present character, if its skeleton was found here. */
export function findRig({ rigs, document }: Studio): FoundRig | undefined {
  return rigs.found.value[document.value.source.id];
}

/** Opens what came of a bind. */
export async function openBound(studio: Studio, { name, glb }: BoundMesh, rig?: FoundRig): Promise<boolean> {
  const source = createFileSource(name);
  if (rig) studio.rigs.found.value = { ...studio.rigs.found.peek(), [source.id]: rig };
  return studio.open(source, { kind: 'file', name, bytes: glb });
}

/** Moves a joint, at rest, to a place in the world: the mesh is bound anew. */
export async function moveJoint(studio: Studio, node: number, place: readonly number[]): Promise<void> {
  const rig = findRig(studio);
  const name = studio.character.peek()?.joints.find((joint) => joint.node === node)?.name;
  if (!rig || !name || studio.opening.peek()) return;
  const joints = { ...rig.joints, [name]: place };
  studio.opening.value = 'Binding';
  try {
    const job = startJob('bind', { source: rig.bare, settings: rig.settings, joints }, ({ words }) => {
      studio.opening.value = words;
    });
    if (!(await openBound(studio, await job.done, { ...rig, joints }))) return;
    const moved = studio.character.peek()?.joints.find((joint) => joint.name === name)?.node ?? -1;
    const select = { regions: [], joint: moved };
    studio.commit(`Move ${name}`, ({ selection }) => ({ selection: { ...selection, ...select } }), OPENING);
  } catch (error) {
    studio.opening.value = '';
    studio.notices.show('error', `${name} stays where it was`, error);
  }
}
