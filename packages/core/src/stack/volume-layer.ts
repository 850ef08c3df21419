import { planAxisExact } from '../correction/plan-axis-exact.js';
import { planAxisLinear } from '../correction/plan-axis-linear.js';
import { type DirectionOptions, planDirections } from '../correction/plan-directions.js';
import { planLaplacian } from '../correction/plan-laplacian.js';
import { planNormalExact } from '../correction/plan-normal-exact.js';
import { planNormalLinear } from '../correction/plan-normal-linear.js';
import { planProgressivePose } from '../correction/plan-progressive-pose.js';
import { planRegionsExact } from '../correction/plan-regions-exact.js';
import { planRegionsLinear } from '../correction/plan-regions-linear.js';
import { planRegionsSmooth } from '../correction/plan-regions-smooth.js';
import { planRoom } from '../correction/plan-room.js';
import { planSmallSteps } from '../correction/plan-small-steps.js';
import { planTargets, type TargetOptions, type TargetPlan } from '../correction/plan-targets.js';
import {
  createSolverReport,
  type SolverContext,
  type SolverFrame,
  type VolumeSolver,
} from '../correction/volume-solver.js';
import { applyShape, type MeasureAxis, type ShapeOptions } from '../maps/apply-shape.js';
import { type MapOptions, planMap } from '../maps/plan-map.js';
import { planRegions, type RegionOptions, type Regions } from '../regions/plan-regions.js';
import { measureHingeAxis } from '../skeleton/measure-hinge-axis.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../volume/measure-region-volumes.js';
import { planClosedSurface } from '../volume/plan-closed-surface.js';
import { planRegionVolumes, type RegionVolumes } from '../volume/plan-region-volumes.js';
import type { VolumeReport } from './frame.js';
import type { Layer, LayerContext } from './layer.js';

/** C1–C11 by the name they have in a stack. */
export const VOLUME_METHODS = {
  'axis-linear': planAxisLinear,
  'axis-exact': planAxisExact,
  'normal-linear': planNormalLinear,
  'normal-exact': planNormalExact,
  'small-steps': planSmallSteps,
  laplacian: planLaplacian,
  'regions-linear': planRegionsLinear,
  'regions-exact': planRegionsExact,
  'regions-smooth': planRegionsSmooth,
} as const satisfies Record<string, (context: SolverContext, options: never) => VolumeSolver>;
export type VolumeMethod = keyof typeof VOLUME_METHODS;

export interface VolumeLayerOptions {
  readonly method?: VolumeMethod;
  readonly map?: MapOptions;
  readonly regions?: RegionOptions;
  readonly target?: TargetOptions;
  /** The direction field that the skin is pushed along. */
  readonly directions?: DirectionOptions;
  /** Which way and where along the bone regions give way. */
  readonly shape?: readonly ShapeOptions[];
  /** C12: carry the correction over this many small steps of the pose instead of solving once. Default 0: off. */
  readonly progressive?: number;
  /** Options of the method itself. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What a volume layer was planned with: for reports, colours and the studio. */
export interface VolumeLayer extends Layer {
  readonly regions: Regions;
  readonly volumes: RegionVolumes;
  readonly gamma: Float64Array;
  readonly report: VolumeReport;
  readonly targets: TargetPlan;
  /** V̄_s at rest. */
  readonly rest: Float64Array;
  readonly apexCount: number;
}

/** All that is planned before a method is chosen. */
export interface VolumeContext extends SolverContext {
  readonly directions: Float64Array;
  readonly rest: Float64Array;
  readonly targets: TargetPlan;
  readonly report: VolumeReport;
}

export function planVolumeContext(context: LayerContext, options: VolumeLayerOptions): VolumeContext {
  return planStillVolumeContext(context, options, measureHingeAxis);
}

/** The same for a character without clips: a small runtime then needs nothing that samples them. */
export function planStillVolumeContext(
  { character, kernels }: LayerContext,
  options: VolumeLayerOptions,
  measureAxis?: MeasureAxis,
): VolumeContext {
  const closed = planClosedSurface(character.surface);
  const regions = planRegions(character, closed, options.regions);
  const volumes = planRegionVolumes(closed, regions.triangleRegion, regions.count);
  const gamma = planMap(character, regions, volumes, options.map);
  const directions = planDirections(character.surface, kernels, options.directions);
  if (options.shape) applyShape(directions, gamma, character, regions, volumes, options.shape, measureAxis);
  const thickness = planRoom(character.surface, kernels);
  const gradients = createRegionGradients(volumes);
  const extended = createExtendedPositions(volumes);
  extended.set(character.surface.positions);
  measureRegionVolumes(gradients, volumes, extended, kernels);
  const rest = gradients.volumes.slice();
  const targets = planTargets(character, volumes, regions.names, rest, options.target);
  const report: VolumeReport = { ...createSolverReport(regions.count), names: regions.names, targets: rest.slice() };
  return { character, regions, volumes, gamma, thickness, kernels, directions, rest, targets, report };
}

/** Restores the volume of every region (C1–C13) on whatever the layers before it have made. */
export function planVolumeLayer(layerContext: LayerContext, options: VolumeLayerOptions = {}): VolumeLayer {
  const context = planVolumeContext(layerContext, options);
  const { regions, volumes, gamma, rest, targets, report, directions } = context;
  const { closed } = volumes;
  const method = options.method ?? 'regions-smooth';
  const plan = VOLUME_METHODS[method] as (context: SolverContext, options: object) => VolumeSolver;
  const inner = plan(context, options.options ?? {});
  const solver = options.progressive ? planProgressivePose(context, inner, { steps: options.progressive }) : inner;
  let solverFrame: SolverFrame | undefined;
  return {
    regions,
    volumes,
    gamma,
    rest,
    targets,
    report,
    directions,
    apexCount: volumes.apexCount,
    ...(solver.areas && closed.apexCount === 0 && { areas: solver.areas }),
    reset: () => solver.reset?.(),
    apply(frame) {
      targets.measure(report.targets, frame.bones, frame.time);
      solverFrame ??= {
        positions: frame.extended,
        directions: frame.directions,
        targets: report.targets,
        bones: frame.bones,
        report,
      };
      // Only the default method looks at every trial surface; the others restore the volume as if nothing touched.
      const constraint = method === 'regions-smooth' && !options.progressive ? frame.constraint : undefined;
      solverFrame.constraint = constraint;
      solver.apply(solverFrame);
      while (constraint?.mend(frame.positions)) solver.apply(solverFrame);
    },
  };
}
