/**
 * What the page and its engine say to each other.
 *
 * Every request has an id and gets exactly one answer, `{ id, result }` or `{ id, error }`. Arrays travel without copies: the
 * page gives a frame's arrays back with the next request (`recycle`), so two sets go to and fro and nothing is allocated.
 */
import type { StackSpec, WrinkleTool } from '@isoskin/core';
import type { PartPlan, SurfaceAnchor, WrinklePresetName, WrinkleState } from '@isoskin/core/wrinkles';
import type { SkinWeights } from '../state/skin-weights.js';
import type { Colouring, Paint, PoseEdits } from '../state/studio-document.js';

export type SourceData =
  | {
      readonly kind: 'demo';
      readonly name: string;
      /** The character made beforehand (`packArrays`). */
      readonly packed?: Uint8Array;
    }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly bytes: Uint8Array;
      /** Files dropped beside a .gltf, by name. */
      readonly files?: Readonly<Record<string, Uint8Array>>;
    };

export type KernelChoice = 'auto' | 'wasm' | 'webgpu' | 'typescript';

/** Request → answer, by name. `createEngine` has one method for each. */
export interface EngineCalls {
  /** Reads a character and makes it the present one; on an error the one before stays. */
  open(source: SourceData): Promise<CharacterFacts>;
  /** Plans the stack; frames use the one before until it is done, and after an error. */
  plan(request: PlanRequest): Promise<PlanFacts>;
  frame(request: FrameRequest): Promise<FrameResult>;
  pick(request: PickRequest): Promise<PickResult | null>;
  /** The wrinkle tools that a preset makes between two points of the skin, as it stands: their rest length is that of this pose. */
  placeWrinkle(request: PlaceWrinkleRequest): Promise<readonly WrinkleTool[]>;
  /** What plain skinning does to the regions at some moments, for the list of the worst. */
  measureLosses(request: LossRequest): Promise<LossResult>;
  /** A few frames of a clip as numbers, for the plots. Frames are asked for in order, from 0 on. */
  measure(request: MeasureRequest): Promise<MeasureResult>;
}

export interface CharacterFacts {
  readonly name: string;
  readonly vertexCount: number;
  /** #T×3. */
  readonly triangles: Uint32Array;
  /** Rest positions, #V×3. */
  readonly rest: Float32Array;
  /** Box around all sampled poses of all clips, for the camera: min, max. */
  readonly bounds: readonly number[];
  readonly joints: readonly JointFacts[];
  /** World matrices of the nodes at rest, #N×16 column-major. */
  readonly restNodes: Float32Array;
  readonly clips: readonly { readonly name: string; readonly duration: number }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** Painted values that came with the file. */
  readonly paint: Paint;
  readonly skin: SkinFacts;
  /** Where a file holds what the character was read from; a demo has none. */
  readonly file?: FileFacts;
}

/** The weights of the file, and what they may be painted with. */
export interface SkinFacts {
  readonly weights: SkinWeights;
  /** Node of every bone. */
  readonly boneNodes: Uint32Array;
  /** Group (a mesh of the file) of every vertex, and the bone of every node in each group, −1 for none. */
  readonly vertexGroup: Uint32Array;
  readonly boneOfNode: readonly Int32Array[];
}

export interface FileFacts {
  /** Node of the file of each node of the skeleton. */
  readonly nodes: readonly number[];
  readonly parts: readonly PartFacts[];
}

/** One primitive of the file: its numbers there, and the surface's vertex that each of its vertices follows. */
export interface PartFacts {
  readonly node: number;
  readonly mesh: number;
  readonly primitive: number;
  readonly welded: Uint32Array;
}

export interface JointFacts {
  readonly node: number;
  readonly name: string;
  /** Node of the nearest ancestor that is a joint, −1 for none. */
  readonly parent: number;
  readonly depth: number;
}

export interface PlanRequest {
  readonly stack: StackSpec;
  readonly paint: Paint;
  readonly kernels: KernelChoice;
  /** What alone differs from what is planned. */
  readonly only?: 'wrinkles' | 'amounts';
  /** While there is time: with all that plans of other maps and cuts will need, too, whatever is kept. */
  readonly isAhead?: boolean;
}

export interface PlanFacts {
  /** Which kernels run the stack, and why not faster ones (empty if there is nothing to say). */
  readonly kernels: 'wasm' | 'webgpu' | 'typescript';
  readonly reason: string;
  readonly milliseconds: number;
  readonly regions: readonly RegionFacts[];
  /** Region of every vertex, −1 for none, and of every triangle. */
  readonly vertexRegion: Float32Array;
  readonly triangleRegion: Int32Array;
  readonly hasContact: boolean;
  /** What hangs on one joint and is left alone, in words; empty where there is nothing. */
  readonly rigid: string;
}

