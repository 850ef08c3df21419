/**
 * The deformer stack: skin → (flesh →) volume → … → normals, planned once for a character, evaluated per frame.
 *
 *   const stack = createStack(character, presetStack('organic'));
 *   stack.evaluate(pose, time);          // stack.frame.positions, .normals, .skinned; nothing is allocated
 */
import type { Character } from '../character/character.js';
import type { KernelSet } from '../kernels/kernel-set.js';
import { typescriptKernels } from '../kernels/typescript-kernels.js';
import { createPose } from '../skeleton/pose.js';
import type { Pose } from '../skeleton/skeleton.js';
import { planSkinning } from '../skinning/plan-skinning.js';
import { checkStack } from './check-stack.js';
import { planContactLayer } from './contact-layer.js';
import type { Frame } from './frame.js';
import type { Layer } from './layer.js';
import { presetStack } from './presets.js';
import type { SkinLayerSpec, StackSpec } from './stack-spec.js';
import { planVolumeLayer, type VolumeLayer } from './volume-layer.js';

export interface StackOptions {
  readonly kernels?: KernelSet;
}

export interface Stack {
  readonly character: Character;
  readonly spec: StackSpec;
  readonly frame: Frame;
  /** Volume layers of the stack, in order. */
  readonly volumeLayers: readonly VolumeLayer[];
  /** Runs all layers on one pose; the answer is `frame`, overwritten by the next call. */
  evaluate(pose: Pose, time?: number, dt?: number): Frame;
  /** Forget the past: the next frame starts cold. */
  reset(): void;
}

export function createStack(
  character: Character,
  spec: StackSpec = presetStack('organic'),
  options: StackOptions = {},
): Stack {
  checkStack(spec);
  const kernels = options.kernels ?? typescriptKernels;
  const { surface } = character;
  const count = surface.vertexCount;
  const used = spec.layers.filter((layer) => layer.enabled !== false);
  const skin = (used.find((layer) => layer.layer === 'skin') as SkinLayerSpec | undefined) ?? { layer: 'skin' };
  const layers: Layer[] = [];
  const volumeLayers: VolumeLayer[] = [];
  for (const layer of used) {
    if (layer.layer === 'contact') layers.push(planContactLayer({ character, kernels }, layer));
    if (layer.layer !== 'volume') continue;
    const planned = planVolumeLayer({ character, kernels }, layer);
    layers.push(planned);
    volumeLayers.push(planned);
  }
  // One field is turned with the skin: that of the first layer that asks for one.
  const directions = layers.find((layer) => layer.directions)?.directions ?? new Float64Array(3 * count);
  const skinning = planSkinning(character, { skinning: skin.skinning ?? 'linear', directions, kernels });

  const extended = new Float64Array(3 * (count + Math.max(0, ...layers.map((layer) => layer.apexCount ?? 0))));
  const frame: Frame = {
    pose: createPose(character),
    time: 0,
    dt: 0,
    extended,
    positions: extended.subarray(0, 3 * count),
    skinned: new Float64Array(3 * count),
    directions: new Float64Array(3 * count),
    normals: new Float64Array(3 * count),
    bones: skinning.bones,
    constraint: undefined,
    reports: volumeLayers.map((layer) => layer.report),
  };
  const skinOutput = { positions: frame.extended, directions: frame.directions };
  const areas = layers.at(-1)?.areas;
  const triangleCount = surface.triangles.length / 3;

  return {
    character,
    spec,
    frame,
    volumeLayers,
    evaluate(pose, time = 0, dt = 0) {
      frame.pose = pose;
      frame.time = time;
      frame.dt = dt;
      skinning.apply(skinOutput, pose);
      frame.skinned.set(frame.positions);
      frame.constraint = undefined;
      for (const layer of layers) layer.apply(frame);
      if (!areas) kernels.sumAreaVectors(frame.normals, frame.extended, surface.triangles, triangleCount, count);
      kernels.normalise(frame.normals, areas ?? frame.normals, 0, count);
      return frame;
    },
    reset() {
      for (const layer of layers) layer.reset?.();
    },
  };
}
