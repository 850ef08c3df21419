/** What a thread of a bake does: frames of the stack and, when they are written, samples of the bytes. It knows what it is told, and reads no file. */

import type { Character, StackSpec } from '@isoskin/core';
import { loadPlan } from '@isoskin/core/frames';
import type { LaidOut } from '@isoskin/wasm';
import { type BakeStack, createFrameBaker } from '../bake/create-frame-baker.js';
import { planBakeMeter } from '../bake/plan-bake-meter.js';
import { createSourceSkin, type SkinData } from '../bake/plan-source-skin.js';
import { createPlayedMeter, type PlayedContext } from '../judge/create-played-meter.js';
import type { Playback } from '../judge/plan-playback.js';

/** What all tasks are about. */
export interface FrameWork {
  readonly character: Character;
  readonly skin: SkinData;
  readonly spec: StackSpec;
  readonly world: boolean;
  /** Of a stack that is shapes alone (savePlan); others are planned again. */
  readonly plan?: Uint8Array | undefined;
}

/** The answers of a thread by kind of task; `share` tells it what they are about. */
export function createBakeThread() {
  let context: PlayedContext | undefined;
  const answers = new Map<string, (task: never) => unknown>();
  return {
    async share(kind: string, work: unknown): Promise<void> {
      if (kind === 'stack') context = await createContext(work as FrameWork);
      const own = context!;
      if (kind === 'frames') {
        const laidOut = work as LaidOut | undefined;
        const bake = await createFrameBaker(own.stack, own.source, { world: own.world, laidOut }, own.meter);
        answers.set(kind, bake);
      }
      if (kind === 'played') answers.set(kind, createPlayedMeter(own, work as Playback));
    },
    answer: (kind: string, task: unknown): unknown => answers.get(kind)!(task as never),
  };
}

async function createContext({ character, skin, spec, world, plan }: FrameWork): Promise<PlayedContext> {
  const stack = plan ? loadStack(character, spec, plan) : await planStack(character, spec);
  return { stack, source: createSourceSkin(skin), meter: planBakeMeter(stack), world };
}

/** The planner is loaded only where it is needed. */
async function planStack(character: Character, spec: StackSpec): Promise<BakeStack> {
  const { createFrameSource, planBody } = await import('@isoskin/core');
  return createFrameSource(planBody(character), spec);
}

function loadStack(character: Character, spec: StackSpec, bytes: Uint8Array): BakeStack {
  const plan = loadPlan(bytes);
  const { shapes } = plan.framePlan();
  const weights = new Float64Array(shapes.shapeCount);
  const volume = { ...plan, shapes: { shapes, amounts: new Float64Array(shapes.shapeCount), weights } };
  return { character, spec, volume };
}
