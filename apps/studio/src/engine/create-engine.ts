/**
 * The engine: one character, its planned stack and its clips. It runs in a worker, and in tests without one.
 *
 *   const engine = createEngine();
 *   await engine.open({ kind: 'demo', name: 'elephant' });
 *   await engine.plan({ stack, paint: {}, kernels: 'auto' });
 *   const { arrays } = await engine.frame({ clip: 0, time: 0.5, … });
 */
import {
  type Body,
  type Character,
  checkStack,
  createPose,
  frameTimes,
  IsoskinError,
  type Pose,
  placeTool,
  placeTools,
  planBody,
  resolveStack,
  samplePose,
} from '@isoskin/core';
import { type FrameKernels, measureWorldMatrices } from '@isoskin/core/kernels';
import { describeRigidParts, NO_REGION } from '@isoskin/core/mesh';
import { listDrafts, measureDraftKey, tuneVolume, type VolumeLayerOptions } from '@isoskin/core/stack';
import { placeAnchor } from '@isoskin/core/wrinkles';
import { applyPoseEdits } from '../state/pose-edits.js';
import { isSameWeights, type SkinWeights, unpackWeights } from '../state/skin-weights.js';
import { createFolds, type Folds } from './create-folds.js';
import { createPicker, type Picker } from './create-picker.js';
import { describeCharacter } from './describe-character.js';
import { keepDraft, measureContent, measureDigest, recallDraft } from './draft-store.js';
import { createFramePacker, type FramePacker, listVertexRegions } from './frame-packer.js';
import { measureLosses } from './measure-losses.js';
import { type OpenSource, openFrameSource } from './open-frame-source.js';
import { type OpenedSource, openSource } from './open-source.js';
import { paintStack } from './paint-stack.js';
import type { EngineCalls, MeasureRequest, MeasureResult, PlanFacts } from './protocol.js';

interface Scene {
  readonly opened: OpenedSource;
  /** What stands for its bytes, for what is kept of its plans. */
  readonly content: Promise<string>;
  /** The character with its painted weights, if there are any. */
  body: Body;
  weights?: SkinWeights | undefined;
  readonly pose: Pose;
  readonly world: Float64Array;
  picker: Picker;
  source: OpenSource;
  packer: FramePacker;
  folds?: Folds | undefined;
  /** What `source` was planned from, as it is tuned now, and what was said of it. */
  planned?: { readonly facts: PlanFacts; volume: VolumeLayerOptions | undefined };
}

export interface Engine extends EngineCalls {
  /** Arrays of an answer that travel without a copy. */
  listTransfers(result: unknown): ArrayBuffer[];
}

export function createEngine(): Engine {
  let scene: Scene | undefined;
  let kernels: Promise<FrameKernels | undefined> | undefined;
  // One thread: the page draws and another worker measures meanwhile, and no script from a blob is needed.
  const loadKernels = () =>
    (kernels ??= import('@isoskin/wasm').then(({ chooseKernels }) =>
      chooseKernels({
        threads: 1,
        folds: async () => (await import('@isoskin/wasm/folds')).openFolds(),
        contact: async () => (await import('@isoskin/wasm/contact')).openContact(),
      }),
    ));
  const present = (): Scene => {
    if (!scene) throw new IsoskinError('NO_CHARACTER', 'No character is open yet: open one first.');
    return scene;
  };

  return {
    async open(source) {
      const content = measureContent(source);
      loadKernels().catch(() => {}); // they come while the file is read; who plans with them hears why they do not
      const opened = await openSource(source);
      const { character } = opened;
      const body = planBody(character);
      const frames = await openFrameSource(body, {}, 'typescript', loadKernels);
      scene?.source.dispose();
      scene = {
        opened,
        content,
        body,
        pose: createPose(character),
        world: new Float64Array(16 * character.skeleton.nodeCount),
        picker: createPicker(character),
        source: frames,
        packer: createFramePacker(character, frames),
      };
      return describeCharacter(character, opened.file);
    },

    async plan({ stack, paint, kernels: choice, only, isAhead }) {
      const at = present();
      const start = performance.now();
      putWeights(at, paint.weights);
      const { character } = at.body;
      const { wrinkles, ...layers } = resolveStack(paintStack(checkStack(stack), paint));
      const folds = wrinkles?.tools?.length ? createFolds(character, wrinkles) : undefined;
      const { planned } = at;
      if (planned && (only === 'wrinkles' || (only === 'amounts' && tune(at.source, planned.volume, layers.volume)))) {
        at.folds = folds;
        planned.volume = layers.volume;
        return planned.facts;
      }
      const open = () => openFrameSource(at.body, layers, choice, loadKernels);
      const source = await (isAhead ? open() : withDraft(at, layers.volume, open));
      at.folds = folds;
      at.source.dispose();
      at.source = source;
      at.packer = createFramePacker(character, source, paint);
      const facts = describePlan(character, source, layers.contact !== undefined, performance.now() - start);
      at.planned = { facts, volume: layers.volume };
      return facts;
    },

    async frame(request) {
      const at = present();
      const { character } = at.opened;
      const { source, packer } = at;
      samplePose(at.pose, character, character.clips[request.clip], request.time);
      applyPoseEdits(at.pose.locals, request.pose, request.clip, request.time);
      if (request.dt === 0) await source.seek(character.clips[request.clip], request.time, at.pose);
      else await source.evaluate(at.pose, request.time, request.dt);
      measureWorldMatrices(at.world, character.skeleton, at.pose.locals);
      at.picker.move(source.frame);
      const refined = at.folds?.apply(source.frame);
      const packed = packer.pack(request, at.world, at.folds, refined);
      return at.folds ? { ...packed, wrinkles: at.folds.listStates() } : packed;
    },

    measure: (request) => measureFrames(present(), request),

    measureLosses: async ({ moments }) => ({ changes: measureLosses(present().body, present().source, moments) }),

    async placeWrinkle({ a, b, preset, curved }) {
      const { opened, source } = present();
      const { character } = opened;
      // As it is drawn: what the wrinkle is long is what the skin is in this pose.
      const drawnOn = source.frame.positions.slice();
      const skin = { ...character.surface, positions: drawnOn };
      const [from, to] = [placeAnchor(skin, a), placeAnchor(skin, b)];
      const options = { drawnOn, ...(curved !== undefined && { curved }) };
      return preset ? placeTools(character, from, to, preset, options) : [placeTool(character, from, to, options)];
    },

    async pick(request) {
      return present().picker.pick(request);
    },

    // What is said of a plan may be said again.
    listTransfers: (result) => (result === scene?.planned?.facts ? [] : listTransfers(result)),
  };
}

