/**
 * The default frame — skin, shapes with exact regions, normals (C15) — as plain arrays, for kernel sets that run it whole in
 * their own memory (WASM, WebGPU). The TypeScript layers are the specification: same plan, same iteration, other precision.
 */
import type { PairSearch, SearchPlan } from '../contact/pair-search.js';
import type { AmountSolverOptions } from '../correction/amount-solver.js';
import type { Shapes } from '../correction/plan-shapes.js';
import type { SolverReport } from '../correction/volume-solver.js';
import type { FleshSkin, FleshWaves } from '../flesh/plan-flesh-skin.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import type { FoldPlan, FoldRunner } from '../wrinkles/plan-folds.js';

export interface FramePlan {
  readonly vertexCount: number;
  readonly boneCount: number;
  /** x̄, #V×3. */
  readonly positions: Float64Array;
  /** n̄, #V×3: the rest field that is turned with the skin and that the skin is pushed along. */
  readonly directions: Float64Array;
  /** Vertex → influences. */
  readonly offsets: Uint32Array;
  readonly bones: Uint32Array;
  readonly weights: Float64Array;
  /** Closed triangles, apexes, inner vertices and border pairs of the regions (B4). */
  readonly volumes: RegionVolumes;
  /** φ, ceilings, blocks (C15). */
  readonly shapes: Shapes;
  readonly solver: AmountSolverOptions;
}

/** A kernel set that solves the amounts of frames. */
export interface AmountKernels {
  /** `typescript`, `wasm`. */
  readonly name: string;
  createRunner(plan: FramePlan): AmountRunner;
}

/** What swings (G1, G3): how the lag of bones and the amounts of modes move the soft vertices. */
export interface FleshPlan {
  readonly skin: FleshSkin;
  /** Its amounts are those of the frame when it runs. */
  readonly waves: FleshWaves | undefined;
  /** x̄, #V×3. */
  readonly rest: Float64Array;
  /** Lagging matrices: #springs × #B. */
  readonly matrixCount: number;
}

export interface FleshRunner {
  /** Adds the lag to `positions`, whose vertex k is at places[k] … (default: 3k …): what `applyFleshSkin` does. */
  run(positions: Float64Array | Float32Array, rest: Float64Array, lag: Float64Array, places?: Uint32Array): void;
  dispose(): void;
}

/** A kernel set that moves the flesh of stacks whose frames run layer by layer. */
export interface FleshKernels {
  /** @param beside in the memory that it moves, where that is known. */
  createFlesh?(plan: FleshPlan, beside?: Float32Array): FleshRunner;
}

/** A kernel set that runs the passes of folded frames. */
export interface FoldKernels {
  createFolds?(plan: FoldPlan): FoldRunner;
}

/** A kernel set that finds what touches (F7) on its frames. */
export interface ContactKernels {
  /** @param skinned of the frame, #V×4 */
  createSearch?(plan: SearchPlan, skinned: () => Float32Array): PairSearch;
}

/** A kernel set that runs whole frames: at once (WASM), or as a promise (WebGPU). */
export interface FrameKernels<Done extends void | Promise<void> = void>
  extends FleshKernels,
    FoldKernels,
    ContactKernels {
  readonly name: string;
  /** Its runners take a `move`. */
  readonly takesMoves?: boolean;
  createRunner(plan: FramePlan): FrameRunner<Done>;
}

/** Moves a surface while its amounts are solved, and says whether it has: vertex k is y[places[k]], y[places[k] + 1], y[places[k] + 2]. */
export type MoveFrame = (y: Float32Array, places: Uint32Array) => boolean;

export interface FrameMoves {
  /** Called on the skin, before anything is measured (flesh): a pose that is held is run again. */
  readonly skinned?: MoveFrame | undefined;
  /** Called where the first step of the search leads (contact): the frame is cold. */
  readonly ahead?: MoveFrame | undefined;
}

export interface AmountRunner {
  /** x̄ has changed (morph targets): #V×3. */
  setRest(positions: Float64Array): void;
  /**
   * The amounts of one frame from bone matrices (#B×12) and targets V̄_s, and the report: for players that morph and skin themselves. Cold, they are a
   * function of these alone: the same bits whatever ran before, on any number of threads. Warm, the search starts at the last frame's amounts and
   * agrees with the cold one to the tolerance.
   */
  solve(boneMatrices: Float64Array, targets: Float64Array, report: SolverReport, warm?: boolean): void;
  /** λ of the last frame, one per shape. */
  readonly amounts: Float64Array;
  dispose(): void;
}

export interface FrameRunner<Done extends void | Promise<void> = void> {
  setRest(positions: Float64Array): void;
  /** The surface of one frame, from what `AmountRunner.solve` takes. */
  run(
    boneMatrices: Float64Array,
    targets: Float64Array,
    report: SolverReport,
    warm?: boolean,
    moves?: FrameMoves,
  ): Done;
  /** Corrected positions, skinned positions and unit normals of the last `run`, #V×4 (x y z, unused). */
  readonly positions: Float32Array;
  readonly skinned: Float32Array;
  readonly normals: Float32Array;
  /** λ of the last `run`, one per shape. */
  readonly amounts: Float64Array;
  dispose(): void;
}
