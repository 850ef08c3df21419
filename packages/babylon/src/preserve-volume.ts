/**
 * Characters of a Babylon.js scene that keep their volume: the shapes are morph targets of its own meshes, the amounts their influences.
 *
 *   const container = await LoadAssetContainerAsync('character.glb', scene);
 *   preserveVolume(container);
 */

import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import type { PresetName, StackSpec } from '@isoskin/core';
import type { AmountKernels } from '@isoskin/core/kernels';
import type { PlanCharacter } from '@isoskin/core/planner';
import {
  findNearestName,
  IsoskinError,
  isPlanOf,
  listUsedLayers,
  loadPlan,
  measurePlanKey,
  presetStack,
  requestPlan,
  whyNotAccelerated,
} from '@isoskin/core/runtime';
import type { VolumeLayerOptions } from '@isoskin/core/stack';
import { type Body, createBody } from './create-body.js';
import { type ReadMeshes, readMeshes } from './read-meshes.js';

export interface VolumeOptions {
  /** A stack that a person understands. Default: `natural`, as in commands and bakes; `organic` takes the fewest bytes. */
  readonly preset?: PresetName;
  /** A stack of skin and volume; takes the place of `preset`. */
  readonly stack?: StackSpec;
  /** What solves the amounts, or its promise. Default: the WASM kernels, loaded by themselves; TypeScript until they are there. */
  readonly kernels?: AmountKernels | Promise<AmountKernels>;
  /** `planCharacter` of @isoskin/core/planner: plans at once, on this thread, instead of in a worker. */
  readonly planner?: PlanCharacter;
  /** A saved plan (`body.savedPlan`), or those of several bodies: taken at once, and nothing is planned. */
  readonly plan?: Uint8Array | readonly Uint8Array[];
  /** Clips that the plan is rehearsed on, so that nothing looks worse in them. Default: those of what is passed. */
  readonly animations?: readonly AnimationGroup[];
  /** Keeps plans in the browser's database (IndexedDB) and finds them there again. Default: false. */
  readonly cache?: boolean;
  /** Update before every render of the scene. Default: true. */
  readonly auto?: boolean;
}

export interface PreservedVolume {
  /** Those that are planned. */
  readonly bodies: readonly Body[];
  /** Resolves when volume is kept; until then the meshes are drawn as they are. */
  readonly ready: Promise<void>;
  /** Off: the original meshes, exactly as they were. */
  enabled: boolean;
  /** Takes the present pose of the skeletons. `dt` (seconds) moves targets that change over time. */
  update(dt?: number): void;
  dispose(): void;
}

const NAMES: readonly (keyof VolumeOptions)[] = [
  'preset',
  'stack',
  'kernels',
  'planner',
  'plan',
  'animations',
  'cache',
  'auto',
];

/** @param root a mesh, a list of them, or whatever has `meshes`: a Scene, an AssetContainer, what a loader gives */
export function preserveVolume(root: unknown, options: VolumeOptions = {}): PreservedVolume {
  for (const name of Object.keys(options)) {
    if ((NAMES as readonly string[]).includes(name)) continue;
    const message = `There is no option “${name}”; did you mean “${findNearestName(name, NAMES)}”?`;
    throw new IsoskinError('OPTION_UNKNOWN', message);
  }
  const spec = options.stack ?? presetStack(options.preset);
  const stack = listUsedLayers(spec);
  const slow = stack.wrinkles ? 'wrinkles fold the skin on the CPU' : whyNotAccelerated(stack);
  if (slow) throw new IsoskinError('STACK_NOT_IN_RUNTIME', `Only skin and volume can be drawn by Babylon.js: ${slow}`);
  const groups = groupBySkeleton(listMeshes(root));
  const scene = groups[0]![0]!.getScene();
  const bodies: Body[] = [];
  let isEnabled = true;
  let isDisposed = false;
  const update = (dt?: number) => {
    if (isEnabled) for (const body of bodies) body.update(dt);
  };
  const open = (read: ReadMeshes, bytes: Uint8Array, key?: Uint8Array) => {
    if (isDisposed) return;
    const body = createBody(read, loadPlan(bytes, key), bytes);
    bodies.push(body);
    if (isEnabled) body.show();
  };
  const { animations = (root as { animationGroups?: AnimationGroup[] }).animationGroups } = options;
  const planned = groups.map((meshes) => planGroup(readMeshes(meshes, animations), stack.volume!, options, open));
  // After the animations, before the meshes are looked at.
  const observer =
    options.auto === false ? null : scene.onBeforeRenderObservable.add(() => update(scene.deltaTime / 1000 || 0));
  const kernels = options.kernels ?? loadKernels();
  return {
    bodies,
    ready: Promise.all(planned).then(() => useKernels(bodies, kernels)),
    get enabled() {
      return isEnabled;
    },
    set enabled(value) {
      isEnabled = value;
      for (const body of bodies) {
        if (value) body.show();
        else body.hide();
      }
    },
    update,
    dispose() {
      scene.onBeforeRenderObservable.remove(observer);
      for (const body of bodies) body.dispose();
      isEnabled = false;
      isDisposed = true;
    },
  };
}

/** Opens a body: at once where its plan is given or can be made at once, else when a worker has planned it. */
function planGroup(
  read: ReadMeshes,
  volume: VolumeLayerOptions,
  { plan, planner, cache }: VolumeOptions,
  open: (read: ReadMeshes, bytes: Uint8Array, key?: Uint8Array) => void,
): Promise<void> | void {
  if (plan) {
    const key = measurePlanKey(read.input, volume);
    const plans = plan instanceof Uint8Array ? [plan] : plan;
    return open(read, plans.find((bytes) => isPlanOf(bytes, key)) ?? plans[0] ?? new Uint8Array(), key);
  }
  if (planner) return open(read, planner(read.input, volume));
  return requestPlan(read.input, volume, { cache }).then((bytes) => open(read, bytes));
}

function listMeshes(root: unknown): Mesh[] {
  const all = Array.isArray(root) ? root : ((root as { meshes?: Mesh[] } | undefined)?.meshes ?? [root]);
  const meshes = (all as (Mesh | undefined)[]).filter((mesh) => mesh?.skeleton && mesh.geometry) as Mesh[];
  if (meshes.length > 0) return meshes;
  const message = 'Expected skinned meshes, or what has them (a Scene, an AssetContainer); found none with a skeleton';
  throw new IsoskinError('NOTHING_TO_DEFORM', message);
}

function groupBySkeleton(meshes: readonly Mesh[]): Mesh[][] {
  const groups = new Map<unknown, Mesh[]>();
  for (const mesh of meshes) groups.set(mesh.skeleton, [...(groups.get(mesh.skeleton) ?? []), mesh]);
  return [...groups.values()];
}

async function useKernels(bodies: readonly Body[], kernels: NonNullable<VolumeOptions['kernels']>): Promise<void> {
  const set = await Promise.resolve(kernels).catch(() => undefined);
  if (set) for (const body of bodies) body.useKernels(set);
}

async function loadKernels(): Promise<AmountKernels> {
  const { createWasmKernels } = await import('@isoskin/wasm');
  return createWasmKernels({ threads: 1 });
}
