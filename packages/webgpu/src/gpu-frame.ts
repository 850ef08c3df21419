/** What `createGpuFrame` takes and gives. */
import type { OutputStride } from './wgsl/output.js';

export interface GpuFrameOptions {
  /** Characters that share the plan, each with its own pose. */
  readonly instances?: number;
  /** Where corrected positions go (usage STORAGE, and VERTEX to draw them): #instances × #vertices × stride bytes. */
  readonly positions?: GPUBuffer;
  readonly normals?: GPUBuffer;
  /** Bytes per vertex of both. */
  readonly stride?: OutputStride;
  /**
   * Positions as vec4 and normals as a word each (an octahedron, signed 16 bit each way), in the order of the GPU: what costs least to
   * write. `places` says where a vertex stands; `stride` and `welded` have no meaning then.
   */
  readonly packed?: boolean;
  /** Drawn vertex → vertex of the plan, where a mesh draws welded vertices several times. */
  readonly welded?: Uint32Array;
  /** Most evaluations of the surface, a step each, of a warm frame. */
  readonly steps?: number;
  /** The same of a cold frame, and of a warm one where a bone jumps. */
  readonly coldSteps?: number;
}

export const GPU_FRAME_DEFAULTS = { instances: 1, stride: 16, packed: false, steps: 6, coldSteps: 8 } as const;

export interface EncodeOptions {
  /**
   * Start from the last frame's amounts: fewer evaluations, the same result to the tolerance. Otherwise the frame is a function of
   * pose and targets alone, the same bits whatever ran before.
   */
  readonly warm?: boolean;
  /** Amounts of the shapes beyond the regions, #instances×(shapes − K); default: those of the plan's harmonics, or 0. */
  readonly given?: ArrayLike<number>;
  /** With poses that are on the GPU already: somebody's has changed abruptly, as many evaluations as in a cold frame. */
  readonly jump?: boolean;
  /** Where time stamps go: of the whole frame (one pass), or of every stage (a pass each, which is slower as a whole). */
  readonly frame?: GPUComputePassTimestampWrites;
  readonly stage?: (name: string) => GPUComputePassTimestampWrites | undefined;
}

export interface GpuFrame {
  /**
   * What `encode` uploads, per instance: rows of the bone matrices (x y z t, #B×3×4), then the targets (K, padded to 4) and given
   * amounts, f32.
   */
  readonly inputs: GPUBuffer;
  readonly positions: GPUBuffer;
  readonly normals: GPUBuffer;
  /** Vertices of one character in these buffers. */
  readonly vertexCount: number;
  /** Vertex of the plan → where it stands among them, if `packed`. */
  readonly places: Uint32Array;
  readonly instances: number;
  /** Bytes of GPU memory that the frame owns. */
  readonly bytes: number;
  /** Bytes that a frame of so many evaluations must move between memory and the GPU, if every pass touches everything once. */
  measureTraffic(evaluations: number): number;
  /**
   * Adds one frame to `encoder`. Bone matrices #instances×#B×12, targets #instances×K (V̄_s). They go to the GPU through the
   * device's queue at once: submit before the next `encode` of the same frame with another pose. Without them the poses are those
   * that `inputs` holds, whoever wrote them (createClipPlayer).
   */
  encode(
    encoder: GPUCommandEncoder,
    boneMatrices?: ArrayLike<number>,
    targets?: ArrayLike<number>,
    options?: EncodeOptions,
  ): void;
  /** Poses (#×#B×12, and #×K targets) as `inputs` holds them. */
  pack(boneMatrices: ArrayLike<number>, targets: ArrayLike<number>): Float32Array<ArrayBuffer>;
  /** x̄ has changed (morph targets), #V×3. */
  setRest(positions: Float64Array): void;
  /** Waits for the GPU and copies the last frame; a renderer does not need it. */
  read(): Promise<GpuFrameReading>;
  /** The next frame is a cold one. */
  reset(): void;
  dispose(): void;
}

export interface GpuFrameReading {
  /** #instances×#vertices×(stride/4). */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** V_s of the last evaluation (before the last step), and λ after it: #instances×K. */
  readonly volumes: Float32Array;
  readonly lambda: Float32Array;
  /** Evaluations that the frame took, per instance: those of its slowest component. */
  readonly evaluations: Float32Array;
}
