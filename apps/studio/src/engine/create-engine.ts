/**
 * The engine: one character, its planned stack and its clips. It runs in a worker, and in tests without one.
 *
 *   const engine = createEngine();
 *   await engine.open({ kind: 'demo', name: 'elephant' });
 *   await engine.plan({ stack, paint: {}, kernels: 'auto' });
 *   const { arrays } = await engine.frame({ clip: 0, time: 0.5, … });
 */
import {
  type Character,
  checkStack,
  createPose,
  type FrameKernels,
  frameTimes,
  IsoskinError,
  measureWorldMatrices,
  NO_REGION,
  type Pose,
  placeAnchor,
  placeTools,
  samplePose,
} from '@isoskin/core';
import { applyPoseEdits } from '../state/pose-edits.js';
import { createFolds, type Folds, splitWrinkles } from './create-folds.js';
import { createPicker, type Picker } from './create-picker.js';
import { describeCharacter } from './describe-character.js';
import type { Evaluator } from './evaluator.js';
import { createFramePacker, type FramePacker, listVertexRegions } from './frame-packer.js';
import { type OpenedSource, openSource } from './open-source.js';
import { paintStack } from './paint-stack.js';
import { planEvaluator } from './plan-evaluator.js';
import type { EngineCalls, PlanFacts } from './protocol.js';

interface Scene {
  readonly opened: OpenedSource;
  readonly pose: Pose;
  readonly world: Float64Array;
  readonly picker: Picker;
  evaluator: Evaluator;
  packer: FramePacker;
  folds?: Folds | undefined;
}

const SKIN_ONLY = { layers: [{ layer: 'skin' as const }] };

export interface Engine extends EngineCalls {
  /** Arrays of an answer that travel without a copy. */
  listTransfers(result: unknown): ArrayBuffer[];
}

export function createEngine(): Engine {
  let scene: Scene | undefined;
  let kernels: Promise<FrameKernels> | undefined;
  // One thread: the page draws and another worker measures meanwhile, and no script from a blob is needed.
  const loadKernels = () =>
    (kernels ??= import('@isoskin/wasm').then(({ chooseKernels }) => chooseKernels({ threads: 1 })));
  const present = (): Scene => {
    if (!scene) throw new IsoskinError('NO_CHARACTER', 'No character is open yet: open one first.');
    return scene;
  };

  return {
    async open(source) {
      const opened = await openSource(source);
      const { character } = opened;
      const evaluator = await planEvaluator(character, SKIN_ONLY, 'typescript', loadKernels);
      scene?.evaluator.dispose();
      scene = {
        opened,
        pose: createPose(character),
        world: new Float64Array(16 * character.skeleton.nodeCount),
        picker: createPicker(character),
        evaluator,
        packer: createFramePacker(character, evaluator),
      };
      return describeCharacter(character);
    },

    async plan({ stack, paint, kernels: choice, isOnlyWrinkles }) {
      const at = present();
      const { character } = at.opened;
      const start = performance.now();
      const { base, wrinkles } = splitWrinkles(paintStack(checkStack(stack), paint));
      const folds = wrinkles && createFolds(character, wrinkles);
      const evaluator = isOnlyWrinkles ? at.evaluator : await planEvaluator(character, base, choice, loadKernels);
      at.folds = folds;
      if (evaluator !== at.evaluator) {
        at.evaluator.dispose();
        at.evaluator = evaluator;
        at.packer = createFramePacker(character, evaluator, paint);
      }
      return describePlan(character, evaluator, stack, performance.now() - start);
    },

    async frame(request) {
      const at = present();
      const { character } = at.opened;
      const { evaluator, packer } = at;
      samplePose(at.pose, character, character.clips[request.clip], request.time);
      applyPoseEdits(at.pose.locals, request.pose, request.clip, request.time);
      if (request.dt === 0) await evaluator.seek(character.clips[request.clip], at.pose, request.time);
      else await evaluator.evaluate(at.pose, request.time, request.dt);
      measureWorldMatrices(at.world, character.skeleton, at.pose.locals);
      at.picker.move(evaluator);
      const refined = at.folds?.apply(evaluator, at.pose, request.time);
      return packer.pack(request, at.world, at.folds, refined);
    },

    async measure({ clip, fps, from, count, pose, intersections }) {
      const at = present();
      const { character } = at.opened;
      const { evaluator, packer } = at;
      const all = character.clips[clip] ? frameTimes(character.clips[clip], fps) : new Float64Array(1);
      const times = all.slice(from, from + count);
      const regions = evaluator.volume?.regions.count ?? 0;
      const crossings = intersections ? [new Float64Array(times.length), new Float64Array(times.length)] : undefined;
      const result = {
        times,
        total: all.length,
        skinned: new Float64Array(times.length),
        corrected: new Float64Array(times.length),
        regionsSkinned: new Float32Array(times.length * regions),
        regionsCorrected: new Float32Array(times.length * regions),
        ...(crossings && { crossingsSkinned: crossings[0]!, crossingsCorrected: crossings[1]! }),
      };
      for (const [n, time] of times.entries()) {
        samplePose(at.pose, character, character.clips[clip], time);
        applyPoseEdits(at.pose.locals, pose, clip, time);
        if (from + n === 0) await evaluator.seek(character.clips[clip], at.pose, time);
        else await evaluator.evaluate(at.pose, time, time - all[from + n - 1]!);
        const volume = packer.measure(time);
        if (volume) {
          result.skinned[n] = volume.skinned;
          result.corrected[n] = volume.corrected;
          result.regionsSkinned.set(volume.regionsSkinned, n * regions);
          result.regionsCorrected.set(volume.regionsCorrected, n * regions);
        }
        if (crossings) {
          const counted = packer.countCrossings();
          crossings[0]![n] = counted.skinned;
          crossings[1]![n] = counted.corrected;
        }
      }
      return result;
    },

    async placeWrinkle({ a, b, preset }) {
      const { character } = present().opened;
      const { surface } = character;
      return placeTools(character, placeAnchor(surface, a), placeAnchor(surface, b), preset);
    },

    async pick(request) {
      return present().picker.pick(request);
    },

    listTransfers,
  };
}

function describePlan(
  character: Character,
  { kernels, reason, volume }: Evaluator,
  stack: { readonly layers: readonly { readonly layer: string; readonly enabled?: boolean }[] },
  milliseconds: number,
): PlanFacts {
  const { vertexCount, triangles } = character.surface;
  const triangleRegion = volume?.regions.triangleRegion ?? new Uint32Array(triangles.length / 3).fill(NO_REGION);
  return {
    kernels,
    reason,
    milliseconds,
    regions: volume
      ? volume.regions.names.map((name, s) => ({ name, rest: volume.rest[s]!, joint: volume.regions.joints[s]! }))
      : [],
    vertexRegion: Float32Array.from(listVertexRegions(triangles, triangleRegion, vertexCount)),
    hasContact: stack.layers.some(({ layer, enabled }) => layer === 'contact' && enabled !== false),
  };
}

/** Every array buffer inside an answer. */
function listTransfers(result: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
    else if (Array.isArray(value) && typeof value[0] === 'object') value.forEach(visit);
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) Object.values(value).forEach(visit);
  };
  visit(result);
  return [...found];
}