export interface RegionFacts {
  readonly name: string;
  readonly rest: number;
  /** Node of its joint, −1 for none. */
  readonly joint: number;
  /** Number of the part (a connected piece of the surface) that it belongs to. */
  readonly part: number;
}

export interface FrameRequest {
  readonly clip: number;
  readonly time: number;
  /** Seconds since the last frame; 0 starts cold (a jump). */
  readonly dt: number;
  readonly pose: PoseEdits;
  readonly colouring: Colouring;
  /** Node whose weight is shown. */
  readonly joint: number;
  /** Times how far the correction moves the skin, to be seen: 1 as it is. */
  readonly exaggerate: number;
  /** Triangles of a wrinkled surface that the page has, 0 for none. */
  readonly topology: number;
  readonly recycle?: FrameArrays;
}

/** What is drawn; all #V×3, `values` #V. */
export interface FrameArrays {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly skinned: Float32Array;
  readonly skinnedNormals: Float32Array;
  /** What the colouring shows, 0 … 1. */
  readonly values: Float32Array;
  readonly skinnedValues: Float32Array;
}

export interface FrameResult {
  readonly time: number;
  readonly arrays: FrameArrays;
  /** World matrices of the nodes, #N×16 column-major. */
  readonly nodes: Float32Array;
  readonly volume?: VolumeFacts;
  /** Present while something is folded; drawn instead of `arrays.positions`. */
  readonly refined?: RefinedArrays;
  /** One for every wrinkle that is on. */
  readonly wrinkles?: readonly WrinkleState[];
  readonly timings: readonly LayerTiming[];
  /** End of the displacement scale, relative to the local thickness. */
  readonly displacement: number;
}

/** The corrected surface where wrinkles fold it: vertices and triangles of its own. */
export interface RefinedArrays {
  /** Number of the triangle list; what belongs to it comes only when the page has another one. */
  readonly topology: number;
  readonly triangles?: Uint32Array;
  readonly regions?: Float32Array;
  /** Levels of the patches, and 1 for vertices in use: for the parts of the file. */
  readonly levels?: Uint8Array;
  readonly used?: Uint8Array;
  /** Comes only with the first triangles of a plan. */
  readonly plan?: PartPlan;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly values: Float32Array;
}

/** Relative changes of volume, −0.1 = 10 % lost; regions in the order of `PlanFacts.regions`. */
export interface VolumeFacts {
  readonly skinned: number;
  readonly corrected: number;
  readonly regionsSkinned: Float32Array;
  readonly regionsCorrected: Float32Array;
}

export interface MeasureRequest {
  readonly clip: number;
  readonly fps: number;
  /** First frame and how many; the answer may have fewer at the end of the clip. */
  readonly from: number;
  readonly count: number;
  readonly pose: PoseEdits;
  /** Count self-intersections too: slow. */
  readonly intersections: boolean;
}

/** Frames × 1, or frames × regions; relative changes. */
export interface MeasureResult {
  readonly times: Float64Array;
  /** Frames of the whole clip. */
  readonly total: number;
  readonly skinned: Float64Array;
  readonly corrected: Float64Array;
  readonly regionsSkinned: Float32Array;
  readonly regionsCorrected: Float32Array;
  readonly crossingsSkinned?: Float64Array;
  readonly crossingsCorrected?: Float64Array;
}

export interface LossRequest {
  readonly moments: readonly { readonly clip: number; readonly time: number }[];
}

export interface LossResult {
  /** Relative changes of the regions, moments × regions. */
  readonly changes: Float32Array;
}

export interface LayerTiming {
  readonly name: string;
  readonly milliseconds: number;
}

export interface PickRequest {
  readonly origin: readonly number[];
  readonly direction: readonly number[];
  readonly surface: 'skinned' | 'corrected';
}

export interface PickResult {
  readonly triangle: number;
  readonly point: readonly number[];
  readonly normal: readonly number[];
  /** Vertex of the triangle nearest to the point. */
  readonly vertex: number;
  readonly barycentric: readonly [number, number, number];
  /** Joint with the largest weight there. */
  readonly joint: number;
}

export interface PlaceWrinkleRequest {
  readonly a: SurfaceAnchor;
  readonly b: SurfaceAnchor;
  /** Without one: a plain tool. */
  readonly preset?: WrinklePresetName;
  /** Along the skin; default: as the preset says. */
  readonly curved?: boolean;
}

export interface EngineFault {
  readonly code: string;
  readonly message: string;
}

export interface EngineMessage {
  readonly id: number;
  readonly call: keyof EngineCalls;
  readonly request: unknown;
}

export type EngineAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: EngineFault };
