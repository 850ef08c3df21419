import type { Body } from '../body/plan-body.js';
import type { ShapeSolver } from '../correction/create-shape-solver.js';
import type { DirectionOptions } from '../correction/measure-directions.js';
import { planProgressivePose } from '../correction/plan-progressive-pose.js';
import type { Shapes } from '../correction/plan-shapes.js';
import type { TargetOptions } from '../correction/plan-target-volumes.js';
import type { AmountSamples } from '../correction/shape-budget.js';
import { VOLUME_METHODS, type VolumeMethodName } from '../correction/volume-methods.js';
import type { MoveSurface, SolverFrame } from '../correction/volume-solver.js';
import type { ShapeOptions } from '../maps/apply-shape.js';
import type { MapOptions } from '../maps/measure-map.js';
import type { RegionOptions } from '../regions/plan-regions.js';
import type { Frame, VolumeReport } from './frame.js';
import type { Layer } from './layer.js';
import { planVolume } from './plan-volume.js';
import type { VolumePlan } from './plan-volume-with.js';

export interface VolumeLayerOptions {
  readonly method?: VolumeMethodName;
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

/** What a frame's volumes were planned with, and what became of them: for bakes, reports, colours and the studio. */
export interface FrameVolume extends VolumePlan {
  readonly report: VolumeReport;
  /** C15: shapes and their amounts in the last frame; absent with the methods of the literature. */
  readonly shapes?: { readonly shapes: Shapes; readonly amounts: Float64Array };
}

export interface VolumeLayer extends Layer {
  readonly volume: FrameVolume;
  /** `VolumeSolver.begin` of any method: those without one are run twice. */
  begin(frame: Frame, move: MoveSurface): void;
}

/** Restores the volume of every region (C1–C13, C15, C16) on whatever the layers before it have made. */
/** @param samples amounts of the clips, where they are known */
export function planVolumeLayer(body: Body, options: VolumeLayerOptions = {}, samples?: AmountSamples): VolumeLayer {
  const plan = planVolume(body, options, samples);
  const { volumes, targets, directions } = plan;
  const report = plan.createReport();
  // What is carried on from step to step would be added to itself.
  const own = options.progressive ? { ...options.options, harmonics: 0, twist: 0 } : (options.options ?? {});
  const inner = VOLUME_METHODS[options.method ?? 'shapes'].plan(plan, own);
  const solver = options.progressive ? planProgressivePose(plan, inner, { steps: options.progressive }) : inner;
  let solverFrame: SolverFrame | undefined;
  let hasBegun = false; // with this frame
  let ahead: Float64Array | undefined; // of methods that are run twice

  function take(frame: Frame): SolverFrame {
    if (hasBegun) {
      hasBegun = false;
      return solverFrame!;
    }
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
    return solverFrame;
  }

  return {
    volume: { ...plan, report, ...('shapes' in inner && { shapes: inner as ShapeSolver }) },
    directions,
    apexCount: volumes.apexCount,
    ...(solver.areas && volumes.closed.apexCount === 0 && { areas: solver.areas }),
    begin(frame, move) {
      if (solver.begin) {
        solver.begin(take(frame), move);
        hasBegun = true;
        return;
      }
      const { positions } = frame;
      ahead ??= new Float64Array(positions.length);
      ahead.set(positions);
      solver.apply(take(frame));
      for (let i = 0; i < ahead.length; i++) {
        const before = ahead[i]!;
        ahead[i] = positions[i]!;
        positions[i] = before;
      }
      move(positions, ahead);
    },
    apply: (frame) => solver.apply(take(frame)),
  };
}
