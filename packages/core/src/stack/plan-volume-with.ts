/** What every volume method starts from: regions, their volumes and targets, the map γ, the directions n̄ and the room to move. */
import type { Body } from '../body/plan-body.js';
import type { Character } from '../character/character.js';
import type { PlanGiven } from '../correction/plan-given.js';
import { planShapes } from '../correction/plan-shapes.js';
import {
  asksVolumes,
  planTargetVolumes,
  type TargetOptions,
  type TargetPlan,
} from '../correction/plan-target-volumes.js';
import type { AmountSamples } from '../correction/shape-budget.js';
import type { SolverContext } from '../correction/volume-solver.js';
import type { FramePlan } from '../kernels/frame-plan.js';
import { applyShape, type MeasureAxis } from '../maps/apply-shape.js';
import type { NameRegions } from '../regions/name-regions.js';
import type { CutRegions, Regions } from '../regions/plan-regions.js';
import { createExtendedPositions, measureTetrahedra } from '../volume/measure-region-volumes.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import { createVolumeReport, type VolumeReport } from './frame.js';
import { planContext } from './plan-context.js';
import type { VolumeLayerOptions } from './volume-layer.js';

/** What plays frames of a character whose method is `shapes`: planned here, or loaded (load-plan.ts). */
export interface PlayedPlan {
  readonly character: Character;
  readonly regions: CutRegions;
  readonly volumes: RegionVolumes;
  /** n̄, #V×3. */
  readonly directions: Float64Array;
  /** V̄_s at rest. */
  readonly rest: Float64Array;
  readonly targets: TargetPlan;
  readonly target: TargetOptions | undefined;
  /** What kernel sets take; planned when first asked for. */
  framePlan(): FramePlan;
  createReport(): VolumeReport;
}

export interface VolumePlan extends SolverContext, PlayedPlan {
  readonly body: Body;
  readonly regions: Regions;
}

/** What a small runtime does without, because its host animates and its presets do not ask for it. */
export interface VolumeExtras {
  readonly measureAxis?: MeasureAxis;
  readonly planGiven?: PlanGiven | undefined;
  readonly nameRegions?: NameRegions;
  readonly remember?: typeof planContext;
  /** Amounts of the clips, where they are known. */
  readonly samples?: AmountSamples | undefined;
}

/** `planVolume` with what is at hand: a file of its own, so that a small runtime loads nothing else. */
export function planVolumeWith(
  { measureAxis, planGiven, nameRegions, remember = planContext, samples }: VolumeExtras,
  body: Body,
  options: VolumeLayerOptions = {},
): VolumePlan {
  const { character } = body;
  const { surface, binding, skeleton } = character;
  const context = { ...remember(body, options, nameRegions), planGiven, samples, asksVolumes: asksVolumes(options) };
  const { regions, volumes, gamma, directions } = context;
  if (options.shape) applyShape(directions, gamma, character, regions, volumes, options.shape, measureAxis);
  const rest = new Float64Array(regions.count);
  const extended = createExtendedPositions(volumes);
  extended.set(surface.positions);
  measureTetrahedra(rest, volumes, extended);
  let framePlan: FramePlan | undefined;
  return {
    ...context,
    body,
    rest,
    targets: planTargetVolumes(character, volumes, regions, rest, options.target),
    target: options.target,
    framePlan: () =>
      (framePlan ??= {
        vertexCount: surface.vertexCount,
        boneCount: skeleton.boneCount,
        positions: surface.positions,
        directions,
        offsets: binding.offsets,
        bones: binding.bones,
        weights: binding.weights,
        volumes,
        shapes: planShapes(context, options.options),
        solver: { ...options.options },
      }),
    createReport: () => createVolumeReport(regions.names, rest),
  };
}
