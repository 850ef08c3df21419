/**
 * What all bodies of one geometry, skeleton and stack share: character, regions, bases, layouts. Planned once, kept as long
 * as the geometry lives.
 */
import {
  type Character,
  createFramePlan,
  createSolverReport,
  createStillCharacter,
  describeFastStack,
  type FrameKernels,
  type FramePlan,
  IsoskinError,
  linearKernels,
  measureDiagonal,
  planStillVolumeContext,
  type StackSpec,
  typescriptFrameKernels,
  type VolumeContext,
  type VolumeLayerSpec,
  type VolumeReport,
} from '@isoskin/core';
import type { BufferGeometry, SkinnedMesh } from 'three';
import { createKernelEvaluator } from './create-kernel-evaluator.js';
import type { CreateEvaluator, Evaluator } from './evaluator.js';
import { type MeshLayout, planMeshLayouts } from './plan-mesh-layout.js';
import { type Place, readSkinnedMeshes } from './read-skinned-meshes.js';

export interface PlanOptions {
  readonly spec: StackSpec;
  /** For stacks with methods or layers that the small runtime does not hold. */
  readonly fullStack?: CreateEvaluator | undefined;
  /** See `CharacterInput`: for compressed models whose seams do not meet. */
  readonly borderTolerance?: number | undefined;
}

export interface BodyPlan {
  readonly character: Character;
  readonly context: VolumeContext;
  readonly bones: readonly Place[];
  readonly morphs: readonly Place[];
  /** One per mesh. */
  readonly layouts: readonly MeshLayout[];
  readonly geometries: readonly BufferGeometry[];
  /** Diagonal of the rest shape. */
  readonly size: number;
  /** The stack changes with time, not with the pose alone. */
  readonly isTimed: boolean;
  /** The stack can run on injected kernels. */
  readonly isFast: boolean;
  createReport(): VolumeReport;
  /** An evaluator on `kernels`; where the stack is not for them, one that all bodies share. */
  createEvaluator(kernels?: FrameKernels): Evaluator;
  /** What kernel sets take; made when first asked for. */
  getFramePlan(): FramePlan;
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

function createPlan(meshes: readonly SkinnedMesh[], { spec, fullStack, borderTolerance }: PlanOptions): BodyPlan {
  const slow = describeFastStack(spec);
  if (slow && !fullStack) {
    const message = `This stack is more than the small runtime holds (${slow}): pass { fullStack } from @isoskin/three/full-stack`;
    throw new IsoskinError('STACK_NOT_IN_RUNTIME', message);
  }
  const { input, bones, morphs } = readSkinnedMeshes(meshes, borderTolerance);
  const character = createStillCharacter(input);
  const volume = (spec.layers.find((layer) => layer.layer === 'volume' && layer.enabled !== false) ?? {
    layer: 'volume',
  }) as VolumeLayerSpec;
  const context = planStillVolumeContext({ character, kernels: linearKernels }, volume);
  let evaluator: Evaluator | undefined;
  let framePlan: FramePlan | undefined;
  const getFramePlan = () => (framePlan ??= createFramePlan(context, volume));
  return {
    character,
    context,
    bones,
    morphs,
    layouts: planMeshLayouts(character, meshes),
    geometries: meshes.map((mesh) => mesh.geometry),
    size: measureDiagonal(character.surface.positions),
    isTimed:
      !!fullStack?.changesWithTime?.(spec) ||
      spec.layers.some((layer) => layer.layer === 'volume' && layer.target !== undefined),
    isFast: slow === '',
    createReport: () => ({
      ...createSolverReport(context.regions.count),
      names: context.regions.names,
      targets: context.rest.slice(),
    }),
    createEvaluator(kernels = typescriptFrameKernels) {
      if (!slow) return createKernelEvaluator(kernels, getFramePlan(), context);
      if (fullStack!.hasMemory?.(spec)) return fullStack!(character, spec);
      return (evaluator ??= fullStack!(character, spec));
    },
    getFramePlan,
  };
}
