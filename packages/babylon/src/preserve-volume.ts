/**
 * Characters of a Babylon.js scene that keep their volume: the shapes are morph targets of its own meshes, the amounts their influences.
 *
 *   const container = await LoadAssetContainerAsync('character.glb', scene);
 *   preserveVolume(container);
 */
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { IsoskinError, type PresetName, presetStack, type StackSpec } from '@isoskin/core';
import { findNearestName } from '@isoskin/core/json';
import type { AmountKernels } from '@isoskin/core/kernels';
import { listUsedLayers, whyNotAccelerated } from '@isoskin/core/stack';
import { type Body, createBody } from './create-body.js';

export interface VolumeOptions {
  /** A stack that a person understands. Default: organic. */
  readonly preset?: PresetName;
  /** A stack of skin and volume; takes the place of `preset`. */
  readonly stack?: StackSpec;
  /** What solves the amounts, or its promise. Default: the WASM kernels, loaded by themselves; TypeScript until they are there. */
  readonly kernels?: AmountKernels | Promise<AmountKernels>;
  /** Update before every render of the scene. Default: true. */
  readonly auto?: boolean;
}

export interface PreservedVolume {
  readonly bodies: readonly Body[];
  /** Resolves when the kernels are there. */
  readonly ready: Promise<void>;
  /** Off: the original meshes, exactly as they were. */
  enabled: boolean;
  /** Takes the present pose of the skeletons. */
  update(): void;
  dispose(): void;
}

const NAMES: readonly (keyof VolumeOptions)[] = ['preset', 'stack', 'kernels', 'auto'];

/** @param root a mesh, a list of them, or whatever has `meshes`: a Scene, an AssetContainer, what a loader gives */
export function preserveVolume(root: unknown, options: VolumeOptions = {}): PreservedVolume {
  for (const name of Object.keys(options)) {
    if ((NAMES as readonly string[]).includes(name)) continue;
    const message = `There is no option “${name}”; did you mean “${findNearestName(name, NAMES)}”?`;
    throw new IsoskinError('OPTION_UNKNOWN', message);
  }
  const spec = options.stack ?? presetStack(options.preset ?? 'organic');
  const stack = listUsedLayers(spec);
  const slow = stack.wrinkles ? 'wrinkles fold the skin on the CPU' : whyNotAccelerated(stack);
  if (slow) throw new IsoskinError('STACK_NOT_IN_RUNTIME', `Only skin and volume can be drawn by Babylon.js: ${slow}`);
  const groups = groupBySkeleton(listMeshes(root));
  const bodies = groups.map((meshes) => createBody(meshes, stack.volume!));
  const scene = groups[0]![0]!.getScene();
  let isEnabled = true;
  const update = () => {
    if (isEnabled) for (const body of bodies) body.update();
  };
  for (const body of bodies) body.show();
  // After the animations, before the meshes are looked at.
  const observer = options.auto === false ? null : scene.onBeforeRenderObservable.add(update);
  return {
    bodies,
    ready: useKernels(bodies, options.kernels ?? loadKernels()),
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
    },
  };
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
