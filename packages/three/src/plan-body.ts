/**
 * What all bodies of one geometry, skeleton and stack share: character, regions, shapes. Planned once, in a worker unless it is wanted at once, kept as long
 * as the geometry lives.
 */

import type { Character, CharacterInput, StackSpec } from '@isoskin/core';
import type { TargetMesh } from '@isoskin/core/kernels';
import type { PlanCharacter } from '@isoskin/core/planner';
import type { PlayedPlan } from '@isoskin/core/runtime';
import {
  IsoskinError,
  isPlanOf,
  listShapeNames,
  listUsedLayers,
  loadPlan,
  measureDiagonal,
  measurePlanKey,
  planShapeTargets,
  requestPlan,
  whyNotAccelerated,
} from '@isoskin/core/runtime';
import type { VolumeLayerOptions } from '@isoskin/core/stack';
import { type AnimationClip, type BufferGeometry, Matrix3, type SkinnedMesh } from 'three';
import type { FindPlans } from './find-plans.js';
import { getComponent } from './get-component.js';
import { type BoneBoxes, planBoneBoxes } from './measure-bounds.js';
import type { Path } from './path.js';
import { type Place, readSkinnedMeshes } from './read-skinned-meshes.js';
import { createShapeGeometry, freeShapeGeometry, type ShapeGeometry } from './shape-geometry.js';

export type { FindPlans };

export interface PlanOptions {
  readonly spec: StackSpec;
  readonly fullStack?: FullStack | undefined;
  readonly planner?: PlanCharacter | undefined;
  readonly plan?: Uint8Array | readonly Uint8Array[] | undefined;
  /** Those that the file carries: taken where one belongs to the body. */
  readonly findPlans?: FindPlans | undefined;
  readonly animations?: readonly AnimationClip[] | undefined;
  readonly cache?: boolean | undefined;
  /** See `CharacterInput`: for compressed models whose seams do not meet. */
  readonly borderTolerance?: number | undefined;
}

/** A path for any stack: `fullStack` of @isoskin/three/full-stack. */
export interface FullStack {
  createPath(meshes: readonly SkinnedMesh[], plan: BodyPlan): Path;
  /** The stack changes with time, not with the pose alone. */
  changesWithTime(spec: StackSpec): boolean;
  readonly planner: PlanCharacter;
  /** For stacks that are no shapes. */
  planVolume(input: CharacterInput, options?: VolumeLayerOptions): PlayedPlan;
}

/** The shapes as morph targets. */
export interface BodyShapes {
  /** One per mesh. */
  readonly geometries: readonly ShapeGeometry[];
  /** Gives them back; the last one frees them. */
  close(): void;
}

export interface BodyPlan {
  readonly character: Character;
  readonly volume: PlayedPlan;
  /** The plan as bytes, for the option `plan`; a stack that is no shapes has none. */
  readonly saved: Uint8Array | undefined;
  readonly spec: StackSpec;
  readonly bones: readonly Place[];
  readonly morphs: readonly Place[];
  /** Diagonal of the rest shape. */
  readonly size: number;
  /** The stack changes with time, not with the pose alone. */
  readonly isTimed: boolean;
  /** The stack is shapes under linear skinning: three.js can draw it. */
  readonly isShapes: boolean;
  /** Around the bones' vertices. */
  getBoxes(): BoneBoxes;
  /** The meshes as planners of shapes take them. */
  listTargetMeshes(): TargetMesh[];
  openShapes(): BodyShapes;
}

interface Entry {
  readonly key: string;
  /** Clips that it was rehearsed on. */
  readonly clips: string;
  readonly geometries: readonly BufferGeometry[];
  readonly inverses: readonly number[];
  plan: BodyPlan | Promise<BodyPlan>;
}

/** Plans kept of one geometry, the newest: painting makes one with every stroke. */
const MOST_PLANS = 8;

const cache = new WeakMap<BufferGeometry, Entry[]>();

/** The plan of these meshes: a known one when geometry, skin and stack are the same. A promise, unless it is known or can be made at once. */
export function planBody(meshes: readonly SkinnedMesh[], options: PlanOptions): BodyPlan | Promise<BodyPlan> {
  const first = meshes[0]!.geometry;
  const key = describePlan(meshes, options);
  const inverses = listNumbers(meshes);
  const clips = (options.animations ?? []).map(({ uuid }) => uuid).join();
  const known = cache.get(first) ?? [];
  // A clone is made of the scene alone: it takes the plan that was rehearsed on the clips of the original.
  const same = known.find(
    (entry) =>
      entry.key === key &&
      (clips === '' || entry.clips === clips) &&
      entry.geometries.every((geometry, m) => geometry === meshes[m]?.geometry) &&
      entry.inverses.every((value, k) => value === inverses[k]),
  );
  const isAtOnce = options.planner || options.plan || options.fullStack;
  if (same && !(isAtOnce && same.plan instanceof Promise)) return same.plan;
  const plan = createPlan(meshes, options);
  const entry: Entry = { key, clips, geometries: meshes.map((mesh) => mesh.geometry), inverses, plan };
  cache.set(first, [...known.filter((other) => other !== same).slice(1 - MOST_PLANS), entry]);
  if (plan instanceof Promise) {
    plan.then(
      (made) => {
        entry.plan = made;
      },
      () => {
        const others = cache.get(first) ?? [];
        cache.set(
          first,
          others.filter((other) => other !== entry),
        );
      },
    );
  }
  return plan;
}

