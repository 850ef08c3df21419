import { planShapeSolver, type ShapeSolver } from '../correction/create-shape-solver.js';
import { planAxisExact } from '../correction/plan-axis-exact.js';
import { planAxisLinear } from '../correction/plan-axis-linear.js';
import type { DirectionOptions } from '../correction/plan-directions.js';
import { planLaplacian } from '../correction/plan-laplacian.js';
import { planNormalExact } from '../correction/plan-normal-exact.js';
import { planNormalLinear } from '../correction/plan-normal-linear.js';
import { planProgressivePose } from '../correction/plan-progressive-pose.js';
import { planRegionsExact } from '../correction/plan-regions-exact.js';
import { planRegionsLinear } from '../correction/plan-regions-linear.js';
import type { Shapes } from '../correction/plan-shapes.js';
import { planSmallSteps } from '../correction/plan-small-steps.js';
import type { TargetOptions, TargetPlan } from '../correction/plan-targets.js';
import type { SolverContext, SolverFrame, VolumeSolver } from '../correction/volume-solver.js';
import type { ShapeOptions } from '../maps/apply-shape.js';
import type { MapOptions } from '../maps/plan-map.js';
import type { RegionOptions, Regions } from '../regions/plan-regions.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import type { VolumeReport } from './frame.js';
import type { Layer, LayerContext } from './layer.js';
import { planVolumeContext } from './plan-volume-context.js';

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
  shapes: planShapeSolver,
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
  /** C15: shapes and their amounts in the last frame; absent with the methods of the literature. */
  readonly shapes?: { readonly shapes: Shapes; readonly amounts: Float64Array };
  readonly apexCount: number;
}

/** Restores the volume of every region (C1–C13) on whatever the layers before it have made. */
export function planVolumeLayer(layerContext: LayerContext, options: VolumeLayerOptions = {}): VolumeLayer {
  const context = planVolumeContext(layerContext, options);
  const { regions, volumes, gamma, rest, targets, report, directions } = context;
  const { closed } = volumes;
  const method = options.method ?? 'shapes';
  const plan = VOLUME_METHODS[method] as (context: SolverContext, options: object) => VolumeSolver;
  // What is carried on from step to step would be added to itself.
  const inner = plan(context, options.progressive ? { ...options.options, harmonics: 0 } : (options.options ?? {}));
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
    ...('shapes' in inner && { shapes: inner as ShapeSolver }),
    ...(solver.areas && closed.apexCount === 0 && { areas: solver.areas }),
    apply(frame) {
      targets.measure(report.targets, frame.bones, frame.time, frame.pose.morphWeights);
      solverFrame ??= {
        positions: frame.extended,
        directions: frame.directions,
        targets: report.targets,
        bones: frame.bones,
        report,
        warm: false,
      };
      solverFrame.warm = frame.warm;
      solver.apply(solverFrame);
    },
  };
}
