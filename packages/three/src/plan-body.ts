/**
 * What all bodies of one geometry, skeleton and stack share: character, regions, shapes. Planned once, kept as long
 * as the geometry lives.
 */
import { type Character, IsoskinError, planBody as planCharacterBody, type StackSpec } from '@isoskin/core';
import {
  createStillCharacter,
  listShapeNames,
  type PlanGiven,
  planShapeTargets,
  planVolumeWith,
  type VolumePlan,
} from '@isoskin/core/kernels';
import { measureDiagonal } from '@isoskin/core/mesh';
import { listUsedLayers, whyNotAccelerated } from '@isoskin/core/stack';
import { type BufferGeometry, Matrix3, type SkinnedMesh } from 'three';
import { getComponent } from './get-component.js';
import { getGiven } from './load-given.js';
import { type BoneBoxes, planBoneBoxes } from './measure-bounds.js';
import type { Path } from './path.js';
import { type Place, readSkinnedMeshes } from './read-skinned-meshes.js';
import { createShapeGeometry, freeShapeGeometry, type ShapeGeometry } from './shape-geometry.js';

export interface PlanOptions {
  readonly spec: StackSpec;
  /** For stacks with methods or layers that the small runtime does not hold. */
  readonly fullStack?: FullStack | undefined;
  /** See `CharacterInput`: for compressed models whose seams do not meet. */
  readonly borderTolerance?: number | undefined;
}

/** A path for any stack: `fullStack` of @isoskin/three/full-stack. */
export interface FullStack {
  createPath(meshes: readonly SkinnedMesh[], plan: BodyPlan): Path;
  /** The stack changes with time, not with the pose alone. */
  changesWithTime(spec: StackSpec): boolean;
  /** C16, for the preset `anatomic`: at once, instead of when it has been loaded. */
  readonly planGiven: PlanGiven;
}

/** The shapes as three.js draws them, and boxes around the bones' vertices. */
export interface BodyShapes {
  /** One per mesh. */
  readonly geometries: readonly ShapeGeometry[];
  readonly boxes: BoneBoxes;
  /** Gives them back; the last one frees them. */
  close(): void;
}

export interface BodyPlan {
  readonly character: Character;
  readonly volume: VolumePlan;
  readonly spec: StackSpec;
  readonly bones: readonly Place[];
  readonly morphs: readonly Place[];
  /** Diagonal of the rest shape. */
  readonly size: number;
  /** The stack changes with time, not with the pose alone. */
  readonly isTimed: boolean;
  /** The stack is shapes under linear skinning: three.js can draw it. */
  readonly isShapes: boolean;
  openShapes(): BodyShapes;
}

interface Entry {
  readonly key: string;
  readonly geometries: readonly BufferGeometry[];
  readonly inverses: readonly number[];
  readonly plan: BodyPlan;
}

/** Plans kept of one geometry, the newest: painting makes one with every stroke. */
const MOST_PLANS = 8;

const cache = new WeakMap<BufferGeometry, Entry[]>();

/** The plan of these meshes: a known one when geometry, skin and stack are the same. */
export function planBody(meshes: readonly SkinnedMesh[], options: PlanOptions): BodyPlan {
  const first = meshes[0]!.geometry;
  const key = describePlan(meshes, options);
  const inverses = listNumbers(meshes);
  const known = cache.get(first) ?? [];
  const same = known.find(
    (entry) =>
      entry.key === key &&
      entry.geometries.every((geometry, m) => geometry === meshes[m]?.geometry) &&
      entry.inverses.every((value, k) => value === inverses[k]),
  );
  if (same) return same.plan;
  const plan = createPlan(meshes, options);
  const geometries = meshes.map((mesh) => mesh.geometry);
  cache.set(first, [...known.slice(1 - MOST_PLANS), { key, geometries, inverses, plan }]);
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
  return JSON.stringify([options.spec, options.borderTolerance, !!options.fullStack, !!getGiven(), versions]);
}

/** Bind matrices and inverses of all meshes: equal numbers mean equal skins. */
function listNumbers(meshes: readonly SkinnedMesh[]): number[] {
  return meshes.flatMap(({ bindMatrix, skeleton }) => [
    skeleton?.bones.length ?? 0,
    ...bindMatrix.elements,
    ...(skeleton?.boneInverses.flatMap((matrix) => matrix.elements) ?? []),
  ]);
}

function createPlan(meshes: readonly SkinnedMesh[], { spec, fullStack, borderTolerance }: PlanOptions): BodyPlan {
  const stack = listUsedLayers(spec);
  const slow = stack.wrinkles ? 'wrinkles fold the skin on the CPU' : whyNotAccelerated(stack);
  if (slow && !fullStack) {
    const message = `This stack is more than the small runtime holds (${slow}): pass { fullStack } from @isoskin/three/full-stack`;
    throw new IsoskinError('STACK_NOT_IN_RUNTIME', message);
  }
  const { input, bones, morphs } = readSkinnedMeshes(meshes, borderTolerance);
  const character = createStillCharacter(input);
  const volume = planVolumeWith(
    { planGiven: fullStack?.planGiven ?? getGiven() },
    planCharacterBody(character),
    stack.volume,
  );
  const plan: BodyPlan = {
    character,
    volume,
    spec,
    bones,
    morphs,
    size: measureDiagonal(character.surface.positions),
    isTimed: !!fullStack?.changesWithTime(spec) || stack.volume?.target !== undefined,
    isShapes: slow === '',
    openShapes: createOpener(
      meshes.map(({ geometry, bindMatrix }) => ({ geometry, bindMatrix: bindMatrix.clone() })),
      () => plan,
    ),
  };
  return plan;
}

/** Shapes are made for the first body and freed with the last one. */
function createOpener(
  meshes: readonly Pick<SkinnedMesh, 'geometry' | 'bindMatrix'>[],
  getPlan: () => BodyPlan,
): () => BodyShapes {
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

function planBodyShapes(
  meshes: readonly Pick<SkinnedMesh, 'geometry' | 'bindMatrix'>[],
  { character, volume }: BodyPlan,
): Omit<BodyShapes, 'close'> {
  const framePlan = volume.framePlan();
  const targets = planShapeTargets(
    framePlan,
    meshes.map(({ geometry, bindMatrix }, m) => {
      const { welded, scale } = character.parts[m]!;
      const linear = new Matrix3().setFromMatrix4(bindMatrix).multiplyScalar(scale);
      const { normal } = geometry.attributes;
      const normals =
        normal &&
        Float32Array.from({ length: 3 * normal.count }, (_, i) => getComponent(normal, Math.trunc(i / 3), i % 3));
      return { welded, linear: linear.elements, inverse: linear.clone().invert().elements, normals };
    }),
  );
  const names = listShapeNames(framePlan.shapes, volume.regions.names);
  const geometries = meshes.map(({ geometry }, m) => createShapeGeometry(geometry, targets[m]!, names));
  return { geometries, boxes: planBoneBoxes(character, framePlan) };
}
