/**
 * The default frame — skin, regions with planned bases, normals — as plain arrays, for kernel sets that run it whole in
 * their own memory (WASM, WebGPU). The TypeScript stack is the specification: same plan, same iteration, other precision.
 */
import type { AmountSolverOptions } from '../correction/create-amount-solver.js';
import type { SmoothBases } from '../correction/plan-smooth-bases.js';
import type { SolverReport } from '../correction/volume-solver.js';
import type { Csr } from '../mesh/surface.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';

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
  /** Vertex → neighbours, for the sweeps over the directions. */
  readonly neighbours: Csr;
  /** Closed triangles, apexes, inner vertices and border pairs of the regions (B4). */
  readonly volumes: RegionVolumes;
  /** φ, ψ, room, blocks, sweeps (C11). */
  readonly smooth: SmoothBases;
  /** Rest volume of every region's component. */
  readonly wholes: Float64Array;
  /** Vertices of every block's component that may be scaled as the last resort; none where one must not move.
   * Default: no component is. */
  readonly components?: readonly Uint32Array[];
  readonly solver: AmountSolverOptions;
}

/** A kernel set that runs whole frames. */
export interface FrameKernels {
  /** `wasm`, `webgpu`. */
  readonly name: string;
  planFrame(plan: FramePlan): FrameRunner;
}

export interface FrameRunner {
  /** x̄ has changed (morph targets): #V×3. */
  setRest(positions: Float64Array): void;
  /** One frame from bone matrices (#B×12) and targets V̄_s. */
  run(boneMatrices: Float64Array, targets: Float64Array, report: SolverReport): void;
  /** Corrected positions, skinned positions and unit normals, #V×4 (x y z, unused). */
  readonly positions: Float32Array;
  readonly skinned: Float32Array;
  readonly normals: Float32Array;
  /** The next solve starts cold. */
  reset(): void;
  dispose(): void;
}
