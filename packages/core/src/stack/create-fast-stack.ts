/**
 * The default stack on a kernel set that runs whole frames in its own memory (WASM, WebGPU).
 *
 * Only the shape that these sets know is taken: linear skinning and one `regions-smooth` volume layer. For everything else
 * `describeFastStack` says why not, and the caller uses `createStack`.
 */
import type { Character } from '../character/character.js';
import { planShapes } from '../correction/plan-shapes.js';
import type { FrameKernels, FramePlan, FrameRunner } from '../kernels/frame-plan.js';
import { linearKernels } from '../kernels/linear-kernels.js';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from '../skeleton/matrices.js';
import type { Pose } from '../skeleton/skeleton.js';
import { applyMorphs } from '../skinning/apply-morphs.js';
import { checkStack } from './check-stack.js';
import type { VolumeReport } from './frame.js';
import { planVolumeContext, type VolumeContext } from './plan-volume-context.js';
import { presetStack } from './presets.js';
import type { SkinLayerSpec, StackSpec, VolumeLayerSpec } from './stack-spec.js';
import type { VolumeLayerOptions } from './volume-layer.js';

export interface FastStack {
  readonly character: Character;
  readonly kernels: FrameKernels;
  readonly runner: FrameRunner;
  readonly report: VolumeReport;
  /** Bone matrices of the last pose, #B×12. */
  readonly bones: Float64Array;
  /** @param warm start from the last frame's amounts */
  evaluate(pose: Pose, time?: number, warm?: boolean): FrameRunner;
  dispose(): void;
}

/** Why a stack cannot run on whole-frame kernels, or '' when it can. */
export function describeFastStack(spec: StackSpec): string {
  const used = spec.layers.filter((layer) => layer.enabled !== false);
  const skin = used.find((layer) => layer.layer === 'skin') as SkinLayerSpec | undefined;
  const volumes = used.filter((layer) => layer.layer === 'volume') as VolumeLayerSpec[];
  if (skin?.skinning && skin.skinning !== 'linear') return `${skin.skinning} skinning runs on the TypeScript kernels`;
  if (volumes.length !== 1 || used.length > (skin ? 2 : 1))
    return 'only a stack of skin and one volume layer is accelerated';
  if (volumes[0]!.progressive) return 'progressive poses run on the TypeScript kernels';
  const method = volumes[0]!.method ?? 'shapes';
  return method === 'shapes' ? '' : `the method ${method} runs on the TypeScript kernels`;
}

/** The arrays of the default frame of `character` under `spec` (see `describeFastStack`). */
export function planFrame(character: Character, spec: StackSpec = presetStack('organic')): FramePlan {
  return planFast(character, spec).plan;
}

export function createFastStack(
  character: Character,
  spec: StackSpec = presetStack('organic'),
  kernels: FrameKernels,
): FastStack {
  const { plan, context } = planFast(character, spec);
  const { skeleton, morphs } = character;
  const runner = kernels.planFrame(plan);
  const world = new Float64Array(16 * skeleton.nodeCount);
  const bones = new Float64Array(BONE_STRIDE * skeleton.boneCount);
  const morphed = morphs.length > 0 ? character.surface.positions.slice() : undefined;
  return {
    character,
    kernels,
    runner,
    report: context.report,
    bones,
    evaluate(pose, time = 0, warm = false) {
      measureWorldMatrices(world, skeleton, pose.locals);
      measureBoneMatrices(bones, skeleton, world);
      if (morphed) {
        applyMorphs(morphed, character, pose.morphWeights);
        runner.setRest(morphed);
      }
      context.targets.measure(context.report.targets, bones, time, pose.morphWeights);
      runner.run(bones, context.report.targets, context.report, warm);
      return runner;
    },
    dispose: () => runner.dispose(),
  };
}

function planFast(character: Character, spec: StackSpec) {
  checkStack(spec);
  const volume = spec.layers.find((layer) => layer.layer === 'volume') as VolumeLayerSpec;
  const context = planVolumeContext({ character, kernels: linearKernels }, volume);
  return { plan: createFramePlan(context, volume), context };
}

/** The arrays of a frame from what a volume layer was planned with. */
export function createFramePlan(context: VolumeContext, volume: VolumeLayerOptions): FramePlan {
  const { surface, binding, skeleton } = context.character;
  return {
    vertexCount: surface.vertexCount,
    boneCount: skeleton.boneCount,
    positions: surface.positions,
    directions: context.directions,
    offsets: binding.offsets,
    bones: binding.bones,
    weights: binding.weights,
    volumes: context.volumes,
    shapes: planShapes(context, volume.options),
    solver: { ...volume.options },
  };
}
