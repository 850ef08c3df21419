/**
 * Frames of a character under a stack: planned once, evaluated for any pose. Everything that measures, bakes, draws or exports takes its frames here.
 *
 *   x = skin(x̄) → flesh → contact (+ f) → volume: λ so that V_s(skin(x̄ + Σ λ_s d_s) + f) = V̄_s → normals → wrinkles
 *
 *   const source = createFrameSource(planBody(character), presetStack('natural'));
 *   source.evaluate(pose, time);          // source.frame.positions, .normals, .skinned; nothing is allocated
 *
 * With kernels (`createWasmKernels`, `createGpuKernels`) a stack of skin and volume runs there as a whole, on WASM with flesh or contact, too; every other stack, and
 * what has no kernels, on the TypeScript layers, which are the specification; WASM takes the swing of their flesh, and with `openFolds` the folds of any stack.
 */
import type { Body } from '../body/plan-body.js';
import type { Character } from '../character/character.js';
import type { FrameKernels } from '../kernels/frame-plan.js';
import { type Rehearsal, type RehearseOptions, rehearseStack } from '../rehearse/rehearse-stack.js';
import type { Clip } from '../skeleton/clip.js';
import { createPose, samplePose } from '../skeleton/pose.js';
import type { Pose } from '../skeleton/skeleton.js';
import { planWrinkles, type Wrinkles } from '../wrinkles/plan-wrinkles.js';
import { createKernelFrames } from './create-kernel-frames.js';
import { createLayerFrames } from './create-layer-frames.js';
import type { Frame } from './frame.js';
import { presetStack } from './presets.js';
import { resolveStack } from './resolve-stack.js';
import { type StackSpec, whyNotAccelerated } from './stack-spec.js';
import type { FrameVolume } from './volume-layer.js';

/** What runs the frames, and how. */
export interface FrameSourceOptions<Done extends void | Promise<void> = void> {
  /** What runs whole frames where the stack allows it. Default: the TypeScript layers. */
  readonly kernels?: FrameKernels<Done> | undefined;
  /** Let frames start from the last one's answer: sooner, for real time; equal to the cold frame to 1e−6 of the size. */
  readonly warm?: boolean;
  /**
   * Makes the stack gentler first where the clips of the character would look worse than plain skinning (rehearse-stack.ts). Whatever a user sees is
   * rehearsed. `clips`: play these alone.
   */
  readonly rehearse?: boolean | RehearseOptions;
  /** Called after every step of a frame with its name: `skin`, the layers, `normals`, `wrinkles`; `skin and volume` on kernels. For clocks. */
  readonly onStep?: (name: string) => void;
}

/** @typeParam Answer the frame, or its promise on kernels that take their time (WebGPU) */
export interface FrameSource<Answer extends Frame | Promise<Frame> = Frame> {
  readonly body: Body;
  readonly character: Character;
  /** The stack that is played: the given one, or what its rehearsal made of it. */
  readonly spec: StackSpec;
  readonly rehearsal: Rehearsal | undefined;
  /** What runs the frames: `typescript`, `wasm`, `webgpu`. */
  readonly backend: string;
  /** Why the given kernels are not used; empty if they are, or none were given. */
  readonly reason: string;
  /** The last answer, overwritten by the next. */
  readonly frame: Frame;
  /** Regions, targets and report, if the stack has a volume layer. */
  readonly volume: FrameVolume | undefined;
  /** Tools and refinement, if the stack has wrinkles. */
  readonly wrinkles: Wrinkles | undefined;
  /** The frame of a pose that follows the last one after `dt` seconds. */
  evaluate(pose: Pose, time?: number, dt?: number): Answer;
  /**
   * G2. The frame at `time` of a clip (without one: the default pose), always with the same bits, whatever ran before: what
   * swings has swung since the clip's start, or for ever if the clip loops. `evaluate` with a dt goes on from there.
   *
   * @param pose a pose to show instead of the clip's, swung as the clip would
   */
  seek(clip: Clip | undefined, time: number, pose?: Pose): Answer;
  /** Forget the past: the next frame starts from nothing. */
  reset(): void;
  dispose(): void;
}

/** What computes a frame up to its normals. */
export interface Frames<Done extends void | Promise<void> = void> {
  readonly frame: Frame;
  readonly volume: FrameVolume | undefined;
  run(pose: Pose, time: number, dt: number, warm: boolean): Done;
  /** Remember what `clip` would have left at `time`; after a `reset`. */
  seek?(clip: Clip, time: number): void;
  reset?(): void;
  dispose?(): void;
}

/** Plans a stack for a body; frames are promises on kernels that take their time. Without a stack: the preset natural. */
export function createFrameSource(body: Body, spec?: StackSpec, options?: FrameSourceOptions): FrameSource;
export function createFrameSource(
  body: Body,
  spec: StackSpec | undefined,
  options: FrameSourceOptions<void> | FrameSourceOptions<Promise<void>>,
): FrameSource<Frame | Promise<Frame>>;
export function createFrameSource(
  body: Body,
  given: StackSpec = presetStack(),
  options: FrameSourceOptions<void> | FrameSourceOptions<Promise<void>> = {},
): FrameSource<Frame | Promise<Frame>> {
  const { kernels, onStep, warm = false, rehearse = false } = options;
  const { character } = body;
  const rehearsal = rehearse ? rehearseStack(body, given, rehearse === true ? {} : rehearse) : undefined;
  const spec = rehearsal?.stack ?? given;
  const stack = resolveStack(spec);
  const reason = whyNotAccelerated(stack, kernels?.takesMoves);
  const isFast = kernels !== undefined && reason === '';
  const frames: Frames<void | Promise<void>> = isFast
    ? createKernelFrames(body, stack, kernels, onStep, rehearsal?.samples)
    : createLayerFrames(body, stack, onStep, kernels, rehearsal?.samples);
  const { frame, volume } = frames;
  const wrinkles = stack.wrinkles && planWrinkles(character, stack.wrinkles, kernels);
  const sought = createPose(character);
  let fresh = true; // no frame yet to start from

  function finish(): Frame {
    if (!wrinkles) return frame;
    frame.refined = wrinkles.apply(frame);
    onStep?.('wrinkles');
    return frame;
  }
  function evaluate(pose: Pose, time = 0, dt = 0): Frame | Promise<Frame> {
    frame.pose = pose;
    frame.time = time;
    frame.dt = dt;
    const isWarm = warm && !fresh;
    fresh = false;
    const done = frames.run(pose, time, dt, isWarm);
    return done ? done.then(finish) : finish();
  }
  function reset(): void {
    fresh = true;
    frames.reset?.();
  }

  return {
    body,
    character,
    spec,
    rehearsal,
    backend: isFast ? kernels.name : 'typescript',
    reason: kernels ? reason : '',
    frame,
    volume,
    wrinkles,
    evaluate,
    seek(clip, time, pose) {
      const moment = Number.isFinite(time) ? time : 0;
      reset();
      if (clip) frames.seek?.(clip, moment);
      if (!pose) samplePose(sought, character, clip, moment);
      return evaluate(pose ?? sought, moment, 0);
    },
    reset,
    dispose: () => frames.dispose?.(),
  };
}
