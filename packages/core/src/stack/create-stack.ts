/**
 * The deformer stack: skin → (flesh →) volume → … → normals, planned once for a character, evaluated per frame.
 *
 *   const stack = createStack(character, presetStack('organic'));
 *   stack.evaluate(pose, time);          // stack.frame.positions, .normals, .skinned; nothing is allocated
 */
import type { Character } from '../character/character.js';
import type { KernelSet } from '../kernels/kernel-set.js';
import { typescriptKernels } from '../kernels/typescript-kernels.js';
import type { Clip } from '../skeleton/clip.js';
import { createPose, samplePose } from '../skeleton/pose.js';
import type { Pose } from '../skeleton/skeleton.js';
import { planSkinning } from '../skinning/plan-skinning.js';
import type { Wrinkles } from '../wrinkles/plan-wrinkles.js';
import { checkStack } from './check-stack.js';
import { planContactLayer } from './contact-layer.js';
import { planFleshLayer } from './flesh-layer.js';
import type { Frame } from './frame.js';
import type { Layer } from './layer.js';
import { presetStack } from './presets.js';
import type { SkinLayerSpec, StackSpec } from './stack-spec.js';
import { planVolumeLayer, type VolumeLayer } from './volume-layer.js';
import { planWrinklesLayer, type WrinklesLayer } from './wrinkles-layer.js';

export interface StackOptions {
  readonly kernels?: KernelSet;
  /** Let frames start from the last one's answer: sooner, for real time; equal to the cold frame to 1e−6 of the size. */
  readonly warm?: boolean;
  /** Called after every step of a frame with its name: `skin`, the layers, `normals`, `wrinkles`. For clocks. */
  readonly onStep?: (name: string) => void;
}

export interface Stack {
  readonly character: Character;
  readonly spec: StackSpec;
  readonly frame: Frame;
  /** Volume layers of the stack, in order. */
  readonly volumeLayers: readonly VolumeLayer[];
  /** Tools and refinement of the wrinkles layer, if there is one. */
  readonly wrinkles?: Wrinkles | undefined;
  /** Runs all layers on one pose; the answer is `frame`, overwritten by the next call. */
  evaluate(pose: Pose, time?: number, dt?: number): Frame;
  /**
   * G2. The frame at `time` of a clip (without one: the default pose), always with the same bits, whatever ran before: what
   * swings has swung since the clip's start, or for ever if the clip loops. `evaluate` with a dt goes on from there.
   *
   * @param pose a pose to show instead of the clip's, swung as the clip would
   */
  seek(clip: Clip | undefined, time: number, pose?: Pose): Frame;
  /** Forget the past: the next frame starts from nothing. */
  reset(): void;
}

export function createStack(
  character: Character,
  spec: StackSpec = presetStack('organic'),
  options: StackOptions = {},
): Stack {
  checkStack(spec);
  const { kernels = typescriptKernels, onStep, warm = false } = options;
  const { surface } = character;
  const count = surface.vertexCount;
  const used = spec.layers.filter((layer) => layer.enabled !== false);
  const skin = (used.find((layer) => layer.layer === 'skin') as SkinLayerSpec | undefined) ?? { layer: 'skin' };
  const layers: Layer[] = [];
  const volumeLayers: VolumeLayer[] = [];
  let wrinklesLayer: WrinklesLayer | undefined;
  for (const layer of used) {
    if (layer.layer === 'flesh') layers.push(planFleshLayer({ character, kernels }, layer));
    if (layer.layer === 'contact') layers.push(planContactLayer({ character, kernels }, layer));
    if (layer.layer === 'wrinkles') wrinklesLayer = planWrinklesLayer({ character, kernels }, layer);
    if (layer.layer !== 'volume') continue;
    const planned = planVolumeLayer({ character, kernels }, layer);
    layers.push(planned);
    volumeLayers.push(planned);
  }
  const names = used.map(({ layer }) => layer).filter((layer) => layer !== 'skin' && layer !== 'wrinkles');
  // One field is turned with the skin: that of the first layer that asks for one.
  const directions = layers.find((layer) => layer.directions)?.directions ?? new Float64Array(3 * count);
  const skinning = planSkinning(character, { skinning: skin.skinning ?? 'linear', directions, kernels });

  const extended = new Float64Array(3 * (count + Math.max(0, ...layers.map((layer) => layer.apexCount ?? 0))));
  const frame: Frame = {
    pose: createPose(character),
    time: 0,
    dt: 0,
    warm: false,
    extended,
    positions: extended.subarray(0, 3 * count),
    rest: skinning.morphed,
    skinned: new Float64Array(3 * count),
    directions: new Float64Array(3 * count),
    normals: new Float64Array(3 * count),
    bones: skinning.bones,
    refined: undefined,
    reports: volumeLayers.map((layer) => layer.report),
  };
  const skinOutput = { positions: frame.extended, directions: frame.directions };
  const areas = layers.at(-1)?.areas;
  const triangleCount = surface.triangles.length / 3;

  const sought = createPose(character);
  let fresh = true; // no frame yet to start from

  /** The layers from n on, on a frame that has hardly changed. */
  function applyFrom(first: number): void {
    frame.warm = true;
    for (let n = first; n < layers.length; n++) {
      layers[n]!.apply(frame);
      onStep?.(names[n]!);
    }
  }

  function evaluate(pose: Pose, time = 0, dt = 0): Frame {
    frame.pose = pose;
    frame.time = time;
    frame.dt = dt;
    frame.warm = warm && !fresh;
    fresh = false;
    skinning.apply(skinOutput, pose);
    frame.skinned.set(frame.positions);
    onStep?.('skin');
    for (let n = 0; n < layers.length; n++) {
      layers[n]!.apply(frame);
      onStep?.(names[n]!);
    }
    for (let n = 0; n + 1 < layers.length; n++) if (layers[n]!.again?.(frame)) applyFrom(n + 1);
    if (!areas) kernels.sumAreaVectors(frame.normals, frame.extended, surface.triangles, triangleCount, count);
    kernels.normalise(frame.normals, areas ?? frame.normals, 0, count);
    onStep?.('normals');
    wrinklesLayer?.apply(frame);
    if (wrinklesLayer) onStep?.('wrinkles');
    return frame;
  }
  function reset(): void {
    fresh = true;
    for (const layer of layers) layer.reset?.();
  }

  return {
    character,
    spec,
    frame,
    volumeLayers,
    wrinkles: wrinklesLayer?.wrinkles,
    evaluate,
    seek(clip, time, pose) {
      const moment = Number.isFinite(time) ? time : 0;
      reset();
      if (clip) for (const layer of layers) layer.seek?.(clip, moment);
      if (!pose) samplePose(sought, character, clip, moment);
      return evaluate(pose ?? sought, moment, 0);
    },
    reset,
  };
}
