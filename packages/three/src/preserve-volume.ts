import { IsoskinError } from '@isoskin/core/runtime';
import type { AnimationClip, Bone, Object3D, SkinnedMesh } from 'three';
import { describeMesh } from './describe-mesh.js';
import { findPlans } from './find-plans.js';
import type { VolumeOptions } from './volume-options.js';
import { VolumeSkinnedMesh } from './volume-skinned-mesh.js';

/** The bodies of a scene, together. */
export interface PreservedVolume {
  readonly bodies: readonly VolumeSkinnedMesh[];
  /** Resolves when the volume of all bodies is kept; until then they are drawn as they are. */
  readonly ready: Promise<void>;
  enabled: boolean;
  update(dt?: number): void;
  dispose(): void;
}

/** What `preserveVolume` takes: a scene, a group, one mesh, or what a GLTFLoader gives. */
export type VolumeRoot = Object3D | { readonly scene: Object3D; readonly animations?: readonly AnimationClip[] };

/**
 * Keeps the volume of every skinned mesh under `root`. Meshes that hang on the same bones are one body.
 *
 *   preserveVolume(gltf);
 */
export function preserveVolume(root: VolumeRoot, options: VolumeOptions = {}): PreservedVolume {
  const bodies: VolumeSkinnedMesh[] = [];
  try {
    const top = findTop(root);
    const plans = findPlans(root);
    const { animations = root.animations ?? [] } = options;
    for (const group of listBodies(top)) bodies.push(new VolumeSkinnedMesh(group, { ...options, animations }, plans));
  } catch (error) {
    for (const body of bodies) body.dispose();
    throw error;
  }
  return {
    bodies,
    ready: Promise.all(bodies.map((body) => body.ready)).then(() => {}),
    get enabled() {
      return bodies.some((body) => body.enabled);
    },
    set enabled(value) {
      for (const body of bodies) body.enabled = value;
    },
    update(dt) {
      for (const body of bodies) body.update(dt);
    },
    dispose() {
      for (const body of bodies) body.dispose();
    },
  };
}

/** The skinned meshes under `top`; those that hang on the same bones are one body. */
export function listBodies(top: Object3D): SkinnedMesh[][] {
  const meshes: SkinnedMesh[] = [];
  // The flag is off while a body under a full stack draws its mesh; the type stays.
  top.traverse((object) => {
    if ((object as SkinnedMesh).isSkinnedMesh || (object as SkinnedMesh).skeleton) meshes.push(object as SkinnedMesh);
  });
  if (meshes.length === 0) {
    const message =
      'There is no skinned mesh in here, so nothing deforms: wait for the model to load, or bind it to a skeleton';
    throw new IsoskinError('NOTHING_TO_DEFORM', message, describeMesh(top));
  }
  return groupBySkeleton(meshes);
}

export function findTop(root: unknown): Object3D {
  const isObject = (value: unknown) => typeof (value as Object3D | null)?.traverse === 'function';
  if (isObject(root)) return root as Object3D;
  const { scene } = (root ?? {}) as { scene?: unknown };
  if (isObject(scene)) return scene as Object3D;
  const found = root instanceof Promise ? 'a promise: await it first' : `${root === null ? null : typeof root}`;
  const message = `Expected what GLTFLoader gives, a scene, a group or a SkinnedMesh; found ${found}`;
  throw new IsoskinError('NOT_AN_OBJECT', message);
}

/** Meshes that share a bone, directly or through others, in the order of the scene. */
function groupBySkeleton(meshes: readonly SkinnedMesh[]): SkinnedMesh[][] {
  const groups: { meshes: SkinnedMesh[]; bones: Set<Bone> }[] = [];
  for (const mesh of meshes) {
    const own = { meshes: [mesh], bones: new Set(mesh.skeleton?.bones) };
    const shared = groups.filter((group) => mesh.skeleton?.bones.some((bone) => group.bones.has(bone)));
    if (shared.length === 0) {
      groups.push(own);
      continue;
    }
    const [first, ...others] = shared as [(typeof groups)[0], ...typeof groups];
    for (const other of [...others, own]) {
      first.meshes.push(...other.meshes);
      for (const bone of other.bones) first.bones.add(bone);
    }
    for (const other of others) groups.splice(groups.indexOf(other), 1);
  }
  return groups.map((group) => group.meshes);
}
