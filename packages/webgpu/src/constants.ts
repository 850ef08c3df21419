/**
 * Numbers that the TypeScript of this package and its WGSL share: interpolated into the shaders, never written there. Those of the
 * iteration itself come from core (AMOUNT_SOLVER_CONSTANTS).
 */

/** Relative error of the volumes at which a component is left as it is. f32 measures volumes to about 2e−7. */
export const IDLE = 2e-6;
/** A step that starts from this error is the last and is not measured: it squares the error. */
export const ROUGH = 1e-3;
/** A step that moves every amount by less (λ_s = 1 adds a region's own volume) is the last one. */
export const SMALL_STEP = 2e-5;
/** A step that falls short of its promised gain by more than this share is no Newton step: another one is not taken unmeasured. */
export const TRUSTED = 0.1;
/** Share of the energy that is as good as nothing for a step on the model: a hundredth of the error. */
export const MODEL_NOTHING = 1e-4;
/** Share of the energy that f32 does not see: a round that gains no more is the last. A look at the surface costs more than a round. */
export const MODEL_STILL = 1e-6;
/** Change of a bone matrix (of its linear part: about an angle) or of a target (relative) from which a frame gets as many evaluations
 * as a cold one. */
export const JUMP = 0.2;
/** Added to the unit diagonal of the equilibrated system: a few roundings of f32, so that it can be solved without pivots. */
export const DAMPING = 1e-6;
/** Stands for a ceiling, or a bound of an error, that is infinite. */
export const NO_CEILING = 1e15;
/** Below this a diagonal, a ceiling or a length counts as zero. */
export const TINY = 1e-30;

/** Where a component stands in its iteration; a cleared state starts. */
export const PHASES = ['START', 'SEARCH', 'DONE'] as const;

/** Vertices (or pairs) of one workgroup. */
export const TILE = 256;
/** Vertices of one region whose lists stand side by side, so that neighbouring threads read neighbouring words. */
export const SLICE = 32;
/** Sums that a slice reduces at a time: 8·256 numbers of workgroup memory, or 9 shuffles. */
export const SUMS = 8;
/** Columns of a slice at places that need no header: what most slices have. */
export const COLUMNS_AHEAD = 4;
/** Ring entries that a thread loads at once, so that their latencies overlap; more take registers, and with them threads. */
export const RING_BATCH = 3;
/** Regions of one component whose system fits into 16 KiB of workgroup memory; larger systems live in a buffer. */
export const SHARED_REGIONS = 54;
/** Most regions of one component: one thread each. */
export const MOST_REGIONS = 256;

/** Bits of an influence that hold the weight; the bone stands above them. */
export const WEIGHT_BITS = 20;
/** Largest integer weight: all weights of a vertex sum to it exactly. */
export const WEIGHT_UNIT = 2 ** WEIGHT_BITS - 1;
export const MOST_BONES = 2 ** (32 - WEIGHT_BITS);
/** Most shapes of one slice. */
export const MOST_COLUMNS = 2 ** 8 - 1;
/** A sum that is zero whatever the pose: not written. */
export const NO_SUM = 0xffffffff;
/** A vertex that no source vertex stands behind: padding. */
export const NO_SOURCE = 2 ** 24 - 1;

/** Ring entries: no triangle between this entry and the one before it (cyclic). */
export const RING_BREAK = 0x80000000;
export const RING_INDEX = 0x7fffffff;

/** Words of a slice's header, in this order: what `measure` needs, then what `skin` needs as well. Lists begin where their first word would be if all stood there. */
export const SLICE_FIELDS = ['rings', 'widths', 'anchor', 'sums', 'columns', 'counts', 'values', 'influences'] as const;
export type SliceField = (typeof SLICE_FIELDS)[number];

/** Words of a block's (component's) header, in this order. */
export const BLOCK_FIELDS = [
  'size',
  'regions',
  'columns',
  'entryCount',
  'entries',
  'products',
  'scratch',
  'matrix',
] as const;

/**
 * Arrays of one number per region in the state of a character, in this order; then MARK_FIELDS per block. λ under trial, the last λ that
 * was taken, the step from there, b (the error that plain skinning leaves; NO_CEILING in a warm frame), V_s of the last evaluation, where a warm frame
 * starts — on the line through the last two frames' λ if all regions of the component were met and none pays, else at 0 — and λ of the frame before.
 */
export const STATE_FIELDS = ['lambda', 'accepted', 'delta', 'bound', 'volumes', 'start', 'before'] as const;

/** Marks of a block: PHASES, energy at `accepted` and what its step promises, length of the step under trial, its reach in λ, whether it began warm, evaluations. */
export const MARK_FIELDS = ['phase', 'energy', 'promised', 'step', 'reach', 'warm', 'evaluations'] as const;

/** Words of the uniform block, in this order. The first two tell an evaluation which one it is. */
export const SHAPE_FIELDS = [
  'isFirst',
  'isFinal',
  'instances',
  'perGroup',
  'vertexCount',
  'pointStride',
  'sourceCount',
  'tileCount',
  'apexCount',
  'apexPairCount',
  'regionCount',
  'blockCount',
  'boneVectors',
  'givenVectors',
  'inputStride',
  'stateStride',
  'partialStride',
  'entryCount',
  'sumStride',
  'scratchStride',
  'infos',
  'columns',
  'values',
  'influences',
  'apexGroups',
  'members',
  'apexEdges',
  'shares',
  'componentVolumes',
  'ceilings',
  'runs',
  'blocks',
] as const;
export type ShapeField = (typeof SHAPE_FIELDS)[number];

/** GPUBufferUsage and GPUMapMode of the standard, as numbers: Node has no such globals. */
export const USAGE = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, VERTEX: 32, UNIFORM: 64, STORAGE: 128 } as const;
export const MAP_READ_MODE = 1;