function describePlan(meshes: readonly SkinnedMesh[], options: PlanOptions): string {
  // A geometry that was edited (or painted) has attributes of another version.
  const versions = meshes.map(({ geometry: { attributes, index } }) =>
    [...Object.values(attributes), index].map((attribute) => {
      const { version, data } = (attribute ?? {}) as { version?: number; data?: { version: number } };
      return version ?? data?.version ?? 0;
    }),
  );
  return JSON.stringify([options.spec, options.borderTolerance, !!options.fullStack, versions]);
}

/** Bind matrices and inverses of all meshes: equal numbers mean equal skins. */
function listNumbers(meshes: readonly SkinnedMesh[]): number[] {
  return meshes.flatMap(({ bindMatrix, skeleton }) => [
    skeleton?.bones.length ?? 0,
    ...bindMatrix.elements,
    ...(skeleton?.boneInverses.flatMap((matrix) => matrix.elements) ?? []),
  ]);
}

function createPlan(meshes: readonly SkinnedMesh[], options: PlanOptions): BodyPlan | Promise<BodyPlan> {
  const { spec, fullStack, planner = fullStack?.planner } = options;
  const stack = listUsedLayers(spec);
  const slow = stack.wrinkles ? 'wrinkles fold the skin on the CPU' : whyNotAccelerated(stack);
  if (slow && !fullStack) {
    const message = `This stack is more than the small runtime holds (${slow}): pass { fullStack } from @isoskin/three/full-stack`;
    throw new IsoskinError('STACK_NOT_IN_RUNTIME', message);
  }
  const { input, bones, morphs } = readSkinnedMeshes(meshes, options.borderTolerance, options.animations);
  const drawn = meshes.map(({ geometry, bindMatrix }) => ({ geometry, bindMatrix: bindMatrix.clone() }));
  const finish = (volume: PlayedPlan, saved?: Uint8Array): BodyPlan => {
    const { character } = volume;
    let boxes: BoneBoxes | undefined;
    const plan: BodyPlan = {
      ...{ character, volume, saved, spec, bones, morphs },
      size: measureDiagonal(character.surface.positions),
      isTimed: !!fullStack?.changesWithTime(spec) || stack.volume?.target !== undefined,
      isShapes: slow === '',
      getBoxes: () => (boxes ??= planBoneBoxes(character, volume.framePlan())),
      listTargetMeshes: () => listTargetMeshes(drawn, character),
      openShapes: createOpener(drawn, () => plan),
    };
    return plan;
  };
  if (slow) return finish(fullStack!.planVolume(input, stack.volume));
  if (options.plan) {
    const key = measurePlanKey(input, stack.volume);
    const plans = options.plan instanceof Uint8Array ? [options.plan] : options.plan;
    const own = plans.find((bytes) => isPlanOf(bytes, key)) ?? plans[0] ?? new Uint8Array();
    return finish(loadPlan(own, key), own);
  }
  const load = (bytes: Uint8Array) => finish(loadPlan(bytes), bytes);
  if (planner) return load(planner(input, stack.volume));
  const request = () => requestPlan(input, stack.volume, { cache: options.cache }).then(load);
  if (!options.findPlans) return request();
  return options.findPlans().then((plans) => {
    const key = measurePlanKey(input, stack.volume);
    const own = plans.find((bytes) => isPlanOf(bytes, key));
    try {
      if (own) return finish(loadPlan(own, key), own);
    } catch {} // of another version, or damaged
    return request();
  });
}

/** Shapes are made for the first body and freed with the last one. */
function createOpener(meshes: readonly Pick<SkinnedMesh, 'geometry'>[], getPlan: () => BodyPlan): () => BodyShapes {
  let shapes: Omit<BodyShapes, 'close'> | undefined;
  let users = 0;
  return () => {
    shapes ??= planBodyShapes(meshes, getPlan());
    users++;
    let isOpen = true;
    return {
      ...shapes,
      close() {
        if (!isOpen) return;
        isOpen = false;
        if (--users > 0) return;
        for (const geometry of shapes?.geometries ?? []) freeShapeGeometry(geometry);
      },
    };
  };
}

function planBodyShapes(meshes: readonly Pick<SkinnedMesh, 'geometry'>[], plan: BodyPlan): Omit<BodyShapes, 'close'> {
  const framePlan = plan.volume.framePlan();
  const targets = planShapeTargets(framePlan, plan.listTargetMeshes());
  const names = listShapeNames(framePlan.shapes, plan.volume.regions.names);
  return { geometries: meshes.map(({ geometry }, m) => createShapeGeometry(geometry, targets[m]!, names)) };
}

function listTargetMeshes(
  meshes: readonly Pick<SkinnedMesh, 'geometry' | 'bindMatrix'>[],
  { parts }: Pick<Character, 'parts'>,
): TargetMesh[] {
  return meshes.map(({ geometry, bindMatrix }, m) => {
    const { welded, scale } = parts[m]!;
    const linear = new Matrix3().setFromMatrix4(bindMatrix).multiplyScalar(scale);
    const { normal } = geometry.attributes;
    const normals =
      normal &&
      Float32Array.from({ length: 3 * normal.count }, (_, i) => getComponent(normal, Math.trunc(i / 3), i % 3));
    return { welded, linear: linear.elements, inverse: linear.clone().invert().elements, normals };
  });
}