/** A few frames of a clip as numbers. */
async function measureFrames(at: Scene, request: MeasureRequest): Promise<MeasureResult> {
  const { clip, fps, from, count, pose, intersections } = request;
  const { character } = at.opened;
  const { source, packer } = at;
  const all = character.clips[clip] ? frameTimes(character.clips[clip], fps) : new Float64Array(1);
  const times = all.slice(from, from + count);
  const regions = source.volume?.regions.count ?? 0;
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
    if (from + n === 0) await source.seek(character.clips[clip], time, at.pose);
    else await source.evaluate(at.pose, time, time - all[from + n - 1]!);
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
}

/** Amounts and limits without a plan; false where it takes one. The graphics card has ceilings of its own. */
function tune(source: OpenSource, from: VolumeLayerOptions | undefined, to: VolumeLayerOptions | undefined): boolean {
  if (source.backend === 'webgpu' || !source.volume || !from || !to) return false;
  // What the rehearsal made gentler stays so until the next plan.
  const { limits, calm } = (source.spec.volume?.options ?? {}) as { limits?: object; calm?: unknown };
  const keep = (volume: VolumeLayerOptions) => ({
    ...volume,
    options: { ...volume.options, limits: { ...limits, ...(volume.options?.limits as object) }, calm },
  });
  const isTuned = tuneVolume(source.volume, keep(from), keep(to));
  if (isTuned) source.reset();
  return isTuned === true;
}

/** Painted weights are those of another character with the same surface. */
function putWeights(at: Scene, weights: SkinWeights | undefined): void {
  if (isSameWeights(weights, at.weights)) return;
  const { character } = at.opened;
  at.weights = weights;
  at.body = planBody(weights ? { ...character, binding: unpackWeights(weights) } : character);
  at.picker = createPicker(at.body.character);
}

async function addWeights(content: string, weights: SkinWeights | undefined): Promise<string> {
  if (!weights || content === '') return content;
  const bytes = [weights.bones, weights.weights].map((array) => new Uint8Array(array.buffer));
  return `${content} ${await measureDigest(bytes).catch(() => Math.random())}`;
}

/** Plans with what is kept of an earlier plan of the same character, and keeps what is new. */
async function withDraft<T>(
  { body, content: source, weights }: Scene,
  volume: VolumeLayerOptions | undefined,
  plan: () => Promise<T>,
) {
  const drafts = listDrafts(body);
  const key = volume ? measureDraftKey(volume) : '';
  const isKnown = key === '' || drafts.has(key);
  const content = isKnown ? source : source.then((own) => addWeights(own, weights));
  const kept = isKnown ? undefined : await recallDraft(await content, key, body.character.surface.vertexCount);
  if (kept) drafts.set(key, kept);
  const planned = await plan();
  const draft = drafts.get(key);
  if (!isKnown && !kept && draft) void keepDraft(await content, key, draft);
  return planned;
}

function describePlan(
  character: Character,
  { backend, reason, volume }: OpenSource,
  hasContact: boolean,
  milliseconds: number,
): PlanFacts {
  const { vertexCount, triangles } = character.surface;
  const triangleRegion = volume?.regions.triangleRegion ?? new Uint32Array(triangles.length / 3).fill(NO_REGION);
  return {
    kernels: backend as PlanFacts['kernels'],
    reason,
    milliseconds,
    regions: volume
      ? volume.regions.names.map((name, s) => ({
          name,
          rest: volume.rest[s]!,
          joint: volume.regions.joints[s]!,
          part: volume.regions.component[s]!,
        }))
      : [],
    rigid: describeRigidParts(character, volume?.regions.rigid ?? [])
      .map(({ message }) => message.replace(/ \("regions".*$/, ''))
      .join(),
    vertexRegion: Float32Array.from(listVertexRegions(triangles, triangleRegion, vertexCount)),
    triangleRegion: Int32Array.from(triangleRegion.subarray(0, triangles.length / 3), (region) => region | 0),
    hasContact,
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
