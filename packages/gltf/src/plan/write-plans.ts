/**
 * A file that carries its plans, for runtimes that solve: `ISOSKIN_plan` at its root lists the accessors that hold them.
 *
 *   "ISOSKIN_plan": { "plans": [accessor, …] }        UNSIGNED_INT, the bytes of `savePlan`, which begin with their version, their length and their key
 *
 * Nothing else of the file changes. Clips are not corrected: whoever solves would correct them twice.
 */
import { IsoskinError, planBody, type StackSpec } from '@isoskin/core';
import { planCharacter } from '@isoskin/core/planner';
import { listUsedLayers, whyNotAccelerated } from '@isoskin/core/runtime';
import { rehearseStack } from '@isoskin/core/stack';
import { appendAccessor } from '../patch/append-accessor.js';
import { copyFile, declareExtension } from '../patch/gltf-file.js';
import { writeGlb } from '../patch/write-glb.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { listThreeBodies } from './list-three-bodies.js';

export const PLAN_EXTENSION = 'ISOSKIN_plan';

export interface PlannedFile {
  readonly glb: Uint8Array<ArrayBuffer>;
  /** Of every body, and the bytes of its plan. */
  readonly plans: readonly { readonly name: string; readonly vertices: number; readonly bytes: number }[];
}

/** @param stack what the runtime is asked for: skin and volume alone */
export async function writePlans(read: ReadResult, stack: StackSpec, compress?: 'meshopt'): Promise<PlannedFile> {
  const layers = listUsedLayers(stack);
  const slow = layers.wrinkles ? 'wrinkles fold the skin on the CPU' : whyNotAccelerated(layers);
  if (slow)
    throw new IsoskinError('PLAN_STACK', `Only skin and volume can be planned ahead (${slow}): give such a stack`);
  const bodies = listThreeBodies(read);
  if ('reason' in bodies) {
    const message = `No plan can be put into this file, as ${bodies.reason}: let the runtime plan it, or keep the plan beside it (savedPlan)`;
    throw new IsoskinError('PLAN_NOT_POSSIBLE', message);
  }
  const file = copyFile(read.file);
  // The regions of several bodies have other names than those of the whole file.
  const isOne = bodies.inputs.length === 1;
  const rehearsed = isOne ? rehearseStack(planBody(read.character), stack) : undefined;
  const plans = bodies.inputs.map((input) => ({ input, bytes: planCharacter(input, layers.volume, rehearsed) }));
  const accessors = plans.map(({ bytes }) =>
    appendAccessor(file, { type: 'SCALAR', array: new Uint32Array(bytes.slice().buffer), usage: 'values' }),
  );
  file.json.extensions = { ...file.json.extensions, [PLAN_EXTENSION]: { plans: accessors } };
  declareExtension(file, PLAN_EXTENSION, false);
  return {
    glb: await writeGlb(file, compress),
    plans: plans.map(({ input: { name, parts }, bytes }) => ({
      name,
      vertices: parts.reduce((sum, { positions }) => sum + positions.length / 3, 0),
      bytes: bytes.length,
    })),
  };
}
